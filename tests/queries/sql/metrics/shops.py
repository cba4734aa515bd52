"""A small shop with empty cells, the same rows in SQLite and in PostgreSQL, and its catalogue."""

import sqlite3
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

import psycopg

from queries.sql.catalog.catalog import Catalog
from queries.sql.datasource import Dialect

Row = tuple[object, ...]

CATALOG = Catalog.model_validate(
    {
        "tables": {
            "towns": {
                "public": True,
                "label": "name",
                "columns": {"id": {"type": "number"}, "name": {"type": "text"}, "land": {"type": "text"}},
            },
            "sales": {
                "public": True,
                "label": "id",
                "columns": {
                    "id": {"type": "number"},
                    "town_id": {"type": "number"},
                    "sold_on": {"type": "date"},
                    "at": {"type": "time"},
                    "kind": {"type": "text"},
                    "gift": {"type": "flag"},
                    "amount": {"type": "number", "unit": "EUR"},
                },
            },
        },
        "joins": [{"many": "sales.town_id", "one": "towns.id"}],
        "metrics": {
            "sales": {
                "called": {"en": ["sales"]}, "table": "sales", "expression": "COUNT(*)", "time": "sold_on",
                "dimensions": ["kind", "gift", "towns.name", "towns.land"],
            },
            "takings": {
                "called": {"en": ["takings"]}, "table": "sales", "expression": "SUM(amount)", "where": "kind <> 'void'",
                "unit": "EUR", "time": "sold_on", "dimensions": ["kind", "gift", "towns.name", "towns.land"],
            },
            "mean": {
                "called": {"en": ["mean"]}, "table": "sales", "expression": "AVG(amount)", "time": "at",
                "dimensions": ["kind", "towns.name"],
            },
            "buyers": {
                "called": {"en": ["towns that bought"]}, "table": "sales", "expression": "COUNT(DISTINCT town_id)",
                "time": "sold_on", "dimensions": ["kind"],
            },
        },
    }
)  # fmt: skip
TOWNS = [(1, "Delft", "NL"), (2, "Emden", "DE"), (3, "O'Hara", None)]
KINDS = ("book", "pen", "void", None)


def sales() -> list[Row]:
    """Return 240 sales over 14 months: days, kinds, towns and amounts in all combinations, some of them empty."""
    rows: list[Row] = []
    for number in range(240):
        day = date(2025, 1, 1).toordinal() + (number * 53) % 425
        town = (1, 2, 3, None)[number * 7 % 4]
        amount = None if number % 23 == 0 else (number * 37 % 400) / 4
        rows.append((number, town, date.fromordinal(day), KINDS[number // 3 % 4], number % 5 == 0, amount))
    return rows


def open_sqlite() -> sqlite3.Connection:
    """Return the shop in SQLite: days and times are text there, flags are numbers."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE towns (id INTEGER, name TEXT, land TEXT)")
    database.execute(
        "CREATE TABLE sales (id INTEGER, town_id INTEGER, sold_on TEXT, at TEXT, kind TEXT, gift INTEGER, amount REAL)"
    )
    database.executemany("INSERT INTO towns VALUES (?, ?, ?)", TOWNS)
    for number, town, day, kind, gift, amount in sales():
        values = (number, town, str(day), f"{day} 23:30:00", kind, int(bool(gift)), amount)
        database.execute("INSERT INTO sales VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    return database


def open_postgres(url: str) -> psycopg.Connection:
    """Return the shop in PostgreSQL."""
    database = psycopg.connect(url, autocommit=True)
    database.execute("CREATE TABLE towns (id int, name text, land text)")
    database.execute(
        "CREATE TABLE sales (id int, town_id int, sold_on date, at timestamp, kind text, gift bool, amount float8)"
    )
    for town in TOWNS:
        database.execute("INSERT INTO towns VALUES (%s, %s, %s)", town)
    for number, town_id, day, kind, gift, amount in sales():
        values = (number, town_id, day, f"{day} 23:30:00", kind, gift, amount)
        database.execute("INSERT INTO sales VALUES (%s, %s, %s, %s, %s, %s, %s)", values)
    return database


def plain(row: Sequence[object]) -> Row:
    """Return a row as both databases mean it: days as text, numbers to a hundredth, flags as numbers."""
    return tuple(_plain(cell) for cell in row)


def _plain(cell: object) -> object:
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ")
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, int | float | Decimal):
        return round(float(cell), 2)
    return cell


DIALECTS: tuple[Dialect, ...] = ("sqlite", "postgres")
