"""Does an item of evidence carry a claim? One check for each kind of result; `support` judges text.

A table carries a claim when every number of it stands in a cell of the rows that the claim speaks of, or counting,
adding up or averaging those rows gives it; a calculation is made again first. A series carries a value at the time
that the claim names. A person's words have to be quoted.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import assert_never

from agent.expressions import NotComputable, as_cell, as_decimal, evaluate
from agent.grounding.figures import Figure, Said, is_at, said_in
from agent.grounding.support import ENOUGH, Support, counts_negations, numbers, plain, shared_words, support
from agent.results import Cell, Message, Observation, Passage, Series, Table, cell_text, with_unit
from agent.tools.evidence import Ground, cells_in
from language.numbers.dates import MONTH, WEEKDAY
from language.scripts import is_chinese
from language.words import normalise

#: Share of words from which on a claim without a number or a cell may rest on a table.
_SAME_WORDS = ENOUGH
_NOTHING = Support(0.0)
_QUOTED = re.compile(r"[\"“「『']([^\"”」』']{2,})[\"”」』']")
#: A capitalised word inside of a sentence is a name; at its beginning it may be any word.
_NAME = re.compile(r"(?<=[a-z0-9,;:)] )[A-Z][a-z]{2,}\b")
_CALENDAR = re.compile(rf"{MONTH}|{WEEKDAY}s?")


def carries(claim: str, ground: Ground, grounds: Mapping[str, Ground], *, asked: str = "") -> Support:
    """Judge one claim against one item; `grounds` is all evidence of the run, `asked` the person's words."""
    item = ground.item
    match item:
        case Passage() | Observation():
            return support(claim, ground.text, about=ground.about)
        case Table():
            return _nothing_else(claim, item, asked) or _by_table(claim, item, grounds)
        case Series():
            return _by_series(claim, item)
        case Message():
            return _by_quote(claim, item)
        case _:
            assert_never(item)


def together(claim: str, named: Sequence[Ground], grounds: Mapping[str, Ground]) -> bool:
    """Tell whether several items carry a claim that none of them carries alone."""
    if all(isinstance(ground.item, Passage | Observation) for ground in named):
        whole = "\n".join(ground.text for ground in named)
        return support(claim, whole, about=" ".join(ground.about for ground in named)).is_enough
    said = said_in(claim)
    held = [value for ground in named for value in values_in(ground, grounds)]
    return bool(said.figures) and not (said.days or said.times) and all(each.is_held(held) for each in said.figures)


def is_right(table: Table, grounds: Mapping[str, Ground]) -> bool:
    """Compute a calculation again from the evidence that it names; any other table is as it was read."""
    if table.computed is None:
        return True
    try:
        again = evaluate(table.computed.expression, cells_in(grounds)).value
    except NotComputable:
        return False
    (value,) = table.rows[0]
    return value == as_cell(again)[0]


def values_in(ground: Ground, grounds: Mapping[str, Ground]) -> Iterator[Decimal]:
    """Yield the numbers that stand in an item."""
    match ground.item:
        case Table():
            if is_right(ground.item, grounds):
                yield from _table_values(ground.item, ground.item.rows)
        case Series(points=points):
            yield from (point.value for point in points if isinstance(point.value, Decimal))
        case Passage() | Observation() | Message():
            yield from _numbers_of(ground.text)
        case _:
            assert_never(ground.item)


def _numbers_of(text: str) -> Iterator[Decimal]:
    yield from (Decimal(number) for number in numbers(plain(text)) if re.fullmatch(r"\d+(?:\.\d+)?", number))


def _by_table(claim: str, table: Table, grounds: Mapping[str, Ground]) -> Support:
    if not is_right(table, grounds):
        return _NOTHING
    said = said_in(claim)
    spoken = normalise(claim)
    if not table.rows:
        nothing = counts_negations(spoken) > 0 or any(each.value == 0 for each in said.figures)
        return Support(1.0) if nothing and all(each.value == 0 for each in said.figures) else _NOTHING
    rows, mentions = _meant(spoken, said, table)
    quote = " · ".join(
        f"{column.name}: {with_unit(value, column.unit)}" for column, value in zip(table.columns, rows[0], strict=True)
    )
    if not _days_stand(said, table) or not _names_stand(said, table):
        return Support(0.0, quote)
    words = _words_of(table)
    comparable = is_chinese(spoken) == is_chinese(words)  # 未完成 is "open" in another language
    if comparable and counts_negations(spoken) % 2 and not counts_negations(words):
        return Support(0.0, quote)
    if said.figures:
        every = {*_table_values(table, rows), *_aggregates(table, table.rows)}
        stands = all(each.is_held(every) for each in said.figures)
        return Support(1.0 if stands else 0.0, quote)
    share = shared_words(claim, words)
    return Support(1.0, quote) if mentions or said else Support(share if share >= _SAME_WORDS else 0.0, quote)


