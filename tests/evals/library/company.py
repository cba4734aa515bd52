"""Makes the database of a town's libraries: branches, readers, copies, loans up to a day, the same rows each time."""

import random
import sqlite3
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

#: The day that it is when somebody asks, and the first day of the books.
TODAY, BEGINS = date(2026, 11, 26), date(2024, 6, 1)
_TABLES = """
CREATE TABLE branches (code TEXT PRIMARY KEY, name TEXT, district TEXT, seats INTEGER);
CREATE TABLE librarians (
  id INTEGER PRIMARY KEY, full_name TEXT, branch_code TEXT REFERENCES branches(code), role TEXT, started_on DATE,
  left_on DATE);
CREATE TABLE readers (
  id INTEGER PRIMARY KEY, full_name TEXT, branch_code TEXT REFERENCES branches(code), age_group TEXT, joined_on DATE,
  card_expires_on DATE, blocked BOOLEAN, email TEXT);
CREATE TABLE titles (
  id INTEGER PRIMARY KEY, title TEXT, author TEXT, genre TEXT, language TEXT, published_year INTEGER, pages INTEGER);
CREATE TABLE copies (
  id INTEGER PRIMARY KEY, barcode TEXT, title_id INTEGER REFERENCES titles(id),
  branch_code TEXT REFERENCES branches(code), bought_on DATE, price REAL, withdrawn_on DATE);
CREATE TABLE loans (
  id INTEGER PRIMARY KEY, copy_id INTEGER REFERENCES copies(id), reader_id INTEGER REFERENCES readers(id),
  librarian_id INTEGER REFERENCES librarians(id), lent_at TIMESTAMP, due_on DATE, returned_on DATE, renewals INTEGER,
  channel TEXT);
CREATE TABLE reservations (
  id INTEGER PRIMARY KEY, title_id INTEGER REFERENCES titles(id), reader_id INTEGER REFERENCES readers(id),
  placed_on DATE, state TEXT);
CREATE TABLE fines (
  id INTEGER PRIMARY KEY, loan_id INTEGER REFERENCES loans(id), reader_id INTEGER REFERENCES readers(id),
  issued_on DATE, amount REAL, paid_on DATE, reason TEXT);
CREATE TABLE events (
  id INTEGER PRIMARY KEY, name TEXT, branch_code TEXT REFERENCES branches(code), kind TEXT, held_at TIMESTAMP,
  visitors INTEGER, cost REAL);
"""
_BRANCHES = (
    ("CEN", "Central", "old town", 220), ("HAR", "Harbour", "docks", 90), ("MEA", "Meadow Park", "west side", 60),
    ("STA", "Station Road", "west side", 45), ("BUS", "Bookbus", "docks", 0),
)  # fmt: skip
_FIRST = ("Aino", "Bram", "Cleo", "Dara", "Ewan", "Fenna", "Goran", "Hilde", "Ivo", "Juna", "Kaj", "Lotte", "Milo")
_LAST = ("Aalto", "Bos", "Cole", "Dekker", "Evers", "Frost", "Gale", "Haas", "Imre", "Jansen", "Kok")
_ONE = ("Silent", "Golden", "Last", "Hidden", "Broken", "Distant", "Paper", "Winter", "Blue", "Small")
_TWO = ("River", "Garden", "Harvest", "Lantern", "Island", "Letter", "Orchard", "Station", "Mirror", "Bridge", "Sea")
_GENRES = {"fic": 8, "crm": 6, "chd": 7, "nfc": 5, "cmx": 3, "trv": 2}
_EVENTS = ("Story Hour", "Poetry Night", "Chess Club", "Author Talk", "Repair Café", "Language Table")


def make_libraries(path: Path) -> None:
    """Write the database into a file that does not exist yet."""
    chance = random.Random(90210)
    with sqlite3.connect(path) as database:
        database.executescript(_TABLES)
        database.executemany("INSERT INTO branches VALUES (?,?,?,?)", _BRANCHES)
        for table, rows in (
            ("librarians", _librarians(chance)), ("readers", _readers(chance)), ("titles", _titles(chance)),
            ("copies", _copies(chance)), ("loans", _loans(chance)), ("reservations", _reservations(chance)),
            ("fines", _fines(chance)), ("events", _events(chance)),
        ):  # fmt: skip
            for row in rows:
                database.execute(f"INSERT INTO {table} VALUES (NULL,{','.join('?' * len(row))})", row)


