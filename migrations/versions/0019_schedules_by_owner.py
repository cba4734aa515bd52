"""Schedules are found by their owner."""

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_storage_schedules_owner", "storage_schedules", ["owner"])


def downgrade() -> None:
    op.drop_index("ix_storage_schedules_owner", table_name="storage_schedules")
