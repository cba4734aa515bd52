"""Row rules: conditions of the catalogue's author over a table and the asker, and how the asker gets into them.

`:person` (id) and `:email` are texts; `:units`, `:groups` and `:roles` are lists and stand alone behind IN. What the
asker does not have (no unit, no e-mail) is NULL, so that a condition about it is never true, not under NOT either.
"""

from collections.abc import Mapping
from functools import lru_cache

from sqlglot import exp

from identity.actor import Actor
from queries.sql.catalog.catalog import CatalogTable
from queries.sql.datasource import Dialect
from queries.sql.errors import Refusal, StatementRefused
from queries.sql.guard.constructs import refuse_constructs
from queries.sql.guard.reading import parsed_condition

TEXTS, LISTS = frozenset({"person", "email"}), frozenset({"units", "groups", "roles"})
#: What no rule may hold: it is about one row of its own table.
_BEYOND_A_ROW = (exp.Query, exp.Window, exp.AggFunc, exp.Table)


def check_rule(where: str, table: CatalogTable, dialect: Dialect) -> str | None:
    """Return what is wrong with a row rule of a table, or None: it parses, and names only the table's own columns."""
    try:
        tree = _tree(where, dialect)
    except StatementRefused as refused:
        return str(refused)
    columns = {name.lower() for name in table.columns}
    for column in tree.find_all(exp.Column):
        if column.table or not isinstance(column.this, exp.Identifier) or column.name.lower() not in columns:
            return f"{column.sql(dialect)} is none of its columns"
    for asker in tree.find_all(exp.Placeholder):
        if not isinstance(asker.this, str) or asker.this not in TEXTS | LISTS:
            return f"{asker.sql('sqlite')} is not known; there are :person, :email, :units, :groups and :roles"
        if asker.this in LISTS and not (isinstance(asker.parent, exp.In) and asker.arg_key == "expressions"):
            return f":{asker.this} is a list: write `column IN (:{asker.this})`"
    return None


def condition(where: str, actor: Actor, *, dialect: Dialect, columns: Mapping[str, str], table: str) -> exp.Expr | None:
    """Return a rule as a condition for one actor, each column with its table before it; None for every row.

    `columns` holds the database's name of a column by its name in lower case. Raises StatementRefused for a rule that
    cannot be read, so that nobody reads a row by a broken rule.
    """
    tree = _tree(where, dialect).copy()
    if isinstance(tree, exp.Boolean) and tree.this:
        return None
    holder = exp.Paren(this=tree)
    for node in list(holder.find_all(exp.Column)):
        name = columns.get(node.name.lower(), node.name)
        node.replace(exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(table, quoted=True)))
    for asker in list(holder.find_all(exp.Placeholder)):
        known = _known(actor, str(asker.this))
        literals: list[exp.Expr] = [exp.Literal.string(value) for value in known] or [exp.Null()]
        inside = asker.parent
        if isinstance(inside, exp.In) and asker.arg_key == "expressions":
            others = [other for other in inside.expressions if other is not asker]
            inside.set("expressions", [*others, *literals])
        else:
            asker.replace(literals[0] if asker.this in TEXTS else exp.Null())
    return holder


@lru_cache(maxsize=512)
def columns_of(where: str, dialect: Dialect) -> frozenset[str]:
    """Return the columns that a rule reads, in lower case."""
    return frozenset(column.name.lower() for column in _tree(where, dialect).find_all(exp.Column))


def _known(actor: Actor, name: str) -> list[str]:
    values = {
        "person": {actor.id},
        "email": {actor.email} if actor.email else set(),
        "units": actor.units,
        "groups": actor.groups,
        "roles": actor.roles,
    }.get(name, set())
    return sorted(value for value in values if "\0" not in value)


@lru_cache(maxsize=512)
def _tree(where: str, dialect: Dialect) -> exp.Expr:
    tree = parsed_condition(where, dialect)
    # Its author may name the asker; everything else is as narrow as for a statement.
    plain = exp.Paren(this=tree.copy())
    for node in list(plain.find_all(exp.Placeholder)):
        node.replace(exp.Null())
    refuse_constructs(plain, dialect)
    beyond = plain.find(*_BEYOND_A_ROW)
    if beyond is not None:
        raise StatementRefused(Refusal.CONSTRUCT, beyond.key.upper())
    return tree
