"""The tables of `agent`; seen by its store and by the migrations only."""

from datetime import datetime
from typing import Any

from sqlalchemy import Float, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, UtcDateTime
from storage.database import Base


class RunRow(Base):
    """One run: what was asked, which brain, how it ended."""

    __tablename__ = "agent_runs"
    __table_args__ = (
        Index("ix_agent_runs_actor_id_started_at", "actor_id", "started_at"),
        Index("ix_agent_runs_started_at", "started_at"),
    )

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    actor_id: Mapped[str] = mapped_column(String(200))
    actor_name: Mapped[str] = mapped_column(String(200))
    event_id: Mapped[str] = mapped_column(String(300))
    thread: Mapped[str] = mapped_column(String(300))
    text: Mapped[str] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String(8))
    state: Mapped[str] = mapped_column(String(16))
    brain: Mapped[str] = mapped_column(String(120))
    prompt: Mapped[str] = mapped_column(String(64))
    outcome: Mapped[str | None] = mapped_column(String(32))
    answer: Mapped[Any] = mapped_column(Json, nullable=False)
    usage: Mapped[Any] = mapped_column(Json, nullable=False)
    timings: Mapped[Any] = mapped_column(Json, nullable=False)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    verdict: Mapped[str | None] = mapped_column(String(8))
    verdict_reason: Mapped[str] = mapped_column(Text)
    verdict_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class StepRow(Base):
    """One step of a run; `number` orders them."""

    __tablename__ = "agent_steps"

    run_id: Mapped[str] = mapped_column(ForeignKey("agent_runs.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    id: Mapped[str] = mapped_column(String(64))
    node: Mapped[str] = mapped_column(String(32))
    tool: Mapped[str] = mapped_column(String(120))
    given: Mapped[Any] = mapped_column(Json, nullable=False)
    returned: Mapped[Any] = mapped_column(Json, nullable=False)
    private: Mapped[Any] = mapped_column(Json, nullable=False)
    timing_ms: Mapped[float] = mapped_column(Float)
    status: Mapped[str] = mapped_column(String(16))
    error: Mapped[Any] = mapped_column(Json, nullable=False)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class EvidenceRow(Base):
    """One item of evidence of a run."""

    __tablename__ = "agent_evidence"

    run_id: Mapped[str] = mapped_column(ForeignKey("agent_runs.id", ondelete="CASCADE"), primary_key=True)
    evidence_id: Mapped[str] = mapped_column(String(16), primary_key=True)
    type: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)
    score: Mapped[float] = mapped_column(Float)
    source: Mapped[Any] = mapped_column(Json, nullable=False)
    authz: Mapped[Any] = mapped_column(Json, nullable=False)
    by_step: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))


class ApprovalRow(Base):
    """A call that waits for a button."""

    __tablename__ = "agent_approvals"
    __table_args__ = (
        Index("ix_agent_approvals_actor_id_state", "actor_id", "state"),
        Index("ix_agent_approvals_state_lease_until", "state", "lease_until"),
    )

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    actor_id: Mapped[str] = mapped_column(String(200))
    actor_name: Mapped[str] = mapped_column(String(200))
    run_id: Mapped[str] = mapped_column(String(64))
    event_id: Mapped[str] = mapped_column(String(300))
    thread: Mapped[str] = mapped_column(String(300))
    text: Mapped[str] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String(8))
    address: Mapped[Any] = mapped_column(Json, nullable=False)
    tool: Mapped[str] = mapped_column(String(120))
    arguments: Mapped[Any] = mapped_column(Json, nullable=False)
    digest: Mapped[str] = mapped_column(String(64))
    resource: Mapped[str] = mapped_column(String(200))
    resource_version: Mapped[int | None] = mapped_column(Integer)
    version: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    decided_by: Mapped[str] = mapped_column(String(200))
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    lease_owner: Mapped[str] = mapped_column(String(64))
    lease_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    result: Mapped[Any] = mapped_column(Json, nullable=False)
    error: Mapped[Any] = mapped_column(Json, nullable=False)


class MemoryRow(Base):
    """What a thread remembers for one person."""

    __tablename__ = "agent_memory"
    __table_args__ = (Index("ix_agent_memory_updated_at", "updated_at"),)

    thread: Mapped[str] = mapped_column(String(300), primary_key=True)
    actor_id: Mapped[str] = mapped_column(String(200), primary_key=True)
    turns: Mapped[Any] = mapped_column(Json, nullable=False)
    last: Mapped[Any] = mapped_column(Json, nullable=False)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
