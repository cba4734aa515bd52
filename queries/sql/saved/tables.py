"""The table of saved questions; seen by its store and by the migrations only."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, UtcDateTime
from storage.database import Base


class SavedQuestionRow(Base):
    """One question; `key` is its name as it is looked up."""

    __tablename__ = "queries_saved"
    __table_args__ = (Index("ix_queries_saved_owner", "owner"),)

    key: Mapped[str] = mapped_column(String(240), primary_key=True)
    name: Mapped[str] = mapped_column(String(240))
    owner: Mapped[str] = mapped_column(String(200))
    question: Mapped[str] = mapped_column(Text())
    source: Mapped[str] = mapped_column(String(63))
    statement: Mapped[str] = mapped_column(Text())
    query: Mapped[Any] = mapped_column(Json, nullable=True)
    saved_at: Mapped[datetime] = mapped_column(UtcDateTime)
