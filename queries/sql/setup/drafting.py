"""Writes a first catalogue from what a database says of itself, for somebody to complete.

It is closed: nobody but administrators reads anything until somebody decides who may, and what looks like a secret or
like something personal is masked.
"""

import json
import re
from collections.abc import Iterator, Sequence

from queries.sql.catalog.catalog import NAME
from queries.sql.catalog.private import looks_private
from queries.sql.datasource import LiveColumn, LiveTable
from queries.sql.setup.types import catalog_type

_HEAD = """\
# A first catalogue, drafted from the database. Complete it, table by table, and check it:
#
# - rows: who reads which rows. Until you decide, administrators only. Everybody of the company: replace it by
#   `public: true`. Some rows: `- {to: [staff], where: "region IN (:units)"}`.
# - called: what people say, in English and Chinese: the name first, then other words for it.
# - masked: reads as empty, but to those in `shown_to: [group:hr]`. Masked already: what looks secret or personal.
# - metrics: the numbers that the company has agreed on. Remove those that mean nothing.
# - Remove tables and columns that nobody is to ask for: what is not here does not exist for anybody.
"""
#: Columns that rows are known by, best first; what is worth adding up; what only looks like a number.
_LABELS = ("name", "title", "label", "number", "code", "subject")
_MEASURES = re.compile(
    r"amount|total|revenue|quantity|qty|cost|hours|minutes|volume|sales|budget|points|weight|fees?(?:_|$)|distance|days|"
    r"units|pieces",
    re.IGNORECASE,
)
_MOST_SUMS, _MOST_DIMENSIONS = 3, 14
#: Steps over references within which a number is split by what others are: the fuel of the truck that broke down.
_STEPS = 2
#: What the last word of a column's name says that it is measured in.
_UNITS = {
    "kg": "kg", "g": "g", "t": "t", "km": "km", "m2": "m²", "m3": "m³", "l": "l", "kwh": "kWh", "eur": "EUR",
    "usd": "USD", "gbp": "GBP", "cny": "CNY", "rmb": "CNY", "chf": "CHF", "pct": "%", "percent": "%", "hours": "h",
    "minutes": "min", "min": "min",
}  # fmt: skip
#: Tables of people: their names are nobody's business before somebody decides it.
_PEOPLE = re.compile(
    r"people|person|employee|staff|user|member|worker|customer|client|patient|guest|student|driver|contact|owner|tenant|"
    r"passenger|teacher|account",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*+(?: [A-Za-z0-9_]++)*+")
_WORDS_OF_YAML = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


def draft(live: tuple[LiveTable, ...]) -> str:
    """Return the text of a catalogue."""
    tables = tuple(table for table in map(_usable, live) if table.columns)
    names = {table.name: table for table in tables}
    known_by = {target for table in tables for target in _references(table, names).values()}
    known_by = {target.rpartition(".")[0] for target in known_by}
    lines = [_HEAD, "tables:"]
    for table in live:
        if table.name in names:
            lines += _table(names[table.name], of=table, referred=table.name in known_by)
        else:
            lines += ["", f"  # Left out: {_comment(table.name)}, whose name or columns need quotes."]
    joins = [
        f"  - {{many: {table.name}.{column}, one: {target}}}"
        for table in tables
        for column, target in _references(table, names).items()
    ]
    lines += ["", "joins:", *joins] if joins else []
    metrics = {name: below for table in tables for name, below in _metrics(table, names)}
    lines += ["", "metrics:"]
    for name, below in metrics.items():
        lines += [f"  {_text(name)}:", *(f"    {line}" for line in below)]
    return "\n".join(lines) + "\n"


def _usable(table: LiveTable) -> LiveTable:
    """Return a table with the columns that a catalogue can name; with none when it cannot be named itself."""
    columns = tuple(column for column in table.columns if _nameable(column.name)) if _nameable(table.name) else ()
    return LiveTable(table.name, columns, table.key, table.references, table.rows, table.comment)


def _nameable(name: str) -> bool:
    return re.fullmatch(NAME, name) is not None and len(name) <= 63


def _table(table: LiveTable, *, of: LiveTable, referred: bool) -> Iterator[str]:
    about = f"  # about {table.rows} rows" if table.rows is not None else ""
    yield ""
    yield f"  {_text(table.name)}:{about}"
    yield f"    called: {{en: [{_text(_said(table.name))}], zh: []}}"
    yield f"    meaning: {{en: {_text(_comment(table.comment))}, zh: ''}}"
    yield "    rows:"
    yield "      - to: [role:admin]  # decide who may read it"
    label = _label(table)
    yield f"    label: {_text(label)}" if label else "    # label: the column that people know a row by"
    yield "    columns:"
    for column in table.columns:
        named = referred and column.name == label and not _is_of_people(table)
        yield from _column(column, table, column.samples or (column.names if named else ()))
    for column in of.columns:
        if column not in table.columns:
            yield f"      # Left out: {_comment(column.name)}, whose name needs quotes."


def _is_of_people(table: LiveTable) -> bool:
    return bool(_PEOPLE.search(table.name)) or any(looks_private(column.name) for column in table.columns)


def _column(column: LiveColumn, table: LiveTable, values: Sequence[str]) -> Iterator[str]:
    notes = [_comment(column.type)] if column.type else []
    notes += ["key"] if column.name in table.key else []
    notes += [f"of {_comment(table.references[column.name])}"] if column.name in table.references else []
    yield f"      {_text(column.name)}:  # {', '.join(notes)}"
    yield f"        type: {catalog_type(column.type)}"
    said = _said(column.name)
    unit = _unit(column)
    names = [said.rpartition(" ")[0], said] if unit and " " in said else [said]
    if names != [column.name]:
        yield f"        called: {{en: [{', '.join(map(_text, names))}], zh: []}}"
    if unit:
        yield f"        unit: {_text(unit)}"
    if column.comment:
        yield f"        meaning: {{en: {_text(_comment(column.comment))}, zh: ''}}"
    if looks_private(column.name):
        yield "        masked: true  # it looks secret or personal"
    elif values:
        yield "        values:"
        yield from (f"          {_text(value)}: {{en: [{_text(_said(value))}], zh: []}}" for value in values)


def _unit(column: LiveColumn) -> str:
    """Return what a number is measured in, as far as its name says so."""
    return _UNITS.get(column.name.lower().rpartition("_")[2], "") if catalog_type(column.type) == "number" else ""


def _metrics(table: LiveTable, tables: dict[str, LiveTable]) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each metric, and the lines below it."""
    open_columns = [column for column in table.columns if not looks_private(column.name)]
    times = [column.name for column in open_columns if catalog_type(column.type) in {"date", "time"}]
    dimensions = [*_kinds(table), *_of_others(table, tables)][:_MOST_DIMENSIONS]
    measures = [
        column.name
        for column in open_columns
        if catalog_type(column.type) == "number"
        and _MEASURES.search(column.name)
        and column.name not in table.key
        and column.name not in table.references
    ]
    said = _said(table.name)
    units = {column.name: _unit(column) for column in table.columns}
    wanted = [(f"{table.name}_count", f"number of {said}", "count(*)", "")]
    wanted += [
        (f"{table.name}_{name}", f"{_said(name)} of {said}", f"sum({name})", units[name])
        for name in measures[:_MOST_SUMS]
    ]
    for name, called, expression, unit in wanted:
        below = [
            f"called: {{en: [{_text(called)}], zh: []}}",
            f"table: {_text(table.name)}",
            f"expression: {json.dumps(expression)}",
        ]
        below += [f"unit: {_text(unit)}"] if unit else []
        below += [f"time: {_text(times[0])}"] if times else []
        below += [f"dimensions: [{', '.join(map(_text, dimensions))}]"] if dimensions else []
        yield name[:63], below


def _kinds(table: LiveTable) -> list[str]:
    """Return the columns that say of what kind a row is."""
    columns = (column for column in table.columns if not looks_private(column.name))
    return [column.name for column in columns if column.samples or catalog_type(column.type) == "flag"]


def _of_others(table: LiveTable, tables: dict[str, LiveTable]) -> list[str]:
    """Return the labels and kinds of the tables that this one refers to, which people split its numbers by."""
    found: dict[str, None] = {}
    seen, reached = {table.name}, [table]
    for _ in range(_STEPS):
        targets = sorted({name for each in reached for name in _references(each, tables).values()})
        reached = [tables[name] for name in dict.fromkeys(each.rpartition(".")[0] for each in targets)]
        reached = [each for each in reached if each.name not in seen]
        seen |= {each.name for each in reached}
        for other in reached:
            told = [label] if (label := _label(other)) else []
            found |= dict.fromkeys(f"{other.name}.{column}" for column in (*told, *_kinds(other)))
    return list(found)


def _references(table: LiveTable, tables: dict[str, LiveTable]) -> dict[str, str]:
    """Return the foreign keys between tables and columns that the catalogue names."""
    named = {f"{other.name}.{column.name}" for other in tables.values() for column in other.columns}
    return {
        column: target
        for column, target in table.references.items()
        if f"{table.name}.{column}" in named and target in named
    }


def _label(table: LiveTable) -> str:
    """Return the column that people probably know a row by, "" for none."""
    open_columns = [column.name for column in table.columns if not looks_private(column.name)]
    exact = [name for word in _LABELS for name in open_columns if name.lower() == word]
    ending = [name for word in _LABELS for name in open_columns if name.lower().endswith(f"_{word}")]
    return next(iter([*exact, *ending]), "")


def _said(name: str) -> str:
    return name.replace("_", " ").strip() or name


def _text(value: str) -> str:
    """Return a value as YAML reads it as text."""
    if _PLAIN.fullmatch(value) and value.lower() not in _WORDS_OF_YAML:
        return value
    return json.dumps(value, ensure_ascii=not value.isprintable())


def _comment(value: str) -> str:
    return " ".join("".join(character if character.isprintable() else " " for character in value).split())[:300]
