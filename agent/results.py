"""What a tool returns: a closed union, so that every result reaches the person with no code of its feature on the road.

`Passages` (text that somebody wrote), `Table` (rows of a query or a calculation), `Series` (values over time),
`Findings` (a report whose findings name what was observed), `Records` (things drawn from state when they are shown)
and `Message` (a tool's own plain words). What is derived from a result stands elsewhere, one `match` for each: its
evidence and what the brain is told (`agent.tools.evidence`), which claims it carries (`agent.grounding`), its blocks
(`bot.rendering.results`). Here are the values, their JSON and their plain words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal, NamedTuple, assert_never

from pydantic import BeforeValidator, TypeAdapter

from language.moments import TimeStep, step_in_words
from storage.ids import JsonObject

Cell = str | int | float | Decimal | bool | date | datetime | None
ColumnType = Literal["text", "number", "date", "time", "flag"]
#: How a table shall be drawn; "" is for the desk to choose.
Drawn = Literal["", "chart", "table"]

#: Rows and points that the plain words of a result name.
_FEW = 10
#: Digits before the point from which on a number is written with an exponent.
_MANY_DIGITS = 30
#: Units whose parts are written with two digits.
_CURRENCIES = frozenset({"EUR", "GBP", "USD", "CHF", "CNY", "RMB", "SEK", "DKK", "€", "£", "$", "元", "欧元", "美元"})
_CENT = Decimal("0.01")


@dataclass(frozen=True)
class Bilingual:
    """Words in both languages; where only English is given, it stands for both."""

    en: str = ""
    zh: str = ""

    def __bool__(self) -> bool:
        """Return whether there are words at all."""
        return bool(self.en or self.zh)

    def in_language(self, language: str) -> str:
        """Return the words in the language "en" or "zh"."""
        return (self.zh or self.en) if language == "zh" else (self.en or self.zh)


class Currency(NamedTuple):
    """By what one of two pages about the same is followed, the greater one: what holds now, then what is newer."""

    holds: bool
    updated: str  # ISO date, "" for none

    def decides(self, other: "Currency") -> bool:
        """Tell whether it is known which of two goes before the other."""
        dated = bool(self.updated and other.updated) and self.updated != other.updated
        return dated or self.holds != other.holds


@dataclass(frozen=True)
class DocumentSource:
    """Where a passage comes from, and the signals of the search that found it."""

    title: str
    section: str = ""  # heading path joined with " > "
    source: str = ""  # path below the indexed folder
    source_name: str = ""  # the indexed source
    uri: str = ""  # the page on its own site
    chunk_id: str = ""
    document_id: str = ""
    anchor: str = ""
    kind: str = ""
    language: str = ""
    updated: str = ""  # ISO date
    coverage: float = 0.0
    cosine: float | None = None
    own: bool = False  # of a folder that who runs the desk indexed: neither crawled nor sent in chat
    not_in_force: str = ""  # `until` or `from` and the day, or `edition`, where its page does not hold now


@dataclass(frozen=True)
class Passage:
    """A piece of a document; `whole` is the piece with all that is shown of its section around it."""

    text: str
    source: DocumentSource
    whole: str = ""
    before: str = ""
    after: str = ""
    goes_on_in: str = ""  # the chunk that follows right on `after`
    score: float = 0.0
    reason: str = ""  # why the asker may read it
    likeness: tuple[tuple[float, ...], ...] = ()  # of each of its pieces to what was asked, where that was compared

    @property
    def shown(self) -> str:
        """Return all that the brain is shown of it."""
        return self.whole or self.text


@dataclass(frozen=True)
class Passages:
    """Text that somebody wrote.

    `ranked`: found by likeness to a question. Whether it answers is the brain's to judge, so only what the answer
    cites is shown. Other passages are what was asked for, and are shown however the run ends.
    """

    items: tuple[Passage, ...]
    ranked: bool = False


@dataclass(frozen=True)
class Column:
    """A column of a table: what it is called, what its cells are, in which unit."""

    name: str
    type: ColumnType = "text"
    unit: str = ""
    step: TimeStep = ""  # a day stands for all of its month, quarter …
    called: Bilingual = Bilingual()  # what people read above it; without it, the name

    def heading(self, language: str) -> str:
        """Return what the column is called in the language "en" or "zh"."""
        return self.called.in_language(language) or self.name


@dataclass(frozen=True)
class Computed:
    """How the one cell of a calculation came about: the expression, and the evidence that it rests on."""

    expression: str
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """Rows of a query. Cells are made what their column says; a number is exact (`Decimal`), None is no value."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...] = ()
    title: Bilingual = Bilingual()
    statement: str = ""  # the query, as it was run
    datasource: str = ""
    truncated: bool = False  # there are more rows than these
    url: str = ""  # a page that shows the same
    computed: Computed | None = None
    folded: bool = False  # its statement is shown when somebody asks for it
    drawn: Drawn = ""

    def __post_init__(self) -> None:
        """Bring the cells into the form of their columns; raise ValueError for what does not fit."""
        if any(len(row) != len(self.columns) for row in self.rows):
            message = f"each row needs {len(self.columns)} cells"
            raise ValueError(message)
        rows = tuple(
            tuple(_cell(value, column) for value, column in zip(row, self.columns, strict=True)) for row in self.rows
        )
        object.__setattr__(self, "rows", rows)


