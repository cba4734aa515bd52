"""Which site a source was crawled from: its pages may lead there."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("search_sources", sa.Column("site", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("search_sources") as batch:
        batch.drop_column("site")
