"""Reports of diagnoses are kept, and the alerts that led to some of them."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, UtcDateTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "queries_reports",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("owner", sa.String(200), nullable=False),
        sa.Column("door", sa.String(20), nullable=False),
        sa.Column("cluster", sa.String(63), nullable=False),
        sa.Column("namespace", sa.String(63), nullable=False),
        sa.Column("app", sa.String(253), nullable=False),
        sa.Column("severity", sa.String(2), nullable=False),
        sa.Column("headline_en", sa.Text(), nullable=False),
        sa.Column("headline_zh", sa.Text(), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.Column("report", Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_queries_reports"),
    )
    op.create_index("ix_queries_reports_made_at", "queries_reports", ["made_at"])
    op.create_table(
        "queries_incidents",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("group_key", sa.String(64), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.Column("report_id", sa.String(40), nullable=False),
        sa.Column("alerts", Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_queries_incidents"),
    )
    op.create_index("ix_queries_incidents_group", "queries_incidents", ["group_key", "open"])


def downgrade() -> None:
    op.drop_table("queries_incidents")
    op.drop_table("queries_reports")
