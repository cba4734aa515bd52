"""What the sources told is kept with a report, for its replay."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("queries_reports", sa.Column("told", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("queries_reports") as table:
        table.drop_column("told")
