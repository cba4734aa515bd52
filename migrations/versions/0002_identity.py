"""The first tables of identity: chat accounts, the audit and its chain, sign-in."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from storage.columns import Json, Sequence, UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_accounts()
    _create_audit()
    _create_chain()
    _create_sign_in()


def _create_accounts() -> None:
    op.create_table(
        "identity_accounts",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("tenant", sa.Text(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "tenant", "user", name="pk_identity_accounts"),
    )
    op.create_index("ix_identity_accounts_actor_id", "identity_accounts", ["actor_id"])
    op.create_index("ix_identity_accounts_person_id", "identity_accounts", ["person_id"])


def _create_audit() -> None:
    op.create_table(
        "identity_audit",
        sa.Column("id", Sequence, autoincrement=True, nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("actor_id", sa.Text(), nullable=False),
        sa.Column("actor_name", sa.Text(), nullable=False),
        sa.Column("actor_kind", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("resource", sa.Text(), nullable=False),
        sa.Column("allowed", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("detail", Json, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_identity_audit"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_identity_audit_actor_id", "identity_audit", ["actor_id", "id"])
    op.create_index("ix_identity_audit_action", "identity_audit", ["action", "id"])
    op.create_index("ix_identity_audit_run_id", "identity_audit", ["run_id"])


def _create_chain() -> None:
    op.create_table(
        "identity_audit_seals",
        sa.Column("position", Sequence, autoincrement=False, nullable=False),
        sa.Column("entry_id", Sequence, nullable=False),
        sa.Column("entry_hash", sa.Text(), nullable=False),
        sa.Column("chain_hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("position", name="pk_identity_audit_seals"),
        sa.UniqueConstraint("entry_id", name="uq_identity_audit_seals_entry_id"),
    )
    op.create_table(
        "identity_audit_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("position", Sequence, nullable=False),
        sa.Column("entry_id", Sequence, nullable=False),
        sa.Column("chain_hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_identity_audit_head"),
    )


def _create_sign_in() -> None:
    used_at: sa.Column[Any] = sa.Column("used_at", UtcDateTime(), nullable=True)
    op.create_table("identity_sign_in_links", *_holder("identity_sign_in_links"), used_at)
    op.create_table("identity_sessions", *_holder("identity_sessions"))
    for table in ("identity_sign_in_links", "identity_sessions"):
        op.create_index(f"ix_{table}_expires_at", table, ["expires_at"])


def _holder(table: str) -> list[sa.Column[Any] | sa.PrimaryKeyConstraint]:
    return [
        sa.PrimaryKeyConstraint("token_hash", name=f"pk_{table}"),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Text(), nullable=False),
        sa.Column("actor_name", sa.Text(), nullable=False),
        sa.Column("actor_kind", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
    ]


def downgrade() -> None:
    for table in ("sessions", "sign_in_links", "audit_head", "audit_seals", "audit", "accounts"):
        op.drop_table(f"identity_{table}")
