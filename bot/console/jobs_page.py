"""What happens by the clock, for those who run the desk: see it, run it now, let it rest, name its channel."""

import re
from dataclasses import dataclass
from typing import assert_never
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute

from bot.console.pages import Pages, back_to
from bot.schedules.control import JobStatus
from bot.schedules.order import NoSuchChannel, NoSuchJob, Order
from features.anatomy.moments import moment
from features.anatomy.pages import Visit
from features.anatomy.planned import in_words, plan_of
from features.anatomy.texts import has
from identity.errors import UnknownPerson
from storage.queue.schedules import SYSTEM, At, Calendar, Cron, Each, Every, Rule, Trigger

#: Runs of one job that its page shows.
RUNS = 30


@dataclass(frozen=True)
class JobLine:
    """One job as a row of the table."""

    name: str
    words: str  # what it does, as people read it
    by: str
    took: str
    plan: str
    following: str  # the next time, in the job's own zone where it has a time of day; or what stands in its place
    latest: str
    outcome: str
    tone: str
    paused: bool
    target: str


class JobsPage:
    """For people with `jobs:manage`; the control itself asks for it."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._control = pages.desk.job_control
        self._posting = frozenset(job.name for job in pages.desk.jobs.table if job.says is not None)

    def routes(self) -> list[BaseRoute]:
        """Return the routes. The name of a job comes in the address' query and in the form: it may hold anything."""
        return [
            self._pages.get("/jobs", self.show),
            self._pages.get("/jobs/history", self.history),
            self._pages.post("/jobs/target", self.aim),
            self._pages.post("/jobs/{order}", self.order),
        ]

    async def show(self, visit: Visit) -> Response:
        """Show every job with its next and its latest time."""
        found = await self._control.system(visit.actor)
        person, topic = visit.asked("person"), visit.asked("kind")
        page = await self._control.ordered(
            visit.actor, owner=await self._owner(person), topic=topic, after=visit.asked("after", limit=400)
        )
        more = {"person": person, "kind": topic, "after": page.following}
        return await self._pages.draw(
            visit,
            "jobs.html",
            here="jobs",
            jobs=[_line(visit, each) for each in found],
            ordered=[_line(visit, each) for each in page.jobs],
            kinds=[(each, _kind(visit, each), count) for each, count in sorted(page.counts.items())],
            person=person,
            kind=topic,
            more=f"/jobs?{urlencode(more)}#ordered" if page.following else "",
            channels=await self._control.channels(visit.actor),
            posting={each.schedule.name for each in (*found, *page.jobs) if self._posts(each)},
        )

    async def _owner(self, person: str) -> str:
        """Return the id of whom the filter names; a name that nobody has finds nothing."""
        try:
            return (await self._pages.desk.people.called(person)).id if person else ""
        except UnknownPerson:
            return person

    async def history(self, visit: Visit) -> Response:
        """Show the latest runs of one job."""
        name = visit.asked("name")
        try:
            runs = await self._control.history(visit.actor, name, limit=RUNS)
        except NoSuchJob as error:
            raise HTTPException(404) from error
        return await self._pages.draw(visit, "job.html", here="jobs", name=name, runs=runs)

    async def order(self, visit: Visit) -> Response:
        """Run a job now, let it rest or go on."""
        try:
            order = Order(visit.parts["order"])
            await self._control.order(visit.actor, visit.form.get("name", ""), order)
        except (ValueError, NoSuchJob) as error:
            raise HTTPException(404) from error
        return back_to("/jobs", done=f"job_{order}")

    async def aim(self, visit: Visit) -> Response:
        """Name the channel that a job posts to."""
        try:
            await self._control.aim(visit.actor, visit.form.get("name", ""), visit.form.get("channel", ""))
        except (NoSuchChannel, NoSuchJob) as error:
            raise HTTPException(404) from error
        return back_to("/jobs", done="job_target")

    def _posts(self, job: JobStatus) -> bool:
        return job.schedule.name in self._posting or job.schedule.target is not None


