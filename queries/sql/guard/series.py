"""Series of numbers and days that a statement may stand on: those that are known to be short before they are made."""

from datetime import UTC, datetime, timedelta

from sqlglot import exp

#: Rows of the longest series.
LONGEST = 10_000
_UNITS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 28.0, "quarter": 84.0, "year": 365.0}
_MOMENTS = frozenset({exp.DType.DATE, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ})


def is_short(node: exp.Expr) -> bool:
    """Tell whether a call of `generate_series` gives at most LONGEST rows, by what is written in it alone."""
    if not isinstance(node, exp.ExplodingGenerateSeries):
        return False
    start, end, step = _value(node.args.get("start")), _value(node.args.get("end")), node.args.get("step")
    by = 1.0 if step is None else abs(_days(step) if isinstance(step, exp.Interval) else (_value(step) or 0.0))
    return start is not None and end is not None and by > 0 and abs(end - start) / by < LONGEST


def _value(node: exp.Expr | None) -> float | None:  # noqa: PLR0911 - a line for each way of writing one
    """Return a number, or a day as the number of days since long ago; None for what is not known before."""
    match node:
        case exp.Literal():
            return float(node.this) if not node.is_string and len(node.this) < 10 else None
        case exp.Neg():
            inner = _value(node.this)
            return None if inner is None else -inner
        case exp.Paren() | exp.TimestampTrunc():
            return _value(node.this)
        case exp.CurrentDate() | exp.CurrentTimestamp():
            return _since_long_ago(datetime.now(UTC))
        case exp.Cast(this=exp.Literal() as written) if node.to.this in _MOMENTS:
            return _moment(written.this)
        case exp.Cast() if node.to.this in _MOMENTS:
            return _value(node.this)
        case exp.Add() | exp.Sub() if isinstance(node.expression, exp.Interval):
            base, days = _value(node.this), _days(node.expression)
            return None if base is None or not days else base + (days if isinstance(node, exp.Add) else -days)
        case _:
            return None


def _days(interval: exp.Interval) -> float:
    """Return about how many days an interval is; 0 for one that is not written out."""
    amount, unit = str(interval.this.this) if isinstance(interval.this, exp.Literal) else "", interval.text("unit")
    days = _UNITS.get(unit.lower().removesuffix("s"), 0.0)
    return int(amount) * days if amount.removeprefix("-").isdecimal() and len(amount) < 8 else 0.0


def _moment(written: str) -> float | None:
    try:
        return _since_long_ago(datetime.fromisoformat(written))
    except ValueError:
        return None


def _since_long_ago(moment: datetime) -> float:
    return (moment.replace(tzinfo=None) - datetime(1, 1, 1)) / timedelta(days=1)  # noqa: DTZ001 - only distances count
