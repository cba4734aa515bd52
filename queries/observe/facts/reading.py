"""Tolerant reading of JSON: what is missing or of another type is the empty value, and unknown fields are no matter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from queries.observe.reading import Listed
from queries.observe.report.report import ReportEvidence
from storage.ids import JsonObject, JsonValue
from storage.redaction.stored import redact

#: The longest excerpt that is kept of a source's words.
EXCERPT = 500
#: What a terminal would obey: escape sequences and control characters.
_CONTROL = re.compile(
    r"\x1b\[[0-?]*+[ -/]*+[@-~]|\x1b\][^\x07\x1b]*+(?:\x07|\x1b\\)?|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]"
)
#: Secrets are looked for in no more than this of one text.
_READ = 16_000

_SUFFIXES = {
    "n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
    "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50, "Ei": 2.0**60,
}  # fmt: skip
_QUANTITY = re.compile(r"([0-9]++(?:\.[0-9]*+)?(?:e[0-9]{1,3})?)(|[numkMGTPE]|[KMGTPE]i)")
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?")


@dataclass(frozen=True)
class FactOrigin:
    """Which object this is, and which request showed it."""

    object: str  # "Pod/NAME"
    request: str
    sha256: str = ""

    def cite(self, field: str, value: str | int, *, at: datetime | None = None) -> ReportEvidence:
        """Return the evidence that a field of the object has a value; false and true as JSON writes them elsewhere."""
        shown = excerpt(str(value))
        return self._evidence("api", field=field, value=shown, at=at)

    def lacks(self, what: str, scope: str) -> ReportEvidence:
        """Return the evidence that something was looked for and not found, and where."""
        return self._evidence("absence", value=what, scope=scope)

    def _evidence(
        self,
        source: Literal["api", "absence"],
        *,
        value: str,
        field: str = "",
        scope: str = "",
        at: datetime | None = None,
    ) -> ReportEvidence:
        return ReportEvidence(
            id="",
            source=source,
            object=self.object,
            request=self.request,
            field=field,
            value=value,
            scope=scope,
            at=at,
            sha256=self.sha256,
        )


def origin_of(kind: str, body: JsonObject, listed: Listed) -> FactOrigin:
    """Return where an object of a list comes from, by its name."""
    return FactOrigin(f"{kind}/{text(body, 'metadata', 'name')}", listed.request, listed.sha256)


def child(value: JsonValue, *path: str) -> JsonValue:
    """Return what stands at a path, or None."""
    for part in path:
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


def text(value: JsonValue, *path: str) -> str:
    """Return the string at a path, or ""."""
    found = child(value, *path)
    return found if isinstance(found, str) else ""


def number(value: JsonValue, *path: str) -> int:
    """Return the whole number at a path; statuses leave out what is zero."""
    found = child(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def number_or_none(value: JsonValue, *path: str) -> int | None:
    """Return the whole number at a path, or None where none stands."""
    found = child(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def objects(value: JsonValue, *path: str) -> Iterator[JsonObject]:
    """Yield the objects of the list at a path."""
    found = child(value, *path)
    if isinstance(found, list):
        yield from (each for each in found if isinstance(each, dict))


def strings(value: JsonValue, *path: str) -> dict[str, str]:
    """Return the object of strings at a path: labels, limits, selectors."""
    found = child(value, *path)
    return {key: str(each) for key, each in found.items() if each is not None} if isinstance(found, dict) else {}


def moment(value: JsonValue, *path: str) -> datetime | None:
    """Return the time at a path, in UTC, or None."""
    return parse_time(text(value, *path))


def parse_time(written: str) -> datetime | None:
    """Return a time that RFC 3339 writes, in UTC and to the microsecond; None where none stands at the beginning."""
    found = _TIME.match(written)
    if found is None:
        return None
    fraction = (found[2] or ".0")[:7]
    try:
        read = datetime.fromisoformat(f"{found[1]}{fraction.ljust(7, '0')}{(found[3] or 'Z').replace('Z', '+00:00')}")
    except ValueError:
        return None
    return read.astimezone(UTC)


def quantity(written: str) -> float | None:
    """Return what a quantity of Kubernetes means ("500m" is 0.5, "256Mi" is 268435456), or None."""
    found = _QUANTITY.fullmatch(written.strip())
    return float(found[1]) * _SUFFIXES[found[2]] if found else None


def cores(written: str) -> str:
    """Return an amount of CPU in cores: "250m" is "0.25"."""
    amount = quantity(written)
    return written if amount is None else f"{amount:.3g}"


def excerpt(words: str, most: int = EXCERPT) -> str:
    """Return words of a source as they may be kept: secrets out first, then control characters, then cut."""
    plain = _CONTROL.sub("", redact(words[:_READ])).strip()
    return plain if len(plain) <= most else plain[: most - 1] + "…"
