"""The run store: what was asked, every step, what was found, how it ended, what the asker thought of it."""

import functools
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from agent.config import AgentConfig
from agent.errors import RunMovedOn, RunNotFound
from agent.runs import store
from agent.runs.answer import Answer, Failed, Outcome
from agent.runs.keys import JOB, TIME, instant_of
from agent.runs.pages import as_readable, pages_in, thread_of
from agent.runs.run import AskedOf, AskedReport, Feedback, Run, RunState, Step, StepStatus, Usage, Verdict, answer_json
from agent.tools.evidence import Evidence
from agent.tools.prefetch import PageRights
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide, require
from identity.readership import ALONE, Alone, Readership
from storage.clock import Clock
from storage.database import Database, Session
from storage.ids import JsonObject, JsonValue, new_id
from storage.queue import work
from storage.queue.rows import WorkItem
from storage.queue.worker import Ending, Topic
from storage.redaction.stored import redact, redact_json

#: The topic of the queue that runs go on by when their time has come.
TIMER = "run.timer"
#: Wordings that a report of what was asked looks at.
MOST_ASKED = 500
#: Longest JSON text of a step's two sides; a longer one is kept as its beginning.
MAX_STEP_CHARS = 20_000


#: Something to be written in whichever transaction ends a piece of work.
Write = Callable[[Session], Awaitable[None]]
#: Puts the going on of a run that waited into the caller's transaction; its end is told where it was asked, else at the
#: place that is given. False when nobody could be told.
Wake = Callable[[Session, Run, JsonObject | None], Awaitable[bool]]


@dataclass
class _Recording:
    """What happened in a run that this process works on; it is written in one transaction, when the run ends."""

    run: Run  # as it began; a run that goes on has a row already, and stands as it waits
    steps: list[Step] = field(default_factory=list)
    found: list[tuple[Sequence[Evidence], str]] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)


