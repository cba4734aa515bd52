"""A question with a name."""

from dataclasses import dataclass
from datetime import datetime

from pydantic import TypeAdapter

from queries.sql.metrics.query import DataQuery
from storage.ids import JsonObject

#: Characters that a name may have, and questions that one person may keep.
LONGEST_NAME, MOST = 60, 100
_QUERIES: TypeAdapter[DataQuery] = TypeAdapter(DataQuery)


@dataclass(frozen=True)
class SavedQuestion:
    """What is asked again: a query of the catalogue, or a statement. Its rows are those of whoever asks."""

    name: str
    owner: str
    question: str  # as it was asked
    source: str
    statement: str = ""
    query: DataQuery | None = None
    saved_at: datetime | None = None

    @property
    def query_json(self) -> JsonObject | None:
        """Return the query in the form in which it is kept."""
        return None if self.query is None else _QUERIES.dump_python(self.query, mode="json")


def query_of(kept: JsonObject | None) -> DataQuery | None:
    """Return the query behind `query_json`."""
    return None if kept is None else _QUERIES.validate_python(kept)
