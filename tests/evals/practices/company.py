"""Makes the database of a few dental practices of one owner: three years up to a day, the same rows each time."""

import random
import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

#: The day that it is when somebody asks, and the first day of the books.
TODAY, BEGINS = date(2026, 11, 26), date(2024, 1, 8)
_TABLES = """
CREATE TABLE practices (id INTEGER PRIMARY KEY, name TEXT, town TEXT, chairs INTEGER, opened_on DATE);
CREATE TABLE dentists (
  id INTEGER PRIMARY KEY, name TEXT, specialty TEXT, practice_id INTEGER REFERENCES practices(id), started_on DATE,
  left_on DATE, salary REAL);
CREATE TABLE patients (
  id INTEGER PRIMARY KEY, name TEXT, insurance TEXT, practice_id INTEGER REFERENCES practices(id), registered_on DATE,
  birth_year INTEGER);
CREATE TABLE appointments (
  id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients(id), dentist_id INTEGER REFERENCES dentists(id),
  appointment_date DATE, minutes INTEGER, status TEXT);
CREATE TABLE treatments (
  id INTEGER PRIMARY KEY, appointment_id INTEGER REFERENCES appointments(id),
  practice_id INTEGER REFERENCES practices(id), kind TEXT, treated_on DATE, billed REAL, material_cost REAL);
CREATE TABLE invoices (
  id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients(id), amount REAL, issued_on DATE, due_on DATE,
  paid_on DATE);
"""
_PRACTICES = (
    ("Bridge Street", "Alden", 5, "2012-05-02"), ("Castle Hill", "Alden", 3, "2016-09-01"),
    ("Riverside", "Morrow", 4, "2019-02-11"), ("Station Square", "Pelham", 6, "2023-10-02"),
)  # fmt: skip
_KINDS = {
    "check-up": (55, 4), "filling": (130, 18), "crown": (680, 210), "root canal": (420, 60), "cleaning": (85, 6),
    "implant": (1900, 720),
}  # fmt: skip
_GIVEN = ("Amir", "Bella", "Chen", "Dora", "Emil", "Fay", "Gina", "Hugo", "Iris", "Jonas", "Kira", "Leo", "Mona")
_NAMES = ("Abbott", "Baker", "Castle", "Dunn", "Ellis", "Frost", "Grant", "Hill", "Irwin", "Jacobs", "Kerr", "Lowe")


def make_practices(path: Path) -> None:
    """Write the database into a file that does not exist yet."""
    chance = random.Random(303)
    with sqlite3.connect(path) as database:
        database.executescript(_TABLES)
        for table, rows in (
            ("practices", iter(_PRACTICES)), ("dentists", _dentists(chance)), ("patients", _patients(chance)),
            ("appointments", _appointments(chance)), ("treatments", _treatments(chance)),
            ("invoices", _invoices(chance)),
        ):  # fmt: skip
            for row in rows:
                marks = ",".join("?" * len(row))
                database.execute(f"INSERT INTO {table} VALUES (NULL,{marks})", row)


def _day(chance: random.Random, start: date, end: date = TODAY) -> date:
    return start + timedelta(days=chance.randrange((end - start).days))


def _dentists(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(18):
        name = f"Dr {_GIVEN[number % 13]} {_NAMES[(number * 5) % 12]}"
        started = _day(chance, date(2014, 1, 1), date(2026, 10, 30))
        left = _day(chance, started, TODAY).isoformat() if number in (4, 9, 13) else None
        specialty = chance.choice(("general", "general", "orthodontics", "surgery"))
        yield name, specialty, 1 + number % 4, started.isoformat(), left, round(chance.uniform(68, 142)) * 1000


def _patients(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(1, 901):
        registered = _day(chance, date(2019, 1, 1))
        insurance = chance.choices(("public", "private", "none"), (7, 3, 1))[0]
        name = f"{chance.choice(_GIVEN)} {chance.choice(_NAMES)} {number}"
        yield name, insurance, chance.choices((1, 2, 3, 4), (5, 3, 3, 1))[0], registered.isoformat(), 1930 + number % 88


def _appointments(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(7200):
        status = chance.choices(("kept", "cancelled", "missed"), (20, 3, 2))[0]
        minutes = chance.choice((20, 30, 45, 60, 90))
        yield chance.randint(1, 820), chance.randint(1, 18), _day(chance, BEGINS).isoformat(), minutes, status


def _treatments(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(6100):
        kind = chance.choices(tuple(_KINDS), (12, 8, 3, 3, 9, 1))[0]
        price, material = _KINDS[kind]
        billed, cost = round(price * chance.uniform(0.85, 1.2), 2), round(material * chance.uniform(0.7, 1.4), 2)
        yield (
            chance.randint(1, 7200), chance.choices((1, 2, 3, 4), (5, 3, 4, 2))[0], kind,
            _day(chance, BEGINS).isoformat(), billed, cost,
        )  # fmt: skip


def _invoices(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(3800):
        issued = _day(chance, BEGINS)
        paid = issued + timedelta(days=chance.randint(1, 70))
        done = paid.isoformat() if paid < TODAY and chance.random() < 0.96 else None
        yield (
            chance.randint(1, 900), round(chance.uniform(40, 2100), 2), issued.isoformat(),
            (issued + timedelta(days=30)).isoformat(), done,
        )  # fmt: skip