@dataclass(frozen=True)
class Point:
    """One value of a series; None where nothing was measured."""

    at: datetime
    value: Decimal | int | float | None

    def __post_init__(self) -> None:
        """Make the value exact."""
        object.__setattr__(self, "value", _number(self.value))


@dataclass(frozen=True)
class Series:
    """Named values over time, oldest first."""

    name: str
    points: tuple[Point, ...]
    unit: str = ""
    query: str = ""
    datasource: str = ""
    start: datetime | None = None  # the window that was asked for
    end: datetime | None = None
    title: Bilingual = Bilingual()
    url: str = ""


def _both(words: object) -> object:
    """Return words in both languages of one: an older release kept what was seen in English alone."""
    return Bilingual(words) if isinstance(words, str) else words


@dataclass(frozen=True)
class Observation:
    """One thing that was seen: a line of a log, the state of an object, a value. Findings name it by its key."""

    key: str
    type: Literal["k8s", "log", "metric"]
    text: Annotated[Bilingual, BeforeValidator(_both)]
    system: str = ""
    query: str = ""
    at: datetime | None = None
    url: str = ""


@dataclass(frozen=True)
class Finding:
    """One conclusion, and the keys of the observations that it rests on."""

    text: Bilingual
    observations: tuple[str, ...]
    severity: Literal["info", "warning", "critical"] = "info"


@dataclass(frozen=True)
class Advice:
    """What to do next; a command is shown to be copied, never run."""

    text: Bilingual
    command: str = ""


@dataclass(frozen=True)
class Findings:
    """A report: what was concluded from what was seen, what was ruled out or not read, and what to do first."""

    summary: Bilingual
    findings: tuple[Finding, ...] = ()
    observations: tuple[Observation, ...] = ()
    ruled_out: tuple[Bilingual, ...] = ()
    url: str = ""
    advice: tuple[Advice, ...] = ()
    not_read: tuple[Bilingual, ...] = ()
    changed: tuple[Bilingual, ...] = ()  # what was changed before it began

    def __post_init__(self) -> None:
        """Refuse a finding that rests on nothing that was seen."""
        known = {item.key for item in self.observations}
        for finding in self.findings:
            if not finding.observations or not known.issuperset(finding.observations):
                message = f"a finding has to name observations of its report: {finding.text.en}"
                raise ValueError(message)


@dataclass(frozen=True)
class Records:
    """Things that are drawn from state when they are shown: kind and ids, never payload.

    `tells` is what the brain learns of them; it is not shown.
    """

    kind: str  # "draft", "ticket", "tickets", "approval" …
    ids: tuple[str, ...] = ()
    code: str = ""  # what happened, for the words: "ticket.urged", "draft.revised", "tickets.none" …
    tells: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class Message:
    """A tool's own plain words; with an author, that person's words, which may be quoted."""

    text: Bilingual
    author: str = ""


Result = Passages | Table | Series | Findings | Records | Message

_NAMES: Mapping[type[Result], str] = {
    Passages: "passages",
    Table: "table",
    Series: "series",
    Findings: "findings",
    Records: "records",
    Message: "message",
}
_ADAPTERS: Mapping[str, TypeAdapter[Any]] = {name: TypeAdapter(kind) for kind, name in _NAMES.items()}


def result_json(result: Result) -> JsonObject:
    """Return a result in the form in which it is stored: one key, the member's name."""
    name = _NAMES[type(result)]
    return {name: _ADAPTERS[name].dump_python(result, mode="json")}


def result_of(value: JsonObject) -> Result:
    """Return the result behind `result_json`; raise ValueError for anything else."""
    for name, body in value.items():
        if name in _ADAPTERS:
            result: Result = _ADAPTERS[name].validate_python(body)
            return result
    message = f"no result of ours: {', '.join(value)}"
    raise ValueError(message)


def plain_words(result: Result, language: str) -> str:
    """Return a result as plain text: for memory, for notifications, and where nothing better is known of it."""
    match result:
        case Passages(items=items):
            return "\n\n".join(f"{item.source.title}: {item.text}" for item in items)
        case Table():
            return _table_words(result, language)
        case Series():
            return series_words(result, language)
        case Findings():
            concluded = (each.text for each in result.findings)
            lines = (result.summary, *concluded, *(each.text for each in result.advice))
            return "\n".join(filter(None, (line.in_language(language) for line in lines)))
        case Records(kind=kind, ids=ids):
            return f"{kind}: {', '.join(ids)}" if ids else kind
        case Message(text=text):
            return text.in_language(language)
        case _:
            assert_never(result)


