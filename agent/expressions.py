"""Arithmetic over numbers, dates, durations and cells of evidence: a closed grammar, exact, bounded in size and time.

    expression  sum  →  term (("+" | "-") term)*
    term        →  factor (("*" | "/" | "of" | "%") factor)*         `%` between two factors is the remainder
    factor      →  "-" factor | power;  power → value ["^" factor]   an exponent is a whole number up to 64
    value       →  number ["%"] | number unit | date | function "(" … ")" | cell | "(" expression ")"
    cell        →  E1.column | E1."a column" | E1.column[2] | E1    the second row; the only column, or a series

Numbers are fractions, so nothing is rounded on the way. Nothing here is ever given to Python's own evaluation.
"""

import operator
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import NoReturn

Value = Fraction | date | timedelta  # a datetime is a date, too
#: Returns the cells of a column ("" for the only one), raising LookupError where there is none.
Cells = Callable[[str, str], Sequence[Value]]

MAX_CHARS = 500
MAX_TOKENS = 200
MAX_DEPTH = 24
MAX_EXPONENT = 64
#: Bits that a numerator or a denominator may have: about 600 digits.
MAX_BITS = 2_048
#: Digits that a literal may have.
MAX_DIGITS = 40

_UNITS: Mapping[str, timedelta] = {
    unit: length
    for units, length in (
        ("s sec second seconds 秒", timedelta(seconds=1)),
        ("min minute minutes 分 分钟", timedelta(minutes=1)),
        ("h hour hours 时 小时", timedelta(hours=1)),
        ("d day days 天 日", timedelta(days=1)),
        ("week weeks 周 星期", timedelta(weeks=1)),
    )
    for unit in units.split()
}
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<date>\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?)
    |(?P<number>\d+(?:\.\d+)?|\.\d+)
    |(?P<cell>E\d{1,4}(?![\w]))(?:\.(?:"(?P<quoted>[^"]{1,100})"|(?P<column>\w{1,100})))?(?:\[(?P<row>\d{1,6})\])?
    |(?P<name>[A-Za-z_]+|[\u4e00-\u9fff]+)
    |(?P<sign>\*\*|[-+*/%^(),×÷−（）])
    )""",
    re.VERBOSE,
)
_SIGNS = {"**": "^", "×": "*", "÷": "/", "−": "-", "（": "(", "）": ")"}


class NotComputable(Exception):
    """An expression that has no value: `code` says why, in a word."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


@dataclass(frozen=True)
class Outcome:
    """The value of an expression, and what it was computed from."""

    value: Value
    literals: tuple[Fraction | date, ...] = ()
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    column: str = ""
    row: int | None = None


@dataclass
class _Reading:
    """One pass over the tokens of an expression."""

    tokens: Sequence[_Token]
    cells: Cells
    at: int = 0
    depth: int = 0
    literals: list[Fraction | date] = field(default_factory=list)
    evidence: dict[str, None] = field(default_factory=dict)

    def peek(self) -> _Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _Token("end", "")

    def take(self, *texts: str) -> str:
        """Consume the next sign or word when it is one of these; "" when it is not."""
        token = self.peek()
        if token.kind in ("sign", "name") and token.text in texts:
            self.at += 1
            return token.text
        return ""

    def expect(self, text: str) -> None:
        if not self.take(text):
            _refuse("syntax", f"expected {text!r} before {self.peek().text!r}")


def evaluate(expression: str, cells: Cells) -> Outcome:
    """Compute an expression; raise NotComputable for what has no value, is no expression, or is too large."""
    reading = _Reading(_tokens(expression), cells)
    value = _sum(reading)
    if reading.peek().kind != "end":
        _refuse("syntax", f"did not expect {reading.peek().text!r}")
    return Outcome(value, tuple(reading.literals), tuple(reading.evidence))


