"""The table of approvals; seen by its store and by the migrations only."""

from datetime import datetime
from typing import Any, Self

from sqlalchemy import Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from agent.approvals.approval import Approval, ApprovalState
from storage.columns import Json, UtcDateTime
from storage.database import Base


class ApprovalRow(Base):
    """A call that waits for a button."""

    __tablename__ = "agent_approvals"
    __table_args__ = (
        Index("ix_agent_approvals_actor_id_state", "actor_id", "state"),
        Index("ix_agent_approvals_state_lease_until", "state", "lease_until"),
    )

    id: Mapped[str] = mapped_column(String(), primary_key=True)
    actor_id: Mapped[str] = mapped_column(String())
    actor_name: Mapped[str] = mapped_column(String())
    run_id: Mapped[str] = mapped_column(String())
    event_id: Mapped[str] = mapped_column(String())
    thread: Mapped[str] = mapped_column(String())
    text: Mapped[str] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String())
    address: Mapped[Any] = mapped_column(Json, nullable=False)
    tool: Mapped[str] = mapped_column(String())
    arguments: Mapped[Any] = mapped_column(Json, nullable=False)
    digest: Mapped[str] = mapped_column(String())
    resource: Mapped[str] = mapped_column(String())
    resource_version: Mapped[int | None] = mapped_column(Integer)
    version: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String())
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    decided_by: Mapped[str] = mapped_column(String())
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    lease_owner: Mapped[str] = mapped_column(String())
    lease_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    result: Mapped[Any] = mapped_column(Json, nullable=False)
    error: Mapped[Any] = mapped_column(Json, nullable=False)

    @classmethod
    def of(cls, approval: Approval) -> Self:
        """Return the row of an approval that waits."""
        return cls(
            **{
                **vars(approval),
                "state": approval.state.value,
                "lease_owner": "",
                "address": dict(approval.address),
                "arguments": dict(approval.arguments),
                "result": dict(approval.result),
                "error": dict(approval.error),
            }
        )

    def value(self) -> Approval:
        """Return the approval."""
        return Approval(
            id=self.id,
            actor_id=self.actor_id,
            actor_name=self.actor_name,
            run_id=self.run_id,
            event_id=self.event_id,
            thread=self.thread,
            text=self.text,
            language=self.language,
            address=self.address,
            tool=self.tool,
            arguments=self.arguments,
            digest=self.digest,
            resource=self.resource,
            resource_version=self.resource_version,
            version=self.version,
            state=ApprovalState(self.state),
            created_at=self.created_at,
            expires_at=self.expires_at,
            decided_by=self.decided_by,
            decided_at=self.decided_at,
            finished_at=self.finished_at,
            lease_until=self.lease_until,
            result=self.result,
            error=self.error,
        )
