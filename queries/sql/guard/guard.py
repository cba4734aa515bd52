"""Turn a statement that nobody trusts into one that may run, or refuse it with the reason."""

import re

from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError

from identity.actor import Actor
from queries.sql.catalog.catalog import Catalog
from queries.sql.datasource import MOST_ROWS, USUAL_ROWS, Dialect, Guarded
from queries.sql.errors import Refusal, StatementRefused
from queries.sql.guard.constructs import refuse_constructs
from queries.sql.guard.functions import CALLED, TAKING_APART, WORDS
from queries.sql.guard.reading import read
from queries.sql.guard.swapping import Swap

_KNOWN = {dialect: WORDS | called | TAKING_APART[dialect].keys() for dialect, called in CALLED.items()}
#: Texts and quoted names, which are jumped over; what stands before a parenthesis; and what begins a comment, ends a
#: statement or begins a text that does not end.
_WORDS = re.compile(
    r"""(?P<quoted>'(?:[^']|'')*+'|"(?:[^"]|"")*+")|(?<![\w$])(?P<called>[\w$]++)\s*+\(|;|--|/\*|\$\w*+\$|'|\""""
)


def guard(statement: str, catalog: Catalog, actor: Actor, *, dialect: Dialect, rows: int = USUAL_ROWS) -> Guarded:
    """Return what may run in the place of a statement, for one actor.

    It gives at most `rows` rows (capped at MOST_ROWS) and one more, and nothing but what the actor may read: cells of
    masked columns are NULL everywhere, in conditions too. Raises StatementRefused.
    """
    rows = max(1, min(rows, MOST_ROWS))
    try:
        tree = read(statement, dialect)
        refuse_constructs(tree, dialect)
        _settle(tree, dialect)
        swap = Swap(catalog, actor, dialect)
        swap.swap(tree)
        written = _written(_limited(tree, rows + 1), dialect)
    except RecursionError as problem:
        raise StatementRefused(Refusal.UNREADABLE, "((…))") from problem
    _refuse_written(written, dialect)
    return Guarded(written, dialect, rows, reads=swap.reads, masked=tuple(sorted(swap.masked)))


def _settle(tree: exp.Expr, dialect: Dialect) -> None:
    """Write each name as the database reads it, and keep the types that the writer would change."""
    for node in tree.walk():
        if dialect == "postgres" and isinstance(node, exp.Identifier) and not node.quoted:
            node.set("this", node.this.lower())
        elif dialect == "sqlite" and isinstance(node, exp.DataType) and node.this is exp.DType.DECIMAL:
            node.replace(exp.DataType(this=exp.DType.USERDEFINED, kind="NUMERIC"))  # else it is written as REAL


def _limited(query: exp.Query, rows: int) -> exp.Select:
    inner = query if isinstance(query, exp.Subquery) and not query.alias else exp.Subquery(this=query)
    inner.set("alias", exp.TableAlias(this=exp.to_identifier("q", quoted=True)))
    return exp.select("*").from_(inner, copy=False).limit(rows, copy=False)


def _written(tree: exp.Expr, dialect: Dialect) -> str:
    try:
        return tree.sql(dialect, identify=True, comments=False, unsupported_level=ErrorLevel.RAISE)
    except SqlglotError as problem:
        raise StatementRefused(Refusal.CONSTRUCT, str(problem).splitlines()[0][:100]) from problem


def _refuse_written(written: str, dialect: Dialect) -> None:
    """Look at what was written once more, by its words alone: one statement that calls nothing but what is listed."""
    for found in _WORDS.finditer(written):
        name = found["called"]
        if name is None and not found["quoted"]:
            raise StatementRefused(Refusal.NOT_ONE, found[0])
        if name is not None and name.lower() not in _KNOWN[dialect]:
            raise StatementRefused(Refusal.FUNCTION, name.lower())