def _meant(spoken: str, said: Said, table: Table) -> tuple[tuple[tuple[Cell, ...], ...], int]:
    """Return the rows that a claim speaks of, all of them when it names none, and how many cells it names.

    A row is meant when each column of which the claim names a value has one of those values in it.
    """
    named: dict[int, set[Cell]] = {}
    for row in table.rows:
        for at, (column, value) in enumerate(zip(table.columns, row, strict=True)):
            if column.type in ("text", "date", "time") and value is not None and _is_named(value, spoken, said):
                named.setdefault(at, set()).add(value)
    meant = tuple(row for row in table.rows if all(row[at] in values for at, values in named.items()))
    mentions = sum(map(len, named.values()))
    return (meant, mentions) if meant else (_any_of(table, named), mentions)


def _any_of(table: Table, named: Mapping[int, set[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(row for row in table.rows if any(row[at] in values for at, values in named.items()))


def _is_named(value: Cell, spoken: str, said: Said) -> bool:
    if isinstance(value, date):
        return any(day.is_on(value) for day in said.days)
    words = normalise(cell_text(value))
    if not words or words.isdigit():
        return False
    if not words.isascii():
        return words in spoken
    return re.search(rf"(?<![a-z0-9]){re.escape(words)}(?![a-z0-9])", spoken) is not None


def _days_stand(said: Said, table: Table) -> bool:
    """Tell whether the days and times of a claim stand in the table, in a cell or in its words."""
    cells = [value for row in table.rows for value in row if isinstance(value, date)]
    told = said_in(_words_of(table))
    days = all(day in told.days or any(day.is_on(value) for value in cells) for day in said.days)
    instants = [value for value in cells if isinstance(value, datetime)]
    return days and all(each in told.times or any(is_at(each, value) for value in instants) for each in said.times)


def _names_stand(said: Said, table: Table) -> bool:
    if not said.names:
        return True
    words = normalise(_words_of(table))
    return all(name in words for name in said.names)


def _words_of(table: Table) -> str:
    """Return all words of a table: what it is called, its columns, its cells, and the query."""
    cells = (cell_text(value) for row in table.rows for value in row)
    columns = (f"{each.name} {each.called.en} {each.called.zh} {each.unit}" for each in table.columns)
    return "\n".join((table.title.en, table.title.zh, table.statement, table.datasource, *columns, *cells))


def _table_values(table: Table, rows: Sequence[tuple[Cell, ...]]) -> Iterator[Decimal]:
    """Yield the numbers of these rows, those that texts hold too, and what adding them up gives."""
    for row in rows:
        for column, value in zip(table.columns, row, strict=True):
            if isinstance(value, Decimal):
                yield value
            elif column.type == "text" and value is not None:
                yield from _numbers_of(cell_text(value))
    yield from _aggregates(table, rows)


def _aggregates(table: Table, rows: Sequence[tuple[Cell, ...]]) -> Iterator[Decimal]:
    """Yield how many rows there are, and sum and mean of each column of numbers."""
    yield Decimal(len(rows))
    for at in range(len(table.columns)):
        column = [value for row in rows if isinstance(value := row[at], Decimal)]
        if column:
            total = sum(map(Fraction, column), Fraction(0))
            yield as_decimal(total)[0]
            yield as_decimal(total / len(column))[0]


def _by_series(claim: str, series: Series) -> Support:
    said = said_in(claim)
    points = [point for point in series.points if isinstance(point.value, Decimal)]
    meant = [
        point
        for point in points
        if all(day.is_on(point.at) for day in said.days)
        and (not said.times or any(is_at(each, point.at) for each in said.times))
    ]
    if not meant or not said.figures:
        return _NOTHING
    values = [point.value for point in meant if isinstance(point.value, Decimal)]
    if not said.times:
        total = sum(map(Fraction, values), Fraction(0))
        values += [as_decimal(total)[0], as_decimal(total / len(values))[0], Decimal(len(values))]
    known = set(_numbers_of(f"{series.name} {series.title.en} {series.title.zh} {series.query}"))
    stands = all(each.is_held(values) for each in said.figures if not each.is_held(known))
    held = any(each.is_held(values) for each in said.figures)
    point = next((point for point in meant if _is_said(point.value, said.figures)), meant[-1])
    quote = f"{series.name}: {with_unit(point.value, series.unit)} ({cell_text(point.at)})"
    return Support(1.0 if stands and held else 0.0, quote)


def _is_said(value: Cell, figures: Iterable[Figure]) -> bool:
    return isinstance(value, Decimal) and any(each.is_held((value,)) for each in figures)


def _by_quote(claim: str, message: Message) -> Support:
    """Somebody's words carry what is taken from them word for word."""
    for words in filter(None, (message.text.en, message.text.zh)):
        told, said = plain(words), plain(claim)
        pieces = [plain(piece) for piece in _QUOTED.findall(claim)] or [said.strip(" .。!！")]
        held = set(_numbers_of(words))
        if all(piece in told for piece in pieces) and all(each.is_held(held) for each in said_in(claim).figures):
            return Support(1.0, words)
    return _NOTHING


def _nothing_else(claim: str, table: Table, asked: str) -> Support | None:
    """Refuse a claim about somebody or something that neither the table nor the question names."""
    known = normalise(f"{_words_of(table)} {asked}")
    strange = [
        name for name in _NAME.findall(claim) if not _CALENDAR.fullmatch(name.lower()) and name.lower() not in known
    ]
    return _NOTHING if strange else None