def _day(chance: random.Random, start: date, end: date = TODAY) -> date:
    return start + timedelta(days=chance.randrange((end - start).days))


def _later(chance: random.Random, start: date, share: float, most: int) -> str | None:
    end = start + timedelta(days=chance.randint(1, most))
    return end.isoformat() if chance.random() < share and end < TODAY else None


def _branch(chance: random.Random) -> str:
    return chance.choices([each[0] for each in _BRANCHES], (8, 4, 3, 2, 1))[0]


def _name(number: int) -> str:
    return f"{_FIRST[number % 13]} {_LAST[number // 13 % 11]}{' ' + 'Jr' * (number // 143) if number > 142 else ''}"


def _librarians(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(22):
        started = _day(chance, date(2012, 1, 1))
        role = chance.choices(("lib", "ass", "vol"), (3, 3, 2))[0]
        yield (
            f"{_FIRST[number % 13]} {_LAST[(number * 7 + 3) % 11]}",
            _branch(chance),
            role,
            started.isoformat(),
            _later(chance, started, 0.3, 2500),
        )


def _readers(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(420):
        joined = _day(chance, date(2018, 1, 1))
        expires = joined + timedelta(days=365 * chance.randint(1, 9))
        yield (
            _name(number), _branch(chance), chance.choices(("ad", "ch", "st", "se"), (5, 4, 3, 2))[0],
            joined.isoformat(), expires.isoformat(), int(chance.random() < 0.07), f"r{number}@mail.example",
        )  # fmt: skip


def _titles(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(110):
        author = f"{_LAST[chance.randrange(11)]}, {_FIRST[chance.randrange(13)]}"
        genre = chance.choices(tuple(_GENRES), tuple(_GENRES.values()))[0]
        language = chance.choices(("en", "nl", "zh"), (6, 3, 1))[0]
        title = f"{_ONE[number % 10]} {_TWO[number // 10]}"
        yield title, author, genre, language, chance.randint(1961, 2026), chance.randint(24, 880)


def _copies(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(400):
        bought = _day(chance, date(2010, 1, 1))
        yield (
            f"B{10000 + number}", chance.randint(1, 108), _branch(chance), bought.isoformat(),
            round(chance.uniform(6, 48), 2), _later(chance, bought, 0.2, 3000),
        )  # fmt: skip


def _loans(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(7000):
        day = _day(chance, BEGINS)
        hour = chance.choices(range(9, 21), (1, 3, 4, 2, 2, 3, 5, 8, 7, 4, 2, 1))[0]
        due = day + timedelta(days=28)
        back = day + timedelta(days=chance.randint(2, 40))
        open_ended = chance.random() < 0.01 or back >= TODAY
        yield (
            chance.randint(1, 392), chance.randint(1, 400), chance.randint(1, 21),
            f"{day.isoformat()} {hour:02}:{chance.choice(('05', '20', '40'))}:00", due.isoformat(),
            None if open_ended else back.isoformat(), chance.choice((0, 0, 0, 1, 2)),
            chance.choices(("desk", "kiosk", "app"), (4, 5, 2))[0],
        )  # fmt: skip


def _reservations(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for _ in range(900):
        state = chance.choices(("wait", "ready", "coll", "canc"), (2, 1, 6, 1))[0]
        yield chance.randint(1, 110), chance.randint(1, 420), _day(chance, BEGINS).isoformat(), state


def _fines(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(600):
        day = _day(chance, BEGINS)
        paid = _later(chance, day, 0.8, 60)
        reason = chance.choices(("late", "lost", "dmg"), (7, 1, 2))[0]
        yield number * 11 + 1, chance.randint(1, 400), day.isoformat(), round(chance.uniform(0.5, 30), 2), paid, reason


def _events(chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(180):
        kind = chance.choice(("kids", "adult", "all"))
        day = _day(chance, BEGINS, TODAY + timedelta(days=20))
        held = f"{day.isoformat()} {chance.choice((10, 14, 16, 19, 20)):02}:00:00"
        yield _EVENTS[number % 6], _branch(chance), kind, held, chance.randint(3, 90), round(chance.uniform(0, 400), 2)
