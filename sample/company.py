"""The database of Marenvold: made from a seed, so that it is the same on every machine on the same day."""

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

import yaml

_SEED = 20090401
ORDERS = 198_000
_DAYS = 3 * 365
_TABLES = """
CREATE TABLE departments (id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL, site TEXT NOT NULL);
CREATE TABLE people (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, department_id INTEGER NOT NULL
    REFERENCES departments (id), job TEXT NOT NULL, site TEXT NOT NULL, hired_on TEXT NOT NULL, left_on TEXT,
    remote INTEGER NOT NULL, salary REAL NOT NULL
);
CREATE TABLE customers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, segment TEXT NOT NULL, since TEXT NOT NULL
);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, price REAL NOT NULL);
CREATE TABLE projects (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, customer_id INTEGER REFERENCES customers (id), department_id INTEGER
    NOT NULL REFERENCES departments (id), unit TEXT NOT NULL, status TEXT NOT NULL, confidential INTEGER NOT NULL,
    started_on TEXT NOT NULL, due_on TEXT NOT NULL, budget REAL NOT NULL
);
CREATE TABLE environments (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, product_id INTEGER NOT NULL REFERENCES products (id), stage TEXT NOT
    NULL, status TEXT NOT NULL, location TEXT NOT NULL, created_on TEXT NOT NULL
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, ordered_on TEXT NOT NULL, customer_id INTEGER NOT NULL REFERENCES customers (id), product_id
    INTEGER NOT NULL REFERENCES products (id), region TEXT NOT NULL, channel TEXT NOT NULL, status TEXT NOT NULL,
    quantity INTEGER NOT NULL, amount REAL NOT NULL, seller_email TEXT NOT NULL
);
"""
_INDEXES = """
CREATE INDEX orders_by_day ON orders (ordered_on);
CREATE INDEX orders_by_seller ON orders (seller_email);
"""

# name, unit as in people.yaml, site, how many people
_DEPARTMENTS = (
    ("Sales", "sales", "Rotterdam", 74),
    ("Engineering", "engineering", "Chengdu", 148),
    ("Operations", "operations", "Chengdu", 46),
    ("Service Desk", "service-desk", "Rotterdam", 28),
    ("People", "people", "Rotterdam", 14),
    ("Finance", "finance", "Hamburg", 22),
    ("Product", "product", "Rotterdam", 31),
    ("Customer Success", "customer-success", "Hamburg", 49),
)
_JOBS = {
    "sales": ("account manager", "sales engineer"),
    "engineering": ("developer", "tester", "site reliability engineer"),
    "operations": ("operator", "planner"),
    "service-desk": ("support agent",),
    "people": ("recruiter", "people partner"),
    "finance": ("accountant", "controller"),
    "product": ("product manager", "designer"),
    "customer-success": ("consultant", "trainer"),
}
_SITES = {"Rotterdam": 240, "Chengdu": 130, "Hamburg": 30, "Home": 12}
_FIRST = (
    "Anna Bram Clara Daan Eva Finn Greta Hugo Ines Jan Kira Lars Mila Nils Olga Piet Rosa Sven Tess Umar Vera Wim Yara"
).split()
_LAST = (
    "Bakker Fischer Jansen Kowalski Lindgren Mulder Novak Okoye Peters Quist Richter Smit Tanaka Visser Weber Zhang"
).split()
_PRODUCTS = (
    ("Quaymaster", "product", 4_800.0, 22),
    ("Trackline", "product", 2_900.0, 30),
    ("Tariffbook", "product", 1_900.0, 18),
    ("Gate Kiosk", "add-on", 750.0, 9),
    ("Yard Camera", "add-on", 620.0, 8),
    ("Cold Chain", "add-on", 540.0, 5),
    ("Customs Link", "add-on", 410.0, 6),
    ("Carrier Portal", "add-on", 290.0, 4),
)
# country, region, weight
_COUNTRIES = (
    ("Netherlands", "Benelux", 30),
    ("Belgium", "Benelux", 12),
    ("Germany", "Germany", 24),
    ("Sweden", "Nordics", 7),
    ("Denmark", "Nordics", 6),
    ("France", "France", 9),
    ("China", "China", 22),
)
_SEGMENTS = ("carrier", "shipper", "broker", "terminal")
_NAMED_CUSTOMERS = (
    ("Polderfris", "Netherlands", "shipper"),
    ("Medikade", "Germany", "shipper"),
    ("川味冷链", "China", "shipper"),
)
_TRADE = ("Freight", "Cargo", "Logistics", "Shipping", "Terminals", "Transport", "Forwarding")
_PROJECTS = (
    "Cold chain pilot", "Harbour twin", "Green wall", "Night desk", "Dock robots", "Paperless customs", "Rate engine",
    "Yard safety", "Second data centre", "Chengdu onboarding", "Map renewal", "Carrier scorecard", "Loket renewal",
    "Price model", "Two keys", "Winter peak", "Gangway move", "Berth forecast", "Mobile gate", "Audit trail",
)  # fmt: skip


