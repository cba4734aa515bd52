"""The tables of runs; seen by their store and by the migrations only."""

from datetime import datetime
from typing import Any, Self

from sqlalchemy import Float, ForeignKey, Index, Integer, String, Text
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from agent.runs.answer import Outcome
from agent.runs.run import Feedback, Run, RunState, Step, StepStatus, Usage
from agent.tools.evidence import Evidence
from storage.columns import Json, UtcDateTime
from storage.database import Base


class RunRow(Base):
    """One run: what was asked, which brain, how it ended."""

    __tablename__ = "agent_runs"
    __table_args__ = (
        Index("ix_agent_runs_actor_id_started_at", "actor_id", "started_at"),
        Index("ix_agent_runs_started_at", "started_at"),
        Index("ix_agent_runs_state_waits_for", "state", "waits_for"),
    )

    id: Mapped[str] = mapped_column(String(), primary_key=True)
    actor_id: Mapped[str] = mapped_column(String())
    actor_name: Mapped[str] = mapped_column(String())
    event_id: Mapped[str] = mapped_column(String())
    thread: Mapped[str] = mapped_column(String())
    text: Mapped[str] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String())
    state: Mapped[str] = mapped_column(String())
    brain: Mapped[str] = mapped_column(String())
    prompt: Mapped[str] = mapped_column(String())
    outcome: Mapped[str | None] = mapped_column(String())
    answer: Mapped[Any] = mapped_column(Json, nullable=False)
    usage: Mapped[Any] = mapped_column(Json, nullable=False)
    timings: Mapped[Any] = mapped_column(Json, nullable=False)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    waits_for: Mapped[str] = mapped_column(String(), default="", server_default=sql("''"))
    waits_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    record: Mapped[Any] = mapped_column(Json, nullable=False, deferred=True, server_default=sql("'{}'"))
    verdict: Mapped[str | None] = mapped_column(String())
    verdict_reason: Mapped[str] = mapped_column(Text)
    verdict_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    @classmethod
    def of(cls, run: Run) -> Self:
        """Return the row of a run that begins."""
        return cls(
            id=run.id,
            actor_id=run.actor_id,
            actor_name=run.actor_name,
            event_id=run.event_id,
            thread=run.thread,
            text=run.text,
            language=run.language,
            state=run.state.value,
            brain=run.brain,
            prompt=run.prompt,
            outcome=None,
            answer=dict(run.answer),
            usage=vars(run.usage),
            timings=dict(run.timings_ms),
            started_at=run.started_at,
            finished_at=None,
            waits_for=run.waits_for,
            waits_until=run.waits_until,
            record=dict(run.record),
            verdict=None,
            verdict_reason="",
            verdict_at=None,
        )

    def value(self) -> Run:
        """Return the run without its steps."""
        feedback = None
        if self.verdict is not None and self.verdict_at is not None:
            feedback = Feedback("up" if self.verdict == "up" else "down", self.verdict_reason, self.verdict_at)
        return Run(
            id=self.id,
            actor_id=self.actor_id,
            actor_name=self.actor_name,
            event_id=self.event_id,
            thread=self.thread,
            text=self.text,
            language=self.language,
            state=RunState(self.state),
            brain=self.brain,
            prompt=self.prompt,
            outcome=None if self.outcome is None else Outcome(self.outcome),
            answer=self.answer,
            usage=Usage(**self.usage),
            timings_ms=self.timings,
            started_at=self.started_at,
            finished_at=self.finished_at,
            waits_for=self.waits_for,
            waits_until=self.waits_until,
            feedback=feedback,
        )


class StepRow(Base):
    """One step of a run; `number` orders them."""

    __tablename__ = "agent_steps"

    run_id: Mapped[str] = mapped_column(ForeignKey("agent_runs.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    id: Mapped[str] = mapped_column(String())
    node: Mapped[str] = mapped_column(String())
    tool: Mapped[str] = mapped_column(String())
    given: Mapped[Any] = mapped_column(Json, nullable=False)
    returned: Mapped[Any] = mapped_column(Json, nullable=False)
    private: Mapped[Any] = mapped_column(Json, nullable=False)
    timing_ms: Mapped[float] = mapped_column(Float)
    status: Mapped[str] = mapped_column(String())
    error: Mapped[Any] = mapped_column(Json, nullable=False)
    at: Mapped[datetime] = mapped_column(UtcDateTime)

    @classmethod
    def of(cls, run_id: str, step: Step) -> Self:
        """Return the row of a step."""
        return cls(
            run_id=run_id,
            number=step.number,
            id=step.step_id,
            node=step.node,
            tool=step.tool,
            given=step.given,
            returned=step.returned,
            private=step.private,
            timing_ms=step.timing_ms,
            status=step.status.value,
            error=dict(step.error),
            at=step.at,
        )

    def value(self) -> Step:
        """Return the step."""
        return Step(
            step_id=self.id,
            number=self.number,
            node=self.node,
            tool=self.tool,
            given=self.given,
            returned=self.returned,
            timing_ms=self.timing_ms,
            status=StepStatus(self.status),
            at=self.at,
            error=self.error,
            private=self.private,
        )


class EvidenceRow(Base):
    """One item of evidence of a run."""

    __tablename__ = "agent_evidence"

    run_id: Mapped[str] = mapped_column(ForeignKey("agent_runs.id", ondelete="CASCADE"), primary_key=True)
    evidence_id: Mapped[str] = mapped_column(String(), primary_key=True)
    type: Mapped[str] = mapped_column(String())
    text: Mapped[str] = mapped_column(Text)
    score: Mapped[float] = mapped_column(Float)
    source: Mapped[Any] = mapped_column(Json, nullable=False)
    authz: Mapped[Any] = mapped_column(Json, nullable=False)
    by_step: Mapped[str] = mapped_column(String())
    hash: Mapped[str] = mapped_column(String())

    @classmethod
    def of(cls, run_id: str, item: Evidence, *, step_id: str) -> Self:
        """Return the row of an item that a step found."""
        return cls(
            run_id=run_id,
            evidence_id=item.evidence_id,
            type=item.type,
            text=item.text,
            score=item.score,
            source=dict(item.source),
            authz=dict(item.authz),
            by_step=step_id,
            hash=item.hash,
        )

    def value(self) -> Evidence:
        """Return the item."""
        kind: Any = self.type
        return Evidence(
            evidence_id=self.evidence_id,
            type=kind,
            text=self.text,
            score=self.score,
            source=self.source,
            authz=self.authz,
            by=self.by_step,
            hash=self.hash,
        )
