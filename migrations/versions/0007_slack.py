"""What a platform with limits needs: answers before news, streams that a crash left open, events that come back."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("storage_outbox", sa.Column("priority", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.create_index("ix_bot_inbox_thread", "bot_inbox", ["thread"])
    op.add_column("bot_posted", sa.Column("thread", sa.String(300), nullable=False, server_default=sa.text("''")))
    op.execute("UPDATE bot_posted SET thread = key")  # whatever stood before counts as the newest of its place
    op.create_table(
        "bot_streams",
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("reference", sa.String(200), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("bot_streams")
    op.drop_column("bot_posted", "thread")
    op.drop_index("ix_bot_inbox_thread", "bot_inbox")
    op.drop_column("storage_outbox", "priority")
