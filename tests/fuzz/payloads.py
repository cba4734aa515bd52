"""JSON as a platform sends it, changed in a few places: it gets past the first checks, and is wrong in what follows."""

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from tests.adapters.hostile import hostile

Json = dict[str, Any]
Place = tuple[str | int, ...]

anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | hostile,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_odd: st.SearchStrategy[Any] = st.sampled_from(
    ("", " ", "\x00", "\ud800", "0", "<@U1>", "x" * 999, 0, -1, 1e308, 10**400, True, None, [], {}, [[]], {"id": None})
)  # fmt: skip
values = _odd | anything


@st.composite
def changed(draw: st.DrawFn, bodies: st.SearchStrategy[Json]) -> Json:
    """Return one of these bodies with up to four of its values changed, left out, moved or said twice."""
    body = copy.deepcopy(draw(bodies))
    for _ in range(draw(st.integers(0, 4))):
        places = [*_places(body)]
        place = draw(st.sampled_from(places))
        way = draw(st.sampled_from(("change", "change", "text", "leave out", "move", "twice")))
        holder = _at(body, place[:-1])
        match way:
            case "change":
                holder[place[-1]] = draw(values)
            case "text":
                holder[place[-1]] = draw(hostile)
            case "leave out":
                del holder[place[-1]]
            case "move":
                holder[place[-1]] = copy.deepcopy(_at(body, draw(st.sampled_from(places))))
            case "twice":
                holder[place[-1]] = [holder[place[-1]]] * 2
        if not body:
            break
    return body


def _places(value: Any, at: Place = ()) -> Iterator[Place]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in entries:
        yield (*at, name)
        yield from _places(inner, (*at, name))


def _at(value: Any, place: Place) -> Any:
    for step in place:
        value = value[step]
    return value
