"""The clock of the jobs is in the schedules: the tables of the old one go.

Nothing is carried over. A row said when a job was due next and which slots were done; since 0011 each job has a
schedule, whose first slot follows at once, and its slots in the queue.
"""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("storage_job_runs")
    op.drop_table("storage_jobs")


def downgrade() -> None:
    """Bring the empty tables back: the older release makes its jobs known again when it starts."""
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
