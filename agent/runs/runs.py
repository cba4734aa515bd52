"""The run store: what was asked, every step, what was found, how it ended, what the asker thought of it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from agent.config import AgentConfig
from agent.errors import RunNotFound
from agent.runs import store
from agent.runs.answer import Answer, Failed, Outcome
from agent.runs.run import Feedback, Run, RunState, Step, StepStatus, Usage, Verdict, answer_json
from agent.tools.evidence import Evidence
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide, require
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject, JsonValue, new_id
from storage.redaction import redact, redact_json

#: Longest JSON text of a step's two sides; a longer one is kept as its beginning.
MAX_STEP_CHARS = 20_000


class Runs:
    """Keeps runs, and shows them to whom they belong and to those who may read all."""

    def __init__(self, database: Database, clock: Clock, config: AgentConfig) -> None:
        self._database = database
        self._clock = clock
        self._config = config

    async def begin(self, actor: Actor, *, event_id: str, thread: str, text: str, language: str, brain: str) -> str:
        """Open a run and return its id."""
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
        async with self._database.transaction() as session:
            await store.add_run(session, run)
        return run.id

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
    ) -> str:
        """Append a step with what it found; secrets are taken out first. A run no longer kept takes no steps."""
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
        async with self._database.transaction() as session:
            number = await store.next_number(session, run_id)
            if number is not None:
                await store.add_step(session, run_id, replace(step, number=number))
                await store.add_evidence(session, run_id, found, step_id=step.step_id)
        return step.step_id

    async def finish(
        self,
        run_id: str,
        answer: Answer,
        *,
        brain: str = "",
        prompt: str = "",
        usage: Usage | None = None,
        timings_ms: Mapping[str, float] | None = None,
    ) -> None:
        """End a run with its answer; a run that was ended before keeps its first end."""
        async with self._database.transaction() as session:
            await store.close_run(
                session,
                run_id,
                state=RunState.FAILED if isinstance(answer, Failed) else RunState.FINISHED,
                outcome=answer.outcome,
                answer=_redacted(answer_json(answer)),
                brain=brain,
                prompt=prompt,
                usage=usage or Usage(),
                timings_ms=timings_ms or {},
                at=self._clock.now(),
            )

    @asynccontextmanager
    async def failing(self, run_id: str, *, brain: str) -> AsyncIterator[None]:
        """Close the run as failed when the block raises, cancellation too, and let the error go on its way."""
        try:
            yield
        except BaseException as error:
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
        """Return runs without steps, newest first: one's own, or other people's with `runs:read_all`."""
        wanted = None if everybody else (actor_id or actor.id)
        require(actor, Permission.RUNS_READ_OWN if wanted == actor.id else Permission.RUNS_READ_ALL)
        async with self._database.reading() as session:
            return await store.list_runs(session, actor_id=wanted, outcome=outcome, before=before, limit=limit)

    async def show(self, actor: Actor, run_id: str) -> Run:
        """Return a whole run; raise RunNotFound when it is absent or not this actor's to read.

        What a step learned about passages that the asker may not see is left out, unless the reader may read all
        runs: otherwise one's own runs would tell that a hidden document exists.
        """
        reads_all = decide(actor, Permission.RUNS_READ_ALL).allowed
        reads_own = decide(actor, Permission.RUNS_READ_OWN).allowed
        async with self._database.reading() as session:
            run = await store.read_run(session, run_id)
        if run is None or not (reads_all or (reads_own and run.actor_id == actor.id)):
            raise RunNotFound(run_id)
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

    async def retain(self) -> int:
        """Delete runs beyond the time and the number that are kept; return how many."""
        before = self._clock.now() - timedelta(days=self._config.retention_days)
        async with self._database.transaction() as session:
            return await store.delete_runs(session, before=before, keep=self._config.retention_runs)

    async def close_abandoned(self, *, after_s: float = 600.0) -> tuple[str, ...]:
        """Close as failed what has been running longer than any run may, and return those runs."""
        async with self._database.reading() as session:
            stuck = await store.running_before(session, self._clock.now() - timedelta(seconds=after_s))
        for run_id in stuck:
            await self.finish(run_id, Failed(reference=run_id, code="abandoned"))
        return stuck


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
