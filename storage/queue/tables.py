"""The queue's tables; seen by its own modules and by the migrations only."""

from datetime import datetime
from typing import Any

from sqlalchemy import Float, Index, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, Sequence, UtcDateTime
from storage.database import Base

#: Finished items are kept for their keys and for the history; what is looked through holds open ones only.
OPEN = text("state = 'open'")
#: Schedules that come; ended ones are many, since whatever comes once ends.
GOING_SQLITE = text("ended IS 0 AND paused IS 0")
GOING = text("ended IS false AND paused IS false")


class QueueTable(Base):
    """Work that was promised in a transaction and is carried out after its commit."""

    __tablename__ = "storage_queue"
    __table_args__ = (
        Index("ix_storage_queue_open", "priority", "sequence", sqlite_where=OPEN, postgresql_where=OPEN),
        Index("ix_storage_queue_line", "line", "state", "sequence"),
        {"sqlite_autoincrement": True},
    )

    sequence: Mapped[int] = mapped_column(Sequence, primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(Text)
    key: Mapped[str] = mapped_column(Text, unique=True)
    topic: Mapped[str] = mapped_column(Text)
    line: Mapped[str] = mapped_column(Text)  # items of one line go one after the other; empty: on their own
    priority: Mapped[int] = mapped_column(server_default=text("0"))  # of what is due, the lowest goes first
    payload: Mapped[dict[str, Any]] = mapped_column(Json)
    state: Mapped[str] = mapped_column(Text)  # open, done, dead
    attempt: Mapped[int]  # how often it was claimed
    failures: Mapped[int]  # how often that went wrong
    enqueued_at: Mapped[datetime] = mapped_column(UtcDateTime)
    not_before: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    lease_owner: Mapped[str | None] = mapped_column(Text)  # a new one with each claim: it is the fence, too
    lease_until: Mapped[datetime | None] = mapped_column(UtcDateTime)  # by the database's clock
    outcome: Mapped[str | None] = mapped_column(Text)
    error: Mapped[str | None] = mapped_column(Text)


class ScheduleTable(Base):
    """What puts items into the queue by the clock."""

    __tablename__ = "storage_schedules"
    __table_args__ = (
        Index("ix_storage_schedules_going", "next_at", sqlite_where=GOING_SQLITE, postgresql_where=GOING),
        Index("ix_storage_schedules_owner", "owner"),
    )

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    topic: Mapped[str] = mapped_column(Text)
    trigger: Mapped[dict[str, Any]] = mapped_column(Json)
    timezone: Mapped[str] = mapped_column(Text)
    owner: Mapped[str] = mapped_column(Text)  # an actor's id; "system" for what the desk does by itself
    target: Mapped[dict[str, Any] | None] = mapped_column(Json)  # an address that the result is posted to
    payload: Mapped[dict[str, Any]] = mapped_column(Json)
    catch_up: Mapped[str] = mapped_column(Text)  # skip, once, all
    jitter_s: Mapped[float] = mapped_column(Float)
    paused: Mapped[bool]
    next_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # none: to be worked out, or never again
    ended: Mapped[bool]  # its trigger has no further time
