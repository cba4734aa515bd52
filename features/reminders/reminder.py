"""A reminder as a value, and as the schedule that the queue keeps of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Self
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter

from features.anatomy.planned import trigger_of
from identity.permissions import FeaturePermission
from language.planning.instants import instants_from
from language.planning.plans import Again, Once, Plan, SeveralTimes, each_of, rule_parts, together
from storage.ids import JsonObject, canonical_json
from storage.queue.schedules import At, Schedule

#: The topic of the slots, and what the names of the schedules begin with.
TOPIC, _PREFIX = "reminder", "reminder:"
#: The topic of those that were deleted: at the one slot of its schedule such a one is forgotten.
DELETED = "reminder_deleted"
#: What the name of the schedule of a deleted one ends with.
_GONE = ":deleted"
#: What the name of the schedule ends with that brings a repeated reminder back once more.
_AGAIN = ":again"
#: By how much a reminder may come late and still be in time.
LATE = timedelta(minutes=2)
#: Characters of what somebody is reminded of: what a conversation remembers of a message fits.
LONGEST = 600

SET = FeaturePermission("reminders:set", meaning="have the desk remind oneself", roles=("staff",))
POST = FeaturePermission("reminders:post", meaning="have the desk remind a channel that one is in", roles=("staff",))

_PLANS: Mapping[str, TypeAdapter[Any]] = {
    "once": TypeAdapter(Once),
    "again": TypeAdapter(Again),
    "several": TypeAdapter(SeveralTimes),
}


class Where(StrEnum):
    """Who is reminded, and where."""

    ALONE = "me"
    THREAD = "thread"  # everybody who reads the thread in which it was set
    CHANNEL = "channel"


class Waits(StrEnum):
    """How a reminder stands."""

    WAITING = "waiting"  # for its time
    TOLD = "told"  # it was delivered, and nothing has been said to it since
    SNOOZED = "snoozed"
    DONE = "done"  # of one that comes again: this time


@dataclass(frozen=True)
class Reminder:
    """What somebody is reminded of, when and where. The words are the person's own, without secrets."""

    id: str
    owner: str
    text: str
    plan: Plan
    timezone: str
    owner_name: str = ""
    where: Where = Where.ALONE
    about: str = ""  # a ticket's number or a draft's id
    address: JsonObject = field(default_factory=dict)  # where it was set
    thread: str = ""
    channel: JsonObject | None = None
    state: Waits = Waits.WAITING
    since: datetime | None = None  # when it was told or done
    due: datetime | None = None  # when it should have been told
    moved_to: datetime | None = None  # until when it was snoozed
    worded: str = ""  # its words before it got others
    before: Plan | None = None  # its plan before it got another one
    left_out: datetime | None = None  # the time that is left out, until it comes again
    restored: bool = False  # it was deleted once, and brought back

    @property
    def further(self) -> Plan | None:
        """Return when it comes again beside the time for which it came last; None where it does not."""
        if isinstance(self.plan, Once):
            return None
        ahead = [each for each in each_of(self.plan) if isinstance(each, Again) or self._is_to_come(each)]
        return together(ahead) if ahead else None

    def _is_to_come(self, plan: Once) -> bool:
        trigger = trigger_of(plan, self.timezone)
        return self.due is None or (isinstance(trigger, At) and trigger.instant > self.due)

    @property
    def repeats(self) -> bool:
        """Return whether it comes again."""
        return self.further is not None

    @property
    def is_open(self) -> bool:
        """Return whether there is still something to come, or to be done."""
        return self.repeats or self.state is not Waits.DONE

    @property
    def late(self) -> bool:
        """Return whether it was told so late that this is said."""
        return self.due is not None and self.since is not None and self.since - self.due > LATE

    @property
    def subject(self) -> str:
        """Return what its posted cards are about."""
        return f"{kind_of(self.where)}:{self.id}"

    @property
    def name(self) -> str:
        """Return the name of its schedule."""
        return f"{_PREFIX}{self.id}"

    @property
    def schedule(self) -> Schedule:
        """Return it as the queue keeps it. The place is no `target`: nobody else may point it elsewhere."""
        moved = None if self.repeats else self.moved_to
        trigger = At(moved) if moved else trigger_of(self.plan, self.timezone)
        return Schedule(self.name, TOPIC, trigger, timezone=self.timezone, owner=self.owner, payload=self._payload())

    def planned_at(self, now: datetime) -> datetime | None:
        """Return when it comes, or came to be put off, where it comes once and that is ahead; None otherwise."""
        trigger = At(self.moved_to) if self.moved_to else trigger_of(self.plan, self.timezone)
        return trigger.instant if isinstance(trigger, At) and trigger.instant > now else None

    def once_more(self, at: datetime) -> Schedule:
        """Return the schedule that brings it back at an instant beside those of its plan."""
        return Schedule(self.name + _AGAIN, TOPIC, At(at), timezone=self.timezone, owner=self.owner)

    def deleted(self, until: datetime) -> Schedule:
        """Return the schedule that keeps it deleted, to be brought back until an instant."""
        return replace(self.schedule, name=self.name + _GONE, topic=DELETED, trigger=At(until))

    def after_left_out(self) -> datetime | None:
        """Return when it comes next after the time that is left out; None where none is."""
        if self.left_out is None:
            return None
        return next(instants_from(self.plan, ZoneInfo(self.timezone), self.left_out), None)

    def _payload(self) -> JsonObject:
        return {
            "text": self.text,
            "plan": _plan_json(self.plan),
            "where": self.where.value,
            "about": self.about,
            "address": self.address,
            "thread": self.thread,
            "channel": self.channel,
            "state": self.state.value,
            "since": self.since.isoformat() if self.since else None,
            "due": self.due.isoformat() if self.due else None,
            "owner_name": self.owner_name,
            "moved_to": self.moved_to.isoformat() if self.moved_to else None,
            "worded": self.worded,
            "before": _plan_json(self.before) if self.before else None,
            "left_out": self.left_out.isoformat() if self.left_out else None,
            "restored": self.restored,
        }

    @classmethod
    def of(cls, schedule: Schedule) -> Self:
        """Return the reminder that a schedule keeps, deleted or not."""
        kept: Mapping[str, Any] = schedule.payload
        return cls(
            id=id_of(schedule.name),
            owner=schedule.owner,
            text=kept["text"],
            plan=_plan_of(kept["plan"]),
            timezone=schedule.timezone,
            where=Where(kept["where"]),
            about=kept["about"],
            address=kept["address"],
            thread=kept["thread"],
            channel=kept["channel"],
            state=Waits(kept["state"]),
            owner_name=kept["owner_name"],
            since=datetime.fromisoformat(kept["since"]) if kept["since"] else None,
            due=datetime.fromisoformat(kept["due"]) if kept["due"] else None,
            moved_to=datetime.fromisoformat(kept["moved_to"]) if kept["moved_to"] else None,
            worded=kept.get("worded", ""),
            before=_plan_of(kept["before"]) if kept.get("before") else None,
            left_out=datetime.fromisoformat(kept["left_out"]) if kept.get("left_out") else None,
            restored=kept.get("restored", False),
        )


