"""Cards of any blocks, made of hostile text."""

from typing import Literal

from hypothesis import strategies as st

from adapters.cards import (
    PNG,
    Block,
    Button,
    Buttons,
    Card,
    Chart,
    ChartSeries,
    Code,
    Column,
    Facts,
    Heading,
    Image,
    Link,
    Note,
    Rating,
    Source,
    Sources,
    Suggestions,
    Table,
    Text,
    Tone,
)
from tests.adapters.hostile import hostile, long_hostile

tones: st.SearchStrategy[Tone] = st.sampled_from(("neutral", "info", "good", "warn", "bad"))
buttons = st.builds(
    Button,
    label=hostile,
    action=st.sampled_from(("draft.confirm", "ticket.urge")),
    id=st.text(max_size=20),
    nonce=st.text(max_size=20),
    style=st.sampled_from(("plain", "primary", "danger")),
)
link_items = st.builds(Link, label=hostile, url=st.one_of(hostile, st.just("https://desk.example/tickets/T-1")))
columns = st.builds(
    Column, label=hostile, unit=st.just("") | hostile, holds=st.sampled_from(("text", "number", "date"))
)


@st.composite
def tables(draw: st.DrawFn, *, cells: st.SearchStrategy[str] = hostile, wide: int = 24, long: int = 120) -> Table:
    """Return a table of any shape; some have many rows, of few different cells."""
    heads = draw(st.lists(columns, min_size=1, max_size=wide))
    known = draw(st.lists(cells, min_size=1, max_size=6))
    count = draw(st.integers(0, 4) | st.integers(0, long))
    rows = tuple(tuple(known[(at * 7 + column) % len(known)] for column in range(len(heads))) for at in range(count))
    return Table(tuple(heads), rows, draw(st.just("") | hostile), draw(st.just("") | hostile))


@st.composite
def charts(draw: st.DrawFn, *, words: st.SearchStrategy[str] = hostile, long: int = 60) -> Chart:
    """Return a chart of any shape."""
    shape: Literal["bar", "line", "pie"] = draw(st.sampled_from(("bar", "line", "pie")))
    count = draw(st.integers(1, 8) | st.integers(1, long))
    known = draw(st.lists(words, min_size=1, max_size=5))
    values = st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9).map(float)
    series = draw(
        st.lists(
            st.builds(ChartSeries, words, st.lists(values, min_size=count, max_size=count).map(tuple)),
            min_size=1,
            max_size=1 if shape == "pie" else 8,
        )
    )
    categories = tuple(known[at % len(known)] for at in range(count))
    said = (draw(words), draw(st.just("") | words), draw(st.just("") | words))
    return Chart(shape, draw(words), categories, tuple(series), *said)


blocks: st.SearchStrategy[Block] = st.one_of(
    st.builds(Text, markdown=long_hostile),
    st.builds(Heading, text=hostile, badge=st.none() | hostile, tone=tones),
    st.builds(Facts, rows=st.lists(st.tuples(hostile, long_hostile), max_size=12).map(tuple)),
    st.builds(
        Sources,
        label=hostile,
        items=st.lists(
            st.builds(
                Source,
                number=st.integers(1, 99),
                title=hostile,
                section=hostile,
                url=st.one_of(hostile, st.just("https://desk.example/a?b=1&c=2")),
                quote=long_hostile,
                age=hostile,
            ),
            max_size=12,
        ).map(tuple),
    ),
    st.builds(Note, text=long_hostile, tone=tones),
    st.builds(Buttons, items=st.lists(buttons | link_items, max_size=30).map(tuple)),
    st.builds(Suggestions, label=hostile, items=st.lists(long_hostile, max_size=5).map(tuple)),
    st.builds(Rating, id=st.text(max_size=30), up=hostile, down=hostile, reason_label=hostile, thanks=hostile),
    tables(),
    st.builds(Code, text=long_hostile, language=st.just("sql") | hostile, title=st.just("") | hostile),
    charts(),
    st.builds(Image, png=st.binary(max_size=20_000).map(PNG.__add__), alternative=hostile, title=hostile),
)
cards = st.builds(
    Card,
    blocks=st.lists(blocks, max_size=8).map(tuple),
    fallback=long_hostile,
    language=st.sampled_from(("en", "zh")),
)
