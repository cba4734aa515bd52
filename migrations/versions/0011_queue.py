"""One queue in place of the inbox and the outbox, and schedules in place of the list of jobs.

Every row of both is carried over: what is open is worked off, and what is finished still tells a redelivery, the keys
that were promised, and the threads that the desk takes part in.
"""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, Sequence, UtcDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

OPEN = sa.text("state = 'open'")


def upgrade() -> None:
    op.create_table(
        "storage_queue",
        sa.Column("sequence", Sequence, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("payload", Json, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("enqueued_at", UtcDateTime(), nullable=False),
        sa.Column("not_before", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("lease_owner", sa.Text(), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("sequence", name="pk_storage_queue"),
        sa.UniqueConstraint("key", name="uq_storage_queue_key"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_storage_queue_open", "storage_queue", ["priority", "sequence"], sqlite_where=OPEN, postgresql_where=OPEN
    )
    op.create_index("ix_storage_queue_line", "storage_queue", ["line", "state", "sequence"])
    op.create_table(
        "storage_schedules",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("trigger", Json, nullable=False),
        sa.Column("timezone", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("target", Json, nullable=True),
        sa.Column("payload", Json, nullable=False),
        sa.Column("catch_up", sa.Text(), nullable=False),
        sa.Column("jitter_s", sa.Float(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("next_at", UtcDateTime(), nullable=True),
        sa.Column("ended", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_storage_schedules"),
    )
    op.create_index("ix_storage_schedules_next_at", "storage_schedules", ["next_at"])

    _carry_over(sqlite=op.get_bind().dialect.name == "sqlite")
    for table in ("bot_inbox", "storage_outbox"):
        op.drop_table(table)


def _carry_over(*, sqlite: bool) -> None:
    """Put the rows of the outbox, then those of the inbox, into the queue, in their order."""
    wrapped = (
        "json_object('kind', kind, 'thread', thread, 'event', json(payload))"
        if sqlite
        else "jsonb_build_object('kind', kind, 'thread', thread, 'event', payload)"
    )
    columns = (
        "id, key, topic, line, priority, payload, state, attempt, failures, enqueued_at, not_before,"
        " finished_at, outcome, error"
    )
    epoch = "'1970-01-01 00:00:00.000000'" if sqlite else "TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'"
    op.execute(
        f"INSERT INTO storage_queue ({columns})"  # noqa: S608 - of words of this file only
        " SELECT id, key, topic, line, priority, payload,"
        " CASE state WHEN 'pending' THEN 'open' WHEN 'sent' THEN 'done' ELSE state END,"
        " attempt, failures, coalesce(finished_at, CURRENT_TIMESTAMP), not_before, finished_at,"
        " CASE state WHEN 'pending' THEN NULL WHEN 'sent' THEN 'done' ELSE state END, error"
        " FROM storage_outbox ORDER BY sequence"
    )
    op.execute(
        f"INSERT INTO storage_queue ({columns})"  # noqa: S608 - of words of this file only
        " SELECT id, 'event:' || platform || ':' || event_id,"
        " CASE kind WHEN 'withdrawn' THEN 'withdrawn:' ELSE 'event:' END || platform,"
        f" 'event:' || platform || ':' || thread, 0, {wrapped},"
        " CASE state WHEN 'done' THEN 'done' ELSE 'open' END,"
        f" attempts, 0, received_at, {epoch}, finished_at, outcome, NULL"
        " FROM bot_inbox ORDER BY position"
    )


def downgrade() -> None:
    """Bring the empty tables back: what is open has to be worked off before."""
    op.create_table(
        "storage_outbox",
        sa.Column("sequence", Sequence, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("payload", Json, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("not_before", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("lease_owner", sa.Text(), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("priority", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.PrimaryKeyConstraint("sequence", name="pk_storage_outbox"),
        sa.UniqueConstraint("id", name="uq_storage_outbox_id"),
        sa.UniqueConstraint("key", name="uq_storage_outbox_key"),
        sqlite_autoincrement=True,
    )
    pending = sa.text("state = 'pending'")
    for name, columns in (("due", ["not_before"]), ("line", ["line", "sequence"])):
        op.create_index(
            f"ix_storage_outbox_{name}", "storage_outbox", columns, sqlite_where=pending, postgresql_where=pending
        )
    op.create_table(
        "bot_inbox",
        sa.Column("position", Sequence, primary_key=True),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("event_id", sa.String(500), nullable=False),
        sa.Column("thread", sa.String(300), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("payload", Json, nullable=False),
        sa.Column("received_at", UtcDateTime(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(64), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("outcome", sa.String(32), nullable=True),
        sa.Column("run_id", sa.String(64), nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.UniqueConstraint("id", name="uq_bot_inbox_id"),
        sa.UniqueConstraint("platform", "event_id", name="uq_bot_inbox_platform_event_id"),
    )
    op.create_index("ix_bot_inbox_state_thread", "bot_inbox", ["state", "thread", "position"])
    op.create_index("ix_bot_inbox_thread", "bot_inbox", ["thread"])
    op.drop_table("storage_schedules")
    op.drop_table("storage_queue")
