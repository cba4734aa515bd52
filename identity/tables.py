"""The tables of `identity`; seen by its store and by the migrations only."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, Sequence, UtcDateTime
from storage.database import Base


class AccountTable(Base):
    """A chat account that wrote to the desk, and the person it was found to belong to."""

    __tablename__ = "identity_accounts"

    platform: Mapped[str] = mapped_column(Text, primary_key=True)
    tenant: Mapped[str] = mapped_column(Text, primary_key=True)
    user: Mapped[str] = mapped_column(Text, primary_key=True)
    actor_id: Mapped[str] = mapped_column(Text, index=True)
    person_id: Mapped[str | None] = mapped_column(Text, index=True)
    kind: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    email: Mapped[str | None] = mapped_column(Text)
    language: Mapped[str | None] = mapped_column(Text)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)


class PreferenceTable(Base):
    """What a person has chosen for themselves; "" where nothing. Times are `HH:MM` in the person's zone."""

    __tablename__ = "identity_preferences"

    actor_id: Mapped[str] = mapped_column(Text, primary_key=True)
    language: Mapped[str] = mapped_column(Text)
    timezone: Mapped[str] = mapped_column(Text)
    quiet_begin: Mapped[str] = mapped_column(Text)
    quiet_end: Mapped[str] = mapped_column(Text)
    way: Mapped[str] = mapped_column(Text)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class AuditTable(Base):
    """Who did what, allowed or not; rows are only ever added."""

    __tablename__ = "identity_audit"
    __table_args__ = (
        Index("ix_identity_audit_actor_id", "actor_id", "id"),
        Index("ix_identity_audit_action", "action", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(Sequence, primary_key=True, autoincrement=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    actor_id: Mapped[str] = mapped_column(Text)
    actor_name: Mapped[str] = mapped_column(Text)
    actor_kind: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    resource: Mapped[str] = mapped_column(Text)
    allowed: Mapped[bool]
    reason: Mapped[str] = mapped_column(Text)
    outcome: Mapped[str] = mapped_column(Text)
    detail: Mapped[dict[str, Any]] = mapped_column(Json)
    run_id: Mapped[str | None] = mapped_column(Text, index=True)


class SealTable(Base):
    """One link of the chain over the audit rows: positions have no gaps, each hash covers the one before."""

    __tablename__ = "identity_audit_seals"

    position: Mapped[int] = mapped_column(Sequence, primary_key=True, autoincrement=False)
    entry_id: Mapped[int] = mapped_column(Sequence, unique=True)
    entry_hash: Mapped[str] = mapped_column(Text)
    chain_hash: Mapped[str] = mapped_column(Text)


class SealHeadTable(Base):
    """How far the chain reaches, kept apart from it: a chain that lost its end is shorter than this says."""

    __tablename__ = "identity_audit_head"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    position: Mapped[int] = mapped_column(Sequence)
    entry_id: Mapped[int] = mapped_column(Sequence)
    chain_hash: Mapped[str] = mapped_column(Text)


class SignInLinkTable(Base):
    """One-time links to the console, by the hash of their token."""

    __tablename__ = "identity_sign_in_links"

    token_hash: Mapped[str] = mapped_column(Text, primary_key=True)
    actor_id: Mapped[str] = mapped_column(Text)
    actor_name: Mapped[str] = mapped_column(Text)
    actor_kind: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class SessionTable(Base):
    """Signed-in browsers, by the hash of their cookie."""

    __tablename__ = "identity_sessions"

    token_hash: Mapped[str] = mapped_column(Text, primary_key=True)
    actor_id: Mapped[str] = mapped_column(Text)
    actor_name: Mapped[str] = mapped_column(Text)
    actor_kind: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
