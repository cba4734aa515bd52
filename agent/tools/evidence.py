"""One item of evidence, in the form in which runs keep it (feature D13)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from storage.ids import JsonValue, digest

#: Longest text of one item, in characters.
MAX_TEXT = 1_200

EvidenceType = Literal["doc_chunk", "sql_result", "metric", "log", "k8s", "user"]


@dataclass(frozen=True)
class Evidence:
    """What an answer may cite. `evidence_id` (E1, E2, …) is unique within its run."""

    evidence_id: str
    type: EvidenceType
    text: str
    score: float
    source: Mapping[str, JsonValue]  # title, section, source, chunk_id, anchor, uri, updated …
    authz: Mapping[str, str]  # result, reason
    by: str = ""  # the step that found it
    hash: str = field(default="")

    @classmethod
    def of_chunk(
        cls, number: int, *, text: str, score: float, source: Mapping[str, JsonValue], reason: str, whole: str = ""
    ) -> "Evidence":
        """Make an item from a passage; `whole` is the passage with what is shown around it.

        The hash is over all of it. The kept text is cut at `MAX_TEXT`; where that cuts, it begins with the passage.
        """
        shown = whole or text
        kept = shown if len(shown) <= MAX_TEXT else shown[max(0, shown.find(text)) :][:MAX_TEXT]
        return cls(
            evidence_id=f"E{number}",
            type="doc_chunk",
            text=kept,
            score=score,
            source=source,
            authz={"result": "allowed", "reason": reason},
            hash=digest(shown),
        )


class Numbering:
    """Gives each passage of a run one evidence number; found again, it keeps the number it has."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, passage_id: str) -> int:
        """Return the passage's number: 1, 2, 3 … in the order of first sight."""
        return self._numbers.setdefault(passage_id, len(self._numbers) + 1)
