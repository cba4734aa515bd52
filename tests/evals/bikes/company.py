"""Makes the database of a firm that lends bicycles in a city: two years up to a day, the same rows each time."""

import random
import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

#: The day that it is when somebody asks, and the first day of the books.
TODAY, BEGINS = date(2026, 11, 26), date(2024, 11, 4)
_TABLES = """
CREATE TABLE stations (id INTEGER PRIMARY KEY, name TEXT, district TEXT, docks INTEGER, opened_on DATE);
CREATE TABLE bikes (
  id INTEGER PRIMARY KEY, code TEXT, model TEXT, station_id INTEGER REFERENCES stations(id), bought_on DATE,
  price REAL, retired_on DATE);
CREATE TABLE members (
  id INTEGER PRIMARY KEY, name TEXT, plan TEXT, city TEXT, joined_on DATE, cancelled_on DATE, email TEXT);
CREATE TABLE rides (
  id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members(id), bike_id INTEGER REFERENCES bikes(id),
  station_id INTEGER REFERENCES stations(id), ride_date DATE, minutes INTEGER, km REAL, fee REAL);
CREATE TABLE repairs (
  id INTEGER PRIMARY KEY, bike_id INTEGER REFERENCES bikes(id), fault TEXT, mechanic TEXT, reported_on DATE,
  fixed_on DATE, parts_cost REAL, labour_cost REAL);
CREATE TABLE staff (
  id INTEGER PRIMARY KEY, name TEXT, job TEXT, hired_on DATE, left_on DATE, monthly_pay REAL);
"""
_STATIONS = (
    ("Central Station", "Mitte", 40), ("Harbour Gate", "Harbour", 24), ("Old Market", "Mitte", 30),
    ("University North", "Campus", 36), ("University South", "Campus", 20), ("Lakeside Park", "Lakeside", 16),
    ("Fairground", "Harbour", 28), ("Mill Bridge", "Lakeside", 12), ("Airport Link", "Outer Ring", 18),
)  # fmt: skip
_MODELS = {"City One": 640, "Cargo Max": 2150, "Volt E3": 1890, "Kiddo": 410}
_PLANS = {"basic": 2.2, "student": 1.4, "premium": 0.6, "day pass": 4.5}
_CITIES = ("Lindau", "Kressbronn", "Tettnang", "Ravensburg")
_FAULTS = {"flat tyre": 9, "brakes": 22, "chain": 17, "battery": 160, "lights": 12}
_FIRST = ("Ada", "Ben", "Carla", "Dirk", "Elif", "Femi", "Gwen", "Hana", "Ivo", "Jun", "Kaya", "Luis")
_LAST = ("Adler", "Brandt", "Cruz", "Dorn", "Ebner", "Falk", "Gross", "Haas", "Imhof", "Jansen", "Kolb", "Lutz")


def make_bikes(path: Path) -> None:
    """Write the database into a file that does not exist yet."""
    chance = random.Random(77)
    with sqlite3.connect(path) as database:
        database.executescript(_TABLES)
        for table, rows in (
            ("stations", _stations(chance)), ("bikes", _bikes(chance)), ("members", _members(chance)),
            ("staff", _staff(chance)), ("rides", _rides(chance)), ("repairs", _repairs(chance)),
        ):  # fmt: skip
            for row in rows:
                marks = ",".join("?" * len(row))
                database.execute(f"INSERT INTO {table} VALUES (NULL,{marks})", row)


def _day(chance: random.Random, start: date, end: date = TODAY) -> date:
    return start + timedelta(days=chance.randrange((end - start).days))


def _stations(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for name, district, docks in _STATIONS:
        yield name, district, docks, _day(chance, date(2018, 3, 1), date(2026, 10, 1)).isoformat()


def _bikes(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(1, 121):
        model = chance.choices(tuple(_MODELS), (6, 2, 4, 1))[0]
        bought = _day(chance, date(2020, 1, 1))
        retired = bought + timedelta(days=chance.randint(300, 1500)) if chance.random() < 0.3 else None
        gone = retired.isoformat() if retired and retired < TODAY else None
        price = round(_MODELS[model] * chance.uniform(0.9, 1.15), 2)
        yield f"BK-{number:03}", model, chance.randint(1, 8), bought.isoformat(), price, gone


def _members(chance: random.Random) -> Iterator[tuple[object, ...]]:
    names = [f"{first} {last}" for first in _FIRST for last in _LAST]
    chance.shuffle(names)
    for number, name in enumerate(names, 1):
        joined = _day(chance, date(2022, 5, 1))
        cancelled = joined + timedelta(days=chance.randint(30, 900)) if chance.random() < 0.3 else None
        gone = cancelled.isoformat() if cancelled and cancelled < TODAY else None
        plan = chance.choices(tuple(_PLANS), (6, 4, 2, 1))[0]
        yield name, plan, chance.choices(_CITIES, (8, 3, 2, 2))[0], joined.isoformat(), gone, f"m{number}@example.org"


def _rides(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(9000):
        member, bike = chance.randint(1, 136), chance.randint(1, 112)
        station = chance.choices(range(1, 9), range(8, 0, -1))[0]
        minutes = chance.randint(4, 95)
        fee = round(1 + minutes * chance.choice((0.05, 0.1, 0.15)), 2)
        yield member, bike, station, _day(chance, BEGINS).isoformat(), minutes, round(minutes * 0.21, 1), fee


def _repairs(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(520):
        fault = chance.choices(tuple(_FAULTS), (9, 6, 5, 2, 3))[0]
        reported = _day(chance, BEGINS)
        fixed = reported + timedelta(days=chance.randint(0, 12))
        done = fixed.isoformat() if fixed < TODAY and chance.random() < 0.95 else None
        labour = round(chance.uniform(10, 80), 2)
        mechanic = chance.choice(("Rita Vogel", "Sam Okoro", "Tomas Lind"))
        yield (
            chance.randint(1, 118), fault, mechanic, reported.isoformat(), done,
            round(_FAULTS[fault] * chance.uniform(0.5, 1.6), 2), labour,
        )  # fmt: skip


def _staff(chance: random.Random) -> Iterator[tuple[object, ...]]:
    pays = {"mechanic": 3100, "driver": 2700, "support agent": 2600, "planner": 3900}
    others = [f"{one} {other}" for one in ("Mia", "Omar") for other in _LAST]
    for number, name in enumerate(("Rita Vogel", "Sam Okoro", "Tomas Lind", *others)):
        job = "mechanic" if number < 3 else chance.choice(tuple(pays))
        hired = _day(chance, date(2019, 1, 1))
        left = _day(chance, hired + timedelta(days=1)).isoformat() if number > 3 and chance.random() < 0.2 else None
        yield name, job, hired.isoformat(), left, round(pays[job] * chance.uniform(0.9, 1.2), -1)
