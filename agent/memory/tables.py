"""The table of thread memory; seen by its store and by the migrations only."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, UtcDateTime
from storage.database import Base


class MemoryRow(Base):
    """What a thread remembers for one person."""

    __tablename__ = "agent_memory"
    __table_args__ = (Index("ix_agent_memory_updated_at", "updated_at"),)

    thread: Mapped[str] = mapped_column(String(), primary_key=True)
    actor_id: Mapped[str] = mapped_column(String(), primary_key=True)
    turns: Mapped[Any] = mapped_column(Json, nullable=False)
    last: Mapped[Any] = mapped_column(Json, nullable=False)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
