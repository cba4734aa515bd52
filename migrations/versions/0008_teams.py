"""What Teams needs: long ids, people who took the desk away, answers that are found by their message."""

import sqlalchemy as sa
from alembic import op

from storage.columns import UtcDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

#: Columns that hold ids of a platform: a conversation of Teams alone has about 130 characters.
LONG = (("bot_inbox", "event_id"), ("bot_posted", "reference"), ("bot_streams", "reference"))


def upgrade() -> None:
    for table, column in LONG:
        with op.batch_alter_table(table) as batch:
            batch.alter_column(column, type_=sa.String(500), existing_nullable=False)
    op.add_column("bot_addresses", sa.Column("gone_at", UtcDateTime(), nullable=True))
    op.create_index("ix_bot_posted_reference", "bot_posted", ["platform", "reference"])


def downgrade() -> None:
    op.drop_index("ix_bot_posted_reference", "bot_posted")
    with op.batch_alter_table("bot_addresses") as batch:
        batch.drop_column("gone_at")
    for table, column in LONG:
        with op.batch_alter_table(table) as batch:
            batch.alter_column(column, type_=sa.String(200), existing_nullable=False)
