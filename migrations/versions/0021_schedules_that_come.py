"""Schedules that come are found by their next time, however many have ended."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

GOING_SQLITE = sa.text("ended IS 0 AND paused IS 0")
GOING = sa.text("ended IS false AND paused IS false")


def upgrade() -> None:
    op.drop_index("ix_storage_schedules_next_at", table_name="storage_schedules")
    op.create_index(
        "ix_storage_schedules_going",
        "storage_schedules",
        ["next_at"],
        sqlite_where=GOING_SQLITE,
        postgresql_where=GOING,
    )


def downgrade() -> None:
    op.drop_index("ix_storage_schedules_going", table_name="storage_schedules")
    op.create_index("ix_storage_schedules_next_at", "storage_schedules", ["next_at"])
