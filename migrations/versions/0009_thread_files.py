"""Which message brought which file into a chat thread: the file goes with it."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_thread_files",
        sa.Column("thread", sa.String(64), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("message", sa.String(64), nullable=False),
        sa.Column("sent_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("thread", "name", "message", name="pk_search_thread_files"),
    )
    op.create_index("ix_search_thread_files_sent_at", "search_thread_files", ["sent_at"])


def downgrade() -> None:
    op.drop_table("search_thread_files")
