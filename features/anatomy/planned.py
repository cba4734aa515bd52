"""Plans of people as the queue keeps them, and as people read them back."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, time
from itertools import groupby
from zoneinfo import ZoneInfo

from features.anatomy.texts import has, say
from language.planning.instants import instant_of
from language.planning.plans import (
    RULE_DAYS,
    WORKING_DAYS,
    Again,
    Once,
    Plan,
    SeveralTimes,
    each_of,
    rule_parts,
    together,
)
from language.scripts import Language
from storage.queue.schedules import At, Cron, Each, Rule, Trigger


def trigger_of(plan: Plan, zone: str) -> Trigger:
    """Return the trigger of a schedule for a plan that is said in a zone.

    A time that the zone's clocks skip is the instant after the gap; of one that they have twice it is the first, unless
    the plan says the second.
    """
    return Each(tuple(_one(each, zone) for each in plan.plans)) if isinstance(plan, SeveralTimes) else _one(plan, zone)


def _one(plan: Once | Again, zone: str) -> At | Rule:
    return At(instant_of(plan.at, ZoneInfo(zone), second=plan.second)) if isinstance(plan, Once) else rule_of(plan)


def plan_of(trigger: Trigger, zone: str) -> Plan | None:
    """Return the plan behind a trigger that `trigger_of` made, or a line of a crontab of before; None for any other."""
    match trigger:
        case At() | Rule():
            return _said(trigger, zone)
        case Each():
            return together(_said(each, zone) for each in trigger.of)
        case Cron():
            return _of_line(trigger.line)
        case _:
            return None


def _said(trigger: At | Rule, zone: str) -> Once | Again:
    if isinstance(trigger, Rule):
        return again_of(trigger)
    return Once.on_wall(trigger.instant.astimezone(ZoneInfo(zone)))


def _of_line(line: str) -> Again | None:
    """Return the plan behind a line of a crontab that says a time of day; None where it says anything else."""
    minute, hour, of_month, month, of_week = line.split()
    if not (minute.isdecimal() and hour.isdecimal() and month == "*"):
        return None
    at = time(int(hour), int(minute))
    match of_month, of_week:
        case "*", "*":
            return Again("FREQ=DAILY", at)
        case "*", "1-5":
            return Again(f"FREQ=WEEKLY;BYDAY={WORKING_DAYS}", at)
        case "*", ("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7") as day:
            return Again(f"FREQ=WEEKLY;BYDAY={RULE_DAYS[int(day) - 1]}", at)
        case day, "*" if day.isdecimal():
            return Again(f"FREQ=MONTHLY;BYMONTHDAY={day}", at)
        case _:
            return None


def rule_of(plan: Again) -> Rule:
    """Return the trigger of what comes again and again."""
    return Rule(plan.rule, f"{plan.at:%H:%M}", plan.start.isoformat() if plan.start else "")


def again_of(rule: Rule) -> Again:
    """Return the plan behind a rule."""
    return Again(rule.rule, rule.time_of_day, rule.first)


def in_words(plan: Plan, language: Language, zone: str) -> str:
    """Return when a plan comes as people read it, with the zone by its city: "Tue 24 Nov 2026, 09:00, Amsterdam"."""
    *_, last = parts = each_of(plan)
    key = "once" if isinstance(last, Once) else "again_utc" if zone == "UTC" else "again"
    said = [_without_zone(tuple(each), language) for _, each in groupby(parts, key=_days)]
    return say(language, f"planned.{key}", when=_listed(said, language), zone=_city(zone, language))


def _days(plan: Once | Again) -> date | Again:
    """Return the day of a plan, or its days: those that have them in common are read back as one."""
    return plan.at.date() if isinstance(plan, Once) else replace(plan, at=time())


def _without_zone(plans: Sequence[Once | Again], language: Language) -> str:
    """Return when plans of the same days come: "Fri 4 Dec 2026, 09:00 and 17:00"."""
    plan, at = plans[0], _listed([f"{each.at:%H:%M}" for each in plans], language)
    if isinstance(plan, Again):
        return say(
            language, "planned.rhythm", rhythm=_rhythm(plan, language), time=at, start=_date(plan.start, language)
        )
    weekday = say(language, f"planned.short.{RULE_DAYS[plan.at.weekday()]}")
    month = say(language, f"planned.month.{plan.at.month}")
    return say(language, "planned.date", year=plan.at.year, day=plan.at.day, time=at, weekday=weekday, name=month)


def _city(zone: str, language: Language) -> str:
    """Return the city of a zone, in Chinese where it is one of the best known."""
    city = zone.rpartition("/")[2]
    return say(language, f"planned.city.{city}") if has(f"planned.city.{city}") else city.replace("_", " ")


def _rhythm(plan: Again, language: Language) -> str:
    """Return how often: "every Monday", 每月最后一个工作日."""
    parts = rule_parts(plan.rule)
    every = int(parts.get("INTERVAL", "1"))
    match parts["FREQ"]:
        case "YEARLY":
            name = say(language, f"planned.month.{parts['BYMONTH']}")
            return say(language, "planned.yearly", name=name, day=parts["BYMONTHDAY"])
        case "MONTHLY":
            one, more, values = "planned.monthly", "planned.months", {"day": _day_of_month(parts, language)}
        case "WEEKLY" if parts["BYDAY"] == WORKING_DAYS and every == 1:
            return say(language, "planned.weekdays")
        case "WEEKLY":
            days = _listed([_day(each, language) for each in parts["BYDAY"].split(",")], language)
            one, more, values = "planned.weekly", "planned.weeks", {"days": days}
        case _:
            one, more, values = "planned.daily", "planned.days", {}
    if every == 1:
        return say(language, one, **values)
    return say(language, more, **values, every=every)


def _day_of_month(parts: Mapping[str, str], language: Language) -> str:
    match parts:
        case {"BYMONTHDAY": days}:
            return _listed([_month_day(int(each), language) for each in days.split(",")], language)
        case {"BYSETPOS": nth}:
            return say(language, "planned.working_day", nth=say(language, f"planned.nth.{int(nth)}"))
        case _:
            nth, day = parts["BYDAY"][:-2], parts["BYDAY"][-2:]
            which = say(language, f"planned.nth.{int(nth)}")
            return say(language, "planned.weekday_of_month", nth=which, day=_day(day, language))


def _month_day(day: int, language: Language) -> str:
    """Return a day of each month, below zero one that is counted from its end."""
    if day > 0:
        return say(language, "planned.day", day=day)
    before = -1 - day
    key = "last_day" if not before else "before_last_day" if before == 1 else "days_before_last_day"
    return say(language, f"planned.{key}", count=before)


def _listed(names: Sequence[str], language: Language) -> str:
    comma, last = say(language, "planned.comma"), say(language, "planned.and")
    return last.join(filter(None, (comma.join(names[:-1]), names[-1])))


def _day(day: str, language: Language) -> str:
    return say(language, f"planned.weekday.{day}")


def _date(day: date | None, language: Language) -> str:
    if day is None:
        return ""
    name = say(language, f"planned.month.{day.month}")
    return say(language, "planned.from", year=day.year, day=day.day, name=name)
