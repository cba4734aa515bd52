"""What somebody did with the knowledge, as it goes into the audit trail."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from identity.actor import Actor
from identity.audit import record
from identity.permissions import Permission
from identity.policy import require
from storage.ids import JsonObject


async def record_act(
    session: AsyncSession, actor: Actor, action: str, resource: str, *, detail: JsonObject, now: datetime
) -> None:
    """Write an act that `knowledge:manage` allows, with the caller's transaction."""
    await record(
        session,
        actor=actor,
        action=action,
        resource=resource,
        allowed=True,
        reason=require(actor, Permission.KNOWLEDGE_MANAGE).reason,
        outcome="done",
        detail=detail,
        now=now,
    )