def as_decimal(value: Fraction, *, digits: int = 12) -> tuple[Decimal, bool]:
    """Return a fraction as a decimal, and whether that is all of it; otherwise it has so many places."""
    below, rest = value.denominator, 0
    while below % 10 == 0:
        below, rest = below // 10, rest + 1
    for prime in (2, 5):
        while below % prime == 0:
            below, rest = below // prime, rest + 1
    places = rest if below == 1 and rest <= MAX_DIGITS else digits
    scaled = round(value * 10**places)
    made = Decimal(scaled).scaleb(-places) if abs(scaled).bit_length() < 90 else _long(scaled, places)
    return made, Fraction(made) == value


def as_cell(value: Value) -> tuple[Decimal | date, str, bool]:
    """Return a value as a cell of a table, the unit that it is in, and whether that is all of it."""
    if isinstance(value, date):
        return value, "", True
    unit = ""
    if isinstance(value, timedelta):
        lengths = (("days", timedelta(days=1)), ("hours", timedelta(hours=1)), ("minutes", timedelta(minutes=1)))
        unit, length = next((each for each in lengths if not value % each[1]), lengths[-1])
        value = Fraction(_microseconds(value), _microseconds(length))
    number, is_exact = as_decimal(value)
    return number, unit, is_exact


def _long(scaled: int, places: int) -> Decimal:
    sign, digits = (1 if scaled < 0 else 0), tuple(int(digit) for digit in str(abs(scaled)))
    return Decimal((sign, digits, -places))


def _refuse(code: str, detail: str = "") -> NoReturn:
    raise NotComputable(code, detail)


def _tokens(expression: str) -> tuple[_Token, ...]:
    text = expression.strip()
    if len(text) > MAX_CHARS:
        _refuse("too_long", f"more than {MAX_CHARS} characters")
    found: list[_Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            _refuse("syntax", f"cannot read {text[at : at + 20]!r}")
        kind = match.lastgroup if match["cell"] is None else "cell"
        said = match[kind or "sign"]
        row = int(match["row"]) if match["row"] else None
        known = _SIGNS.get(said, said.lower() if kind == "name" else said)
        found.append(_Token(str(kind), known, match["quoted"] or match["column"] or "", row))
        at = match.end()
        if len(found) > MAX_TOKENS:
            _refuse("too_long", f"more than {MAX_TOKENS} parts")
    if not found:
        _refuse("empty")
    return tuple(found)


def _sum(reading: _Reading) -> Value:
    reading.depth += 1
    if reading.depth > MAX_DEPTH:
        _refuse("too_deep")
    value = _term(reading)
    while sign := reading.take("+", "-"):
        value = _added(value, _term(reading), sign)
    reading.depth -= 1
    return value


def _term(reading: _Reading) -> Value:
    value = _factor(reading)
    while sign := reading.take("*", "/", "of", "%"):
        value = _multiplied(value, _factor(reading), "*" if sign == "of" else sign)
    return value


def _factor(reading: _Reading) -> Value:
    reading.depth += 1
    if reading.depth > 2 * MAX_DEPTH:
        _refuse("too_deep")
    if reading.take("-"):
        value = _negated(_factor(reading))
    elif reading.take("+"):
        value = _factor(reading)
    else:
        value = _value(reading)
        if reading.take("^"):
            value = _power(value, _factor(reading))
    reading.depth -= 1
    return value


def _value(reading: _Reading) -> Value:
    token = reading.peek()
    reading.at += 1
    match token.kind:
        case "number":
            return _measured(reading, _literal(reading, token.text))
        case "date":
            instant = _date(token.text)
            reading.literals.append(instant)
            return instant
        case "cell":
            return _percent(reading, _single(_column(reading, token), token))
        case "name" if token.text in _FUNCTIONS:
            reading.expect("(")
            found = _arguments(reading)
            return _percent(reading, _called(token.text, found))
        case "sign" if token.text == "(":
            value = _sum(reading)
            reading.expect(")")
            return _percent(reading, value)
        case _:
            _refuse("syntax", f"did not expect {token.text or 'the end'!r}")


def _literal(reading: _Reading, text: str) -> Fraction:
    if len(text) > MAX_DIGITS:
        _refuse("too_large", text[:MAX_DIGITS])
    value = Fraction(text)
    reading.literals.append(value)
    return value


def _measured(reading: _Reading, number: Fraction) -> Value:
    """Return the number with the unit or the percent sign that follows it."""
    token = reading.peek()
    if token.kind == "name" and token.text in _UNITS:
        reading.at += 1
        try:
            return _UNITS[token.text] * float(number) if number.denominator > 1 else _UNITS[token.text] * int(number)
        except OverflowError:
            _refuse("too_large", token.text)
    return _percent(reading, number)


def _percent(reading: _Reading, value: Value) -> Value:
    """Read `%` as a percent sign where no operand follows it, else leave it to be the remainder."""
    token = reading.peek()
    if not (token.kind == "sign" and token.text == "%" and isinstance(value, Fraction)):
        return value
    follows = reading.tokens[reading.at + 1] if reading.at + 1 < len(reading.tokens) else _Token("end", "")
    operand = follows.kind in ("number", "cell", "date") or follows.text == "(" or follows.text in _FUNCTIONS
    if operand:
        return value
    reading.at += 1
    return value / 100


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text) if len(text) == len("2026-01-01") else datetime.fromisoformat(text)
    except ValueError as error:
        raise NotComputable("no_date", text) from error