def make_company(path: Path, *, today: date, orders: int = ORDERS) -> None:
    """Write the database to a file that is not there yet: about 200,000 rows over the three years until `today`."""
    chance = random.Random(_SEED)
    with closing(sqlite3.connect(path)) as database:
        database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
        customers = tuple(_customers(chance, today))
        _fill(database, "departments", ((n, *row[:3]) for n, row in enumerate(_DEPARTMENTS, start=1)))
        people = tuple(_people(chance, today))
        _fill(database, "people", people)
        _fill(database, "customers", (row[:5] for row in customers))
        _fill(database, "products", ((n, *row[:3]) for n, row in enumerate(_PRODUCTS, start=1)))
        _fill(database, "projects", _projects(chance, today, customers=len(customers)))
        _fill(database, "environments", _environments(chance, today))
        sellers = [str(person[2]) for person in people if person[3] == 1 and person[7] is None]
        _fill(database, "orders", _orders(chance, today, customers=customers, sellers=sellers, count=orders))
        database.executescript(_INDEXES)
        database.commit()


def _fill(database: sqlite3.Connection, table: str, rows: Iterator[Sequence[object]] | Sequence[Sequence[object]]) -> None:
    rows = iter(rows)
    first = next(rows)
    places = ", ".join("?" * len(first))
    insert = f"INSERT INTO {table} VALUES ({places})"
    database.execute(insert, first)
    database.executemany(insert, rows)


def _before(today: date, days: int) -> str:
    return (today - timedelta(days=days)).isoformat()


