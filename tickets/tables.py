"""The tables of `tickets`; seen by its store and by the migrations only."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, UtcDateTime
from storage.database import Base
from storage.ids import JsonObject


class DraftRow(Base):
    """A draft; `closed_*` says who filed or discarded it, and when."""

    __tablename__ = "tickets_drafts"
    __table_args__ = (
        Index("ix_tickets_drafts_requester", "requester_id", "state", "updated_at"),
        Index("ix_tickets_drafts_expiry", "state", "expires_at"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    requester_id: Mapped[str]
    requester_name: Mapped[str]
    thread: Mapped[str]
    address: Mapped[JsonObject] = mapped_column(Json)
    state: Mapped[str]
    version: Mapped[int]
    category: Mapped[str]
    title: Mapped[str]
    description: Mapped[str]
    priority: Mapped[str]
    fields: Mapped[dict[str, str]] = mapped_column(Json)
    content: Mapped[str]  # digest by which the same request said twice is known
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ticket_number: Mapped[str | None]
    closed_by: Mapped[str | None]
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class TicketRow(Base):
    """A filed ticket. The unique `draft_id` holds "one draft, one ticket" even where the code would not."""

    __tablename__ = "tickets_tickets"
    __table_args__ = (
        UniqueConstraint("year", "sequence"),
        Index("ix_tickets_tickets_requester", "requester_id", "created_at"),
        Index("ix_tickets_tickets_queue", "status", "created_at"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[str] = mapped_column(unique=True)
    year: Mapped[int]
    sequence: Mapped[int]
    draft_id: Mapped[str] = mapped_column(ForeignKey("tickets_drafts.id"), unique=True)
    requester_id: Mapped[str]
    requester_name: Mapped[str]
    assignee_id: Mapped[str | None]
    assignee_name: Mapped[str | None]
    status: Mapped[str]
    priority: Mapped[str]
    category: Mapped[str]
    title: Mapped[str]
    description: Mapped[str]
    fields: Mapped[dict[str, str]] = mapped_column(Json)
    content: Mapped[str]
    version: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    urged_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    urges: Mapped[int]
    resolution: Mapped[str]
    asked_by: Mapped[str | None]  # who waits for an answer of the requester
    external_key: Mapped[str | None]  # the ticket's name in an external tracker
    external_url: Mapped[str | None]


class CommentRow(Base):
    """A comment; never updated. `version` is the ticket's version that it made, so the order is certain."""

    __tablename__ = "tickets_comments"
    __table_args__ = (UniqueConstraint("ticket_id", "version"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    ticket_id: Mapped[str] = mapped_column(ForeignKey("tickets_tickets.id"))
    version: Mapped[int]
    author_id: Mapped[str]
    author_name: Mapped[str]
    text: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ChangeRow(Base):
    """A line of the timeline; never updated. One for each version of a ticket."""

    __tablename__ = "tickets_changes"

    ticket_id: Mapped[str] = mapped_column(ForeignKey("tickets_tickets.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    actor_id: Mapped[str]
    actor_name: Mapped[str]
    action: Mapped[str]
    detail: Mapped[str]


class CounterRow(Base):
    """The last number given in a year; raised in the transaction that uses it, so a rollback leaves no gap."""

    __tablename__ = "tickets_counters"

    year: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    value: Mapped[int]


class TicketThreadRow(Base):
    """A chat thread in which a ticket is spoken of, and the address that reaches it."""

    __tablename__ = "tickets_threads"
    __table_args__ = (Index("ix_tickets_threads_thread", "thread", "linked_at"),)

    ticket_id: Mapped[str] = mapped_column(ForeignKey("tickets_tickets.id"), primary_key=True)
    thread: Mapped[str] = mapped_column(primary_key=True)
    role: Mapped[str]  # "requester" or "triage"
    address: Mapped[JsonObject] = mapped_column(Json)
    linked_at: Mapped[datetime] = mapped_column(UtcDateTime)


class WatcherRow(Base):
    """Somebody who asked to be told what happens to a ticket that is not theirs."""

    __tablename__ = "tickets_watchers"

    ticket_id: Mapped[str] = mapped_column(ForeignKey("tickets_tickets.id"), primary_key=True)
    actor_id: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime] = mapped_column(UtcDateTime)
