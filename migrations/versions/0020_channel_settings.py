"""How channels are set is kept."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, UtcDateTime

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bot_channel_settings",
        sa.Column("platform", sa.String(32), nullable=False),
        sa.Column("channel", sa.String(300), nullable=False),
        sa.Column("settings", Json, nullable=False),
        sa.Column("hushed", Json, nullable=False),
        sa.Column("changed_by", sa.String(200), nullable=False),
        sa.Column("changed_by_name", sa.String(200), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.Column("spoken_on", sa.String(10), nullable=False, server_default=sa.text("''")),
        sa.Column("spoken", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.PrimaryKeyConstraint("platform", "channel", name=op.f("pk_bot_channel_settings")),
    )


def downgrade() -> None:
    op.drop_table("bot_channel_settings")
