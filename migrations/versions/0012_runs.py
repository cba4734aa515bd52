"""A run waits and goes on: what it waits for, and what it takes to go on or to be replayed."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, UtcDateTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("agent_runs", sa.Column("waits_for", sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("agent_runs", sa.Column("waits_until", UtcDateTime(), nullable=True))
    op.add_column("agent_runs", sa.Column("record", Json, nullable=False, server_default=sa.text("'{}'")))
    op.create_index("ix_agent_runs_state_waits_for", "agent_runs", ["state", "waits_for"])
    op.execute("UPDATE agent_runs SET state = 'ended' WHERE state IN ('finished', 'failed')")


def downgrade() -> None:
    op.execute("UPDATE agent_runs SET state = 'failed' WHERE state = 'ended' AND outcome = 'failed'")
    op.execute("UPDATE agent_runs SET state = 'finished' WHERE state IN ('ended', 'waiting')")
    op.drop_index("ix_agent_runs_state_waits_for", "agent_runs")
    with op.batch_alter_table("agent_runs") as batch:
        for name in ("record", "waits_until", "waits_for"):
            batch.drop_column(name)