def _line(visit: Visit, job: JobStatus) -> JobLine:
    plan, latest = job.schedule, job.latest
    if plan.paused or plan.ended:
        following = visit.say("console.jobs.paused" if plan.paused else "console.jobs.ended")
    elif plan.next_at is None:
        following = visit.say("console.jobs.soon")
    elif isinstance(plan.trigger, Every):  # no time of day is meant
        following = moment(plan.next_at, language=visit.language, timezone=visit.actor.timezone)
    else:
        following = f"{moment(plan.next_at, language=visit.language, timezone=plan.timezone)} ({plan.timezone})"
    outcome = (latest.outcome or latest.state) if latest else ""
    if latest is not None and latest.state == "open":
        outcome = visit.say("console.jobs.working")
    elif outcome == "done":
        outcome = visit.say("console.jobs.done")
    ended = latest and (latest.finished_at or latest.enqueued_at)
    return JobLine(
        name=plan.name,
        words=_called(visit, job),
        by=(job.by or visit.say("console.jobs.by_gone")) if plan.owner != SYSTEM else visit.say("console.jobs.by_desk"),
        took="" if job.took_s is None else _seconds(visit, job.took_s),
        plan=_words(visit, plan.trigger, plan.timezone),
        following=following,
        latest=moment(ended, language=visit.language, timezone=visit.actor.timezone) if ended else "",
        outcome=outcome,
        tone="bad" if latest and (latest.state == "dead" or outcome.startswith("failed")) else "neutral",
        paused=plan.paused,
        target=f"{plan.target['platform']}:{plan.target['channel']}" if plan.target else "",
    )


def _called(visit: Visit, job: JobStatus) -> str:
    """Return what a job does: of what people ordered its kind alone, since its words are theirs."""
    if job.schedule.owner != SYSTEM:
        return _kind(visit, job.schedule.topic)
    key = f"console.jobs.names.{_NO_WORD.sub('_', job.schedule.name)}"
    of_kind = f"console.jobs.of_source.{_NO_WORD.sub('_', job.schedule.topic)}"
    if has(of_kind):
        return visit.say(of_kind, source=str(job.schedule.payload.get("source", "")))
    return visit.say(key) if has(key) else job.schedule.name


def _kind(visit: Visit, topic: str) -> str:
    key = f"console.jobs.kinds.{_NO_WORD.sub('_', topic)}"
    return visit.say(key) if has(key) else topic


def _seconds(visit: Visit, seconds: float) -> str:
    size, unit = next((each for each in _UNITS if seconds >= 2 * each[0]), _UNITS[-1])
    return visit.say(f"console.jobs.took.{unit}", count=f"{seconds / size:.1f}" if size == 1 else round(seconds / size))


def _words(visit: Visit, trigger: Trigger, timezone: str) -> str:
    """Return when a job happens, in the visitor's language."""
    match trigger:
        case Every(seconds=seconds):
            whole = next((size, unit) for size, unit in _UNITS if seconds % size == 0 or size == 1)
            return visit.say(f"console.jobs.every.{whole[1]}", count=f"{seconds / whole[0]:g}")
        case Cron(line=line):
            return visit.say("console.jobs.cron", line=line)
        case Calendar() as calendar:
            spans = {"months": calendar.months, "weeks": calendar.weeks, "days": calendar.days}
            said = [visit.say(f"console.jobs.every.{unit}", count=count) for unit, count in spans.items() if count]
            return visit.say("console.jobs.calendar", every=", ".join(said), at=calendar.at)
        case At():
            return visit.say("console.jobs.once")
        case Rule() | Each() as planned:
            plan = plan_of(planned, timezone)
            return in_words(plan, visit.language, timezone) if plan else ""
        case never:
            assert_never(never)


#: What stands between the words of a name.
_NO_WORD = re.compile(r"[^a-z0-9]+")
_UNITS = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))
