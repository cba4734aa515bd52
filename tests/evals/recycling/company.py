"""Makes the database of a firm that collects and sells recycling: three years up to a day, the same rows each time."""

import random
import sqlite3
from datetime import date, timedelta
from pathlib import Path

#: The day that it is when somebody asks, and the first day of the books.
TODAY, BEGINS = date(2026, 11, 26), date(2024, 1, 2)
_TABLES = """
CREATE TABLE depots (id INTEGER PRIMARY KEY, name TEXT, region TEXT, opened_on DATE, capacity_t REAL);
CREATE TABLE trucks (
  id INTEGER PRIMARY KEY, plate TEXT, fuel TEXT, depot_id INTEGER REFERENCES depots(id), bought_on DATE,
  price REAL, retired_on DATE);
CREATE TABLE customers (
  id INTEGER PRIMARY KEY, name TEXT, kind TEXT, depot_id INTEGER REFERENCES depots(id), since DATE, email TEXT);
CREATE TABLE grades (id INTEGER PRIMARY KEY, name TEXT, family TEXT, list_price REAL);
CREATE TABLE pickups (
  id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), truck_id INTEGER REFERENCES trucks(id),
  depot_id INTEGER REFERENCES depots(id), picked_up_on DATE, material TEXT, bins INTEGER, weight_kg REAL, fee REAL,
  missed BOOLEAN);
CREATE TABLE bale_sales (
  id INTEGER PRIMARY KEY, grade_id INTEGER REFERENCES grades(id), depot_id INTEGER REFERENCES depots(id), mill TEXT,
  sold_on DATE, bales INTEGER, amount REAL, freight_cost REAL);
CREATE TABLE complaints (
  id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), reason TEXT, received_on DATE, solved_on DATE);
CREATE TABLE workers (
  id INTEGER PRIMARY KEY, name TEXT, job TEXT, depot_id INTEGER REFERENCES depots(id), hired_on DATE, left_on DATE,
  hourly_wage REAL);
CREATE TABLE breakdowns (
  id INTEGER PRIMARY KEY, truck_id INTEGER REFERENCES trucks(id), part TEXT, happened_on DATE, days_off INTEGER,
  cost REAL);
"""
_DEPOTS = (
    ("Harrow Lane", "north", "2011-04-04", 120), ("Saltmarsh", "coast", "2015-09-21", 80),
    ("Old Brickworks", "north", "2008-02-11", 150), ("Tanner Street", "city", "2019-06-03", 60),
)  # fmt: skip
_GRADES = (
    ("Cardboard A4", "paper", 95), ("Mixed Paper", "paper", 60), ("PET Clear", "plastic", 310),
    ("HDPE Natural", "plastic", 420), ("Cans", "metal", 780), ("Green Glass", "glass", 35),
)  # fmt: skip
_MATERIALS = {"paper": 60, "glass": 110, "plastic": 25, "metal": 40, "food waste": 90, "electronics": 35}
_KINDS = ("restaurant", "office", "school", "factory", "council")
_FEES = {"restaurant": 14.0, "office": 11.0, "school": 8.5, "factory": 19.0, "council": 7.5}
_JOBS = {"driver": 17.5, "loader": 13.4, "sorter": 12.9, "mechanic": 21.0}


def make_recycling(path: Path) -> None:
    """Write the database into a file that does not exist yet."""
    chance = random.Random(4711)
    with sqlite3.connect(path) as database:
        database.executescript(_TABLES)
        _fixed(database, chance)
        _pickups(database, chance)
        _others(database, chance)


