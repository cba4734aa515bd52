"""Plans of people as the queue keeps them, and as people read them back."""

import re
from datetime import date
from typing import assert_never
from zoneinfo import ZoneInfo

from features.anatomy.texts import say
from language.planning.instants import instant_of
from language.planning.plans import RULE_DAYS, WORKING_DAYS, Again, Once, Plan, rule_parts
from language.scripts import Language
from storage.queue.schedules import At, Rule, Trigger

_DAY = re.compile(r"(?P<nth>[+-]?\d{1,2})?(?P<day>MO|TU|WE|TH|FR|SA|SU)")


def trigger_of(plan: Plan, zone: str) -> Trigger:
    """Return the trigger of a schedule for a plan that is said in a zone.

    A time that the zone's clocks skip is the instant after the gap; of one that they have twice it is the first.
    """
    match plan:
        case Once():
            return At(instant_of(plan.at, ZoneInfo(zone)))
        case Again():
            return Rule(plan.rule, f"{plan.at:%H:%M}", plan.start.isoformat() if plan.start else "")
        case _:
            assert_never(plan)


def plan_of(trigger: Trigger, zone: str) -> Plan | None:
    """Return the plan behind a trigger that `trigger_of` made; None for any other."""
    match trigger:
        case At():
            return Once(trigger.instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None))
        case Rule():
            return Again(trigger.rule, trigger.time_of_day, trigger.first)
        case _:
            return None


def in_words(plan: Plan, language: Language, zone: str) -> str:
    """Return when a plan comes as people read it, with the zone by its city: "Tue 24 Nov 2026, 09:00, Amsterdam"."""
    match plan:
        case Once():
            values = {"year": plan.at.year, "month": plan.at.month, "day": plan.at.day, "time": f"{plan.at:%H:%M}"}
            weekday = say(language, f"planned.short.{RULE_DAYS[plan.at.weekday()]}")
            month = say(language, f"planned.month.{plan.at.month}")
            return say(language, "planned.once", **values, weekday=weekday, name=month, zone=_city(zone))
        case Again():
            rhythm, at = _rhythm(plan, language), f"{plan.at:%H:%M}"
            key = "planned.again_utc" if zone == "UTC" else "planned.again"
            return say(language, key, rhythm=rhythm, time=at, zone=_city(zone))
        case _:
            assert_never(plan)


def _city(zone: str) -> str:
    return zone.rpartition("/")[2].replace("_", " ")


def _rhythm(plan: Again, language: Language) -> str:
    """Return how often: "every Monday", 每月最后一个工作日."""
    parts = rule_parts(plan.rule)
    every = int(parts.get("INTERVAL", "1"))
    match parts:
        case {"FREQ": "MONTHLY", "BYDAY": days, "BYSETPOS": nth} if days == WORKING_DAYS:
            which = say(language, f"planned.nth.{nth}")
            rhythm = say(language, "planned.working_day", nth=which)
        case {"FREQ": "MONTHLY", "BYDAY": day}:
            found = _DAY.fullmatch(day)
            if found is None or found["nth"] is None:
                return plan.rule
            which = say(language, f"planned.nth.{int(found['nth'])}")
            rhythm = say(language, "planned.weekday_of_month", nth=which, day=_day(found["day"], language))
        case {"FREQ": "MONTHLY", "BYMONTHDAY": days}:
            rhythm = _day_of_month(days, language)
        case {"FREQ": "YEARLY", "BYMONTH": month, "BYMONTHDAY": day}:
            name = say(language, f"planned.month.{month}")
            return say(language, "planned.yearly", month=month, name=name, day=day)
        case {"FREQ": "WEEKLY", "BYDAY": days} if days == WORKING_DAYS and every == 1:
            return say(language, "planned.weekdays")
        case {"FREQ": "WEEKLY", "BYDAY": days}:
            rhythm = say(language, "planned.and").join(_day(each, language) for each in days.split(","))
            if every == 1:
                return say(language, "planned.weekly", days=rhythm)
            return say(language, "planned.weeks", days=rhythm, every=every, start=_date(plan.start, language))
        case {"FREQ": "DAILY"} if every == 1:
            return say(language, "planned.daily")
        case {"FREQ": "DAILY"}:
            return say(language, "planned.days", every=every, start=_date(plan.start, language))
        case _:
            return plan.rule
    if every == 1:
        return say(language, "planned.monthly", day=rhythm)
    return say(language, "planned.months", day=rhythm, every=every, start=_date(plan.start, language))


def _day_of_month(days: str, language: Language) -> str:
    if days.startswith("-"):
        return say(language, "planned.last_day")
    return say(language, "planned.day_of_month", day=days)


def _day(day: str, language: Language) -> str:
    return say(language, f"planned.weekday.{day}")


def _date(day: date | None, language: Language) -> str:
    if day is None:
        return ""
    name = say(language, f"planned.month.{day.month}")
    return say(language, "planned.from", year=day.year, month=day.month, day=day.day, name=name)
