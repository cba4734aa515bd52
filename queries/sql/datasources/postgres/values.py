"""Dates of PostgreSQL that Python cannot say: `infinity`, and years before 1 and after 9999, come as text."""

from psycopg import AsyncConnection, DataError
from psycopg.abc import Buffer
from psycopg.types.datetime import DateLoader, TimestampLoader, TimestamptzLoader


class AnyDateLoader(DateLoader):
    """Loads a date."""

    def load(self, data: Buffer) -> object:  # type: ignore[override]
        """Return a date, or the text of one."""
        try:
            return super().load(data)
        except DataError:
            return bytes(data).decode()


class AnyTimestampLoader(TimestampLoader):
    """Loads a moment without a time zone."""

    def load(self, data: Buffer) -> object:  # type: ignore[override]
        """Return a moment, or the text of one."""
        try:
            return super().load(data)
        except DataError:
            return bytes(data).decode()


class AnyTimestamptzLoader(TimestamptzLoader):
    """Loads a moment with a time zone."""

    def load(self, data: Buffer) -> object:  # type: ignore[override]
        """Return a moment, or the text of one."""
        try:
            return super().load(data)
        except DataError:
            return bytes(data).decode()


def load_any_date(connection: AsyncConnection) -> None:
    """Let a connection give every date that PostgreSQL knows."""
    connection.adapters.register_loader("date", AnyDateLoader)
    connection.adapters.register_loader("timestamp", AnyTimestampLoader)
    connection.adapters.register_loader("timestamptz", AnyTimestamptzLoader)
