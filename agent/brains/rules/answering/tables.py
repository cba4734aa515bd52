"""What is asked of a table's rows as a whole: which of them, whether one, how many. Rows stay verbatim.

Columns that only mark rows (an "x" for those that count) are read by their heading: a word of the question, or the code
of a country that it names. A number of the question is looked up where it stands, or in a column of ranges ("up to
250"); the cheapest or the longest is found by the numbers of its column.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.brains.rules.answering.passages import Piece, PieceKind
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.wanted import Wanted
from language.numbers.amounts import Amount, amounts_in, range_of
from language.numbers.ranges import holds, ranges_in
from language.sentences import cells_of, is_mark, is_unmarked
from language.word_tables import COUNTRIES, STOP_ENGLISH
from language.words import countries_in, normalise

_LISTS = re.compile(
    r"\b(?:list|which|what are|show|all|every|give me|name)\b|哪些|列出|所有|全部|有什么|清单", re.IGNORECASE
)
_COUNTS = re.compile(r"\bhow many\b|\b(?:number|count) of\b|多少个|几个|多少(?:天|种|条|项)|有多少", re.IGNORECASE)
_MOST = re.compile(
    r"\b(?:most|highest|largest|biggest|longest|latest|dearest|greatest|maximum)\b|最[贵高大长晚]|最多(?!多少|几|能|可)",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:least|fewest|lowest|smallest|shortest|earliest|cheapest|minimum)\b|最(?:便宜|低|小|短|早)|最少(?!多少|几|要|得)",
    re.IGNORECASE,
)
#: What is said to be the most or the least is no question for it: "the cheapest bed is 140, ok?".
_SAID_TO_BE = re.compile(
    r"\b(?:is|are|was|were|costs?|comes to|at) (?:only |about |around )?[€$£¥]? ?\d|(?:是|要|得)[^，,。？?]{0,3}\d",
    re.IGNORECASE,
)
#: How often something is, which is no value of a cell: "two days a week".
_RATE = re.compile(
    r"\b(?:hours?|days?|times|weeks?|nights?|shifts?) (?:a|per|each|every) (?:day|week|month|year)\b"
    r"|每[天周月年][^，,。？?]{0,4}[\d一二两三四五六]个?(?:天|次|小时)",
    re.IGNORECASE,
)
#: What stands between the name of a column and its value.
_GIVEN = re.compile(r"[\s:=]{0,3}(?:of|is|at|是|为|到)?[\s:=]{0,3}(\d{1,9}(?:\.\d{1,4})?)")
_PRICED = re.compile(r"cheap|expensive|dearest|\bcosts?\b|\bpays?\b|贵|便宜", re.IGNORECASE)
_PRICE = re.compile(r"[€$£¥]|\b(?:eur|usd|gbp|euros?)\b|元|免费|\bfree\b", re.IGNORECASE)
_FREE = re.compile(r"免费|\bfree\b|\bnone\b|无", re.IGNORECASE)
_BEYOND = re.compile(r"\b(?:over|above|more than|beyond|exceeds?|exceeding)\b|超过|以上", re.IGNORECASE)
#: Share of a row's name that a question says when it asks about this row.
_NAMED = 0.6
#: Share of a question that a row says when it is about this row.
_HALF = 0.5
#: The share of what the best row says that another one says which is spoken of too: a synonym alone is less.
_NEARLY = 0.85
#: A number without a unit is a sum of money from here on.
_SUM = 100
#: Rows up to which a table is given whole when none of them is spoken of.
MAX_ROWS = 12
#: A number by which a row is called.
_CALLED = re.compile(r"\d{3,6}")
#: Rows from which a table is looked something up in.
_FEWEST = 2


@dataclass(frozen=True)
class _Sheet:
    header: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]  # each verbatim, and its cells

    def said(self, rows: Sequence[str], opening: str = "") -> str:
        table = "\n".join((self.header, *rows))
        return f"{opening}\n\n{table}" if opening else table


@lru_cache(maxsize=512)
def spelled(header: str) -> str:
    """Return the names of the countries whose codes head several columns of a table."""
    codes = [normalise(cell) for cell in cells_of(header.partition("\n")[0]) if len(cell) == 2 and cell.isupper()]
    names = [name for name, code in COUNTRIES.items() if code in codes] if len(codes) > 1 else []
    return " ".join(names)


def from_table(question: Question, pieces: Sequence[Piece]) -> str | None:
    """Return what a passage's table says to a question about its rows; None where another answer fits as well."""
    sheet = _sheet(pieces)
    if sheet is None:
        return None
    marked = _marking_column(question, sheet)
    if marked is not None:
        return _by_mark(question, sheet, marked)
    return _counted(question, sheet) or _looked_up(question, sheet) or _extreme(question, sheet)


