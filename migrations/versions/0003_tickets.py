"""The first tables of tickets."""

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_drafts()
    create_tickets()
    create_comments()
    create_changes()
    create_counters()
    create_threads()


def create_drafts() -> None:
    op.create_table(
        "tickets_drafts",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("requester_id", sa.String(), nullable=False),
        sa.Column("requester_name", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("address", Json, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("priority", sa.String(), nullable=False),
        sa.Column("fields", Json, nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("ticket_number", sa.String(), nullable=True),
        sa.Column("closed_by", sa.String(), nullable=True),
        sa.Column("closed_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tickets_drafts")),
    )
    op.create_index("ix_tickets_drafts_requester", "tickets_drafts", ["requester_id", "state", "updated_at"])
    op.create_index("ix_tickets_drafts_expiry", "tickets_drafts", ["state", "expires_at"])


def create_tickets() -> None:
    op.create_table(
        "tickets_tickets",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("draft_id", sa.String(), nullable=False),
        sa.Column("requester_id", sa.String(), nullable=False),
        sa.Column("requester_name", sa.String(), nullable=False),
        sa.Column("assignee_id", sa.String(), nullable=True),
        sa.Column("assignee_name", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("priority", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("fields", Json, nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("urged_at", UtcDateTime(), nullable=True),
        sa.Column("urges", sa.Integer(), nullable=False),
        sa.Column("resolution", sa.String(), nullable=False),
        sa.Column("external_key", sa.String(), nullable=True),
        sa.Column("external_url", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["draft_id"], ["tickets_drafts.id"], name=op.f("fk_tickets_tickets_draft_id_tickets_drafts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tickets_tickets")),
        sa.UniqueConstraint("draft_id", name=op.f("uq_tickets_tickets_draft_id")),
        sa.UniqueConstraint("number", name=op.f("uq_tickets_tickets_number")),
        sa.UniqueConstraint("year", "sequence", name=op.f("uq_tickets_tickets_year_sequence")),
    )
    op.create_index("ix_tickets_tickets_requester", "tickets_tickets", ["requester_id", "created_at"])
    op.create_index("ix_tickets_tickets_queue", "tickets_tickets", ["status", "created_at"])


def create_comments() -> None:
    op.create_table(
        "tickets_comments",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("ticket_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.String(), nullable=False),
        sa.Column("author_name", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ticket_id"], ["tickets_tickets.id"], name=op.f("fk_tickets_comments_ticket_id_tickets_tickets")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tickets_comments")),
        sa.UniqueConstraint("ticket_id", "version", name=op.f("uq_tickets_comments_ticket_id_version")),
    )


def create_changes() -> None:
    op.create_table(
        "tickets_changes",
        sa.Column("ticket_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("actor_id", sa.String(), nullable=False),
        sa.Column("actor_name", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ticket_id"], ["tickets_tickets.id"], name=op.f("fk_tickets_changes_ticket_id_tickets_tickets")
        ),
        sa.PrimaryKeyConstraint("ticket_id", "version", name=op.f("pk_tickets_changes")),
    )


def create_counters() -> None:
    op.create_table(
        "tickets_counters",
        sa.Column("year", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("year", name=op.f("pk_tickets_counters")),
    )


def create_threads() -> None:
    op.create_table(
        "tickets_threads",
        sa.Column("ticket_id", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("address", Json, nullable=False),
        sa.Column("linked_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ticket_id"], ["tickets_tickets.id"], name=op.f("fk_tickets_threads_ticket_id_tickets_tickets")
        ),
        sa.PrimaryKeyConstraint("ticket_id", "thread", name=op.f("pk_tickets_threads")),
    )
    op.create_index("ix_tickets_threads_thread", "tickets_threads", ["thread", "linked_at"])


def downgrade() -> None:
    for table in ("threads", "counters", "changes", "comments", "tickets", "drafts"):
        op.drop_table(f"tickets_{table}")
