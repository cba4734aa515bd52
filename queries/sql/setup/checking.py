"""Compares a catalogue with the database that it is about."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from queries.sql.catalog.catalog import Catalog, CatalogTable
from queries.sql.datasource import Dialect, LiveTable
from queries.sql.setup.reading import told
from queries.sql.setup.types import catalog_type, fits
from storage.files.text import Way, YamlText, read_text


def differences(
    catalog: Catalog, live: tuple[LiveTable, ...], *, path: Path | None = None, dialect: Dialect | None = None
) -> tuple[str, ...]:
    """Return what the catalogue says and the database does not have; with `path`, each with file and line.

    Tables and columns that the catalogue does not name are no difference: they are left out on purpose.
    """
    with told():
        text = read_text(path) if path is not None else None
    tables = {table.name.lower(): table for table in live}
    return tuple(
        _placed(text, way, problem)
        for name, table in catalog.tables.items()
        for way, problem in _of_table(name, table, tables.get(name.lower()), known=tables, dialect=dialect)
    )


def _of_table(
    name: str, table: CatalogTable, live: LiveTable | None, *, known: Iterable[str], dialect: Dialect | None
) -> Iterator[tuple[Way, str]]:
    if live is None:
        yield ("tables", name), f"the database has no table {name}, or its role may not read it. {_near(name, known)}"
        return
    columns = {column.name.lower(): column for column in live.columns}
    for column_name, column in table.columns.items():
        found = columns.get(column_name.lower())
        way = ("tables", name, "columns", column_name)
        if found is None:
            yield way, f"table {name} has no column {column_name}. {_near(column_name, columns)}"
        elif not fits(column.type, found.type, dialect):
            said = f"{name}.{column_name} is {found.type} in the database and {column.type} here."
            yield (*way, "type"), f"{said} Write `type: {catalog_type(found.type)}`."


def _near(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name.lower(), list(known), n=1)
    return f"Do you mean {near[0]}?" if near else "Remove it."


def _placed(text: YamlText | None, way: Way, problem: str) -> str:
    return f"{text.path}:{text.line(way)}: {problem}" if text is not None else problem
