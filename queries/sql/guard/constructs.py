"""The constructs that a statement may be made of: a list of node types, and of what may stand in each.

All that the writer prints without quotes (units of time, types, numbers) comes from closed lists, so that what runs
holds no word of the statement's own outside quotes.
"""

import re
from collections.abc import Callable, Mapping

from sqlglot import exp

from queries.sql.datasource import Dialect
from queries.sql.errors import Refusal, StatementRefused
from queries.sql.guard import functions
from queries.sql.guard.series import is_short

_SHARED: frozenset[type[exp.Expr]] = frozenset({
    exp.Select, exp.Union, exp.Intersect, exp.Except, exp.Subquery, exp.With, exp.CTE, exp.From, exp.Join, exp.Table,
    exp.TableAlias, exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset, exp.Distinct,
    exp.Column, exp.Identifier, exp.Star, exp.Alias, exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.Tuple,
    exp.Neg, exp.Not, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.Like,
    exp.Escape, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.DPipe, exp.NullSafeEQ, exp.NullSafeNEQ,
    exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseNot, exp.BitwiseLeftShift, exp.BitwiseRightShift,
    exp.Window, exp.WindowSpec, exp.Filter, exp.DataType, exp.DataTypeParam, exp.Values, exp.Var,
    exp.JSONPath, exp.JSONPathRoot, exp.JSONPathKey, exp.JSONPathSubscript, exp.JSONKeyValue,
})  # fmt: skip
_NODES: Mapping[Dialect, frozenset[type[exp.Expr]]] = {
    "postgres": _SHARED | {
        exp.ILike, exp.SimilarTo, exp.Any, exp.Lateral, exp.WithinGroup, exp.Interval, exp.AtTimeZone, exp.Overlaps,
        exp.Cube, exp.Rollup, exp.GroupingSets, exp.BitwiseXor, exp.Kwarg, exp.Fetch, exp.LimitOptions, exp.RawString,
    },
    "sqlite": _SHARED | {exp.Glob},
}  # fmt: skip

#: What a query may be made of; whatever else the parser found in it is refused.
_MODIFIERS = frozenset(
    {"with_", "joins", "laterals", "where", "group", "having", "windows", "order", "limit", "offset"}
)
_PARTS: Mapping[type[exp.Expr], frozenset[str]] = {
    exp.Select: _MODIFIERS | {"expressions", "distinct", "from_"},
    exp.Union: _MODIFIERS | {"this", "expression", "distinct"},
    exp.Intersect: _MODIFIERS | {"this", "expression", "distinct"},
    exp.Except: _MODIFIERS | {"this", "expression", "distinct"},
    exp.Subquery: _MODIFIERS | {"this", "alias"},
    exp.Table: frozenset({"this", "alias", "db", "joins"}),
    exp.Join: frozenset({"this", "on", "side", "kind", "using", "method"}),
    exp.With: frozenset({"expressions"}),
    exp.CTE: frozenset({"this", "alias", "materialized"}),
    exp.Lateral: frozenset({"this", "alias", "view", "outer"}),
    exp.Values: frozenset({"expressions", "alias"}),
    exp.Unnest: frozenset({"expressions", "alias"}),
    exp.In: frozenset({"this", "expressions", "query"}),
    exp.Star: frozenset(),
    exp.Column: frozenset({"this", "table", "db"}),
    exp.Window: frozenset({"this", "partition_by", "order", "spec", "alias", "over"}),
    exp.Limit: frozenset({"expression"}),
    exp.Cast: frozenset({"this", "to"}),
    exp.Ordered: frozenset({"this", "desc", "nulls_first"}),
}

