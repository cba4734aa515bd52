"""A small shop: the tables that the guard's tests ask, the same ones in SQLite and in PostgreSQL.

Whatever nobody may see carries a word that `SECRET` finds: rows of other regions, masked cells, columns and tables that
are not in the catalogue.
"""

import random
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path

import psycopg

from identity.actor import Actor
from queries.sql.catalog.catalog import Catalog
from queries.sql.datasource import Dialect

HERE = Path(__file__).parent
Cell = str | int | float | bool | None
Row = tuple[Cell, ...]
#: What stands in what the asker may not see.
SECRET = re.compile(r"hush|vaulted|Hidden|hashed|audit|paid-to|77000\d\d")
ASKER = Actor("ada", "Ada", email="ada@example.com", units=frozenset({"north", "west"}))

#: Columns of each table with their types, as PostgreSQL calls them; SQLite takes any.
TABLES: Mapping[str, str] = {
    "departments": "id int PRIMARY KEY, name text, city text",
    "people": "id int PRIMARY KEY, name text, email text, department_id int, salary numeric, hired date,"
    " manager_id int, active boolean, password text",
    "products": "id int PRIMARY KEY, name text, category text, price double precision",
    "orders": "id int PRIMARY KEY, placed date, customer text, person_id int, region text, status text,"
    " discount int, note text",
    "lines": "order_id int, product_id int, quantity int, price double precision",
    "events": "id int PRIMARY KEY, at timestamp, kind text, person_id int, seconds double precision, payload jsonb",
    "payroll": "id int PRIMARY KEY, word text",
    "vault": "id int PRIMARY KEY, word text",
}

_COLUMNS = {
    "departments": {"id": "number", "name": "text", "city": "text"},
    "people": {
        "id": "number",
        "name": "text",
        "email": "text",
        "department_id": "number",
        "salary": "number",
        "hired": "date",
        "manager_id": "number",
        "active": "flag",
    },
    "products": {"id": "number", "name": "text", "category": "text", "price": "number"},
    "orders": {
        "id": "number",
        "placed": "date",
        "customer": "text",
        "person_id": "number",
        "region": "text",
        "status": "text",
        "discount": "number",
        "note": "text",
    },
    "lines": {"order_id": "number", "product_id": "number", "quantity": "number", "price": "number"},
    "events": {
        "id": "number",
        "at": "time",
        "kind": "text",
        "person_id": "number",
        "seconds": "number",
        "payload": "text",
    },
    "payroll": {"id": "number", "word": "text"},
}
MASKED = {("people", "salary"), ("orders", "note")}
_RULES = {"orders": "region IN (:units)", "events": "kind <> 'audit' OR :person = 'nobody'"}


def catalog() -> Catalog:
    """Return the catalogue: two tables with row rules, two masked columns, one table of somebody else."""
    tables: dict[str, object] = {}
    for table, columns in _COLUMNS.items():
        cells = {name: {"type": kind, "masked": (table, name) in MASKED} for name, kind in columns.items()}
        reach: dict[str, object] = {"public": True}
        if table in _RULES:
            reach = {"rows": [{"where": _RULES[table]}]}
        if table == "payroll":
            reach = {"rows": [{"to": ["group:hr"]}]}
        tables[table] = {"columns": cells, **reach}
    return Catalog.model_validate({"tables": tables})


