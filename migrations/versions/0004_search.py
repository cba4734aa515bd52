"""The first tables of search."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, UtcDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_sources",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("default_allow", Json, nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("synced_at", UtcDateTime(), nullable=True),
        sa.Column("report", Json, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_search_sources"),
        sa.UniqueConstraint("name", name="uq_search_sources_name"),
        sa.UniqueConstraint("path", name="uq_search_sources_path"),
    )


def downgrade() -> None:
    op.drop_table("search_sources")
