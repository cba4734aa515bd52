"""Pieces of statements in each dialect: names, values, conditions, periods, and steps of time."""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar

from queries.sql.catalog.catalog import CatalogColumn, ColumnType
from queries.sql.datasource import Dialect
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics.query import Condition, Operator, Period, Step

_MONTHS = {1: ("01", "02", "03"), 4: ("04", "05", "06"), 7: ("07", "08", "09"), 10: ("10", "11", "12")}
_TRUE = frozenset({"true", "1", "yes", "t"})


def identifier(name: str, dialect: Dialect) -> exp.Identifier:
    """Return a name, in quotes only where the dialect needs them."""
    words = Grammar.get_or_raise(dialect).tokenizer_class.KEYWORDS
    return exp.to_identifier(name, quoted=name.upper() in words or name != name.lower())


def column(table: str, name: str, dialect: Dialect) -> exp.Column:
    """Return a column with its table."""
    return exp.Column(this=identifier(name, dialect), table=identifier(table, dialect))


def day(value: date, dialect: Dialect) -> exp.Expr:
    """Return a day: SQLite keeps days as text, and a cast would make a number of it."""
    literal = exp.Literal.string(value.isoformat())
    return literal if dialect == "sqlite" else exp.cast(literal, "date")


def within(moment: exp.Expr, period: Period, dialect: Dialect) -> exp.Expr | None:
    """Return the condition that a moment lies in a period; None when the period is open at both ends."""
    ends: list[exp.Expr] = []
    if period.start is not None:
        ends.append(exp.GTE(this=moment.copy(), expression=day(period.start, dialect)))
    if period.end is not None:
        ends.append(exp.LT(this=moment.copy(), expression=day(period.end, dialect)))
    return all_of(ends)


def step(moment: exp.Expr, grain: Step, dialect: Dialect) -> exp.Expr:
    """Return the first day of the step of time that a moment lies in; weeks begin on Monday."""
    if dialect == "postgres":
        truncated = exp.func("DATE_TRUNC", exp.Literal.string(grain), moment.copy(), dialect=dialect)
        return exp.cast(truncated, "date")
    match grain:
        case "day":
            return exp.Anonymous(this="DATE", expressions=[moment.copy()])
        case "week":  # on to Sunday, and six days back
            return _sqlite_date(moment, "weekday 0", "-6 days")
        case "month":
            return _sqlite_date(moment, "start of month")
        case "year":
            return _sqlite_date(moment, "start of year")
        case "quarter":
            return _sqlite_quarter(moment)


