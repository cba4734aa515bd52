"""Makes the database of three climbing halls: visits, passes, courses, hired gear; the same rows each time."""

import random
import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

#: The day that it is when somebody asks, and the first day of the books.
TODAY, BEGINS = date(2026, 11, 26), date(2025, 1, 6)
_TABLES = """
CREATE TABLE halls (id INTEGER PRIMARY KEY, name TEXT, city TEXT, wall_area INTEGER);
CREATE TABLE trainers (
  id INTEGER PRIMARY KEY, full_name TEXT, hall_id INTEGER REFERENCES halls(id), speciality TEXT, hired_on DATE,
  left_on DATE);
CREATE TABLE climbers (
  id INTEGER PRIMARY KEY, full_name TEXT, home_hall_id INTEGER REFERENCES halls(id), born_on DATE, signed_up_on DATE,
  city TEXT, phone TEXT);
CREATE TABLE passes (
  id INTEGER PRIMARY KEY, climber_id INTEGER REFERENCES climbers(id), kind TEXT, starts_on DATE, ends_on DATE,
  cancelled_on DATE, price REAL);
CREATE TABLE visits (
  id INTEGER PRIMARY KEY, climber_id INTEGER REFERENCES climbers(id), hall_id INTEGER REFERENCES halls(id),
  came_in_at TIMESTAMP, stayed_minutes INTEGER);
CREATE TABLE courses (
  id INTEGER PRIMARY KEY, name TEXT, hall_id INTEGER REFERENCES halls(id), trainer_id INTEGER REFERENCES trainers(id),
  level TEXT, starts_at TIMESTAMP, places INTEGER, fee REAL);
CREATE TABLE bookings (
  id INTEGER PRIMARY KEY, course_id INTEGER REFERENCES courses(id), climber_id INTEGER REFERENCES climbers(id),
  booked_on DATE, status TEXT);
CREATE TABLE routes (
  id INTEGER PRIMARY KEY, name TEXT, hall_id INTEGER REFERENCES halls(id), setter_id INTEGER REFERENCES trainers(id),
  colour TEXT, grade INTEGER, set_on DATE, removed_on DATE);
CREATE TABLE gear_rentals (
  id INTEGER PRIMARY KEY, climber_id INTEGER REFERENCES climbers(id), hall_id INTEGER REFERENCES halls(id), item TEXT,
  out_at TIMESTAMP, back_at TIMESTAMP, charge REAL);
CREATE TABLE accidents (
  id INTEGER PRIMARY KEY, hall_id INTEGER REFERENCES halls(id), climber_id INTEGER REFERENCES climbers(id),
  happened_on DATE, severity TEXT, ambulance BOOLEAN);
"""
_HALLS = ((1, "Boulder Barn", "Leith", 900), (2, "North Face", "Perth", 1400), (3, "The Crag", "Leith", 650))
_FIRST = ("Ailsa", "Bruce", "Catriona", "Duncan", "Effie", "Fraser", "Gregor", "Heather", "Iona", "Jock", "Kirsty")
_LAST = (
    "Adair",
    "Boyd",
    "Cairns",
    "Drum",
    "Elder",
    "Forsyth",
    "Gunn",
    "Hay",
    "Innes",
    "Keir",
    "Laird",
    "Muir",
    "Nairn",
)
_COURSES = ("Taster", "Lead School", "Rope Basics", "Technique", "Kids Club")
_ROUTES = ("Slab", "Arete", "Dyno", "Crack", "Roof", "Chimney", "Groove")


def make_halls(path: Path) -> None:
    """Write the database into a file that does not exist yet."""
    chance = random.Random(1865)
    with sqlite3.connect(path) as database:
        database.executescript(_TABLES)
        database.executemany("INSERT INTO halls VALUES (?,?,?,?)", _HALLS)
        for table, rows in (
            ("trainers", _trainers(chance)), ("climbers", _climbers(chance)), ("passes", _passes(chance)),
            ("visits", _visits(chance)), ("courses", _courses(chance)), ("bookings", _bookings(chance)),
            ("routes", _routes(chance)), ("gear_rentals", _rentals(chance)), ("accidents", _accidents(chance)),
        ):  # fmt: skip
            for row in rows:
                database.execute(f"INSERT INTO {table} VALUES (NULL,{','.join('?' * len(row))})", row)


