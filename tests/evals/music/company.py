"""Makes the database of a music school in three houses: two years of lessons up to a day, the same rows each time."""

import random
import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

#: The day that it is when somebody asks, and the first day of the books.
TODAY, BEGINS = date(2026, 11, 26), date(2024, 9, 2)
_TABLES = """
CREATE TABLE houses (code TEXT PRIMARY KEY, name TEXT, town TEXT, opened_on DATE, rooms INTEGER);
CREATE TABLE teachers (
  id INTEGER PRIMARY KEY, full_name TEXT, house_code TEXT REFERENCES houses(code), main_instrument TEXT,
  contract TEXT, hired_on DATE, left_on DATE, hourly_rate REAL);
CREATE TABLE pupils (
  id INTEGER PRIMARY KEY, full_name TEXT, house_code TEXT REFERENCES houses(code), born_on DATE, enrolled_on DATE,
  left_on DATE, level TEXT, sibling_discount BOOLEAN, phone TEXT);
CREATE TABLE lessons (
  id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupils(id), teacher_id INTEGER REFERENCES teachers(id),
  house_code TEXT REFERENCES houses(code), instrument TEXT, starts_at TIMESTAMP, minutes INTEGER, status TEXT);
CREATE TABLE invoices (
  id INTEGER PRIMARY KEY, number TEXT, pupil_id INTEGER REFERENCES pupils(id), issued_on DATE, due_on DATE,
  amount REAL, paid_on DATE, paid_by TEXT);
CREATE TABLE instruments (
  id INTEGER PRIMARY KEY, tag TEXT, kind TEXT, maker TEXT, house_code TEXT REFERENCES houses(code), bought_on DATE,
  price REAL, sold_on DATE);
CREATE TABLE loans (
  id INTEGER PRIMARY KEY, instrument_id INTEGER REFERENCES instruments(id), pupil_id INTEGER REFERENCES pupils(id),
  lent_on DATE, back_on DATE, deposit REAL);
CREATE TABLE concerts (
  id INTEGER PRIMARY KEY, title TEXT, venue TEXT, held_on DATE, tickets_sold INTEGER, income REAL);
CREATE TABLE exams (
  id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupils(id), instrument TEXT, taken_on DATE, grade INTEGER,
  score INTEGER, result TEXT);
"""
_HOUSES = (
    ("RIV", "Riverside", "Ostrow", "2011-03-01", 9), ("CAS", "Castle Hill", "Ostrow", "2015-09-01", 6),
    ("LIM", "Limewood", "Brenna", "2019-01-15", 5), ("HAR", "Harrow Lane", "Brenna", "2026-10-01", 3),
)  # fmt: skip
_KINDS = {"pno": 7, "vln": 5, "gtr": 6, "flt": 3, "drm": 3, "sax": 2, "voc": 4}
_FIRST = ("Agata", "Boris", "Celia", "Dario", "Edda", "Filip", "Greta", "Hugo", "Irena", "Jonas", "Klara", "Leon")
_LAST = ("Abel", "Bauer", "Czerny", "Duda", "Egger", "Fuchs", "Graf", "Hruby", "Iwan", "Jelen", "Kos", "Lang", "Maly")
_TITLES = ("Spring Concert", "Summer Serenade", "Young Soloists", "Winter Gala", "Jazz Night")
_VENUES = ("Town Hall", "St. Anne's", "Old Foundry")


def make_school(path: Path) -> None:
    """Write the database into a file that does not exist yet."""
    chance = random.Random(4711)
    with sqlite3.connect(path) as database:
        database.executescript(_TABLES)
        for house in _HOUSES:
            database.execute("INSERT INTO houses VALUES (?,?,?,?,?)", house)
        for table, rows in (
            ("teachers", _teachers(chance)), ("pupils", _pupils(chance)), ("lessons", _lessons(chance)),
            ("invoices", _invoices(chance)), ("instruments", _instruments(chance)), ("loans", _loans(chance)),
            ("concerts", _concerts(chance)), ("exams", _exams(chance)),
        ):  # fmt: skip
            for row in rows:
                marks = ",".join("?" * len(row))
                database.execute(f"INSERT INTO {table} VALUES (NULL,{marks})", row)


def _day(chance: random.Random, start: date, end: date = TODAY) -> date:
    return start + timedelta(days=chance.randrange((end - start).days))