def sentence(result: Table | Series, language: str) -> str:
    """Return what stands above a table or a chart: its title, else how much of what there is."""
    title = result.title.in_language(language)
    match result:
        case Table() if not result.rows:
            nothing = "没有数据" if language == "zh" else "no rows"
            return f"{title}{'：' if language == 'zh' else ': '}{nothing}" if title else nothing
        case Table():
            return title or result.datasource
        case Series():
            return title or result.name
        case _:
            assert_never(result)


def cell_text(value: Cell) -> str:
    """Return a cell as people and brains read it; "" for no value."""
    if value is None:
        return ""
    if isinstance(value, Decimal):
        return f"{value:f}" if abs(value.adjusted()) < _MANY_DIGITS else str(value)
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes" if not value.second else "seconds")
    return value.isoformat() if isinstance(value, date) else str(value)


def grouped_text(value: Cell, column: Column, language: str) -> str:
    """Return a cell of a table; a measured number in groups of three digits, while a bare one may name something."""
    if isinstance(value, Decimal) and column.unit and abs(value.adjusted()) < _MANY_DIGITS:
        return f"{_with_cents(value, column.unit):,f}"
    return cell_text(stepped(value, column, language))


def with_unit(value: Cell, unit: str) -> str:
    """Return a value with the unit that it is measured in."""
    text = cell_text(_with_cents(value, unit) if isinstance(value, Decimal) else value)
    return text + unit_behind(unit) if text else text


def _with_cents(value: Decimal, unit: str) -> Decimal:
    """Return money with both digits of its cents, 4487.40 of 4487.4; any other number as it is."""
    parts = unit.upper() in _CURRENCIES and value.is_finite() and value.as_tuple().exponent == -1
    return value.quantize(_CENT) if parts else value


def unit_behind(unit: str) -> str:
    """Return a unit as it stands behind a number: "%" at once, any other after a space; "" for none."""
    return unit if unit in ("", "%") else f" {unit}"


def _table_words(table: Table, language: str) -> str:
    lines = [sentence(table, language)]
    for row in table.rows[:_FEW]:
        cells = zip(table.columns, row, strict=True)
        lines.append(
            " · ".join(f"{column.heading(language)}: {_told(value, column, language)}" for column, value in cells)
        )
    left = len(table.rows) - _FEW
    if left > 0 or table.truncated:
        lines.append("…")
    return "\n".join(filter(None, lines))


def _told(value: Cell, column: Column, language: str) -> str:
    return with_unit(stepped(value, column, language), column.unit)


def stepped(value: Cell, column: Column, language: str) -> Cell:
    """Return a day that stands for a step of time as people write it: "May 2026"; any other cell as it is."""
    if not column.step or not isinstance(value, date):
        return value
    return step_in_words(value, column.step, "zh" if language == "zh" else "en")


def _moment(at: datetime) -> str:
    return cell_text(at).replace("+00:00", " UTC")


def series_words(series: Series, language: str, moment: Callable[[datetime], str] = _moment) -> str:
    """Return the last, the lowest and the highest value of a series, with their times as `moment` says them."""
    values = [point for point in series.points if point.value is not None]
    if not values:
        nothing = "没有数据" if language == "zh" else "no values"
        return f"{sentence(series, language)}: {nothing}"
    low, high = min(values, key=_value_of), max(values, key=_value_of)
    said = (("最新", "last"), values[-1]), (("最低", "lowest"), low), (("最高", "highest"), high)
    parts = (
        f"{names[0] if language == 'zh' else names[1]} {with_unit(point.value, series.unit)} ({moment(point.at)})"
        for names, point in said
    )
    return f"{sentence(series, language)}: {', '.join(parts)}"


def _value_of(point: Point) -> Decimal:
    return point.value if isinstance(point.value, Decimal) else Decimal(0)


def _cell(value: Cell, column: Column) -> Cell:
    """Return a cell in the form of its column; stored cells come back as text."""
    if value is None:
        return None
    match column.type:
        case "text":
            made: Cell = value if isinstance(value, str) else cell_text(value)
        case "number":
            made = _number(value)
        case "time":
            made = value if isinstance(value, datetime) else datetime.fromisoformat(cell_text(value))
        case "date":
            day = value.date() if isinstance(value, datetime) else value
            made = day if isinstance(day, date) else date.fromisoformat(cell_text(day))
        case "flag":
            if not isinstance(value, bool):
                message = f"{column.name} holds true or false, not {value!r}"
                raise ValueError(message)  # noqa: TRY004 - pydantic turns it into one of its own
            made = value
        case _:
            assert_never(column.type)
    return made


def _number(value: Cell) -> Decimal | None:
    """Return a number exactly as it is written; None for what is no number at all, such as NaN."""
    if value is None:
        return None
    if isinstance(value, bool | date):
        message = f"not a number: {value!r}"
        raise ValueError(message)  # noqa: TRY004 - as above
    try:
        made = value if isinstance(value, Decimal) else Decimal(str(value))
    except InvalidOperation as error:
        message = f"not a number: {value!r}"
        raise ValueError(message) from error
    return made if made.is_finite() else None
