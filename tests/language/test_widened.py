"""Other words by which a question is looked for once more."""

import pytest

from language.words import widened


@pytest.mark.parametrize(
    ("text", "added"),
    [("I want to book a holiday", "leave"), ("how do I book time off?", "leave"), ("我要结婚了", "婚假")],
)
def test_what_pages_call_otherwise_is_added(text: str, added: str) -> None:
    assert widened(text).startswith(text)
    assert added in widened(text).split()


def test_nothing_is_added_to_what_has_no_other_words() -> None:
    assert widened("where is the zymurgist?") == ""
