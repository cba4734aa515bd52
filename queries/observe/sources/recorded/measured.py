"""Answers of a metrics server that were kept word for word, for where no server can compute them again."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import MetricRead

#: The file of a recording that holds them.
FILE = "measured.json"


@dataclass(frozen=True)
class KeptAnswer:
    """One answer with the query that it was given to. An instant query has no start and no step."""

    query: str
    end: datetime
    answer: MetricRead
    start: datetime | None = None
    step_s: float = 0.0

    @property
    def asked(self) -> tuple[str, datetime, datetime | None, float]:
        """Return what tells it from the others."""
        return self.query, self.end, self.start, self.step_s


_KEPT = TypeAdapter(list[KeptAnswer])


class KeptMetrics:
    """A metric reader over the answers of a recording; what was not asked then is not known now."""

    def __init__(self, kept: list[KeptAnswer]) -> None:
        self._answers = {each.asked: each.answer for each in kept}

    async def instant(self, query: str, *, at: datetime) -> MetricRead:
        """Return what was answered at that moment."""
        return self._answered(query, at, None, 0.0)

    async def range(self, query: str, *, start: datetime, end: datetime, step_s: float) -> MetricRead:
        """Return what was answered for that window."""
        return self._answered(query, end, start, step_s)

    def _answered(self, query: str, end: datetime, start: datetime | None, step_s: float) -> MetricRead:
        found = self._answers.get((query, end, start, step_s))
        if found is None:
            raise ReadFailed(FailureKind.NOT_RECORDED, query)
        return found


def written(kept: list[KeptAnswer]) -> str:
    """Return answers as JSON, each once."""
    once = list({each.asked: each for each in kept}.values())
    return json.dumps(_KEPT.dump_python(once, mode="json"), ensure_ascii=False, indent=1)


def read_metrics(folder: Path) -> KeptMetrics | None:
    """Return the answers that a folder holds; None where it holds none. Reads a file."""
    path = folder / FILE
    return KeptMetrics(_KEPT.validate_json(path.read_bytes())) if path.exists() else None
