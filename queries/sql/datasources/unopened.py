"""A database that cannot be asked, for a reason that was known before anybody asked."""

from queries.sql.datasource import Dialect, Examined, Guarded, LiveTable, Rows
from queries.sql.errors import SourceUnavailable


class UnopenedSource:
    """Says why to everybody."""

    def __init__(self, name: str, *, dialect: Dialect, why: str, mend: str = "") -> None:
        self._name = name
        self._dialect = dialect
        self._why = why
        self._mend = mend

    @property
    def dialect(self) -> Dialect:
        """The SQL that it would speak."""
        return self._dialect

    async def run(self, guarded: Guarded) -> Rows:  # noqa: ARG002 - the port's
        """Raise `SourceUnavailable`."""
        raise self._reason()

    async def cost(self, guarded: Guarded) -> int | None:  # noqa: ARG002 - the port's
        """Raise `SourceUnavailable`."""
        raise self._reason()

    async def examine(self) -> tuple[Examined, ...]:
        """Return the reason as the one finding."""
        return (Examined("opened", ok=False, detail=self._why, mend=self._mend),)

    async def describe(self, *, samples: bool = False) -> tuple[LiveTable, ...]:  # noqa: ARG002 - the port's
        """Raise `SourceUnavailable`."""
        raise self._reason()

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    def _reason(self) -> SourceUnavailable:
        return SourceUnavailable(self._name, self._why)