def _day(chance: random.Random, start: date, end: date = TODAY) -> date:
    return start + timedelta(days=chance.randrange((end - start).days))


def _later(chance: random.Random, start: date, share: float, most: int) -> str | None:
    end = start + timedelta(days=chance.randint(1, most))
    return end.isoformat() if chance.random() < share and end < TODAY else None


def _hall(chance: random.Random) -> int:
    return chance.choices((1, 2, 3), (5, 4, 2))[0]


def _trainers(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(18):
        hired = _day(chance, date(2016, 1, 1))
        name = f"{_FIRST[number % 11]} {_LAST[(number * 3) % 13]}"
        yield (
            name,
            _hall(chance),
            chance.choice(("bld", "rop", "kid")),
            hired.isoformat(),
            _later(chance, hired, 0.3, 1800),
        )


def _climbers(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(380):
        born = date(chance.randint(1962, 2018), chance.randint(1, 12), chance.randint(1, 28))
        name = (
            f"{_FIRST[number % 11]} {_LAST[number // 11 % 13]}{' II' if number > 285 else ' I' if number > 142 else ''}"
        )
        city = chance.choice(("Leith", "Perth", "Dundee", "Falkirk"))
        yield name, _hall(chance), born.isoformat(), _day(chance, date(2021, 1, 1)).isoformat(), city, f"07{number:09}"


def _passes(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(700):
        start = _day(chance, BEGINS)
        kind = chance.choices(("mon", "yr", "ten"), (6, 2, 3))[0]
        days, price = {"mon": (30, 48.0), "yr": (365, 430.0), "ten": (180, 95.0)}[kind]
        end = start + timedelta(days=days)
        yield chance.randint(1, 370), kind, start.isoformat(), end.isoformat(), _later(chance, start, 0.1, 40), price


def _visits(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(8000):
        hour = chance.choices(range(8, 22), (1, 1, 2, 2, 2, 2, 2, 3, 5, 9, 10, 8, 4, 1))[0]
        came = f"{_day(chance, BEGINS).isoformat()} {hour:02}:{chance.randrange(60):02}:00"
        yield chance.randint(1, 376), _hall(chance), came, chance.randint(20, 240)


def _courses(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(160):
        day = _day(chance, BEGINS, TODAY + timedelta(days=25))
        starts = f"{day.isoformat()} {chance.choice((9, 11, 17, 18, 20)):02}:00:00"
        name, level = _COURSES[number % 5], chance.choice(("beg", "int", "adv"))
        yield (
            name,
            _hall(chance),
            chance.randint(1, 17),
            level,
            starts,
            chance.choice((6, 8, 10)),
            chance.choice((35.0, 60.0, 90.0)),
        )


def _bookings(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(1100):
        status = chance.choices(("ok", "canc", "wl", "nos"), (8, 2, 1, 1))[0]
        yield chance.randint(1, 160), chance.randint(1, 380), _day(chance, BEGINS).isoformat(), status


def _routes(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(450):
        day = _day(chance, BEGINS)
        colour = chance.choice(("red", "blue", "green", "yellow", "black"))
        name = f"{_ROUTES[number % 7]} {number // 7 + 1}"
        yield (
            name,
            _hall(chance),
            chance.randint(1, 16),
            colour,
            chance.randint(1, 9),
            day.isoformat(),
            _later(chance, day, 0.9, 200),
        )


def _rentals(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(3000):
        day = _day(chance, BEGINS) if number < 2970 else TODAY - timedelta(days=chance.randint(0, 2))
        hour = chance.randint(9, 20)
        back = None if number >= 2970 else f"{day.isoformat()} {min(hour + chance.randint(1, 3), 22):02}:30:00"
        item, charge = chance.choices((("sho", 4.0), ("har", 3.0), ("cha", 1.5), ("hel", 2.0)), (6, 3, 2, 1))[0]
        yield chance.randint(1, 380), _hall(chance), item, f"{day.isoformat()} {hour:02}:10:00", back, charge


def _accidents(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(60):
        severity = chance.choices(("min", "mod", "sev"), (6, 3, 1))[0]
        called = int(severity == "sev" or chance.random() < 0.05)
        yield _hall(chance), chance.randint(1, 380), _day(chance, BEGINS).isoformat(), severity, called
