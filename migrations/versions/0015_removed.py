"""What people say in the browser can be removed: an answer knows its message, and what was removed is marked."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("bot_web_entries", sa.Column("asked", sa.String(200), nullable=False, server_default=sa.text("''")))
    op.add_column("bot_web_entries", sa.Column("removed", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("bot_web_entries", "removed")
    op.drop_column("bot_web_entries", "asked")
