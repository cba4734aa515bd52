"""The tables of `storage`; seen by its own modules and by the migrations only."""

from datetime import datetime
from typing import Any

from sqlalchemy import Text
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, UtcDateTime
from storage.database import Base


class EventTable(Base):
    """Event ids that were seen: a redelivery is a no-op."""

    __tablename__ = "storage_events"

    source: Mapped[str] = mapped_column(Text, primary_key=True)
    event_id: Mapped[str] = mapped_column(Text, primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class IdempotencyTable(Base):
    """What was begun under a key, and what came of it."""

    __tablename__ = "storage_idempotency"

    scope: Mapped[str] = mapped_column(Text, primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    fingerprint: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)  # running, done
    fence: Mapped[int]
    response: Mapped[dict[str, Any] | None] = mapped_column(Json)
    lease_until: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class LeaseTable(Base):
    """Who may do a named piece of work until when; the row stays, so that its fence only grows."""

    __tablename__ = "storage_leases"

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    owner: Mapped[str] = mapped_column(Text)
    fence: Mapped[int]
    until: Mapped[datetime] = mapped_column(UtcDateTime)


class ThrottleTable(Base):
    """One rate-limited key: the instant at which it would be idle again (GCRA's theoretical arrival time)."""

    __tablename__ = "storage_throttle"

    key: Mapped[str] = mapped_column(Text, primary_key=True)
    idle_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