def rows_spoken_of(question: Question, pieces: Sequence[Piece], picked: set[int]) -> set[int]:
    """Return the rows of the picked pieces that the question speaks of; where it speaks of none, the whole table."""
    chosen: set[int] = set()
    for number in {pieces[at].block for at in picked if pieces[at].kind is PieceKind.ROW}:
        rows = [at for at, piece in enumerate(pieces) if piece.block == number]
        spoken = [_spoken_of(asked, pieces, rows) for asked in question.compared or (question,)]
        if all(spoken):
            chosen |= set().union(*spoken)
        else:
            chosen |= set(rows) if len(rows) <= MAX_ROWS else set(rows) & picked
    return chosen


def _spoken_of(question: Question, pieces: Sequence[Piece], rows: Sequence[int]) -> set[int]:
    """Return the rows of a table that a question speaks of; what their first cell says of it counts twice.

    A word that a row happens to share does not pick it: the question says the row's name, or the row half of what is
    asked.
    """
    names = {at: next(iter(cells_of(pieces[at].text)), "") for at in rows}
    said = {at: question.coverage(Text.of(_beside_asked(question, pieces[at]))) for at in rows}
    counted = {at: said[at] + question.coverage(Text.of(names[at])) for at in rows}
    most, spoken = max(counted.values()), Text.of(question.text)
    near = {at for at in rows if counted[at] >= _NEARLY * most} if most > 0 else set()
    is_meant = any(said[at] >= _HALF or _share(names[at], spoken, question.language) >= _NAMED for at in near)
    return near if is_meant else set()


def _beside_asked(question: Question, row: Piece) -> str:
    """Return a row without the columns that the question asks for: who approves is no name of what is approved."""
    columns, cells = cells_of(row.header.partition("\n")[0]), cells_of(row.text)
    if len(columns) != len(cells):
        return row.text
    kept = (
        cell
        for at, (column, cell) in enumerate(zip(columns, cells, strict=True))
        if at == 0 or question.found_weight(Text.of(column)) == 0
    )
    return "\n".join(kept)


def _sheet(pieces: Sequence[Piece]) -> _Sheet | None:
    rows = [piece for piece in pieces if piece.kind is PieceKind.ROW]
    if not rows or len({piece.block for piece in rows}) > 1:
        return None
    header = rows[0].header
    columns = cells_of(header.partition("\n")[0])
    cells = tuple((piece.text, cells_of(piece.text)) for piece in rows)
    return _Sheet(header, columns, tuple(row for row in cells if len(row[1]) == len(columns)))


def _marking_column(question: Question, sheet: _Sheet) -> int | None:
    """Return the one column that only marks rows and that the question names."""
    countries = countries_in(question.text)
    named = [
        number
        for number, column in enumerate(sheet.columns)
        if (normalise(column) in countries or _names(question, column))
        and all(is_mark(cells[number]) or is_unmarked(cells[number]) for _, cells in sheet.rows)
    ]
    return named[0] if len(named) == 1 else None


def _names(question: Question, column: str) -> bool:
    heading = Text.of(column)
    return any(question.match(term, heading) == 1.0 for term in question.terms) or (
        len(column) > 1 and normalise(column) in question.runs
    )


def _by_mark(question: Question, sheet: _Sheet, column: int) -> str | None:
    row = _row(question, sheet)
    marked = [text for text, cells in sheet.rows if is_mark(cells[column])]
    if row is not None and Wanted.PERMISSION in question.wanted:
        text, cells = row
        return sheet.said([text], _verdict(question, yes=is_mark(cells[column])))
    if row is None and marked and _COUNTS.search(question.text):
        return sheet.said(marked, f"**{len(marked)}**")
    if row is None and marked and (_LISTS.search(question.text) or Wanted.TIME in question.wanted):
        return sheet.said(marked)
    return None


def _counted(question: Question, sheet: _Sheet) -> str | None:
    """Count the rows that hold a value that the question names, where it asks how many there are."""
    if not _COUNTS.search(question.text) or question.wanted & {Wanted.TIME}:
        return None
    held = [text for text, cells in sheet.rows if any(_is_said(question, cell) for cell in cells)]
    subject = Text.of(sheet.columns[0])
    if not held or not any(question.match(term, subject) for term in question.terms):
        return None
    return sheet.said(held, f"**{len(held)}**")


def _looked_up(question: Question, sheet: _Sheet) -> str | None:
    """Return the row of the question's one number: where a cell is that number, or names a range that it is within.

    Rows that all begin with a number are called by it: "fault 2204".
    """
    if all(_CALLED.fullmatch(cells[0]) for _, cells in sheet.rows):
        called = [text for text, cells in sheet.rows if re.search(rf"(?<![\w.,]){cells[0]}(?![\w.,])", question.text)]
        if called:
            return sheet.said(called)
    said = list(amounts_in(question.text))
    if len(said) != 1 or len(sheet.rows) < _FEWEST or _RATE.search(question.text):
        return None
    amount = said[0]
    about = [
        at
        for at, column in enumerate(sheet.columns)
        if _is_of(amount, column, [row[at] for _, row in sheet.rows]) or _is_given(question, column, amount)
    ]
    equal = [text for text, cells in sheet.rows if any(_is_just(cells[at], amount) for at in about)]
    if equal:
        return sheet.said(equal)
    if (lasting := _by_duration(question, sheet)) is not None:
        return sheet.said([lasting])
    ranged = [at for at in about if _is_ranged(sheet, at)]
    beyond = _BEYOND.search(question.text) is not None
    within = [
        text
        for text, cells in sheet.rows
        if len(ranged) == 1 and (found := range_of(cells[ranged[0]])) and found.holds(amount.value, beyond=beyond)
    ]
    return sheet.said(within[:1]) if within else None


