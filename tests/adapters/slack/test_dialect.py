"""Markdown in Slack's own dialect."""

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.markdown.splitting import SMALLEST, split_markdown
from adapters.markdown.text import cleaned, size
from adapters.slack.drawing.dialect import mrkdwn, mrkdwn_pieces, words
from adapters.slack.drawing.text import markdown
from tests.adapters.hostile import hostile, long_hostile
from tests.adapters.slack.hostile import MENTION, assert_harmless


@given(hostile)
def test_mrkdwn_mentions_nobody_and_links_to_the_web_alone(text: str) -> None:
    assert_harmless({"type": "mrkdwn", "text": mrkdwn(text)})
    assert_harmless({"type": "mrkdwn", "text": words(text)})
    assert "<" not in words(text)


@given(long_hostile)
@settings(max_examples=50)
def test_mrkdwn_is_cut_into_pieces_that_stand_alone(text: str) -> None:
    pieces = mrkdwn_pieces(text, 1_000)
    assert [piece for piece in pieces if not 0 < size(piece) <= 1_000] == []
    assert_harmless([{"type": "mrkdwn", "text": piece} for piece in pieces])


@given(long_hostile)
@settings(max_examples=50)
def test_mrkdwn_keeps_every_word(text: str) -> None:
    said, found = ("".join(each.split()) for each in (words(text), "".join(mrkdwn_pieces(text, 1_000))))
    for word in ("word", "sentence", "中文句子", "item", "title", "quoted", "bold", "👩‍👩‍👧‍👦"):
        assert found.count(word) >= said.count(word)


def test_mrkdwn_of_our_subset() -> None:
    markdown_text = (
        "# Title\n\nPress **Confirm** and *wait*: [VPN](https://a.example/?b=1&c=2) [x](/own) 点击**确认**按钮\n\n"
        "- one\n  - two\n\n3. three\n4. four\n\n> quoted\n> more\n\n```py\na < b\n```\n\n"
        "| A | B |\n|---|---|\n| 1 | `2` |"
    )
    assert mrkdwn(markdown_text) == (
        "*Title*\n\nPress *Confirm* and _wait_: <https://a.example/?b=1&amp;c=2|VPN> [x]\u2060(/own) "
        "点击\u200b*确认*\u200b按钮\n\n"
        "• one\n    • two\n\n3. three\n4. four\n\n> quoted\n> more\n\n```\na &lt; b\n```\n\n*A* · *B*\n1 · `2`"
    )


def test_cleaning_comes_before_reading() -> None:
    assert mrkdwn(cleaned("a\u202eb")) == mrkdwn("a\u202eb") == "ab"


@given(long_hostile, st.integers(SMALLEST, 600))
def test_a_cut_makes_no_mention(text: str, limit: int) -> None:
    assert not any(map(MENTION.search, split_markdown(markdown(text), limit)))
