"""What people chose for themselves is kept, what they are to be told, and which tickets they watch."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, Sequence, UtcDateTime

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "identity_preferences",
        sa.Column("actor_id", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("timezone", sa.Text(), nullable=False),
        sa.Column("quiet_begin", sa.Text(), nullable=False),
        sa.Column("quiet_end", sa.Text(), nullable=False),
        sa.Column("way", sa.Text(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("actor_id", name="pk_identity_preferences"),
    )
    op.create_index("ix_identity_preferences_updated_at", "identity_preferences", ["updated_at"])
    op.create_table(
        "bot_news",
        sa.Column("sequence", Sequence, autoincrement=True, nullable=False),
        sa.Column("key", sa.String(300), nullable=False),
        sa.Column("person", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("facts", Json, nullable=False),
        sa.Column("address", Json, nullable=False),
        sa.Column("line", sa.String(300), nullable=False),
        sa.Column("urgent", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("way", sa.String(32), nullable=False),
        sa.Column("reason", sa.String(300), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name="pk_bot_news"),
        sa.UniqueConstraint("key", name="uq_bot_news_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_bot_news_person", "bot_news", ["person", "state", "sequence"])
    op.create_index("ix_bot_news_state", "bot_news", ["state", "changed_at"])
    op.create_table(
        "tickets_watchers",
        sa.Column("ticket_id", sa.String(), nullable=False),
        sa.Column("actor_id", sa.String(), nullable=False),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ticket_id"], ["tickets_tickets.id"], name="fk_tickets_watchers_ticket_id_tickets_tickets"
        ),
        sa.PrimaryKeyConstraint("ticket_id", "actor_id", name="pk_tickets_watchers"),
    )


def downgrade() -> None:
    op.drop_table("tickets_watchers")
    op.drop_table("bot_news")
    op.drop_table("identity_preferences")