def _people(chance: random.Random, today: date) -> Iterator[tuple[object, ...]]:
    known: dict[str, list[tuple[str, str, str]]] = {}
    for person in yaml.safe_load((Path(__file__).parent / "people.yaml").read_text(encoding="utf-8"))["people"]:
        known.setdefault(person["units"][0], []).append((person["name"], person["email"], person["timezone"]))
    number = 0
    for department, (_, unit, _, size) in enumerate(_DEPARTMENTS, start=1):
        for place in range(size + size // 6):  # a sixth has left since
            number += 1
            named = known.get(unit, [])[place : place + 1]
            name = f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"
            email = f"{name.lower().replace(' ', '.')}.{number}@marenvold.example"
            site = chance.choices(tuple(_SITES), tuple(_SITES.values()))[0]
            if named:
                name, email, zone = named[0]
                site = {"Asia/Shanghai": "Chengdu", "Europe/Berlin": "Hamburg"}.get(zone, "Rotterdam")
            hired = chance.randint(30, 5_000) if place >= size // 8 else chance.randint(1, 360)
            left = chance.randint(1, hired) if place >= size else None
            yield (
                number, name, email, department, chance.choice(_JOBS[unit]), site, _before(today, hired),
                None if left is None else _before(today, left), int(chance.random() < 0.3),
                float(chance.randrange(32_000, 110_000, 500)),
            )  # fmt: skip


def _customers(chance: random.Random, today: date) -> Iterator[tuple[object, ...]]:
    """Yield the rows of customers, each followed by its region."""
    regions = {country: region for country, region, _ in _COUNTRIES}
    taken = set()
    for number in range(1, 421):
        if number <= len(_NAMED_CUSTOMERS):
            name, country, segment = _NAMED_CUSTOMERS[number - 1]
        else:
            country = chance.choices([each[0] for each in _COUNTRIES], [each[2] for each in _COUNTRIES])[0]
            segment = chance.choice(_SEGMENTS)
            name = f"{chance.choice(_LAST)} {chance.choice(_TRADE)}"
            while name in taken:
                name = f"{chance.choice(_LAST)} & {chance.choice(_LAST)} {chance.choice(_TRADE)}"
        taken.add(name)
        yield number, name, country, segment, _before(today, chance.randint(20, 3_000)), regions[country]


def _projects(chance: random.Random, today: date, *, customers: int) -> Iterator[tuple[object, ...]]:
    for number, name in enumerate(_PROJECTS * 3, start=1):
        phase = (number - 1) // len(_PROJECTS) + 1
        department = chance.randrange(len(_DEPARTMENTS))
        started = chance.randint(20, 900)
        lasts = chance.randint(90, 500)
        status = "planned" if number % 11 == 0 else "running" if started < lasts else chance.choice(("done", "stopped"))
        yield (
            number, name if phase == 1 else f"{name} {phase}", chance.randint(1, customers) if number % 3 else None,
            department + 1, _DEPARTMENTS[department][1], status, int(number % 7 == 0), _before(today, started),
            _before(today, started - lasts), float(chance.randrange(20_000, 600_000, 5_000)),
        )  # fmt: skip


def _environments(chance: random.Random, today: date) -> Iterator[tuple[object, ...]]:
    stages = ("production", "staging", "test", "demo")
    for number in range(1, 321):
        product = chance.choices(range(len(_PRODUCTS)), [each[3] for each in _PRODUCTS])[0]
        stage = chance.choices(stages, (40, 20, 30, 10))[0]
        status = chance.choices(("in use", "idle", "retired"), (65, 20, 15))[0]
        short = _PRODUCTS[product][0].lower().replace(" ", "-")
        location = chance.choice(("Frankfurt", "Amsterdam", "Shanghai"))
        name = f"{short}-{stage[:4]}-{number:03d}"
        yield number, name, product + 1, stage, status, location, _before(today, chance.randint(1, _DAYS))


def _orders(
    chance: random.Random, today: date, *, customers: Sequence[Sequence[object]], sellers: Sequence[str], count: int
) -> Iterator[tuple[object, ...]]:
    days = list(range(_DAYS))
    busy = [_busy(today - timedelta(days=_DAYS - 1 - day), day) for day in days]
    counted = list(accumulate(busy))
    written = [_before(today, _DAYS - 1 - day) for day in days]
    when = sorted(chance.choices(days, cum_weights=counted, k=count))
    loyal = list(accumulate(1 + 400 / (rank + 4) for rank in range(len(customers))))
    who = chance.choices(range(len(customers)), cum_weights=loyal, k=count)
    product_weights = list(accumulate(each[3] for each in _PRODUCTS))
    what = chance.choices(range(len(_PRODUCTS)), cum_weights=product_weights, k=count)
    channels = chance.choices(("direct", "partner", "web"), (50, 20, 30), k=count)
    finished = chance.choices(("delivered", "cancelled", "returned"), (90, 7, 3), k=count)
    current = chance.choices(("open", "shipped", "cancelled"), (60, 34, 6), k=count)
    quantities = chance.choices((1, 2, 3, 5, 10), (55, 22, 12, 8, 3), k=count)
    discounts = chance.choices((1.0, 0.95, 0.9, 0.8), (60, 20, 15, 5), k=count)
    sold_by = chance.choices(sellers, k=count)
    for number in range(count):
        day, customer, product = when[number], customers[who[number]], what[number]
        status = finished[number] if day < _DAYS - 21 else current[number]
        quantity = quantities[number]
        amount = round(_PRODUCTS[product][2] * quantity * discounts[number], 2)
        yield (
            number + 1, written[day], customer[0], product + 1, customer[5], channels[number], status, quantity, amount,
            sold_by[number],
        )  # fmt: skip


def _busy(day: date, since: int) -> float:
    """Return how busy a day is: growth over the years, autumn before Christmas, quiet weekends."""
    season = {2: 0.85, 8: 0.8, 10: 1.15, 11: 1.3, 12: 1.1}.get(day.month, 1.0)
    return (1 + since / 1_500) * season * (0.25 if day.weekday() >= 5 else 1.0)
