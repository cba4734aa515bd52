"""What stands behind FROM: tables and queries with the columns that they have to offer."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sqlglot import exp


@dataclass
class Relation:
    """One table, or one query that stands as a table. `used` grows while the statement is walked."""

    alias: str
    columns: tuple[str, ...]
    table: str = ""  # of the catalogue; none for a query
    used: set[str] = field(default_factory=set)

    def column(self, name: str) -> str | None:
        """Return a column as it is spelt here: databases do not tell upper case from lower."""
        return name if name in self.columns else _folded(self.columns).get(name.lower())


@dataclass
class NameScope:
    """What one SELECT sees: what stands behind its FROM, and what it calls its own columns."""

    sources: list[Relation] = field(default_factory=list)
    named: set[str] = field(default_factory=set)

    def source(self, alias: str) -> Relation | None:
        """Return what stands behind FROM under an alias."""
        return next((source for source in self.sources if source.alias.lower() == alias.lower()), None)

    def having(self, column: str) -> Iterator[tuple[Relation, str]]:
        """Iterate over the sources that have a column, with its spelling there."""
        for source in self.sources:
            spelt = source.column(column)
            if spelt is not None:
                yield source, spelt


def outputs(query: exp.Select, scope: NameScope) -> tuple[str, ...]:
    """Return the names of a query's columns, as far as one can refer to them."""
    return tuple(name for projection in query.expressions for name in _names(projection, scope))


def renamed(columns: tuple[str, ...], alias: exp.Expr | None) -> tuple[str, ...]:
    """Return columns under the names that an alias gives to the first of them."""
    given: Iterable[exp.Expr] = alias.args.get("columns") or () if alias is not None else ()
    first = tuple(name.name for name in given)
    return (*first, *columns[len(first) :])


def _names(projection: exp.Expr, scope: NameScope) -> Iterator[str]:
    if isinstance(projection, exp.Alias):
        yield projection.alias
    elif projection.is_star and isinstance(projection, (exp.Star, exp.Column)):
        of = projection.args.get("table")
        for source in scope.sources:
            if of is None or source.alias.lower() == of.name.lower():
                yield from source.columns
    elif isinstance(projection, exp.Column):
        yield projection.name
    elif isinstance(projection, exp.Cast):
        yield from _names(projection.this, scope)
    elif isinstance(projection, exp.Func):
        yield projection.name.lower() if isinstance(projection, exp.Anonymous) else projection.sql_name().lower()


def _folded(columns: tuple[str, ...]) -> Mapping[str, str]:
    return {name.lower(): name for name in columns}