def _column(reading: _Reading, token: _Token) -> Sequence[Value]:
    """Return the cells that a reference names."""
    try:
        found = reading.cells(token.text, token.column)
    except LookupError as error:
        raise NotComputable("no_cell", str(error.args[0] if error.args else token.text)) from error
    reading.evidence[token.text] = None
    if token.row is None:
        return found
    if not 1 <= token.row <= len(found):
        _refuse("no_cell", f"{token.text} has {len(found)} rows")
    return found[token.row - 1 : token.row]


def _single(found: Sequence[Value], token: _Token) -> Value:
    if len(found) != 1:
        _refuse("many_cells", f"{token.text} has {len(found)} values: name the row as in {token.text}.column[1]")
    return found[0]


def _arguments(reading: _Reading) -> list[Value]:
    """Return the arguments of a function; a column gives all its cells."""
    found: list[Value] = []
    while not reading.take(")"):
        token = reading.peek()
        following = reading.tokens[reading.at + 1].text if reading.at + 1 < len(reading.tokens) else ""
        if token.kind == "cell" and following in (",", ")"):
            reading.at += 1
            found.extend(_column(reading, token))
        else:
            found.append(_sum(reading))
        if not reading.take(","):
            reading.expect(")")
            break
    return found


def _added(left: Value, right: Value, sign: str) -> Value:
    apply = operator.add if sign == "+" else operator.sub
    try:
        match left, right:
            case Fraction(), Fraction():
                return _bounded(apply(left, right))
            case timedelta(), timedelta():
                return apply(left, right)  # type: ignore[no-any-return]
            case date(), timedelta():
                at = _instant(left) if right % timedelta(days=1) else left
                return apply(at, right)  # type: ignore[no-any-return]
            case timedelta(), date() if sign == "+":
                return _added(right, left, sign)
            case date(), date() if sign == "-":
                return _instant(left) - _instant(right)
    except OverflowError as error:
        raise NotComputable("too_large") from error
    _refuse("mixed", f"{_kind(left)} {sign} {_kind(right)}")


def _multiplied(left: Value, right: Value, sign: str) -> Value:
    try:
        match left, right:
            case Fraction(), Fraction():
                return _bounded(_ARITHMETIC[sign](left, right))
            case timedelta(), timedelta() if sign == "/":
                return Fraction(_microseconds(left), _microseconds(right))
            case timedelta(), Fraction() if sign in "*/":
                exact = _ARITHMETIC[sign](Fraction(_microseconds(left)), right)
                return timedelta(microseconds=round(exact))
            case Fraction(), timedelta() if sign == "*":
                return _multiplied(right, left, sign)
    except ZeroDivisionError as error:
        raise NotComputable("division_by_zero") from error
    except OverflowError as error:
        raise NotComputable("too_large") from error
    _refuse("mixed", f"{_kind(left)} {sign} {_kind(right)}")


_ARITHMETIC: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}


def _negated(value: Value) -> Value:
    if isinstance(value, date):
        _refuse("mixed", "a date has no sign")
    return -value


