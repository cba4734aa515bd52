"""Makes the database of a town's waterworks: three years up to a day, the same rows each time."""

import random
import sqlite3
from datetime import date, timedelta
from pathlib import Path

#: The day that it is when somebody asks, and the first day of the books.
TODAY, BEGINS = date(2026, 11, 26), date(2024, 1, 1)
_TABLES = """
CREATE TABLE districts (id INTEGER PRIMARY KEY, name TEXT, pumping_station TEXT, inhabitants INTEGER);
CREATE TABLE meters (
  id INTEGER PRIMARY KEY, serial TEXT, kind TEXT, district_id INTEGER REFERENCES districts(id), installed_on DATE,
  removed_on DATE);
CREATE TABLE readings (
  id INTEGER PRIMARY KEY, meter_id INTEGER REFERENCES meters(id), read_on DATE, used_m3 REAL, estimated BOOLEAN);
CREATE TABLE bills (
  id INTEGER PRIMARY KEY, meter_id INTEGER REFERENCES meters(id), issued_on DATE, amount REAL, paid_on DATE);
CREATE TABLE leaks (
  id INTEGER PRIMARY KEY, district_id INTEGER REFERENCES districts(id), cause TEXT, reported_on DATE, fixed_on DATE,
  lost_m3 REAL, repair_cost REAL);
CREATE TABLE crew (
  id INTEGER PRIMARY KEY, name TEXT, trade TEXT, district_id INTEGER REFERENCES districts(id), hired_on DATE,
  left_on DATE);
CREATE TABLE samples (
  id INTEGER PRIMARY KEY, district_id INTEGER REFERENCES districts(id), taken_on DATE, lab TEXT, verdict TEXT);
"""
_DISTRICTS = (
    ("Mill Hill", "Weir Street", 18_400), ("Lower Quay", "Tollgate", 9_200), ("Fernside", "Tollgate", 12_700),
    ("Kingsmead", "Heron Lane", 21_300), ("Tannery Row", "Weir Street", 5_900),
)  # fmt: skip
_KINDS = {"household": 18.0, "business": 95.0, "garden": 4.0}
_TRADES = ("pipe fitter", "digger driver", "meter reader", "plumber")
_CAUSES = ("corrosion", "frost", "roadworks", "tree roots")
_LABS = ("Aquatest", "Bluelab")


def make_waterworks(path: Path) -> None:
    """Write the database into a file that does not exist yet."""
    chance = random.Random(1187)
    with sqlite3.connect(path) as database:
        database.executescript(_TABLES)
        database.executemany("INSERT INTO districts (name, pumping_station, inhabitants) VALUES (?,?,?)", _DISTRICTS)
        _meters(database, chance)
        _leaks(database, chance)
        _others(database, chance)


def _meters(database: sqlite3.Connection, chance: random.Random) -> None:
    for number in range(1, 261):
        kind = chance.choices(tuple(_KINDS), (12, 4, 2))[0]
        installed = date(2012, 1, 1) + timedelta(days=chance.randint(0, 5200))
        removed = date(2025, 1, 1) + timedelta(days=chance.randint(0, 600)) if chance.random() < 0.06 else None
        gone = removed.isoformat() if removed is not None and removed > installed else None
        meter = (f"WM-{number:04}", kind, chance.randint(1, 5), installed.isoformat(), gone)
        database.execute(
            "INSERT INTO meters (serial, kind, district_id, installed_on, removed_on) VALUES (?,?,?,?,?)", meter
        )
        _read(database, chance, meter=number, mean=_KINDS[kind], since=installed, until=removed)


def _read(
    database: sqlite3.Connection, chance: random.Random, *, meter: int, mean: float, since: date, until: date | None
) -> None:
    day = max(BEGINS, since) + timedelta(days=chance.randint(0, 27))
    while day < min(TODAY, until or TODAY):
        used, guessed = round(mean * chance.uniform(0.5, 1.6), 1), chance.random() < 0.08
        database.execute(
            "INSERT INTO readings (meter_id, read_on, used_m3, estimated) VALUES (?,?,?,?)",
            (meter, day.isoformat(), used, int(guessed)),
        )
        issued, paid = day + timedelta(days=3), day + timedelta(days=chance.randint(8, 70))
        settled = paid.isoformat() if paid < TODAY and chance.random() < 0.96 else None
        if issued < TODAY:
            database.execute(
                "INSERT INTO bills (meter_id, issued_on, amount, paid_on) VALUES (?,?,?,?)",
                (meter, issued.isoformat(), round(used * 2.15 + 6, 2), settled),
            )
        day += timedelta(days=30)


def _leaks(database: sqlite3.Connection, chance: random.Random) -> None:
    for _ in range(430):
        reported = BEGINS + timedelta(days=chance.randrange((TODAY - BEGINS).days))
        fixed = reported + timedelta(days=chance.randint(0, 12))
        done = fixed.isoformat() if fixed < TODAY and chance.random() < 0.97 else None
        cause = chance.choices(_CAUSES, (5, 3, 4, 2))[0]
        leak = (chance.randint(1, 5), cause, reported.isoformat(), done, round(chance.uniform(3, 900), 1))
        cost = round(chance.uniform(180, 6_200), 2) if done else None
        database.execute(
            "INSERT INTO leaks (district_id, cause, reported_on, fixed_on, lost_m3, repair_cost) VALUES (?,?,?,?,?,?)",
            (*leak, cost),
        )


def _others(database: sqlite3.Connection, chance: random.Random) -> None:
    for number in range(1, 71):
        hired = date(2015, 1, 1) + timedelta(days=chance.randint(0, 4300))
        left = hired + timedelta(days=chance.randint(300, 2600)) if chance.random() < 0.3 else None
        gone = left.isoformat() if left is not None and left < TODAY else None
        member = (f"Crew {number}", chance.choice(_TRADES), chance.randint(1, 5), hired.isoformat(), gone)
        database.execute("INSERT INTO crew (name, trade, district_id, hired_on, left_on) VALUES (?,?,?,?,?)", member)
    for _ in range(1_500):
        taken = BEGINS + timedelta(days=chance.randrange((TODAY - BEGINS).days))
        verdict = chance.choices(("passed", "failed", "repeated"), (40, 2, 1))[0]
        database.execute(
            "INSERT INTO samples (district_id, taken_on, lab, verdict) VALUES (?,?,?,?)",
            (chance.randint(1, 5), taken.isoformat(), chance.choice(_LABS), verdict),
        )