def _kind(chance: random.Random) -> str:
    return chance.choices(tuple(_KINDS), tuple(_KINDS.values()))[0]


def _house(chance: random.Random) -> str:
    return chance.choices(("RIV", "CAS", "LIM"), (5, 3, 2))[0]


def _later(chance: random.Random, start: date, share: float, least: int, most: int) -> str | None:
    end = start + timedelta(days=chance.randint(least, most))
    return end.isoformat() if chance.random() < share and end < TODAY else None


def _teachers(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(26):
        hired = _day(chance, date(2014, 9, 1), date(2026, 10, 1))
        contract = chance.choices(("emp", "fre"), (3, 2))[0]
        name = f"{_FIRST[number % 12]} {_LAST[(number * 5) % 13]}"
        left = _later(chance, hired, 0.25, 200, 2000)
        yield name, _house(chance), _kind(chance), contract, hired.isoformat(), left, float(chance.randint(24, 46))


def _pupils(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(340):
        enrolled = _day(chance, date(2019, 9, 1))
        born = date(chance.choice((1978, 1990, *range(2008, 2020))), chance.randint(1, 12), chance.randint(1, 28))
        name = f"{_FIRST[number % 12]} {_LAST[number // 12 % 13]} {'I' * (number // 156 + 1)}"
        level = chance.choices(("B", "I", "A"), (5, 3, 2))[0]
        left = _later(chance, enrolled, 0.4, 100, 1400)
        phone = f"+48 500 {number:06}"
        yield (
            name, _house(chance), born.isoformat(), enrolled.isoformat(), left, level, int(chance.random() < 0.2),
            phone,
        )  # fmt: skip


def _lessons(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(9500):
        day = _day(chance, BEGINS)
        hour = chance.choices(range(9, 21), (1, 1, 2, 1, 1, 4, 7, 8, 8, 6, 3, 1))[0]
        status = chance.choices(("held", "c_pup", "c_tea", "nosh"), (40, 4, 2, 2))[0]
        minutes = chance.choice((30, 30, 45, 60))
        starts = f"{day.isoformat()} {hour:02}:{chance.choice(('00', '30'))}:00"
        yield chance.randint(1, 318), chance.randint(1, 24), _house(chance), _kind(chance), starts, minutes, status


def _invoices(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(3600):
        issued = BEGINS + timedelta(days=number * (TODAY - BEGINS).days // 3600)
        due = issued + timedelta(days=21)
        paid = _later(chance, issued, 0.95, 1, 60)
        by = chance.choices(("dd", "card", "cash"), (6, 3, 1))[0] if paid else None
        amount = round(chance.uniform(60, 320), 2)
        pupil = chance.randint(1, 325)
        yield f"INV-{number + 1:05}", pupil, issued.isoformat(), due.isoformat(), amount, paid, by


def _instruments(chance: random.Random) -> Iterator[tuple[object, ...]]:
    prices = {"pno": 5200, "vln": 640, "gtr": 380, "flt": 520, "drm": 900, "sax": 1150}
    for number in range(110):
        kind = chance.choices(tuple(prices), (1, 6, 5, 4, 2, 3))[0]
        bought = _day(chance, date(2015, 1, 1))
        maker = chance.choice(("Yamaha", "Stentor", "Cort", "Pearl"))
        price = round(prices[kind] * chance.uniform(0.7, 1.5), 2)
        sold = _later(chance, bought, 0.15, 300, 3000)
        yield f"T{number + 1:03}", kind, maker, _house(chance), bought.isoformat(), price, sold


def _loans(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(420):
        lent = _day(chance, BEGINS)
        back = _later(chance, lent, 0.93, 20, 300)
        deposit = float(chance.choice((50, 80, 120)))
        yield chance.randint(1, 101), chance.randint(1, 330), lent.isoformat(), back, deposit


def _concerts(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(14):
        held = BEGINS + timedelta(days=40 + number * 54 + chance.randint(0, 20))
        sold = chance.randint(60, 240)
        income = round(sold * chance.uniform(7, 13), 2)
        yield _TITLES[number % 5], chance.choice(_VENUES), held.isoformat(), sold, income


def _exams(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(620):
        score = chance.randint(78, 148)
        result = "D" if score >= 130 else "M" if score >= 120 else "P" if score >= 100 else "F"
        pupil, taken = chance.randint(1, 310), _day(chance, BEGINS)
        yield pupil, _kind(chance), taken.isoformat(), chance.randint(1, 8), score, result
