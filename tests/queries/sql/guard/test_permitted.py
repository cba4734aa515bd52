"""For any asker, rules, masks and query: the guard gives what a database of nothing but the permitted cells gives."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from identity.actor import Actor
from queries.sql.catalog.catalog import Catalog
from queries.sql.guard.guard import guard
from tests.scale import scaled

Row = tuple[int | str | None, ...]
COLUMNS = {"t": ("a", "b", "c"), "u": ("a", "d", "e")}
WORDS = ("x", "y", "z", "o'x", "T")


@dataclass(frozen=True)
class Rule:
    """A row rule, in SQL and once more in Python. Columns 1 and 2 of each table hold a word and a number."""

    where: str
    holds: Callable[[Row, Actor], bool]


def _rules(word: str, number: str) -> tuple[Rule, ...]:
    return (
        Rule("TRUE", lambda *_: True),
        Rule(f"{word} IN (:units)", lambda row, actor: row[1] in actor.units),
        Rule(f"{word} = :person", lambda row, actor: row[1] == actor.id),
        Rule(f"{word} = :email", lambda row, actor: row[1] is not None and row[1] == actor.email),
        Rule(
            f"NOT {word} IN (:groups)",
            lambda row, actor: bool(actor.groups) and row[1] is not None and row[1] not in actor.groups,
        ),
        Rule(f"{number} > 2", lambda row, _: row[2] is not None and int(row[2]) > 2),
        Rule(f"{number} > 1 AND {word} IN (:units, 'z')", _both),
        Rule(f"{word} IS NULL OR {number} BETWEEN 1 AND 2", lambda row, _: row[1] is None or row[2] in (1, 2)),
    )


def _both(row: Row, actor: Actor) -> bool:
    return row[2] is not None and int(row[2]) > 1 and row[1] in {*actor.units, "z"}


RULES = {"t": _rules("b", "c"), "u": _rules("d", "e")}


@dataclass(frozen=True)
class World:
    """Rows, rules (with whom each is for), masked columns and who asks."""

    rows: Mapping[str, list[Row]]
    rules: Mapping[str, list[tuple[str, Rule]]]
    masked: frozenset[str]
    actor: Actor

    def catalog(self) -> Catalog:
        tables = {}
        for table, columns in COLUMNS.items():
            cells = {name: {"type": "text", "masked": f"{table}.{name}" in self.masked} for name in columns}
            rules = [{"to": [to], "where": rule.where} for to, rule in self.rules[table]]
            tables[table] = {"columns": cells, "rows": rules}
        return Catalog.model_validate({"tables": tables})

    def permitted(self, table: str) -> list[Row]:
        hidden = {name for name in COLUMNS[table] if f"{table}.{name}" in self.masked}
        mine = [rule for to, rule in self.rules[table] if to in self.actor.principals]
        return [
            tuple(None if name in hidden else cell for name, cell in zip(COLUMNS[table], row, strict=True))
            for row in self.rows[table]
            if any(rule.holds(row, self.actor) for rule in mine)
        ]


_words, _numbers = st.sampled_from((*WORDS, None)), st.sampled_from((0, 1, 2, 3, 5, None))
_names = st.frozensets(st.sampled_from(WORDS), max_size=3)
_actors = st.builds(
    Actor, st.sampled_from(WORDS), st.just("A"), email=st.sampled_from(("x", "z", None)), units=_names, groups=_names
)
_tables = {
    table: st.lists(st.tuples(st.integers(0, 4), _words, _numbers), max_size=12, unique=True) for table in COLUMNS
}
_given = {
    # The first is for everybody, so that no table is out of reach altogether.
    table: st.tuples(
        st.tuples(st.just("staff"), st.sampled_from(RULES[table])),
        st.tuples(st.sampled_from(("unit:x", "group:y", "person:z", "public")), st.sampled_from(RULES[table])),
    ).map(list)
    for table in COLUMNS
}
_masked = st.frozensets(st.sampled_from([f"{table}.{name}" for table, names in COLUMNS.items() for name in names]))
worlds = st.builds(World, st.fixed_dictionaries(_tables), st.fixed_dictionaries(_given), _masked, _actors)

# Queries over `s`, which has the columns a, b and c, whatever it is made of.
_sources = st.sampled_from((
    "t AS s", "(SELECT a, d AS b, e AS c FROM u) AS s", "(SELECT * FROM t UNION ALL SELECT * FROM u) AS s",
    "(SELECT t.a, b, e AS c FROM t JOIN u ON t.a = u.a) AS s",
    "(SELECT t.a, d AS b, c FROM t LEFT JOIN u USING (a)) AS s",
    "(SELECT a, b, c FROM t NATURAL JOIN u) AS s",
    "(SELECT one.a, two.b, one.c FROM t one, t two WHERE one.c < two.c) AS s",
    "(SELECT a, b, c FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND d <> 'y')) AS s",
    "(SELECT a, b, c FROM t EXCEPT SELECT a, d, e FROM u) AS s", "w AS s",
))  # fmt: skip
_values = st.sampled_from((
    "s.a", "b", "c", "1", "'x'", "NULL", '"x"', "a + c", "COALESCE(b, 'none')", "LENGTH(b)", "UPPER(b)", "c IS NULL",
    "CASE WHEN c > 1 THEN b ELSE 'less' END", "b || c", "NULLIF(c, 2)", "(SELECT MAX(e) FROM u WHERE u.a = s.a)",
    "(SELECT COUNT(*) FROM u)", "b = 'x'", "ABS(c - 3)", "a IN (SELECT a FROM u)", "10 / c",
))  # fmt: skip
_conditions = st.recursive(
    st.builds("{} {} {}".format, _values, st.sampled_from(("=", "<>", "<", ">=", "IS", "LIKE")), _values),
    lambda inner: st.one_of(
        st.builds("({} AND {})".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
        inner.map("NOT ({})".format),
    ),
    max_leaves=3,
)
_wheres = st.one_of(st.just(""), _conditions.map(" WHERE {}".format))
_aggregates = st.sampled_from(("COUNT(*)", "SUM(c)", "MIN(b)", "MAX(c)", "COUNT(DISTINCT b)", "AVG(a)", "COUNT(b)"))
_plain = st.builds("SELECT {}, {} FROM {}{}".format, _values, _values, _sources, _wheres)
_grouped = st.builds(
    "SELECT b, {} AS n FROM {}{} GROUP BY b HAVING {} IS NOT NULL".format, _aggregates, _sources, _wheres, _aggregates
)
_over = _aggregates.filter(lambda name: "DISTINCT" not in name)
_windows = st.builds("SELECT a, {} OVER (PARTITION BY b) FROM {}{}".format, _over, _sources, _wheres)
_stars = st.builds("SELECT {}* FROM {}{}".format, st.sampled_from(("", "s.", "DISTINCT ")), _sources, _wheres)
_selects = st.one_of(_plain, _grouped, _windows, _stars)
_sets = st.builds("{} {} {}".format, _plain, st.sampled_from(("UNION", "UNION ALL", "INTERSECT", "EXCEPT")), _plain)
_with = "WITH w AS (SELECT * FROM t WHERE a < 4), t AS (SELECT a, b, c FROM w) "
queries = st.builds("{}{}".format, st.just(_with), st.one_of(_selects, _sets)) | st.one_of(_selects, _sets).filter(
    lambda query: "w AS s" not in query
)


def _filled(rows: Mapping[str, list[Row]]) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    for table, (first, second, third) in COLUMNS.items():
        database.execute(f"CREATE TABLE {table} ({first} INTEGER, {second} TEXT, {third} INTEGER)")
        database.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", rows[table])
    return database


def _native(query: str) -> str:
    """Return the query as SQLite takes it: there a query of WITH cannot read the table that another one is called."""
    return query.replace(_with, "WITH w AS (SELECT * FROM main.t WHERE a < 4), t AS (SELECT a, b, c FROM w) ")


@settings(max_examples=scaled(3_000))
@given(worlds, queries)
def test_the_guard_gives_what_the_permitted_cells_alone_give(world: World, query: str) -> None:
    guarded = guard(query, world.catalog(), world.actor, dialect="sqlite", rows=1_000)
    with (
        closing(_filled(world.rows)) as whole,
        closing(_filled({table: world.permitted(table) for table in COLUMNS})) as oracle,
    ):
        expected = sorted(map(repr, oracle.execute(_native(query))))
        assert sorted(map(repr, whole.execute(guarded.statement))) == expected[:1_001]


@settings(max_examples=scaled(1_000))
@given(worlds, queries)
def test_what_a_statement_reads_is_named_for_the_authorizer(world: World, query: str) -> None:
    guarded = guard(query, world.catalog(), world.actor, dialect="sqlite")
    touched: dict[str, set[str]] = {}

    def note(action: int, table: str | None, column: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ and table and column:
            touched.setdefault(table, set()).add(column)
        return sqlite3.SQLITE_OK

    with closing(_filled(world.rows)) as whole:
        whole.set_authorizer(note)
        whole.execute(guarded.statement).fetchall()
    assert {table: names - guarded.reads[table] for table, names in touched.items() if table in COLUMNS} == (
        {table: set() for table in touched if table in COLUMNS}
    )
    ruled = {"t.b", "t.c", "u.d", "u.e"}  # a rule may read what is masked
    named = {f"{table}.{name}" for table, names in guarded.reads.items() for name in names}
    assert not named & (world.masked - ruled)


@settings(max_examples=scaled(1_000))
@given(worlds, queries, st.lists(st.integers(-9, 10**6) | st.none(), min_size=1))
def test_what_is_masked_changes_no_step_of_what_the_database_does(
    world: World, query: str, others: list[int | None]
) -> None:
    """Nothing can be learnt from how long a statement takes: no rule names the column that is masked here."""
    hidden = replace(world, masked=world.masked | {"t.a", "u.a"})
    guarded = guard(query, hidden.catalog(), hidden.actor, dialect="sqlite", rows=1_000)
    changed = {
        table: [(others[at % len(others)], *row[1:]) for at, row in enumerate(rows)]
        for table, rows in world.rows.items()
    }

    assert not {"t.a", "u.a"} & {f"{table}.{name}" for table, names in guarded.reads.items() for name in names}
    assert _steps(world.rows, guarded.statement) == _steps(changed, guarded.statement)


def _steps(rows: Mapping[str, list[Row]], statement: str) -> tuple[int, list[Row]]:
    """Return how many instructions SQLite runs for a statement, whatever the machine, and what comes of it."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    with closing(_filled(rows)) as database:
        database.set_progress_handler(count, 1)
        found = database.execute(statement).fetchall()
    return taken, found
