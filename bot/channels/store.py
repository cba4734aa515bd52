"""The SQL of how channels are set: plain functions on a session."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.channels.tables import ChannelSettingsRow
from features.anatomy.channels import ChannelSettings
from storage.database import changed_rows, insert_new
from storage.ids import JsonObject

_SETTINGS = TypeAdapter(ChannelSettings)


@dataclass(frozen=True)
class SetChannel:
    """How a channel was set, and by whom."""

    platform: str
    id: str
    settings: ChannelSettings
    changed_by: str
    changed_by_name: str
    changed_at: datetime
    before: ChannelSettings | None = None  # what making it quiet put an end to, as long as that can be taken back


async def find(session: AsyncSession, platform: str, channel: str) -> SetChannel | None:
    """Return how a channel was set; None where nobody did."""
    row = await session.get(ChannelSettingsRow, (platform, channel))
    return None if row is None else _read(row)


async def everything(session: AsyncSession) -> tuple[SetChannel, ...]:
    """Return every channel that somebody has set, by platform and id."""
    rows = await session.scalars(
        select(ChannelSettingsRow).order_by(ChannelSettingsRow.platform, ChannelSettingsRow.channel)
    )
    return tuple(_read(row) for row in rows)


async def put(session: AsyncSession, channel: SetChannel) -> None:
    """Keep how a channel is set now."""
    values: dict[str, Any] = {
        "settings": dump(channel.settings),
        "hushed": {} if channel.before is None else dump(channel.before),
        "changed_by": channel.changed_by,
        "changed_by_name": channel.changed_by_name,
        "changed_at": channel.changed_at,
    }
    known = {"platform": channel.platform, "channel": channel.id}
    if not await insert_new(session, ChannelSettingsRow, {**known, **values}):
        await session.execute(update(ChannelSettingsRow).filter_by(**known).values(**values))


async def take_turn(session: AsyncSession, target: JsonObject, *, day: str, most: int) -> bool:
    """Count one more answer of that day that nobody asked for; False when there were `most` already."""
    named = (ChannelSettingsRow.platform == target["platform"], ChannelSettingsRow.channel == target["channel"])
    new = update(ChannelSettingsRow).where(*named, ChannelSettingsRow.spoken_on != day)
    if most < 1:
        return False
    if await changed_rows(session, new.values(spoken_on=day, spoken=1)):
        return True
    free = update(ChannelSettingsRow).where(*named, ChannelSettingsRow.spoken < most)
    more = free.values(spoken=ChannelSettingsRow.spoken + 1)
    return bool(await changed_rows(session, more))


def dump(settings: ChannelSettings) -> Mapping[str, Any]:
    """Return settings as JSON, lists in their order."""
    kept: dict[str, Any] = _SETTINGS.dump_python(settings, mode="json")
    return {name: sorted(value) if isinstance(value, list) else value for name, value in kept.items()}


def _read(row: ChannelSettingsRow) -> SetChannel:
    return SetChannel(
        platform=row.platform,
        id=row.channel,
        settings=_SETTINGS.validate_python(row.settings),
        changed_by=row.changed_by,
        changed_by_name=row.changed_by_name,
        changed_at=row.changed_at,
        before=_SETTINGS.validate_python(row.hushed) if row.hushed else None,
    )