@cache
def rows() -> Mapping[str, Sequence[Row]]:
    """Return every row of every table, the same ones each time."""
    made = random.Random(15)
    start = date(2025, 1, 1)
    names = ("Anna", "Ben", "Chen", "Dora", "Emil", "Fang", "Gero", "Hana", "Ivan", "Jana")
    regions = ("north", "west", "south", "east")

    def day() -> str:
        return (start + timedelta(days=made.randrange(700))).isoformat()

    def moment() -> str:
        at = datetime(2025, 1, 1) + timedelta(minutes=made.randrange(700_000))  # noqa: DTZ001 - the column has no zone
        return at.isoformat(" ")

    departments = [(n, f"Department {n}", ("Berlin", "Wien", "上海")[n % 3]) for n in range(1, 9)]
    people = [
        (
            n,
            f"{names[n % 10]} {n}",
            f"p{n}@{('example.com', 'example.org')[n % 2]}",
            made.choice((1, 2, 3, 4, 5, 6, None)),
            7_700_000 + n,
            day(),
            made.choice((None, 1, 2, 3)),
            n % 4 != 0,
            f"hashed{n}",
        )
        for n in range(1, 61)
    ]
    products = [
        (n, f"{names[n % 10]}-{n}", ("tools", "paper", "cables", "chairs")[n % 4], round(made.uniform(2, 99), 2))
        for n in range(1, 31)
    ]
    orders: list[Row] = []
    for n in range(1, 601):
        region = made.choice(regions)
        mine = region in ASKER.units
        customer = made.choice(("Meier", "O'Brien", "Müller", "Obi'n", "张伟")) if mine else f"Hidden {n}"
        status = made.choice(("open", "paid", "cancelled"))
        discount = made.choice((None, 5, 10))
        orders.append((n, day(), customer, made.randrange(1, 61), region, status, discount, f"hush {n}"))
    lines = [
        (made.randrange(1, 601), made.randrange(1, 31), made.randrange(1, 10), round(made.uniform(2, 99), 2))
        for _ in range(1_500)
    ]
    events: list[Row] = [
        (
            n,
            moment(),
            made.choice(("login", "search", "audit")),
            made.choice((None, *range(1, 61))),
            round(made.uniform(0, 9), 3),
            f'{{"browser": "{made.choice(("fox", "chrome"))}", "size": {made.randrange(900)}}}',
        )
        for n in range(1, 301)
    ]
    secret: Callable[[str], Sequence[Row]] = lambda word: [(n, f"{word} {n}") for n in range(1, 6)]  # noqa: E731
    return {
        "departments": departments,
        "people": people,
        "products": products,
        "orders": orders,
        "lines": lines,
        "events": events,
        "payroll": secret("paid-to"),
        "vault": secret("vaulted"),
    }


def permitted() -> Mapping[str, Sequence[Row]]:
    """Return what the asker may see: their regions, no audit, masked cells empty; said here without any SQL."""
    every = rows()
    return {
        **every,
        "people": [(*row[:4], None, *row[5:]) for row in every["people"]],
        "orders": [(*row[:7], None) for row in every["orders"] if row[4] in ASKER.units],
        "events": [row for row in every["events"] if row[2] != "audit"],
        "payroll": [],
        "vault": [],
    }


def fill_sqlite(path: Path, data: Mapping[str, Sequence[Row]]) -> None:
    """Make the shop in an SQLite file."""
    with sqlite3.connect(path) as made:
        for table, columns in TABLES.items():
            made.execute(f"CREATE TABLE {table} ({columns})")
            marks = ", ".join("?" * (columns.count(",") + 1))
            made.executemany(f"INSERT INTO {table} VALUES ({marks})", data[table])
    made.close()


def fill_postgres(url: str, data: Mapping[str, Sequence[Row]]) -> None:
    """Make the shop in an empty PostgreSQL database, with functions and a sequence that somebody could misuse."""
    with psycopg.connect(url, autocommit=True) as made:
        for table, columns in TABLES.items():
            made.execute(f"CREATE TABLE {table} ({columns})".encode())
            with made.cursor().copy(f"COPY {table} FROM STDIN".encode()) as lines:
                for row in data[table]:
                    lines.write_row(row)
        made.execute("CREATE SEQUENCE numbers")
        erase = "LANGUAGE sql AS 'DELETE FROM lines; SELECT 1'"
        made.execute(f"CREATE FUNCTION erase_orders() RETURNS int {erase}".encode())
        made.execute(f"CREATE FUNCTION erase_order(o orders) RETURNS int {erase}".encode())
        made.execute("ANALYZE")


@dataclass(frozen=True)
class Statement:
    """One statement of a file, for one dialect."""

    dialect: Dialect
    kind: str  # its class, for attacks
    text: str


def statements(name: str) -> tuple[Statement, ...]:
    """Return the statements of a file: `[class] dialect statement` a line, `<LF>` and `<U+00A0>` for characters."""
    return tuple(_read((HERE / name).read_text("utf-8").splitlines(), classes=name.startswith("attacks")))


def _read(lines: Sequence[str], *, classes: bool) -> Iterator[Statement]:
    dialects: dict[str, tuple[Dialect, ...]] = {
        "both": ("postgres", "sqlite"),
        "postgres": ("postgres",),
        "sqlite": ("sqlite",),
    }
    for line in lines:
        kind, rest = line.split(" ", 1) if classes else ("", line)
        dialect, _, text = rest.partition(" ")
        text = text.replace("<LF>", "\n")
        text = re.sub(r"<U\+([0-9A-F]{4})>", lambda found: chr(int(found[1], 16)), text)
        for each in dialects[dialect]:
            yield Statement(each, kind, text)
