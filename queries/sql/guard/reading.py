"""From text to one syntax tree of a query, or the refusal that says why not.

What is refused before the parser sees it: what is too long, what databases and parsers are known to read differently
(control characters, odd white space), and what makes the parser take exponential time (deep brackets, limits that are
queries).
"""

import logging
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlDialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from queries.sql.datasource import Dialect
from queries.sql.errors import Refusal, StatementRefused

#: Characters of a statement; the longest of a thousand analytic queries has 1,200.
MOST_CHARACTERS = 10_000
#: How deep parentheses and square brackets may stand in one another. The parser takes 120 s for twenty `array[`.
DEEPEST = {"(": 40, "[": 2}
_CLOSING = {")": "(", "]": "["}
_MAY_FOLLOW_LIMIT = frozenset({
    TokenType.R_PAREN, TokenType.OFFSET, TokenType.COMMA, TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT,
    TokenType.SEMICOLON,
})  # fmt: skip
_IN_TEXT = frozenset({TokenType.STRING, TokenType.HEREDOC_STRING, TokenType.NATIONAL_STRING})
#: Functions whose formats the parser would translate and back; left alone they stay as they were written.
_LEFT_ALONE = frozenset({"TO_CHAR", "TO_DATE", "TO_TIMESTAMP", "TO_NUMBER", "STRFTIME", "LOG10", "LOG2"})

# It writes each statement that it takes for a command into the log, of which the audit is the right place.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

#: What sqlglot raises of some statements in the place of an error of its own: an interval that is none asserts.
_BROKEN = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


def read(statement: str, dialect: Dialect) -> exp.Query:
    """Return the one query that the statement is."""
    if len(statement) > MOST_CHARACTERS:
        raise StatementRefused(Refusal.TOO_LONG, f"{len(statement)} > {MOST_CHARACTERS}")
    refuse_characters(statement, Refusal.CHARACTERS)
    tree = _only(_parsed(statement, dialect))
    if not isinstance(tree, (exp.Select, exp.SetOperation, exp.Subquery)):
        raise StatementRefused(Refusal.NOT_A_QUERY, tree.key.upper())
    return tree


def parsed_condition(condition: str, dialect: Dialect) -> exp.Expr:
    """Return the syntax tree of a condition, read as what stands behind WHERE."""
    tree = _only(_parsed("SELECT 1 FROM t WHERE " + condition, dialect))  # noqa: S608 - it is parsed, never run
    where = tree.args.get("where")
    plain = {"expressions", "from_", "where", "kind", "hint", "distinct", "operation_modifiers"}
    given = {name for name, part in tree.args.items() if part}
    if where is None or not isinstance(tree, exp.Select) or given - plain:
        raise StatementRefused(Refusal.UNREADABLE, condition)
    return where.this  # type: ignore[no-any-return]


def refuse_characters(text: str, code: Refusal) -> None:
    """Refuse control characters, halves of characters, and what is none, wherever they stand."""
    for character in text:
        if not character.isprintable() and character not in " \t\r\n":
            kind = unicodedata.category(character)
            if kind in {"Cc", "Cs", "Cn", "Zl", "Zp"}:
                raise StatementRefused(code, f"U+{ord(character):04X}")


def tokens(statement: str, dialect: Dialect) -> Sequence[Token]:
    """Return the tokens of a statement."""
    try:
        return SqlDialect.get_or_raise(dialect).tokenize(statement)
    except SqlglotError as problem:
        raise StatementRefused(Refusal.UNREADABLE) from problem


def _parsed(statement: str, dialect: Dialect) -> Sequence[exp.Expr]:
    words = tokens(statement, dialect)
    _refuse_white_space(statement, words)
    _refuse_depth(words)
    parser = SqlDialect.get_or_raise(dialect).parser()
    parser.FUNCTIONS = _builders(dialect)  # type: ignore[misc]
    parser.LAMBDAS = _named_arguments(dialect)  # type: ignore[misc]
    try:
        found = parser.parse(list(words), statement)
    except SqlglotError as problem:
        raise StatementRefused(Refusal.UNREADABLE, _where(problem)) from problem
    except _BROKEN as problem:
        raise StatementRefused(Refusal.UNREADABLE) from problem
    return [tree for tree in found if tree is not None]


@cache
def _builders(dialect: Dialect) -> dict[str, Callable[..., exp.Expr]]:
    """Return what makes nodes of the functions that the parser knows, but for those that are left alone."""
    known = SqlDialect.get_or_raise(dialect).parser().FUNCTIONS
    return {name: builder for name, builder in known.items() if name not in _LEFT_ALONE}


@cache
def _named_arguments(dialect: Dialect) -> dict[TokenType, Callable[..., exp.Expr]]:
    """Return what stands in a call beside expressions: `days => 1`; `payload -> 'size'` is no function of `payload`."""
    known = SqlDialect.get_or_raise(dialect).parser().LAMBDAS
    return {sign: builder for sign, builder in known.items() if sign is not TokenType.ARROW}


def _only(trees: Sequence[exp.Expr]) -> exp.Expr:
    if len(trees) != 1:
        raise StatementRefused(Refusal.NOT_ONE, str(len(trees)))
    return trees[0]


def _where(problem: SqlglotError) -> str:
    """Return the place that the parser names: line and column."""
    errors = getattr(problem, "errors", None) or [{}]
    line, column = errors[0].get("line"), errors[0].get("col")
    return f"{line}:{column}" if line and column else ""


def _refuse_white_space(statement: str, words: Iterable[Token]) -> None:
    """Refuse odd white space outside quoted text: databases and parsers differ over it."""
    if statement.isascii():
        return
    end = 0
    for word in words:
        _refuse_odd(statement[end : word.start])
        if word.token_type not in _IN_TEXT:
            _refuse_odd(statement[word.start : word.end + 1])
        end = word.end + 1
    _refuse_odd(statement[end:])


def _refuse_odd(text: str) -> None:
    for character in text:
        if not character.isprintable() and character not in " \t\r\n":
            raise StatementRefused(Refusal.CHARACTERS, f"U+{ord(character):04X}")


def _refuse_depth(words: Sequence[Token]) -> None:
    depth = {"(": 0, "[": 0}
    for place, word in enumerate(words):
        if word.token_type in (TokenType.L_PAREN, TokenType.L_BRACKET):
            depth[word.text] += 1
            if depth[word.text] > DEEPEST[word.text]:
                raise StatementRefused(Refusal.CONSTRUCT, f"{word.text * 3}…")
        elif word.token_type in (TokenType.R_PAREN, TokenType.R_BRACKET):
            depth[_CLOSING[word.text]] -= 1
        elif word.token_type in (TokenType.LIMIT, TokenType.FETCH):
            _refuse_limit(words[place + 1 : place + 3], word.text.upper())


def _refuse_limit(follows: Sequence[Token], name: str) -> None:
    """Refuse a limit that is no number: the parser takes exponential time for queries in limits of queries."""
    plain = (TokenType.NUMBER, TokenType.ALL, TokenType.NULL, TokenType.FIRST, TokenType.NEXT)
    if not follows or follows[0].token_type not in plain:
        raise StatementRefused(Refusal.CONSTRUCT, name)
    if name == "LIMIT" and len(follows) == 2 and follows[1].token_type not in _MAY_FOLLOW_LIMIT:
        raise StatementRefused(Refusal.CONSTRUCT, name)
