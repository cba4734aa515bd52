"""The port to one database: it runs what the guard has written, and nothing else.

Every implementation is read-only by several locks at once (role, transaction, time limits, caps on rows and bytes), and
passes the same contract tests.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, Protocol

from storage.ids import digest

Dialect = Literal["postgres", "sqlite"]
Value = str | int | float | Decimal | bool | date | datetime | None

#: Rows that a chat message may ask for at most, and gets when nobody says how many.
MOST_ROWS, USUAL_ROWS = 1_000, 50


#: Characters of a fingerprint.
_SHORT = 16


def fingerprint(words: str) -> str:
    """Return what tells statements (or names) apart without saying them."""
    return digest({"words": words})[:_SHORT]


@dataclass(frozen=True)
class Guarded:
    """A statement that the guard wrote: the only thing that a datasource runs."""

    statement: str
    dialect: Dialect
    rows: int  # most rows of the result; the statement itself asks for one more, which tells that there are more
    reads: Mapping[str, frozenset[str]]  # table → the columns that it may touch
    masked: tuple[str, ...] = ()  # columns that it names and that are empty for the asker, as `table.column`


@dataclass(frozen=True)
class Rows:
    """What a statement gave. `truncated`: there were more rows (or bytes) than these."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    truncated: bool = False
    milliseconds: float = 0.0


@dataclass(frozen=True)
class LiveColumn:
    """A column as the database has it."""

    name: str
    type: str  # as the database writes it
    comment: str = ""
    distinct: int | None = None  # about how many different values, where that is known
    samples: tuple[str, ...] = ()  # of columns with few values only
    names: tuple[str, ...] = ()  # where each of few rows has one of its own


@dataclass(frozen=True)
class LiveTable:
    """A table or view as the database has it."""

    name: str
    columns: tuple[LiveColumn, ...]
    key: tuple[str, ...] = ()
    references: Mapping[str, str] = field(default_factory=dict)  # column → "table.column"
    rows: int | None = None  # about how many
    comment: str = ""


@dataclass(frozen=True)
class Examined:
    """One thing that was looked at in a database before it is asked anything; `mend` is what its owner runs."""

    code: str  # "role_may_write", "superuser", "owner", "large_objects", "advisory_locks", "notify" …
    ok: bool
    detail: str = ""
    mend: str = ""
    #: Without it the source is not started; the others are told and lived with.
    needed: bool = True


class Datasource(Protocol):
    """One database. Raises `queries.sql.errors` only."""

    @property
    def dialect(self) -> Dialect:
        """The SQL that it speaks."""
        ...

    async def run(self, guarded: Guarded) -> Rows:
        """Run a statement of the guard within the time limit, and return its rows."""
        ...

    async def cost(self, guarded: Guarded) -> int | None:
        """Return about how many rows it would read, without running it; None where the database cannot say."""
        ...

    async def examine(self) -> tuple[Examined, ...]:
        """Return what the role can do here, and what it could do besides reading."""
        ...

    async def describe(self, *, samples: bool = False) -> tuple[LiveTable, ...]:
        """Return the tables as they are; with `samples` also the values of columns that have few."""
        ...

    async def close(self) -> None:
        """End every connection."""
        ...
