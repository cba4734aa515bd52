"""Which pages came or changed is kept, for digests."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_page_changes",
        sa.Column("source", sa.String(200), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("is_new", sa.Boolean(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("source", "path", name="pk_search_page_changes"),
    )
    op.create_index("ix_search_page_changes_at", "search_page_changes", ["at"])


def downgrade() -> None:
    op.drop_table("search_page_changes")
