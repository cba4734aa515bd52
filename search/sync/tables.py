"""The tables of `search`; seen by its store and by the migrations only.

The index is no part of them: it is a file of its own (`indexes/embedded`) or another server.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, UtcDateTime
from storage.database import Base


class SourceRow(Base):
    """A folder that was indexed, under which name, and what its last run told."""

    __tablename__ = "search_sources"
    __table_args__ = (UniqueConstraint("name"), UniqueConstraint("path"))

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    path: Mapped[str] = mapped_column(Text)
    default_allow: Mapped[list[str]] = mapped_column(Json)
    site: Mapped[str | None] = mapped_column(Text, nullable=True)  # that it was crawled from
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    synced_at: Mapped[datetime | None] = mapped_column(UtcDateTime, nullable=True)
    report: Mapped[dict[str, Any] | None] = mapped_column(Json, nullable=True)


class PageChangeRow(Base):
    """A page that came or changed, the latest time; of what is gone nothing is kept for long."""

    __tablename__ = "search_page_changes"
    __table_args__ = (Index("ix_search_page_changes_at", "at"),)

    source: Mapped[str] = mapped_column(String(200), primary_key=True)
    path: Mapped[str] = mapped_column(Text, primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    is_new: Mapped[bool] = mapped_column(Boolean)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class ThreadFileRow(Base):
    """A message that brought a file into a chat thread. The file goes with the last message that brought it."""

    __tablename__ = "search_thread_files"
    __table_args__ = (Index("ix_search_thread_files_sent_at", "sent_at"),)

    thread: Mapped[str] = mapped_column(String(64), primary_key=True)  # the key of the thread
    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    message: Mapped[str] = mapped_column(String(64), primary_key=True)  # a digest of the message's id
    sent_at: Mapped[datetime] = mapped_column(UtcDateTime)
