"""From results to evidence: what a run has found, item by item, in the form in which runs keep it (feature D13).

Evidence is derived here, one `match` over what may be cited; no tool makes it. A message without an author and
records are no evidence: the first is shown as it is, the others are drawn from state.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Literal, assert_never

from agent.expressions import Cells, Value
from agent.results import (
    Currency,
    Findings,
    Message,
    Observation,
    Passage,
    Passages,
    Records,
    Result,
    Series,
    Table,
    cell_text,
    plain_words,
    result_json,
)
from storage.ids import JsonObject, JsonValue, digest

#: Longest text of one item, in characters.
MAX_TEXT = 1_200
#: Rows and points of one result that a brain is told; the reader is shown more.
MAX_TOLD = 100

EvidenceType = Literal["doc_chunk", "sql_result", "metric", "log", "k8s", "user"]
#: What a claim may name as its evidence.
Citable = Passage | Table | Series | Observation | Message


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


@dataclass(frozen=True)
class Ground:
    """One item of evidence of this run, and the thing itself that a claim is held against."""

    evidence: Evidence
    item: Citable

    @property
    def text(self) -> str:
        """Return the whole text behind it."""
        return self.item.shown if isinstance(self.item, Passage) else self.evidence.text

    @property
    def about(self) -> str:
        """Return title and section."""
        return f"{self.says('title')} {self.says('section')}"

    def title(self, language: str) -> str:
        """Return what a source is called, in a language; never empty."""
        match self.item:
            case Table(title=title, datasource=name) | Series(title=title, name=name):
                return title.in_language(language) or name or self.evidence.evidence_id
            case Passage() | Observation() | Message():
                return self.says("title")
            case _:
                assert_never(self.item)

    @property
    def currency(self) -> Currency:
        """Return by what its page is followed before another one about the same."""
        return Currency(not self.says("not_in_force"), self.says("updated"))

    def says(self, key: str) -> str:
        """Return a part of where it comes from, "" when that is not known."""
        value = self.evidence.source.get(key)
        return "" if value is None else str(value)


class Found:
    """What a run has found so far, each item with its number: 1, 2, 3 … in the order of first sight."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._grounds: dict[str, Ground] = {}

    @property
    def grounds(self) -> Mapping[str, Ground]:
        """Return what may be cited, by evidence id."""
        return self._grounds

    def number(self, key: str) -> int:
        """Return the number of an item; found again, it keeps the one it has."""
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def take(self, results: Iterable[Result], rests_on: str = "") -> tuple[tuple[Evidence, ...], JsonObject]:
        """Keep what may be cited, numbered; return it, and what the brain is told of the results.

        What is found twice is kept with the most that was shown of it. The same results in the same order give the
        same numbers, so that a run can be gone through again. What is no page `rests_on` what it was read from.
        """
        taken: list[Evidence] = []
        results = tuple(results)
        for item in (item for result in results for item in citable(result)):
            ground = Ground(_resting(_evidence(item, self.number(_key(item))), rests_on), item)
            taken.append(ground.evidence)
            known = self._grounds.get(ground.evidence.evidence_id, ground)
            self._grounds[ground.evidence.evidence_id] = max(known, ground, key=lambda each: len(each.text))
        return tuple(taken), self._all_told(results)

    def _all_told(self, results: Iterable[Result]) -> JsonObject:
        said: dict[str, JsonValue] = {}
        for result in results:
            for name, value in self._told(result).items():
                known = said.get(name)
                said[name] = [*known, *value] if isinstance(known, list) and isinstance(value, list) else value
        return said

    def _told(self, result: Result) -> JsonObject:
        match result:
            case Passages(items=items):
                return {"passages": [self._passage(item) for item in items]}
            case Table():
                return {"tables": [{"evidence": self._id(result), **_table(result)}]}
            case Series():
                return {"series": [{"evidence": self._id(result), **_series(result)}]}
            case Findings():
                return {"reports": [self._report(result)]}
            case Records(tells=tells):
                return tells
            case Message(text=text, author=author):
                cited: JsonObject = {"evidence": self._id(result), "author": author} if author else {}
                return {"messages": [{**cited, "text": text.en or text.zh}]}
            case _:
                assert_never(result)

    def _id(self, item: Citable) -> str:
        return f"E{self.number(_key(item))}"

    def _passage(self, item: Passage) -> JsonObject:
        source = item.source
        following = f"E{self.number(item.goes_on_in)}" if item.goes_on_in else ""
        around = {"before": item.before, "after": item.after, "goes_on_in": following}
        return {
            "evidence": self._id(item),
            "title": source.title,
            "section": source.section,
            "source": source.source,
            "text": item.text,
            **{name: value for name, value in around.items() if value},
            "kind": source.kind,
            "updated": source.updated,
            **({"not_in_force": source.not_in_force} if source.not_in_force else {}),
            "language": source.language,
            "coverage": source.coverage,
            "cosine": source.cosine,
            "score": round(item.score, 4),
            **({"likeness": [list(each) for each in item.likeness]} if item.likeness else {}),
        }

    def _report(self, report: Findings) -> JsonObject:
        ids = {item.key: self._id(item) for item in report.observations}
        return {
            "summary": report.summary.en or report.summary.zh,
            "findings": [
                {
                    "text": finding.text.en or finding.text.zh,
                    "severity": finding.severity,
                    "evidence": [ids[key] for key in finding.observations],
                }
                for finding in report.findings
            ],
            "observations": [
                {"evidence": ids[item.key], "type": item.type, "text": item.text.en or item.text.zh}
                for item in report.observations
            ],
            "ruled_out": [each.en or each.zh for each in report.ruled_out],
            "not_read": [each.en or each.zh for each in report.not_read],
            "changed": [each.en or each.zh for each in report.changed],
            "advice": [each.text.en or each.text.zh for each in report.advice],
        }


