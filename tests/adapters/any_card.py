"""Cards of any blocks, made of hostile text."""

from hypothesis import strategies as st

from adapters.cards import (
    Block,
    Button,
    Buttons,
    Card,
    Facts,
    Heading,
    Link,
    Note,
    Rating,
    Source,
    Sources,
    Suggestions,
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
)
cards = st.builds(
    Card,
    blocks=st.lists(blocks, max_size=8).map(tuple),
    fallback=long_hostile,
    language=st.sampled_from(("en", "zh")),
)