_UNITS = """
    microsecond microseconds millisecond milliseconds second seconds minute minutes hour hours day days week weeks
    month months quarter quarters year years decade decades century millennium dow doy isodow isoyear epoch
    mins min hr hrs secs sec
"""
_UNIT_WORDS = frozenset(_UNITS.split())
#: What no value of a row can make fail.
_NEVER_FAIL: frozenset[type[exp.Expr]] = frozenset({
    exp.Select, exp.Union, exp.Intersect, exp.Except, exp.Subquery, exp.With, exp.CTE, exp.From, exp.Join, exp.Table,
    exp.TableAlias, exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset, exp.Distinct,
    exp.Column, exp.Identifier, exp.Star, exp.Alias, exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.And, exp.Or,
    exp.Not, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.Exists,
    exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max,
})  # fmt: skip
_COLLATIONS = frozenset({"nocase", "binary", "rtrim"})
_KWARGS = frozenset({"years", "months", "weeks", "days", "hours", "mins", "secs"})
_TYPES = frozenset({
    exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.CHAR, exp.DType.INT, exp.DType.BIGINT, exp.DType.SMALLINT,
    exp.DType.DECIMAL, exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.BOOLEAN, exp.DType.DATE, exp.DType.TIME,
    exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ, exp.DType.INTERVAL, exp.DType.UUID, exp.DType.JSON, exp.DType.JSONB,
    exp.DType.DATETIME, exp.DType.TINYINT,
})  # fmt: skip
_NUMBER = re.compile(r"[0-9]{1,40}+(?:\.[0-9]{0,40}+)?+(?:[eE][+-]?[0-9]{1,3})?|\.[0-9]{1,40}+(?:[eE][+-]?[0-9]{1,3})?")
_DURATION = re.compile(r"[-+A-Za-z0-9 :.]{0,60}+")
#: A pattern of `format` whose fields are at most 99 characters wide, none of them told by a value.
_PATTERN = re.compile(r"(?:[^%]|%%|%[-+ 0,#]{0,5}+[0-9]{0,2}+(?:\.[0-9]{0,2}+)?+[A-Za-z])*+")
_KEY = re.compile(r"[\w -]{1,100}+")
#: The widest a type may be asked to pad or round to.
_WIDEST = 1_000


def refuse_constructs(tree: exp.Expr, dialect: Dialect) -> None:
    """Refuse a tree that holds anything that is not on the lists."""
    for node in tree.walk():
        if isinstance(node, exp.Func):
            if not functions.allowed(node, dialect) and not _makes_rows(node, dialect):
                raise StatementRefused(Refusal.FUNCTION, functions.name_of(node))
        elif type(node) not in _NODES[dialect]:
            code = Refusal.NOT_A_QUERY if isinstance(node, _OTHER) else Refusal.CONSTRUCT
            raise StatementRefused(code, node.key.upper())
        _refuse_parts(node)
        judge = _JUDGES.get(type(node))
        if judge is not None and not judge(node):
            raise StatementRefused(Refusal.CONSTRUCT, _named(node))


def _makes_rows(node: exp.Func, dialect: Dialect) -> bool:
    """Tell whether a function stands in the place of a table, and gives few rows."""
    if isinstance(node.parent, exp.Table) and is_short(node):
        return True
    behind = (exp.From, exp.Join) if isinstance(node, exp.Unnest) else (exp.Table,)
    return isinstance(node.parent, (exp.Lateral, *behind)) and functions.takes_apart(node, dialect)


def may_fail(tree: exp.Expr) -> bool:
    """Tell whether a row could make the statement fail, so that an error would tell of the row.

    What stands within an aggregate sees only the rows that are left after every condition, and constants see none.
    """
    seen = list(tree.walk(prune=_aggregates))
    by_row: set[int] = set()  # what has a column in it
    for column in seen:
        node: exp.Expr | None = column if isinstance(column, exp.Column) else None
        while node is not None and id(node) not in by_row:
            by_row.add(id(node))
            node = node.parent
    return any(_single(node) or (type(node) not in _NEVER_FAIL and id(node) in by_row) for node in seen)


def _aggregates(node: exp.Expr) -> bool:
    return isinstance(node, exp.AggFunc) and node.find(exp.Query) is None


def _single(node: exp.Expr) -> bool:
    """Tell whether a query stands for one value though it may have several rows, which is an error on PostgreSQL."""
    if not isinstance(node, exp.Subquery) or isinstance(node.parent, (exp.From, exp.Join, exp.In, exp.Exists)):
        return False
    query = node.this
    whole = isinstance(query, exp.Select) and not query.args.get("group") and not query.args.get("having")
    return not whole or not all(isinstance(each.unalias(), exp.AggFunc) for each in query.expressions)


