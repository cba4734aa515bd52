"""Column types that behave the same on SQLite and PostgreSQL."""

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ColumnElement, DateTime, Dialect, Integer, or_, types
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import InstrumentedAttribute

#: JSON in a text column on SQLite, JSONB on PostgreSQL.
Json = JSON().with_variant(JSONB(), "postgresql")

#: A number that the database counts up: SQLite does so only for a column declared INTEGER.
Sequence = BigInteger().with_variant(Integer(), "sqlite")


def is_over(until: InstrumentedAttribute[Any], now: Any, latest: Any) -> ColumnElement[bool]:
    """Return the condition that nobody holds a row any more: its time is over, or later than it can be."""
    return or_(until <= now, until > latest)


class UtcDateTime(types.TypeDecorator[datetime]):
    """An aware UTC instant; SQLite stores it without a zone, so it is put back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse naive values: a stored instant always says which instant it is."""
        if value is None:
            return None
        if value.tzinfo is None:
            message = "a stored instant needs a time zone"
            raise ValueError(message)
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the instant aware, in UTC."""
        if value is None:
            return None
        instant: datetime = value
        return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)


def storable(value: Any) -> Any:
    """Return a statement's parameters, or a JSON value, without the characters that databases refuse.

    Those are NUL (PostgreSQL) and halves of surrogate pairs (both). People and platforms send them now and then, and
    no use case should fail over one.
    """
    if isinstance(value, str):
        return value if value.isascii() and "\x00" not in value else _storable_text(value)
    if isinstance(value, dict):
        return {storable(name): storable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(storable, value))
    return value


def dump_json(value: Any) -> str:
    """Return the JSON text to store."""
    return json.dumps(storable(value), ensure_ascii=False)


def _storable_text(text: str) -> str:
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")
