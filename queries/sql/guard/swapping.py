"""Settle what each name of a statement means, and put a query of what the asker may read in the place of each table.

Which names are tables of the database and which are the statement's own (WITH) is told by where they stand. Queries of
WITH get new names, so that none can hide a table or be taken for one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from sqlglot import exp

from identity.actor import Actor
from queries.sql.catalog.catalog import Catalog, ColumnType
from queries.sql.datasource import Dialect
from queries.sql.errors import Refusal, StatementRefused
from queries.sql.guard import rules
from queries.sql.guard.constructs import may_fail
from queries.sql.guard.functions import TAKING_APART, name_of, takes_apart
from queries.sql.guard.relations import NameScope, Relation, outputs, renamed
from queries.sql.guard.series import is_short
from queries.sql.reach import ReadableTable, reach_of

#: How a masked cell is typed, so that expressions over it stand: the widest type that others turn into by themselves.
_EMPTY: Mapping[ColumnType, exp.DType] = {
    "text": exp.DType.TEXT,
    "number": exp.DType.DECIMAL,
    "date": exp.DType.DATE,
    "time": exp.DType.TIMESTAMP,
    "flag": exp.DType.BOOLEAN,
}
#: The one schema that a statement may name before a table: the usual one, which the datasource sets anyway.
_SCHEMAS: Mapping[Dialect, str] = {"postgres": "public", "sqlite": "main"}


@dataclass(frozen=True)
class _Sight:
    """What is known at a place of the statement: queries of WITH by name, and the scopes around, the nearest first."""

    queries: Mapping[str, Relation] = field(default_factory=dict)
    scopes: tuple[NameScope, ...] = ()


@dataclass
class Swap:
    """One statement's walk. Afterwards `reads` tells what it touches of which table, `masked` what is empty there."""

    catalog: Catalog
    actor: Actor
    dialect: Dialect
    reads: dict[str, frozenset[str]] = field(default_factory=dict)
    masked: set[str] = field(default_factory=set)  # columns as `table.column`
    _queries: int = 0
    _found: list[tuple[exp.Table, Relation]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._reach = reach_of(self.catalog, self.actor)

    def swap(self, query: exp.Query) -> None:
        """Change a query in place."""
        fenced = may_fail(query)
        self._query(query, _Sight())
        for node, source in self._found:
            readable = self._reach[source.table]
            columns = [name for name in readable.columns if name in source.used]
            self.masked |= {f"{source.table}.{name}" for name in columns if name in readable.masked}
            permitted = self._permitted(source.table, columns, fenced=fenced)
            node.replace(exp.Subquery(this=permitted, alias=node.args["alias"], joins=node.args.get("joins")))

    # queries

    def _query(self, query: exp.Expr, sight: _Sight) -> tuple[str, ...]:
        sight = self._with(query, sight)
        if isinstance(query, exp.Select):
            return self._select(query, sight)
        if isinstance(query, exp.Subquery):
            columns = self._query(query.this, sight)
            self._ordered(query, columns, sight)
            return columns
        if isinstance(query, exp.SetOperation):
            columns = self._query(query.this, sight)
            others = self._query(query.expression, sight)
            self._ordered(query, (*columns, *others), sight)
            return columns
        raise StatementRefused(Refusal.NOT_A_QUERY, query.key.upper())

    def _with(self, query: exp.Expr, sight: _Sight) -> _Sight:
        clause = query.args.get("with_")
        for named in clause.expressions if clause is not None else ():
            columns = renamed(self._query(named.this, sight), named.args.get("alias"))
            known = Relation(alias=self._new_name(), columns=columns)
            sight = replace(sight, queries={**sight.queries, named.alias.lower(): known})
            named.args["alias"].set("this", _quoted(known.alias))
        return sight

    def _new_name(self) -> str:
        self._queries += 1
        while f"with_{self._queries}" in self.catalog.folded:
            self._queries += 1
        return f"with_{self._queries}"

    def _ordered(self, query: exp.Expr, columns: tuple[str, ...], sight: _Sight) -> None:
        """Settle the names of what follows a whole query: ORDER BY knows its columns."""
        scope = NameScope([Relation("", columns)])
        for part in ("order", "limit", "offset"):
            if query.args.get(part) is not None:
                self._expression(query.args[part], replace(sight, scopes=(scope, *sight.scopes)))

    def _select(self, query: exp.Select, sight: _Sight) -> tuple[str, ...]:
        scope = NameScope(named={each.alias.lower() for each in query.expressions if isinstance(each, exp.Alias)})
        inside = replace(sight, scopes=(scope, *sight.scopes))
        start = query.args.get("from_")
        joins: Sequence[exp.Join] = query.args.get("joins") or ()
        if start is not None:
            self._from(start.this, scope, sight)
        for join in joins:
            self._from(join.this, scope, sight)
        for lateral in query.args.get("laterals") or ():
            self._from(lateral, scope, sight)
        self._conditions(joins, inside)
        if any(isinstance(projection, exp.Star) for projection in query.expressions):
            self._use_all(scope)
        for name, part in query.args.items():
            if name not in {"with_", "from_", "joins", "laterals"}:
                for node in part if isinstance(part, list) else [part]:
                    if isinstance(node, exp.Expr):
                        self._expression(node, inside)
        return outputs(query, scope)

    # what stands behind FROM

    def _from(self, node: exp.Expr, scope: NameScope, sight: _Sight) -> None:
        joins: Sequence[exp.Join] = node.args.get("joins") or ()
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Anonymous):
            scope.sources.append(self._taken_apart(node, scope, sight))
        elif isinstance(node, exp.Table):
            scope.sources.append(self._table(node, sight))
        elif isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
            if node.alias:
                raise StatementRefused(Refusal.CONSTRUCT, f"(…) AS {node.alias}")
            self._from(node.this, scope, sight)
        elif isinstance(node, exp.Subquery):
            columns = renamed(self._query(node, sight), node.args.get("alias"))
            scope.sources.append(Relation(node.alias, columns))
        elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            within = replace(sight, scopes=(scope, *sight.scopes))
            columns = renamed(self._query(node.this, within), node.args.get("alias"))
            scope.sources.append(Relation(node.alias, columns))
        elif isinstance(node, exp.Unnest) or (isinstance(node, exp.Lateral) and isinstance(node.this, exp.Func)):
            scope.sources.append(self._taken_apart(node, scope, sight))
        elif isinstance(node, exp.Values):
            scope.sources.append(self._values(node, sight))
        else:
            raise StatementRefused(Refusal.CONSTRUCT, node.key.upper())
        for join in joins:
            self._from(join.this, scope, sight)
        self._conditions(joins, replace(sight, scopes=(scope, *sight.scopes)))

    def _taken_apart(self, node: exp.Expr, scope: NameScope, sight: _Sight) -> Relation:
        """Settle a function that makes rows of one cell, of what stands before it."""
        call = node if isinstance(node, exp.Unnest) else node.this
        if not takes_apart(call, self.dialect) or node.args.get("db"):
            raise StatementRefused(Refusal.FUNCTION, name_of(call))
        for argument in call.expressions:
            self._expression(argument, replace(sight, scopes=(scope, *sight.scopes)))
        name = name_of(call)
        alias = node.alias or name
        columns = TAKING_APART[self.dialect][name]
        return Relation(alias, (*renamed(columns or (alias,), node.args.get("alias")), *((alias,) if columns else ())))

    def _values(self, node: exp.Values, sight: _Sight) -> Relation:
        for row in node.expressions:
            self._expression(row, sight)
        width = max((len(row.expressions) or 1 for row in node.expressions), default=0)
        return Relation(node.alias, renamed(tuple(f"column{n}" for n in range(1, width + 1)), node.args.get("alias")))

    def _conditions(self, joins: Sequence[exp.Join], sight: _Sight) -> None:
        for join in joins:
            if join.args.get("method"):  # NATURAL goes by all the columns that there are
                self._use_all(sight.scopes[0])
            if join.args.get("on") is not None:
                self._expression(join.args["on"], sight)
            for shared in join.args.get("using") or ():
                name = shared if isinstance(shared, exp.Identifier) else shared.this
                name.set("this", self._known(name.name, sight, shared.name))

    def _table(self, node: exp.Table, sight: _Sight) -> Relation:
        alias = node.args.get("alias")
        if is_short(node.this) and alias is not None and alias.name and not node.args.get("db"):
            return Relation(alias.name, renamed((alias.name,), alias))
        if not isinstance(node.this, exp.Identifier):
            raise StatementRefused(Refusal.FUNCTION, str(node.this.name or node.this.key).lower())
        schema, name = node.text("db"), node.name
        alias = alias or exp.TableAlias(this=_quoted(name))
        query = None if schema else sight.queries.get(name.lower())
        if query is not None:
            node.set("this", _quoted(query.alias))
            node.set("alias", alias)
            return Relation(alias.name, renamed(query.columns, alias))
        if schema and schema.lower() != _SCHEMAS[self.dialect]:
            raise StatementRefused(Refusal.NO_SUCH_TABLE, f"{schema}.{name}")
        table = self.catalog.folded.get(name.lower())
        if table is None:
            raise StatementRefused(Refusal.NO_SUCH_TABLE, name)
        readable = self._reach.get(table)
        if readable is None:
            raise StatementRefused(Refusal.TABLE_NOT_PERMITTED, table)
        source = Relation(alias.name, renamed(readable.columns, alias), table)
        if alias.args.get("columns"):  # by their order, so that none may be missing
            source.used.update(readable.columns)
        node.set("alias", alias)
        self._found.append((node, source))
        return source

    def _permitted(self, table: str, columns: Sequence[str], *, fenced: bool) -> exp.Query:
        """Return the query of the rows that the asker may read of a table, with some of its columns."""
        readable = self._reach[table]
        spelt = {name.lower(): name for name in self.catalog.tables[table].columns}
        found = [
            rules.condition(where, self.actor, dialect=self.dialect, columns=spelt, table=table)
            for where in readable.where
        ]
        conditions = [each for each in found if each is not None]
        cells = [self._cell(table, name, readable) for name in columns]
        query = exp.Select(expressions=cells or [exp.Null()], from_=exp.From(this=exp.Table(this=_quoted(table))))
        named = {name for where in readable.where for name in rules.columns_of(where, self.dialect)}
        if len(conditions) == len(found):  # no rule gives every row
            query.set(
                "where", exp.Where(this=reduce(lambda one, other: exp.Or(this=one, expression=other), conditions))
            )
        seen = {*columns} - readable.masked | {spelt.get(name, name) for name in named}
        self.reads[table] = self.reads.get(table, frozenset()) | seen
        return self._fenced(query) if fenced and query.args.get("where") is not None else query

    def _cell(self, table: str, name: str, readable: ReadableTable) -> exp.Expr:
        if name not in readable.masked:
            return exp.Alias(this=exp.Column(this=_quoted(name), table=_quoted(table)), alias=_quoted(name))
        kind = _EMPTY[self.catalog.tables[table].columns[name].type]
        empty = exp.Null() if self.dialect == "sqlite" else exp.Cast(this=exp.Null(), to=exp.DataType(this=kind))
        return exp.Alias(this=empty, alias=_quoted(name))

    def _fenced(self, query: exp.Select) -> exp.Query:
        """Keep the database from trying the statement's conditions on rows that the rules hide.

        It would be free to, and an error ("division by zero") that such a row makes would tell of the row. PostgreSQL's
        planner tries some on samples of the table, too, unless a set operation stands between.
        """
        nothing = exp.Offset(expression=exp.Literal.number(0))
        if self.dialect == "sqlite":
            query.set("limit", exp.Limit(expression=exp.Literal.number(-1)))
            query.set("offset", nothing)
            return query
        none = query.copy()
        none.set("where", exp.Where(this=exp.false()))
        return exp.Union(this=query, expression=none, distinct=False, offset=nothing)

    # expressions

    def _expression(self, node: exp.Expr, sight: _Sight) -> None:
        if isinstance(node, exp.Query):
            self._query(node, sight)
        elif isinstance(node, exp.Column):
            self._column(node, sight)
        elif isinstance(node, (exp.Table, exp.Values, exp.Lateral)):
            raise StatementRefused(Refusal.CONSTRUCT, node.key.upper())
        else:
            for child in list(_children(node)):
                self._expression(child, sight)

    def _column(self, node: exp.Column, sight: _Sight) -> None:
        if node.text("db") and node.text("db").lower() != _SCHEMAS[self.dialect]:
            raise StatementRefused(Refusal.NO_SUCH_TABLE, f"{node.text('db')}.{node.table}")
        node.set("db", None)
        if node.table:
            self._qualified(node, sight)
        elif not isinstance(node.this, exp.Star):
            self._bare(node, sight)

    def _qualified(self, node: exp.Column, sight: _Sight) -> None:
        source = next((found for scope in sight.scopes if (found := scope.source(node.table))), None)
        if source is None:
            raise StatementRefused(Refusal.NO_SUCH_TABLE, node.table)
        node.set("table", _quoted(source.alias))
        if isinstance(node.this, exp.Star):
            source.used.update(source.columns)
            return
        spelt = source.column(node.name)
        if spelt is None:
            raise self._no_column(source, node.name)
        node.set("this", _quoted(spelt))
        source.used.add(spelt)

    def _bare(self, node: exp.Column, sight: _Sight) -> None:
        if self.dialect == "sqlite" and node.this.quoted and not self._names(node.name, sight):
            node.replace(exp.Literal.string(node.name))  # as SQLite reads a double-quoted name of no column
            return
        node.set("this", _quoted(self._known(node.name, sight, node.name)))

    def _names(self, name: str, sight: _Sight) -> bool:
        return any(name.lower() in scope.named or any(scope.having(name)) for scope in sight.scopes)

    def _known(self, name: str, sight: _Sight, shown: str) -> str:
        """Return a column without a table before it as it is spelt, the nearest first."""
        for scope in sight.scopes:
            found = list(scope.having(name))
            for source, spelt in found:
                source.used.add(spelt)
            if found:
                return found[0][1]
            if name.lower() in scope.named:
                return name
        tables = [source for scope in sight.scopes for source in scope.sources if source.table]
        raise next((self._no_column(each, name) for each in tables if self._hidden(each, name)), None) or (
            StatementRefused(Refusal.NO_SUCH_COLUMN, shown)
        )

    def _no_column(self, source: Relation, name: str) -> StatementRefused:
        code = Refusal.COLUMN_NOT_PERMITTED if self._hidden(source, name) else Refusal.NO_SUCH_COLUMN
        return StatementRefused(code, f"{source.table or source.alias}.{name}")

    def _hidden(self, source: Relation, name: str) -> bool:
        known = self.catalog.tables[source.table].columns if source.table else ()
        return name.lower() in {each.lower() for each in known}

    @staticmethod
    def _use_all(scope: NameScope) -> None:
        for source in scope.sources:
            source.used.update(source.columns)


def _children(node: exp.Expr) -> Iterator[exp.Expr]:
    for part in node.args.values():
        for child in part if isinstance(part, list) else [part]:
            if isinstance(child, exp.Expr):
                yield child


def _quoted(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=True)