class Runs:
    """Keeps runs, and shows them to whom they belong and to those who may read all.

    A run that begins is collected in memory: an event whose worker dies is taken again, so nothing of a run has to be
    durable before it ends, or before it acts (`release`).
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        config: AgentConfig,
        *,
        search: PageRights,
        wake: Wake | None = None,
    ) -> None:
        self._search = search
        self._wake = wake
        self._database = database
        self._clock = clock
        self._config = config
        self._recordings: dict[str, _Recording] = {}

    def begin(self, actor: Actor, *, event_id: str, thread: str, text: str, language: str, brain: str) -> str:
        """Open a run, in memory, and return its id; `ending` or `release` has to follow."""
        run = Run(
            id=new_id("run"),
            actor_id=actor.id,
            actor_name=actor.name,
            event_id=event_id,
            thread=thread,
            text=redact(text),
            language=language,
            state=RunState.RUNNING,
            brain=brain,
            prompt="",
            outcome=None,
            answer={},
            usage=Usage(),
            timings_ms={},
            started_at=self._clock.now(),
            finished_at=None,
        )
        self._recordings[run.id] = _Recording(run)
        return run.id

    async def release(self, run_id: str) -> None:
        """Write what was collected of a run, before it acts; from here on each of its steps is written at once."""
        recording = self._recordings.get(run_id)
        if recording is None:
            return
        async with self._database.transaction() as session:
            if not recording.run.waits_for:
                await store.add_run(session, recording.run)
            elif not await store.move_run(
                session,
                run_id,
                waited=recording.run,
                waits_until=recording.run.waits_until,
            ):
                raise RunMovedOn(run_id)
            await _write(session, recording)
        if recording.run.waits_for:  # it still waits, for whoever has to take it up again
            self._recordings[run_id] = _Recording(recording.run)
        else:
            self._recordings.pop(run_id)

    async def step(
        self,
        run_id: str,
        *,
        node: str,
        tool: str = "",
        given: JsonObject,
        returned: JsonObject,
        timing_ms: float,
        status: StepStatus = StepStatus.OK,
        error: Mapping[str, str] | None = None,
        private: JsonObject | None = None,
        evidence: Sequence[Evidence] = (),
        also: Sequence[Write] = (),
    ) -> str:
        """Append a step with what it found; secrets are taken out first. A run no longer kept takes no steps.

        What is to be written `also`, such as the audit record of a call, is so in the same transaction.
        """
        step = Step(
            step_id=new_id("step"),
            number=0,
            node=node,
            tool=tool,
            given=_kept(given),
            returned=_kept(returned),
            timing_ms=round(timing_ms, 3),
            status=status,
            at=self._clock.now(),
            error={key: redact(value) for key, value in (error or {}).items()},
            private=private or {},
        )
        found = [replace(item, text=redact(item.text)) for item in evidence]
        recording = self._recordings.get(run_id)
        if recording is not None:
            recording.steps.append(step)
            recording.found.append((found, step.step_id))
            recording.writes.extend(also)
            return step.step_id
        async with self._database.transaction() as session:
            number = await store.next_number(session, run_id)
            if number is not None:
                await store.add_steps(session, run_id, [replace(step, number=number)])
                known = await store.known_evidence(session, run_id)
                await store.add_evidence(session, run_id, found, step_id=step.step_id, known=known)
            for write in also:
                await write(session)
        return step.step_id

    def resume(self, run: Run) -> None:
        """Go on, in memory, with a run that waits; until it is written it is found waiting, whoever dies."""
        self._recordings[run.id] = _Recording(run)

    def leave(self, run_id: str) -> None:
        """Forget, in memory, a run whose message another run answers; one that waited waits on."""
        self._recordings.pop(run_id, None)

    def ending(
        self,
        run_id: str,
        answer: Answer,
        *,
        brain: str = "",
        prompt: str = "",
        usage: Usage | None = None,
        timings_ms: Mapping[str, float] | None = None,
        waits_for: str = "",
        waits_until: datetime | None = None,
        record: JsonObject | None = None,
        text: str | None = None,
    ) -> Write:
        """Return the write that ends a run with its answer, or lets it wait; a run keeps its first end.

        The write raises RunMovedOn for a run that went on elsewhere since it was taken up.
        """
        recording = self._recordings.pop(run_id, None)
        values = {
            "state": (RunState.WAITING if waits_for else RunState.ENDED).value,
            "outcome": answer.outcome.value,
            "answer": _redacted(answer_json(answer)),
            "brain": brain,
            "prompt": prompt,
            "usage": vars(usage or Usage()),
            "timings": dict(timings_ms or {}),
            "finished_at": self._clock.now(),
            "waits_for": waits_for,
            "waits_until": waits_until,
            **({"record": _redacted(record)} if record is not None else {}),
            **({"text": redact(text)} if text is not None else {}),
        }

        async def write(session: Session) -> None:
            waited = None if recording is None or not recording.run.waits_for else recording.run
            if recording is not None and waited is None:
                await store.add_run(session, recording.run, **values)
                await _write(session, recording)
                return
            if recording is not None:
                await _write(session, recording)
            moved = await store.move_run(session, run_id, waited=waited, **values)
            if waited is not None and not moved:
                raise RunMovedOn(run_id)

        return write

    async def finish(self, run_id: str, answer: Answer, **rest: Any) -> None:
        """End a run with its answer, in a transaction of its own; the rest is that of `ending`."""
        async with self._database.transaction() as session:
            await self.ending(run_id, answer, **rest)(session)

    @asynccontextmanager
    async def failing(self, run_id: str, *, brain: str) -> AsyncIterator[None]:
        """Close the run as failed when the block raises, cancellation too, and let the error go on its way."""
        try:
            yield
        except BaseException as error:
            recording = self._recordings.get(run_id)
            if recording is not None and recording.run.waits_for and not isinstance(error, Exception):
                self._recordings.pop(run_id)  # it still waits; whoever takes its event up again goes on with it
                raise
            await self.step(
                run_id,
                node="run",
                given={},
                returned={},
                timing_ms=0.0,
                status=StepStatus.ERROR,
                error={"type": type(error).__name__, "msg": str(error)},
            )
            await self.finish(run_id, Failed(reference=run_id, code=type(error).__name__), brain=brain)
            raise

    async def list(
        self,
        actor: Actor,
        *,
        everybody: bool = False,
        actor_id: str | None = None,
        outcome: Outcome | None = None,
        before: datetime | None = None,
        limit: int = 50,
    ) -> tuple[Run, ...]:
        """Return runs without steps and answers, newest first: one's own, or other people's with `runs:read_all`."""
        wanted = None if everybody else (actor_id or actor.id)
        require(actor, Permission.RUNS_READ_OWN if wanted == actor.id else Permission.RUNS_READ_ALL)
        async with self._database.reading() as session:
            found = await store.list_runs(session, actor_id=wanted, outcome=outcome, before=before, limit=limit)
        return tuple(replace(run, answer={}) for run in found)

    async def show(self, actor: Actor, run_id: str) -> Run:
        """Return a run as the actor may read it now; raise RunNotFound when it is absent or not theirs to read.

        What stands on pages that they may not read at this moment is withheld, whoever they are. What a step learned
        about passages that the asker may not see is left out, unless the reader may read all runs: otherwise one's own
        runs would tell that a hidden document exists.
        """
        reads_all = decide(actor, Permission.RUNS_READ_ALL).allowed
        run = await self.whole_for(actor, run_id)
        own = Alone(thread_of(run)) if run.actor_id == actor.id else ALONE
        run = as_readable(run, await self._search.readable(actor, pages_in(run), readership=own))
        if reads_all:
            return run
        return replace(run, steps=tuple(replace(step, private={}) for step in run.steps))

    async def feedback(self, actor: Actor, run_id: str, *, verdict: Verdict, reason: str = "") -> None:
        """Keep what the asker thinks of the answer; raise RunNotFound for anybody else."""
        async with self._database.transaction() as session:
            if await store.run_owner(session, run_id) != actor.id:
                raise RunNotFound(run_id)
            await store.set_feedback(session, run_id, Feedback(verdict, redact(reason.strip()), self._clock.now()))

    async def verdicts(self, actor: Actor, run_ids: Sequence[str]) -> Mapping[str, str]:
        """Return what the actor thought of their own runs among these: run id → "up" or "down"."""
        if not decide(actor, Permission.RUNS_READ_OWN).allowed:
            return {}
        async with self._database.reading() as session:
            return await store.read_verdicts(session, run_ids, actor_id=actor.id)

    async def asked(self, actor: Actor, kind: AskedOf, *, since: datetime) -> AskedReport:
        """Return what everybody asked since an instant; without `runs:read_all` only how much that is."""
        reads = decide(actor, Permission.RUNS_READ_ALL).allowed
        async with self._database.reading() as session:
            if not reads:
                return AskedReport(hidden=await store.count_asked(session, kind, since=since))
            return AskedReport(await store.asked_often(session, kind, since=since, limit=MOST_ASKED))

    async def blocked_links(self, actor: Actor, *, since: datetime) -> Mapping[str, int]:
        """Return the hosts of links that were taken out of answers since an instant, with how often."""
        require(actor, Permission.RUNS_READ_ALL)
        async with self._database.reading() as session:
            return await store.blocked_links(session, since=since)

    async def retain(self) -> int:
        """Delete runs beyond the time and the number that are kept; return how many."""
        before = self._clock.now() - timedelta(days=self._config.retention_days)
        async with self._database.transaction() as session:
            return await store.delete_runs(session, before=before, keep=self._config.retention_runs)

    async def erase(self, session: Session, *, event_id: str, thread: str, aside: str) -> tuple[Run, ...]:
        """Take what was said out of the runs of a message, with the caller's transaction; return them as they were."""
        asked = await store.runs_asked(session, event_id=event_id, thread=thread, aside=aside)
        for run in asked:
            await store.erase_run(session, run.id)
        return asked

    async def erase_remembered(
        self,
        session: Session,
        asked: Collection[str],
        *,
        thread: str,
        aside: str,
        actors: Collection[str],
        since: datetime,
    ) -> tuple[Run, ...]:
        """Take words out of the runs since then that remembered or repeated them; return those as they were.

        They are those of the thread, and of the actors wherever they asked. The transaction is the caller's.
        """
        return await store.erase_remembered(session, asked, thread=thread, aside=aside, actors=actors, since=since)

    async def waiting(self, waits_for: str) -> Run | None:
        """Return the run that waits for this, the newest of them, with what it takes to go on."""
        async with self._database.reading() as session:
            runs = await store.waiting_for(session, waits_for)
        return runs[-1] if runs else None

    async def find_waiting(self, run_id: str, waits_for: str) -> Run | None:
        """Return a run with what it takes to go on, if this is what it waits for."""
        run = await self.whole(run_id)
        return run if run is not None and run.state is RunState.WAITING and run.waits_for == waits_for else None

    async def whole_for(self, actor: Actor, run_id: str) -> Run:
        """Return a run with all that it has kept, for what is made of it again; raise RunNotFound where `show` does."""
        run = await self.whole(run_id)
        reads_own = run is not None and run.actor_id == actor.id and decide(actor, Permission.RUNS_READ_OWN).allowed
        if run is None or not (reads_own or decide(actor, Permission.RUNS_READ_ALL).allowed):
            raise RunNotFound(run_id)
        return run

    async def whole(self, run_id: str) -> Run | None:
        """Return a run with all that it has kept, for what is made of it again; nobody is shown it like this."""
        async with self._database.reading() as session:
            return await store.read_run(session, run_id)

    async def is_readable(self, actor: Actor, run: Run, *, readership: Readership) -> bool:
        """Return whether every page that a run rests on may be read now, by the actor and all who read along."""
        seen = pages_in(run)
        return seen <= await self._search.readable(actor, seen, readership=readership)

    async def settle(
        self,
        session: Session,
        waits_for: str,
        *,
        otherwise: Answer | None = None,
        goes_on: bool = True,
        place: JsonObject | None = None,
    ) -> bool:
        """Have the newest run that waits for this go on; return whether one does.

        Those before it asked for the very same thing; they end with the newest one's answer below them. A run that
        does not go on, or whose end nobody would hear, ends with the answer `otherwise`, or with what it has said.
        `place` is where its end is told when it was asked where nobody listens any more.
        """
        runs = await store.waiting_for(session, waits_for)
        woken = bool(runs) and goes_on and self._wake is not None and await self._wake(session, runs[-1], place)
        for run in runs[:-1] if woken else runs:
            await self._end_waiting(session, run, None if woken else otherwise)
        return woken

    async def come_later(self, session: Session, waits_for: str) -> None:
        """Have a run that begins to wait for a time, or for a job, go on when that has come."""
        if waits_for.startswith(TIME):
            timer: JsonObject = {"waits_for": waits_for}
            at = instant_of(waits_for)
            await work.enqueue(session, topic=TIMER, payload=timer, key=f"timer:{waits_for}", not_before=at)
        elif await work.is_finished(session, key=waits_for.removeprefix(JOB)):
            await self.settle(session, waits_for)

    async def timer(self, item: WorkItem) -> Ending:
        """Let the run of a timer go on: the queue's handler."""
        return Ending(effects=functools.partial(self._come, str(item.payload["waits_for"])))

    def telling(self, topic: Topic) -> Topic:
        """Return a topic whose items, when they have ended, let the runs go on that wait for them."""

        async def handle(item: WorkItem) -> Ending:
            return self._also_come(item, await topic.handle(item) or Ending())

        def gave_up(item: WorkItem, error: Exception) -> Ending:
            return self._also_come(item, Ending("dead") if topic.gave_up is None else topic.gave_up(item, error))

        return replace(topic, handle=handle, gave_up=gave_up)

    def _also_come(self, item: WorkItem, ending: Ending) -> Ending:
        async def effects(session: Session) -> None:
            if ending.effects is not None:
                await ending.effects(session)
            await self._come(f"{JOB}{item.key}", session)

        return replace(ending, effects=effects)

    async def _come(self, waits_for: str, session: Session) -> None:
        await self.settle(session, waits_for)

    async def _end_waiting(self, session: Session, run: Run, answer: Answer | None) -> bool:
        """End a run that waited, with an answer or with the one that it had when it began to wait."""
        ended: dict[str, Any] = {"state": RunState.ENDED.value, "waits_for": "", "waits_until": None}
        if answer is not None:
            ended |= {"outcome": answer.outcome.value, "answer": _redacted(answer_json(answer))}
        return await store.move_run(session, run.id, waited=run, **ended)

    async def close_overdue(self) -> tuple[str, ...]:
        """End the runs that waited in vain, with the outcome that they had when they began to wait."""
        now = self._clock.now()
        async with self._database.transaction() as session:
            overdue = await store.overdue(session, now)
            return tuple([run.id for run in overdue if await self._end_waiting(session, run, None)])

    async def close_abandoned(self, *, after_s: float = 600.0) -> tuple[str, ...]:
        """Close as failed what has been running longer than any run may, and return those runs."""
        async with self._database.reading() as session:
            stuck = await store.running_before(session, self._clock.now() - timedelta(seconds=after_s))
        for run_id in stuck:
            await self.finish(run_id, Failed(reference=run_id, code="abandoned"))
        return stuck


async def _write(session: Session, recording: _Recording) -> None:
    run_id, new = recording.run.id, not recording.run.waits_for
    first = 1 if new else await store.next_number(session, run_id) or 1
    steps = [replace(step, number=number) for number, step in enumerate(recording.steps, start=first)]
    await store.add_steps(session, run_id, steps)
    known = set[str]() if new else await store.known_evidence(session, run_id)
    for items, step_id in recording.found:
        await store.add_evidence(session, run_id, items, step_id=step_id, known=known)
    for write in recording.writes:
        await write(session)


def _redacted(value: JsonObject) -> JsonObject:
    clean = redact_json(value)
    return clean if isinstance(clean, Mapping) else {}


def _kept(value: JsonObject) -> JsonObject:
    """Return what is stored of one side of a step: redacted, and cut where it is very long."""
    return {key: _cut(item) for key, item in _redacted(value).items()}


def _cut(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value[:MAX_STEP_CHARS]
    if isinstance(value, Mapping):
        return {key: _cut(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_cut(item) for item in value]
    return value
