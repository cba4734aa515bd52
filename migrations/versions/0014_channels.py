"""Channels that the desk is in are kept: schedules post to them."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, UtcDateTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bot_channels",
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("channel", sa.String(300), nullable=False),
        sa.Column("address", Json, nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("heard_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "channel", name=op.f("pk_bot_channels")),
    )


def downgrade() -> None:
    op.drop_table("bot_channels")
