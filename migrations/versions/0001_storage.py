"""The first tables of storage: outbox, event ids, idempotency keys, leases, jobs, throttles."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, Sequence, UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

PENDING = sa.text("state = 'pending'")


def upgrade() -> None:
    _create_outbox()
    _create_once()
    _create_leases()
    op.create_table(
        "storage_throttle",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("idle_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_storage_throttle"),
    )
    op.create_index("ix_storage_throttle_idle_at", "storage_throttle", ["idle_at"])


def _create_outbox() -> None:
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
        sa.PrimaryKeyConstraint("sequence", name="pk_storage_outbox"),
        sa.UniqueConstraint("id", name="uq_storage_outbox_id"),
        sa.UniqueConstraint("key", name="uq_storage_outbox_key"),
        sqlite_autoincrement=True,
    )
    for name, columns in {"due": ["not_before"], "line": ["line", "sequence"]}.items():
        op.create_index(
            f"ix_storage_outbox_{name}", "storage_outbox", columns, sqlite_where=PENDING, postgresql_where=PENDING
        )


def _create_once() -> None:
    op.create_table(
        "storage_events",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("source", "event_id", name="pk_storage_events"),
    )
    op.create_index("ix_storage_events_seen_at", "storage_events", ["seen_at"])
    op.create_table(
        "storage_idempotency",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("response", Json, nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "key", name="pk_storage_idempotency"),
    )
    op.create_index("ix_storage_idempotency_expires_at", "storage_idempotency", ["expires_at"])


def _create_leases() -> None:
    op.create_table(
        "storage_leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("until", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_storage_leases"),
    )
    op.create_table(
        "storage_jobs",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("next_run", UtcDateTime(), nullable=False),
        sa.Column("lease_owner", sa.Text(), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_storage_jobs"),
    )
    op.create_table(
        "storage_job_runs",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("slot", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", "slot", name="pk_storage_job_runs"),
    )


def downgrade() -> None:
    for table in ("throttle", "job_runs", "jobs", "leases", "idempotency", "events", "outbox"):
        op.drop_table(f"storage_{table}")