def begun(plan: Plan, day: date) -> Plan:
    """Return a plan as it is said once a day has come: without a first day that only told when it begins."""
    return together(_begun(each, day) for each in each_of(plan))


def _begun(plan: Once | Again, day: date) -> Once | Again:
    if isinstance(plan, Once) or plan.start is None or plan.start > day or "INTERVAL" in rule_parts(plan.rule):
        return plan  # where some are left out, they are counted from its first day
    return replace(plan, start=None)


def dump_plan(plan: Plan) -> str:
    """Return a plan as JSON text, for `load_plan`."""
    return canonical_json(_plan_json(plan))


def load_plan(text: str) -> Plan | None:
    """Return the plan behind its JSON text; None for anything else."""
    try:
        return _plan_of(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _plan_json(plan: Plan) -> JsonObject:
    kind = "several" if isinstance(plan, SeveralTimes) else "again" if isinstance(plan, Again) else "once"
    return {kind: _PLANS[kind].dump_python(plan, mode="json")}


def _plan_of(kept: Mapping[str, Any]) -> Plan:
    ((kind, values),) = kept.items()
    plan: Plan = _PLANS[kind].validate_python(values)
    return plan


def kind_of(where: Where) -> str:
    """Return the kind of record that shows a reminder: one's own is for one's own eyes."""
    return "reminder" if where is Where.ALONE else "reminder_here"


def name_of(reminder_id: str) -> str:
    """Return the name of a reminder's schedule."""
    return f"{_PREFIX}{reminder_id}"


def id_of(name: str) -> str:
    """Return the id of the reminder that a schedule belongs to."""
    return name.removeprefix(_PREFIX).removesuffix(_AGAIN).removesuffix(_GONE)


def name_of_deleted(reminder_id: str) -> str:
    """Return the name of the schedule that keeps a deleted reminder."""
    return f"{_PREFIX}{reminder_id}{_GONE}"


def is_own(schedule: Schedule) -> bool:
    """Return whether a schedule keeps a reminder, and does not just bring one back."""
    return schedule.topic == TOPIC and not schedule.name.endswith(_AGAIN)
