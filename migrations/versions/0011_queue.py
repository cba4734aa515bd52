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


def downgrade() -> None:
    op.drop_table("storage_schedules")
    op.drop_table("storage_queue")
