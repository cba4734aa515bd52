"""The SQL of channels that the desk is in: plain functions on a session."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.delivery.tables import ChannelRow
from storage.database import insert_new
from storage.ids import JsonObject

#: A channel in which the desk is spoken to all day is written down once an hour.
_FRESH = timedelta(hours=1)


@dataclass(frozen=True)
class Channel:
    """A channel that the desk was added to or spoken to in."""

    platform: str
    id: str
    address: JsonObject
    language: str
    heard_at: datetime

    @property
    def name(self) -> str:
        """Return what it is called where one has to be named: `slack:C0123456`."""
        return f"{self.platform}:{self.id}"

    @property
    def target(self) -> JsonObject:
        """Return what a schedule keeps of it; its address is looked up when something is posted."""
        return {"platform": self.platform, "channel": self.id}


async def remember_channel(session: AsyncSession, channel: Channel) -> None:
    """Keep where a channel can be written to."""
    values = {"address": channel.address, "language": channel.language, "heard_at": channel.heard_at}
    known = {"platform": channel.platform, "channel": channel.id}
    if not await insert_new(session, ChannelRow, {**known, **values}):
        stale = ChannelRow.heard_at < channel.heard_at - _FRESH
        await session.execute(update(ChannelRow).filter_by(**known).where(stale).values(**values))


async def set_language(session: AsyncSession, target: JsonObject, language: str | None) -> None:
    """Post in that language in a channel from now on; None changes nothing."""
    if language is not None:
        named = (ChannelRow.platform == str(target["platform"]), ChannelRow.channel == str(target["channel"]))
        await session.execute(update(ChannelRow).where(*named).values(language=language))


async def channels(session: AsyncSession) -> tuple[Channel, ...]:
    """Return every channel by platform and id."""
    rows = await session.scalars(select(ChannelRow).order_by(ChannelRow.platform, ChannelRow.channel))
    return tuple(_channel(row) for row in rows)


async def channel_at(session: AsyncSession, target: JsonObject) -> Channel | None:
    """Return the channel that a schedule's target names."""
    row = await session.get(ChannelRow, (str(target.get("platform")), str(target.get("channel"))))
    return None if row is None else _channel(row)


def _channel(row: ChannelRow) -> Channel:
    return Channel(row.platform, row.channel, row.address, row.language, row.heard_at)
