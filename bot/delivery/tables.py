"""The tables of `bot`: addresses, channels, news, posted cards, open streams, and the web chat's transcript."""

from datetime import datetime

from sqlalchemy import Boolean, Index, Integer, String, Text, UniqueConstraint, false
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from storage.columns import Json, Sequence, UtcDateTime
from storage.database import Base
from storage.ids import JsonObject


class AddressRow(Base):
    """Where a person was last spoken to, for posts that nobody asked for just now."""

    __tablename__ = "bot_addresses"

    actor_id: Mapped[str] = mapped_column(String(200), primary_key=True)
    platform: Mapped[str] = mapped_column(String(32), primary_key=True)
    address: Mapped[JsonObject] = mapped_column(Json)
    language: Mapped[str] = mapped_column(String(8))
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    gone_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # since when the desk is not let in there


class ChannelRow(Base):
    """A channel that the desk was added to or spoken to in: what a schedule can post to."""

    __tablename__ = "bot_channels"

    platform: Mapped[str] = mapped_column(String(32), primary_key=True)
    channel: Mapped[str] = mapped_column(String(300), primary_key=True)
    address: Mapped[JsonObject] = mapped_column(Json)
    language: Mapped[str] = mapped_column(String(8))
    heard_at: Mapped[datetime] = mapped_column(UtcDateTime)


class NewsRow(Base):
    """What a person is to be told, or was; its words go when it was told. `sequence` is the order of what happened."""

    __tablename__ = "bot_news"
    __table_args__ = (
        Index("ix_bot_news_person", "person", "state", "sequence"),
        Index("ix_bot_news_state", "state", "changed_at"),
        {"sqlite_autoincrement": True},
    )

    sequence: Mapped[int] = mapped_column(Sequence, primary_key=True, autoincrement=True)
    key: Mapped[str] = mapped_column(String(300), unique=True)
    person: Mapped[str] = mapped_column(String(200))
    kind: Mapped[str] = mapped_column(String(40))  # who draws it
    facts: Mapped[JsonObject] = mapped_column(Json)
    address: Mapped[JsonObject] = mapped_column(Json)  # where it would be told best; {} where they spoke last
    line: Mapped[str] = mapped_column(String(300))
    urgent: Mapped[bool] = mapped_column(Boolean)  # it waits for nothing
    state: Mapped[str] = mapped_column(String(16))  # waiting, told, dropped, undelivered
    way: Mapped[str] = mapped_column(String(32))  # by which it was told, or tried last
    reason: Mapped[str] = mapped_column(String(300))  # why it could not be delivered
    tries: Mapped[int] = mapped_column(Integer)
    changed_at: Mapped[datetime] = mapped_column(UtcDateTime)


class PostedRow(Base):
    """A card that shows something which may change later, so that its final state can be edited in place."""

    __tablename__ = "bot_posted"
    __table_args__ = (
        Index("ix_bot_posted_subject", "subject"),
        Index("ix_bot_posted_reference", "platform", "reference"),
    )

    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    subject: Mapped[str] = mapped_column(String(120))  # "draft:<id>", "approval:<id>", "run:<id>"
    platform: Mapped[str] = mapped_column(String(32))
    thread: Mapped[str] = mapped_column(String(300), server_default=sql("''"))
    address: Mapped[JsonObject] = mapped_column(Json)
    reference: Mapped[str] = mapped_column(String(500))
    language: Mapped[str] = mapped_column(String(8))
    timezone: Mapped[str] = mapped_column(String(64))
    posted_at: Mapped[datetime] = mapped_column(UtcDateTime)


class StreamRow(Base):
    """A message in the making that people see already: whatever ends its key ends this message."""

    __tablename__ = "bot_streams"

    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    reference: Mapped[str] = mapped_column(String(500))
    opened_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ThreadRow(Base):
    """One conversation of the web chat. Changes of a thread queue for this row, so `seq` never runs backwards."""

    __tablename__ = "bot_web_threads"

    user: Mapped[str] = mapped_column(String(200), primary_key=True)
    thread: Mapped[str] = mapped_column(String(200), primary_key=True)
    title: Mapped[str] = mapped_column(String(200))
    titled_by: Mapped[str] = mapped_column(String(16))  # whose words the title is: person or desk
    last_seq: Mapped[int] = mapped_column(Integer)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)


class EntryRow(Base):
    """One message of the web chat as it stands now; `seq` grows with every change, `said` does not."""

    __tablename__ = "bot_web_entries"
    __table_args__ = (
        UniqueConstraint("user", "thread", "key"),
        Index("ix_bot_web_entries_user_thread_seq", "user", "thread", "seq"),
        Index("ix_bot_web_entries_user_thread_said", "user", "thread", "said"),
    )

    reference: Mapped[str] = mapped_column(String(64), primary_key=True)
    user: Mapped[str] = mapped_column(String(200))
    thread: Mapped[str] = mapped_column(String(200))
    key: Mapped[str] = mapped_column(String(200))
    seq: Mapped[int] = mapped_column(Integer)
    said: Mapped[int] = mapped_column(Integer)
    author: Mapped[str] = mapped_column(String(16))  # person, desk
    text: Mapped[str] = mapped_column(Text)
    card: Mapped[JsonObject | None] = mapped_column(Json)
    edited: Mapped[bool] = mapped_column(Boolean)
    asked: Mapped[str] = mapped_column(String(200), server_default=sql("''"))  # the key of the message it answers
    removed: Mapped[bool] = mapped_column(Boolean, server_default=false())
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
