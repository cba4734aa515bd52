"""Runs with their steps and evidence, approvals, and what threads remember."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, UtcDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_approvals()
    create_memory()
    create_runs()
    create_evidence()
    create_steps()


def create_approvals() -> None:
    op.create_table(
        "agent_approvals",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("actor_id", sa.String(), nullable=False),
        sa.Column("actor_name", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("address", Json, nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("arguments", Json, nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("resource", sa.String(), nullable=False),
        sa.Column("resource_version", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("decided_by", sa.String(), nullable=False),
        sa.Column("decided_at", UtcDateTime(), nullable=True),
        sa.Column("lease_owner", sa.String(), nullable=False),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("result", Json, nullable=False),
        sa.Column("error", Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name=("pk_agent_approvals")),
    )
    op.create_index("ix_agent_approvals_actor_id_state", "agent_approvals", ["actor_id", "state"], unique=False)
    op.create_index("ix_agent_approvals_state_lease_until", "agent_approvals", ["state", "lease_until"], unique=False)


def create_memory() -> None:
    op.create_table(
        "agent_memory",
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("actor_id", sa.String(), nullable=False),
        sa.Column("turns", Json, nullable=False),
        sa.Column("last", Json, nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("thread", "actor_id", name=("pk_agent_memory")),
    )
    op.create_index("ix_agent_memory_updated_at", "agent_memory", ["updated_at"], unique=False)


def create_runs() -> None:
    op.create_table(
        "agent_runs",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("actor_id", sa.String(), nullable=False),
        sa.Column("actor_name", sa.String(), nullable=False),
        sa.Column("event_id", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("brain", sa.String(), nullable=False),
        sa.Column("prompt", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("answer", Json, nullable=False),
        sa.Column("usage", Json, nullable=False),
        sa.Column("timings", Json, nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("verdict_reason", sa.Text(), nullable=False),
        sa.Column("verdict_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=("pk_agent_runs")),
    )
    op.create_index("ix_agent_runs_actor_id_started_at", "agent_runs", ["actor_id", "started_at"], unique=False)
    op.create_index("ix_agent_runs_started_at", "agent_runs", ["started_at"], unique=False)


def create_evidence() -> None:
    op.create_table(
        "agent_evidence",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("evidence_id", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("source", Json, nullable=False),
        sa.Column("authz", Json, nullable=False),
        sa.Column("by_step", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["agent_runs.id"], name=("fk_agent_evidence_run_id_agent_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "evidence_id", name=("pk_agent_evidence")),
    )


def create_steps() -> None:
    op.create_table(
        "agent_steps",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("node", sa.String(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column("given", Json, nullable=False),
        sa.Column("returned", Json, nullable=False),
        sa.Column("private", Json, nullable=False),
        sa.Column("timing_ms", sa.Float(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("error", Json, nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["agent_runs.id"], name=("fk_agent_steps_run_id_agent_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "number", name=("pk_agent_steps")),
    )


def downgrade() -> None:
    for table in ("agent_memory", "agent_approvals", "agent_evidence", "agent_steps", "agent_runs"):
        op.drop_table(table)
