"""Questions to databases can be saved under a name."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, UtcDateTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "queries_saved",
        sa.Column("key", sa.String(240), nullable=False),
        sa.Column("name", sa.String(240), nullable=False),
        sa.Column("owner", sa.String(200), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("source", sa.String(63), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("query", Json, nullable=True),
        sa.Column("saved_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_queries_saved"),
    )
    op.create_index("ix_queries_saved_owner", "queries_saved", ["owner"])


def downgrade() -> None:
    op.drop_table("queries_saved")
