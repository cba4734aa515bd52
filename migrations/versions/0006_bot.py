"""The first tables of bot."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, UtcDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_inbox()
    _create_addresses()
    _create_transcript()


def _create_inbox() -> None:
    op.create_table(
        "bot_inbox",
        sa.Column("position", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("event_id", sa.String(200), nullable=False),
        sa.Column("thread", sa.String(300), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("payload", Json, nullable=False),
        sa.Column("received_at", UtcDateTime(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(64)),
        sa.Column("lease_until", UtcDateTime()),
        sa.Column("outcome", sa.String(32)),
        sa.Column("run_id", sa.String(64)),
        sa.Column("finished_at", UtcDateTime()),
        sa.UniqueConstraint("id", name="uq_bot_inbox_id"),
        sa.UniqueConstraint("platform", "event_id", name="uq_bot_inbox_platform_event_id"),
    )
    op.create_index("ix_bot_inbox_state_thread", "bot_inbox", ["state", "thread", "position"])


def _create_addresses() -> None:
    op.create_table(
        "bot_addresses",
        sa.Column("actor_id", sa.String(200), primary_key=True),
        sa.Column("platform", sa.String(32), primary_key=True),
        sa.Column("address", Json, nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
    )
    op.create_table(
        "bot_posted",
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("subject", sa.String(120), nullable=False),
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("address", Json, nullable=False),
        sa.Column("reference", sa.String(200), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("timezone", sa.String(64), nullable=False),
        sa.Column("posted_at", UtcDateTime(), nullable=False),
    )
    op.create_index("ix_bot_posted_subject", "bot_posted", ["subject"])


def _create_transcript() -> None:
    op.create_table(
        "bot_web_threads",
        sa.Column("user", sa.String(200), primary_key=True),
        sa.Column("thread", sa.String(200), primary_key=True),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("titled_by", sa.String(16), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
    )
    op.create_table(
        "bot_web_entries",
        sa.Column("reference", sa.String(64), primary_key=True),
        sa.Column("user", sa.String(200), nullable=False),
        sa.Column("thread", sa.String(200), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("said", sa.Integer(), nullable=False),
        sa.Column("author", sa.String(16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("card", Json),
        sa.Column("edited", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.UniqueConstraint("user", "thread", "key", name="uq_bot_web_entries_user_thread_key"),
    )
    op.create_index("ix_bot_web_entries_user_thread_seq", "bot_web_entries", ["user", "thread", "seq"])
    op.create_index("ix_bot_web_entries_user_thread_said", "bot_web_entries", ["user", "thread", "said"])


def downgrade() -> None:
    for table in ("bot_web_entries", "bot_web_threads", "bot_posted", "bot_addresses", "bot_inbox"):
        op.drop_table(table)