def _power(base: Value, exponent: Value) -> Value:
    if not isinstance(base, Fraction) or not isinstance(exponent, Fraction):
        _refuse("mixed", "only a number has a power")
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
        _refuse("too_large", f"an exponent is a whole number up to {MAX_EXPONENT}")
    if base == 0 and exponent < 0:
        _refuse("division_by_zero")
    if max(base.numerator.bit_length(), base.denominator.bit_length()) * abs(exponent) > MAX_BITS:
        _refuse("too_large")
    return _bounded(Fraction(base ** int(exponent)))


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        _refuse("too_large")
    return value


def _called(name: str, found: list[Value]) -> Value:
    try:
        return _FUNCTIONS[name](found)
    except (TypeError, ValueError, IndexError) as error:
        raise NotComputable("arguments", f"{name}() cannot take these") from error


def _total(found: Sequence[Value]) -> Value:
    if not found:
        return Fraction(0)
    total, *rest = found
    for value in rest:
        total = _added(total, value, "+")
    return total


def _mean(found: Sequence[Value]) -> Value:
    if not found:
        _refuse("arguments", "there are no values")
    return _multiplied(_total(found), Fraction(len(found)), "/")


def _extreme(choose: Callable[..., Value]) -> Callable[[Sequence[Value]], Value]:
    def extreme(found: Sequence[Value]) -> Value:
        if not found or len({_kind(value) for value in found}) > 1:
            _refuse("arguments", "there is nothing to compare")
        return choose(found, key=lambda value: _instant(value) if isinstance(value, date) else value)

    return extreme


def _median(found: Sequence[Value]) -> Value:
    return Fraction(statistics.median(_numbers(found)))


def _round(found: Sequence[Value]) -> Value:
    number, *places = _numbers(found)
    to = int(places[0]) if places else 0
    if abs(to) > MAX_DIGITS:
        _refuse("too_large", "places")
    return Fraction(round(number, to))


def _percentage(found: Sequence[Value]) -> Value:
    part, whole = found
    return _multiplied(_multiplied(part, Fraction(100), "*"), whole, "/")


def _in_units(unit: str) -> Callable[[Sequence[Value]], Value]:
    def convert(found: Sequence[Value]) -> Value:
        duration = found[0] if len(found) == 1 else _added(found[1], found[0], "-")
        return _multiplied(duration, _UNITS[unit], "/")

    return convert


def _workdays(found: Sequence[Value]) -> Value:
    """Count Mondays to Fridays from the first day up to, and without, the second."""
    days = [value for value in found if isinstance(value, date)]
    first, last = (value.date() if isinstance(value, datetime) else value for value in days[:2])
    whole, rest = divmod((last - first).days, 7)
    return Fraction(whole * 5 + sum((first.weekday() + each) % 7 < 5 for each in range(rest)))


def _numbers(found: Sequence[Value]) -> list[Fraction]:
    numbers = [value for value in found if isinstance(value, Fraction)]
    if len(numbers) != len(found) or not numbers:
        _refuse("arguments", "these are not numbers")
    return numbers


_FUNCTIONS: Mapping[str, Callable[[Sequence[Value]], Value]] = {
    "abs": lambda found: abs(_numbers(found)[0]),
    "average": _mean,
    "avg": _mean,
    "count": lambda found: Fraction(len(found)),
    "days": _in_units("day"),
    "hours": _in_units("hour"),
    "max": _extreme(max),
    "mean": _mean,
    "median": _median,
    "min": _extreme(min),
    "minutes": _in_units("minute"),
    "percent": _percentage,
    "round": _round,
    "sum": _total,
    "workdays": _workdays,
}
#: The functions that an expression may name.
FUNCTIONS = tuple(_FUNCTIONS)


def _instant(value: date) -> datetime:
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return datetime(value.year, value.month, value.day, tzinfo=UTC)


def _microseconds(value: timedelta) -> int:
    return value // timedelta(microseconds=1)


def _kind(value: Value) -> str:
    if isinstance(value, Fraction):
        return "number"
    return "duration" if isinstance(value, timedelta) else "date"