def citable(result: Result) -> tuple[Citable, ...]:
    """Return what a claim may name of a result."""
    match result:
        case Passages(items=items):
            return items
        case Table() | Series():
            return (result,)
        case Findings(observations=observations):
            return observations
        case Message(author=author):
            return (result,) if author else ()
        case Records():
            return ()
        case _:
            assert_never(result)


def cells_in(grounds: Mapping[str, Ground]) -> Cells:
    """Return how an expression reads the evidence of a run: a table's columns by name, a series as its values."""

    def cells(evidence_id: str, column: str) -> Sequence[Value]:
        ground = grounds.get(evidence_id)
        match ground and ground.item:
            case Table() as table:
                return _column(table, column)
            case Series(points=points) if column in ("", "value"):
                return [Fraction(point.value) for point in points if isinstance(point.value, Decimal)]
        message = f"no cells in this run: {evidence_id}"
        raise LookupError(message)

    return cells


def _column(table: Table, name: str) -> Sequence[Value]:
    """Return the values of a column, without cells that are empty; "" is the only column of numbers or dates."""
    wanted = [
        at
        for at, column in enumerate(table.columns)
        if (column.name.casefold() == name.casefold() if name else column.type != "text")
    ]
    if len(wanted) != 1:
        message = f"no such column: {name}; there are {', '.join(column.name for column in table.columns)}"
        raise LookupError(message)
    values = (row[wanted[0]] for row in table.rows)
    return [
        Fraction(value) if isinstance(value, Decimal) else value
        for value in values
        if isinstance(value, Decimal | date)
    ]


def _key(item: Citable) -> str:
    """Return what tells an item from others of its run."""
    match item:
        case Passage(source=source):
            return source.chunk_id or digest({"title": source.title, "text": item.text})
        case Table() | Series() | Message():
            return digest(result_json(item))
        case Observation(key=key, type=kind):
            return f"{kind}:{key}:{item.text.en}"
        case _:
            assert_never(item)


def _evidence(item: Citable, number: int) -> Evidence:
    match item:
        case Passage():
            source: JsonObject = asdict(item.source)
            return Evidence.of_chunk(
                number, text=item.text, whole=item.shown, score=item.score, source=source, reason=item.reason
            )
        case Table():
            return _made(number, "sql_result", plain_words(item, "en"), digest(result_json(item)), _table_source(item))
        case Series():
            source = {
                "title": item.title.en or item.name,
                "datasource": item.datasource,
                "statement": item.query,
                "uri": item.url,
            }
            return _made(number, "metric", plain_words(item, "en"), digest(result_json(item)), source)
        case Observation():
            at = "" if item.at is None else item.at.isoformat()
            source = {"title": item.system or item.key, "statement": item.query, "uri": item.url, "updated": at}
            seen = item.text.en or item.text.zh
            return _made(number, item.type, seen, digest(seen), source)
        case Message():
            said = item.text.en or item.text.zh
            return _made(number, "user", said, digest(said), {"title": item.author})
        case _:
            assert_never(item)


def _resting(evidence: Evidence, on: str) -> Evidence:
    if not on or evidence.type == "doc_chunk":
        return evidence
    return replace(evidence, source={**evidence.source, "rests_on": on})


def _made(number: int, kind: EvidenceType, text: str, whole: str, source: JsonObject) -> Evidence:
    return Evidence(
        evidence_id=f"E{number}",
        type=kind,
        text=text[:MAX_TEXT],
        score=1.0,
        source=source,
        authz={"result": "allowed", "reason": "tool"},
        hash=whole,
    )


def _table_source(table: Table) -> JsonObject:
    return {
        "title": table.title.en or table.title.zh or table.datasource,
        "datasource": table.datasource,
        "statement": table.statement,
        "uri": table.url,
        "computed": "" if table.computed is None else table.computed.expression,
        "from": [] if table.computed is None else list(table.computed.evidence),
    }


def _table(table: Table) -> JsonObject:
    columns: list[JsonValue] = [
        {"name": column.name, "type": column.type, **({"unit": column.unit} if column.unit else {})}
        for column in table.columns
    ]
    rows: list[JsonValue] = [
        [value if value is None or isinstance(value, bool) else cell_text(value) for value in row]
        for row in table.rows[:MAX_TOLD]
    ]
    return {
        **({"title": table.title.en or table.title.zh} if table.title else {}),
        "columns": columns,
        "rows": rows,
        "rows_in_all": len(table.rows),
        "truncated": table.truncated,
        **({"statement": table.statement} if table.statement else {}),
        **({"computed_from": list(table.computed.evidence)} if table.computed else {}),
    }


def _series(series: Series) -> JsonObject:
    shown = series.points[-MAX_TOLD:]
    return {
        "name": series.name,
        "unit": series.unit,
        "points": [[cell_text(point.at), cell_text(point.value)] for point in shown],
        "points_in_all": len(series.points),
        **({"query": series.query} if series.query else {}),
    }
