"""Who has asked a ticket's requester something that is not answered yet."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tickets_tickets", sa.Column("asked_by", sa.String(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("tickets_tickets") as table:
        table.drop_column("asked_by")