def weekday(moment: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Return the day of the week of a moment: 1 is Monday, 7 Sunday."""
    if dialect == "postgres":
        return exp.cast(exp.Extract(this=exp.var("ISODOW"), expression=moment.copy()), "int")
    shifted = exp.Paren(this=exp.Add(this=_sqlite_part(moment, "%w"), expression=exp.Literal.number(6)))
    in_week = exp.Mod(this=shifted, expression=exp.Literal.number(7))
    return exp.Add(this=in_week, expression=exp.Literal.number(1))


def hour(moment: exp.Expr, dialect: Dialect) -> exp.Expr:
    """Return the hour of the day of a moment, from 0 to 23."""
    if dialect == "postgres":
        return exp.cast(exp.Extract(this=exp.var("HOUR"), expression=moment.copy()), "int")
    return _sqlite_part(moment, "%H")


def _sqlite_part(moment: exp.Expr, part: str) -> exp.Expr:
    return exp.cast(exp.Anonymous(this="STRFTIME", expressions=[exp.Literal.string(part), moment.copy()]), "int")


def _sqlite_date(moment: exp.Expr, *changes: str) -> exp.Expr:
    return exp.Anonymous(this="DATE", expressions=[moment.copy(), *map(exp.Literal.string, changes)])


def _sqlite_quarter(moment: exp.Expr) -> exp.Expr:
    def part(start: int, length: int) -> exp.Expr:
        return exp.Substring(this=moment.copy(), start=exp.Literal.number(start), length=exp.Literal.number(length))

    first = exp.Case()
    for month, members in _MONTHS.items():
        chosen = exp.In(this=part(6, 2), expressions=[exp.Literal.string(each) for each in members])
        first = first.when(chosen, exp.Literal.string(f"-{month:02d}-01"))
    return exp.DPipe(this=part(1, 4), expression=first)


def condition(left: exp.Expr, asked: Condition, declared: CatalogColumn, dialect: Dialect) -> exp.Expr:
    """Return a condition on a column; a row where it is empty meets only `is_not`, or that it is empty."""
    empty = exp.Is(this=left.copy(), expression=exp.null())
    if asked.values == (None,) and asked.operator in ("is", "is_not"):
        return empty if asked.operator == "is" else exp.Not(this=empty)
    values = [literal(each, declared.type, dialect) for each in asked.values if each is not None]
    if len(values) < len(asked.values):
        raise QueryNotPossible("an empty cell goes with no other value, and with `is` or `is_not` only")
    if asked.operator in ("is", "is_not"):
        same: exp.Expr = (
            exp.EQ(this=left.copy(), expression=values[0])
            if len(values) == 1
            else exp.In(this=left.copy(), expressions=values)
        )
        if asked.operator == "is":
            return same
        return exp.Paren(this=exp.or_(exp.Not(this=exp.Paren(this=same)), empty))
    if len(values) > 1:
        raise QueryNotPossible(f"`{asked.operator}` takes one value")
    return _COMPARED[asked.operator](this=left.copy(), expression=values[0])


_COMPARED = {"more": exp.GT, "less": exp.LT, "at_least": exp.GTE, "at_most": exp.LTE, "is": exp.EQ}


def compared(left: exp.Expr, operator: Operator, value: Decimal) -> exp.Expr:
    """Return a condition on a number."""
    return _COMPARED[operator](this=left.copy(), expression=number(value))


def literal(value: str | Decimal | bool, kind: ColumnType, dialect: Dialect) -> exp.Expr:
    """Return a value as a column of this type holds it; QueryNotPossible when it cannot."""
    if kind == "flag":
        return exp.Boolean(this=value if isinstance(value, bool) else str(value).lower() in _TRUE)
    if kind == "number":
        return number(value)
    if kind in ("date", "time"):
        try:
            return day(date.fromisoformat(str(value)), dialect)
        except ValueError:
            raise QueryNotPossible(f"{value} is no day; write it as 2026-03-31") from None
    return exp.Literal.string(str(value))


def number(value: str | Decimal | bool) -> exp.Expr:
    """Return a number as a literal; QueryNotPossible for what is none."""
    try:
        exact = Decimal(str(value))
    except ArithmeticError:
        raise QueryNotPossible(f"{value} is no number") from None
    if not exact.is_finite():
        raise QueryNotPossible(f"{value} is no number")
    size = exp.Literal.number(f"{abs(exact):f}")
    return exp.Neg(this=size) if exact < 0 else size


def quotient(value: exp.Expr, by: exp.Expr) -> exp.Expr:
    """Return a value divided by a number, with its places; empty where the number is nothing."""
    exact = exp.Mul(this=exp.Literal.number("1.0"), expression=exp.Paren(this=value.copy()))
    return exp.Div(this=exact, expression=exp.func("NULLIF", by, exp.Literal.number(0)))


def percent(part: exp.Expr, whole: exp.Expr) -> exp.Expr:
    """Return how much a part is of a whole, in percent, to a tenth; empty where the whole is nothing."""
    hundredfold = exp.Mul(this=exp.Literal.number("100.0"), expression=exp.Paren(this=part))
    divided = exp.Div(this=hundredfold, expression=exp.func("NULLIF", whole, exp.Literal.number(0)))
    return exp.Round(this=exp.cast(divided, "decimal"), decimals=exp.Literal.number(1))


def only_where(aggregate: exp.Expr, chosen: exp.Expr) -> exp.Expr:
    """Return an expression whose aggregates see only the rows that meet a condition."""

    def narrowed(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.AggFunc) and not isinstance(node.parent, exp.Filter):
            return exp.Filter(this=node, expression=exp.Where(this=chosen.copy()))
        if isinstance(node, exp.Filter):
            return exp.Filter(this=node.this, expression=exp.Where(this=exp.and_(node.expression.this, chosen.copy())))
        return node

    return aggregate.copy().transform(narrowed)


def all_of(conditions: Iterable[exp.Expr | None]) -> exp.Expr | None:
    """Return the condition that all of these hold; None for none."""
    given = [each for each in conditions if each is not None]
    return exp.and_(*given) if given else None


def any_of(conditions: Sequence[exp.Expr | None]) -> exp.Expr | None:
    """Return the condition that one of these holds; None when one of them is always true."""
    given = [each for each in conditions if each is not None]
    return exp.or_(*given) if len(given) == len(conditions) else None
