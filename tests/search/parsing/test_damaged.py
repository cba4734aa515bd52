"""However the parts of an Office file are damaged, its reader returns what it could read or says that it is broken."""

import io
import re
import zipfile
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.parsing.apart.program import answer
from search.parsing.converted import Kind
from tests.search.parsing.test_bad_files import SHEETS, WORD, archive

_PIECE = re.compile(rb"<[^>]*>|[^<]+")
_VALUE = re.compile(rb'"[^"]*"')
WHOLE = {Kind.DOCX: WORD, Kind.XLSX: SHEETS}
PLACES = st.integers(0, 10_000)
DAMAGE = st.tuples(PLACES, PLACES, st.sampled_from(["lose", "cut", "repeat", "empty", "minus", "huge", "word"]))
VALUES = {"empty": b'""', "minus": b'"-1"', "huge": b'"99999999999"', "word": b'"abc"'}


def parts_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as made:
        return {name: made.read(name) for name in made.namelist()}


def damaged(parts: Mapping[str, bytes], where: int, place: int, how: str) -> dict[str, bytes]:
    """Return the parts with one of them lost, or with one of its tags or texts changed."""
    names = sorted(name for name in parts if name.endswith((".xml", ".rels")))
    name = names[where % len(names)]
    if how == "lose":
        return {other: held for other, held in parts.items() if other != name}
    pieces = _PIECE.findall(parts[name])
    at = place % len(pieces)
    if how == "cut":
        del pieces[at]
    elif how == "repeat":
        pieces.insert(at, pieces[at])
    else:
        pieces[at] = _VALUE.sub(VALUES[how], pieces[at])
    return {**parts, name: b"".join(pieces)}


@pytest.mark.parametrize("kind", WHOLE)
@settings(max_examples=60)
@given(damages=st.lists(DAMAGE, min_size=1, max_size=3))
def test_damaged_parts(kind: Kind, damages: list[tuple[int, int, str]]) -> None:
    parts = parts_of(WHOLE[kind])
    for where, place, how in damages:
        parts = damaged(parts, where, place, how)
    told = answer(kind, archive(parts))
    assert told.keys() == {"unreadable", "reason"} or {"markdown", "title", "remark"} < told.keys()
    assert "\n" not in str(told.get("unreadable", ""))
