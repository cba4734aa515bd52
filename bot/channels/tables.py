"""The table of channels that somebody has set."""

from datetime import datetime

from sqlalchemy import Integer, String
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, UtcDateTime
from storage.database import Base
from storage.ids import JsonObject


class ChannelSettingsRow(Base):
    """How one channel is set, who set it so, and how often the desk spoke there unasked."""

    __tablename__ = "bot_channel_settings"

    platform: Mapped[str] = mapped_column(String(32), primary_key=True)
    channel: Mapped[str] = mapped_column(String(300), primary_key=True)
    settings: Mapped[JsonObject] = mapped_column(Json)
    hushed: Mapped[JsonObject] = mapped_column(Json)  # the settings that `hush` put an end to; {} when that is over
    changed_by: Mapped[str] = mapped_column(String(200))
    changed_by_name: Mapped[str] = mapped_column(String(200))
    changed_at: Mapped[datetime] = mapped_column(UtcDateTime)
    spoken_on: Mapped[str] = mapped_column(String(10), server_default=sql("''"))  # the day (UTC) that is counted
    spoken: Mapped[int] = mapped_column(Integer, server_default=sql("0"))  # answers of that day that nobody asked for
