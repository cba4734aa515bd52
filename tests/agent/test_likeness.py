"""Questions that say nearly the same are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.runs.likeness import alike


@pytest.mark.parametrize(
    ("texts", "groups"),
    [
        (("How do I connect to the VPN?", "how to connect to VPN", "Where can I park?"), ((0, 1), (2,))),
        (("停车场在哪里？", "请问停车场在哪", "怎么连接VPN？"), ((0, 1), (2,))),
        (("?", "!"), ((0,), (1,))),
    ],
)
def test_they_are_grouped(texts: tuple[str, ...], groups: tuple[tuple[int, ...], ...]) -> None:
    assert alike(texts) == groups


@given(st.lists(st.text(max_size=40), max_size=12))
def test_each_is_in_one_group(texts: list[str]) -> None:
    assert sorted(place for group in alike(texts) for place in group) == list(range(len(texts)))