def _fixed(database: sqlite3.Connection, chance: random.Random) -> None:
    database.executemany("INSERT INTO depots (name, region, opened_on, capacity_t) VALUES (?,?,?,?)", _DEPOTS)
    database.executemany("INSERT INTO grades (name, family, list_price) VALUES (?,?,?)", _GRADES)
    for number in range(1, 27):
        bought = date(2017, 1, 9) + timedelta(days=chance.randint(0, 3300))
        retired = date(2025, 3, 1) + timedelta(days=chance.randint(0, 500)) if number in (3, 8, 17) else None
        fuel = chance.choices(("diesel", "electric", "gas"), (6, 3, 2))[0]
        price = round(chance.uniform(68_000, 240_000), -2)
        truck = (f"BX{number:02} KLR", fuel, 1 + number % 4, bought.isoformat(), price, retired and retired.isoformat())
        database.execute(
            "INSERT INTO trucks (plate, fuel, depot_id, bought_on, price, retired_on) VALUES (?,?,?,?,?,?)", truck
        )
    for number in range(1, 241):
        kind = chance.choices(_KINDS, (5, 5, 2, 2, 1))[0]
        since = date(2019, 1, 1) + timedelta(days=chance.randint(0, 2880))
        customer = (f"{kind.title()} {number}", kind, 1 + number % 4, since.isoformat(), f"c{number}@example.org")
        database.execute("INSERT INTO customers (name, kind, depot_id, since, email) VALUES (?,?,?,?,?)", customer)
    for number in range(1, 91):
        job = chance.choices(tuple(_JOBS), (5, 6, 4, 2))[0]
        hired = date(2018, 1, 1) + timedelta(days=chance.randint(0, 3240))
        left = hired + timedelta(days=chance.randint(200, 2000)) if chance.random() < 0.25 else None
        gone = left.isoformat() if left is not None and left < TODAY else None
        wage = round(_JOBS[job] + chance.uniform(-1, 3), 2)
        worker = (f"Worker {number}", job, 1 + number % 4, hired.isoformat(), gone, wage)
        database.execute(
            "INSERT INTO workers (name, job, depot_id, hired_on, left_on, hourly_wage) VALUES (?,?,?,?,?,?)", worker
        )


def _pickups(database: sqlite3.Connection, chance: random.Random) -> None:
    kinds = dict(database.execute("SELECT id, kind FROM customers"))
    day = BEGINS
    rows = []
    while day < TODAY:
        if day.weekday() < 6:
            for _ in range(chance.randint(14, 26)):
                customer, truck = chance.randint(1, 240), chance.randint(1, 26)
                material = chance.choices(tuple(_MATERIALS), (8, 4, 6, 2, 5, 1))[0]
                bins, missed = chance.randint(1, 8), chance.random() < 0.03
                weight = 0 if missed else round(bins * _MATERIALS[material] * chance.uniform(0.6, 1.3), 1)
                fee = 0 if missed else round(bins * _FEES[kinds[customer]], 2)
                rows.append(
                    (customer, truck, 1 + customer % 4, day.isoformat(), material, bins, weight, fee, int(missed))
                )
        day += timedelta(days=1)
    database.executemany(
        "INSERT INTO pickups (customer_id, truck_id, depot_id, picked_up_on, material, bins, weight_kg, fee, missed)"
        " VALUES (?,?,?,?,?,?,?,?,?)",
        rows,
    )


def _others(database: sqlite3.Connection, chance: random.Random) -> None:
    days = (TODAY - BEGINS).days
    for _ in range(2600):
        grade = chance.randint(1, 6)
        bales, sold = chance.randint(4, 30), BEGINS + timedelta(days=chance.randrange(days))
        amount = round(bales * 0.55 * _GRADES[grade - 1][2] * chance.uniform(0.8, 1.2), 2)
        mill = chance.choice(("Fjordpulp", "Kerrigan Metals", "Polyloop", "Vetro Sud"))
        row = (grade, chance.randint(1, 4), mill, sold.isoformat(), bales, amount, round(bales * 9.5, 2))
        database.execute(
            "INSERT INTO bale_sales (grade_id, depot_id, mill, sold_on, bales, amount, freight_cost)"
            " VALUES (?,?,?,?,?,?,?)",
            row,
        )
    for _ in range(640):
        received = BEGINS + timedelta(days=chance.randrange(days))
        solved = received + timedelta(days=chance.randint(0, 20))
        done = solved.isoformat() if solved < TODAY and chance.random() < 0.93 else None
        reason = chance.choices(("late", "missed", "spill", "noise", "broken bin"), (5, 4, 2, 2, 1))[0]
        complaint = (chance.randint(1, 240), reason, received.isoformat(), done)
        database.execute(
            "INSERT INTO complaints (customer_id, reason, received_on, solved_on) VALUES (?,?,?,?)", complaint
        )
    for _ in range(410):
        happened = BEGINS + timedelta(days=chance.randrange(days))
        part = chance.choices(("brakes", "hydraulics", "gearbox", "tyres", "battery"), (3, 5, 1, 4, 2))[0]
        off, cost = chance.randint(0, 9), round(chance.uniform(80, 4200), 2)
        breakdown = (chance.randint(1, 26), part, happened.isoformat(), off, cost)
        database.execute(
            "INSERT INTO breakdowns (truck_id, part, happened_on, days_off, cost) VALUES (?,?,?,?,?)", breakdown
        )