_OTHER = (exp.DDL, exp.DML, exp.Command, exp.Into, exp.Lock, exp.Set, exp.Use, exp.Pragma, exp.Transaction, exp.Drop)


def _refuse_parts(node: exp.Expr) -> None:
    if isinstance(node, exp.Select) and not node.expressions:
        raise StatementRefused(Refusal.NOT_A_QUERY, "SELECT")
    known = _PARTS.get(type(node))
    if known is None:
        return
    for name, given in node.args.items():
        if given and name not in known:
            raise StatementRefused(Refusal.CONSTRUCT, f"{node.key.upper()} {name.strip('_').upper()}")


def _named(node: exp.Expr) -> str:
    return f"{node.key.upper()} {node.this}" if isinstance(node.this, str) else node.key.upper()


def _plain_name(node: exp.Expr) -> bool:
    """Tell whether a name may stand between quotes: it holds nothing that could end or escape them."""
    name = node.this
    return isinstance(name, str) and 0 < len(name) <= 128 and name.isprintable() and not set(name) & set('"`\\')


def _plain_type(node: exp.Expr) -> bool:
    return (
        isinstance(node, exp.DataType)
        and node.this in _TYPES
        and not node.args.get("nested")
        and all(isinstance(width, exp.DataTypeParam) for width in node.expressions)
    )


def _plain_width(node: exp.Expr) -> bool:
    width = node.this
    return isinstance(width, exp.Literal) and width.this.isdecimal() and int(width.this) <= _WIDEST


def _plain_word(node: exp.Expr) -> bool:
    word, parent = str(node.this).lower(), node.parent
    if isinstance(parent, exp.Collate):
        return word in _COLLATIONS
    if isinstance(parent, exp.Kwarg):
        return word in _KWARGS
    return word in _UNIT_WORDS


def _plain_collation(node: exp.Expr) -> bool:
    return isinstance(node.expression, exp.Var)


def _plain_number(node: exp.Expr) -> bool:
    return bool(node.is_string or _NUMBER.fullmatch(node.this))


def _plain_duration(node: exp.Expr) -> bool:
    this = node.this
    return isinstance(this, exp.Literal) and bool(_DURATION.fullmatch(this.this))


def _plain_key(node: exp.Expr) -> bool:
    return isinstance(node.this, str) and bool(_KEY.fullmatch(node.this))


def _plain_subscript(node: exp.Expr) -> bool:
    return isinstance(node.this, int)


def _plain_frame(node: exp.Expr) -> bool:
    """Tell whether the bounds of a window are words of the parser's own, or numbers; without an end it is this row."""
    bounds = [node.args.get(bound) for bound in ("start", "end") if bound == "start" or node.args.get(bound)]
    return all(isinstance(each, (str, exp.Literal, exp.Interval)) for each in bounds)


def _plain_rows(node: exp.Expr) -> bool:
    """Tell whether a limit is a number of rows, as LIMIT says it."""
    return not node.args.get("percent") and not node.args.get("with_ties")


def _plain_pattern(node: exp.Expr) -> bool:
    """Tell whether a pattern of text stands in the statement and fills no more than it says."""
    if isinstance(node, exp.Anonymous) and str(node.this).lower() != "printf":
        return True
    pattern = node.this if isinstance(node, exp.Format) else next(iter(node.expressions), None)
    return isinstance(pattern, exp.Literal) and bool(pattern.is_string and _PATTERN.fullmatch(pattern.this))


_JUDGES: Mapping[type[exp.Expr], Callable[[exp.Expr], bool]] = {
    exp.Identifier: _plain_name,
    exp.DataType: _plain_type,
    exp.DataTypeParam: _plain_width,
    exp.Var: _plain_word,
    exp.Collate: _plain_collation,
    exp.Literal: _plain_number,
    exp.Interval: _plain_duration,
    exp.JSONPathKey: _plain_key,
    exp.JSONPathSubscript: _plain_subscript,
    exp.WindowSpec: _plain_frame,
    exp.LimitOptions: _plain_rows,
    exp.Format: _plain_pattern,
    exp.Anonymous: _plain_pattern,
}