def _by_duration(question: Question, sheet: _Sheet) -> str | None:
    """Return the row of the one column of durations that holds the question's: of "6 months to 2 years", 8 months."""
    durations = [each for each in question.measured if each.kind == "time"]
    columns = [
        at
        for at in range(len(sheet.columns))
        if sum(_lasts(cells[at]) for _, cells in sheet.rows) >= max(_FEWEST, len(sheet.rows) - 1)
    ]
    if len(durations) != 1 or len(columns) != 1:
        return None
    held = {text: holds(cells[columns[0]], tuple(durations)) for text, cells in sheet.rows}
    best = max(held, key=lambda text: held[text])
    return best if held[best] > 0 else None


def _lasts(cell: str) -> bool:
    return any(each.kind == "time" and not each.is_value for each in ranges_in(cell))


def _is_just(cell: str, amount: Amount) -> bool:
    return range_of(cell) is None and [each.value for each in amounts_in(cell)] == [amount.value]


def _is_of(amount: Amount, column: str, cells: Sequence[str]) -> bool:
    """Tell whether the numbers of a column are of an amount's unit; a large one without is a sum of money."""
    is_bare = not amount.unit or amount.unit in STOP_ENGLISH
    if is_bare and amount.value < _SUM:
        return False  # a row of seats, a point of a list
    if is_bare or _PRICE.search(amount.unit) or amount.unit == "块":
        return any(_PRICE.search(cell) for cell in cells)
    unit = amount.unit.rstrip("s")
    return unit in normalise(column) or sum(unit in normalise(cell) for cell in cells) >= _FEWEST


def _is_given(question: Question, column: str, amount: Amount) -> bool:
    """Tell whether a question gives a value of a column: its name stands right before it ("moisture 25", 水分25)."""
    plain, name = normalise(question.text), normalise(column).rpartition(" ")[2]
    name = name if name.isascii() else name[-2:]
    found = _GIVEN.match(plain.partition(name)[2]) if len(name) > 1 else None
    return found is not None and float(found[1]) == amount.value


def _is_ranged(sheet: _Sheet, column: int) -> bool:
    ranges = sum(range_of(cells[column]) is not None for _, cells in sheet.rows)
    return ranges >= _FEWEST and ranges >= len(sheet.rows) - 1


def _extreme(question: Question, sheet: _Sheet) -> str | None:
    """Return the row with the greatest or the smallest number of the column that the question is about."""
    most = _MOST.search(question.text) is not None
    if most == (_LEAST.search(question.text) is not None) or len(sheet.rows) < _FEWEST:
        return None
    if _SAID_TO_BE.search(question.text):
        return None
    columns = {at: values for at in range(len(sheet.columns)) if (values := _values(sheet, at))}
    named = [at for at in columns if _names(question, sheet.columns[at])]
    if not named and _PRICED.search(question.text):
        named = [at for at in columns if any(_PRICE.search(cells[at]) for _, cells in sheet.rows)][:1]
    chosen = named if len(named) == 1 else list(columns) if len(columns) == 1 else []
    if not chosen:
        return None
    values = columns[chosen[0]]
    extreme = max(values) if most else min(values)
    return sheet.said([text for (text, _), value in zip(sheet.rows, values, strict=True) if value == extreme])


def _values(sheet: _Sheet, column: int) -> list[float]:
    """Return the first number of each cell of a column; none where a cell has none, or is a range."""
    values: list[float] = []
    for _, cells in sheet.rows:
        found = next(amounts_in(cells[column]), None)
        if range_of(cells[column]) is not None or (found is None and not _FREE.search(cells[column])):
            return []
        values.append(found.value if found else 0.0)
    return values


def _is_said(question: Question, cell: str) -> bool:
    """Tell whether the question says a cell as a whole."""
    value = Question.of(cell, question.language)
    return value.weight > 0 and not cell.strip().isdigit() and value.coverage(Text.of(question.text)) >= 1.0


def _row(question: Question, sheet: _Sheet) -> tuple[str, tuple[str, ...]] | None:
    """Return the row whose name the question says, the best one."""
    spoken = Text.of(question.text)
    named = [
        (max(_share(cell, spoken, question.language) for cell in cells), text, cells) for text, cells in sheet.rows
    ]
    share, text, cells = max(named, default=(0.0, "", ()))
    return (text, cells) if share >= _NAMED else None


def _share(cell: str, spoken: Text, language: str) -> float:
    value = Question.of(cell, language)
    return value.coverage(spoken) if value.weight >= 1 else 0.0


def _verdict(question: Question, *, yes: bool) -> str:
    if question.language == "zh":
        return "是。" if yes else "不是。"
    return "Yes." if yes else "No."
