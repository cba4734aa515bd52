"""The terms of the file and their numbers. A number is given once and stays; terms that no chunk holds do no harm."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping

from language.spelling import one_edit_apart


def numbers(connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
    """Return the numbers of those terms that are known."""
    rows = connection.execute(
        "SELECT term.text, term.id FROM json_each(?) AS wanted CROSS JOIN term ON term.text = wanted.value",
        (json.dumps(list(terms)),),
    )
    return dict(rows.fetchall())


def learned(connection: sqlite3.Connection, terms: Iterable[str]) -> Mapping[str, int]:
    """Return the number of each term; new ones are given one."""
    wanted = sorted(set(terms))
    known = numbers(connection, wanted)
    new = [(term,) for term in wanted if term not in known]
    if new:
        connection.executemany("INSERT INTO term (text) VALUES (?)", new)
        known |= numbers(connection, [term for (term,) in new])
    return known


def one_edit_away(connection: sqlite3.Connection, term: str) -> Iterator[tuple[str, int]]:
    """Yield the terms, with their numbers, that begin with the same letter and differ by an edit distance of one."""
    first = term[0]
    near = connection.execute(
        "SELECT text, id FROM term WHERE text >= ? AND text < ? AND length(text) BETWEEN ? AND ?",
        (first, chr(ord(first) + 1), len(term) - 1, len(term) + 1),
    )
    return ((text, number) for text, number in near if one_edit_apart(term, text))
