"""Texts that try to ping people, to fake links, to break out of code and to be cut at the wrong place."""

import re
from typing import Any

from hypothesis import strategies as st

TOKENS = (
    "<!channel>",
    "<!here|here>",
    "<!subteam^S012|@team>",
    "<@U012ABC>",
    "<#C012ABC|general>",
    "<https://evil.example|https://bank.example>",
    "&lt;!channel&gt;",
    "&#60;!here>",
    "<&#33;here>",
    "<\\!here>",
    "@channel",
    "@here",
    "[bank](https://evil.example/x)",
    "[https://bank.example](https://evil.example)",
    "[x](javascript:alert(1))",
    "![x](https://evil.example/x.png)",
    "\n[1]: https://evil.example",
    "<ftp://evil.example>",
    "[",
    "](",
    ")",
    "<",
    "!",
    ">",
    "&",
    "`",
    "``",
    "\n```\n",
    "\n~~~\n",
    "\n````text\n",
    "\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "|",
    "\n",
    "\n\n",
    "> ",
    "\n> quoted ",
    "\n- item ",
    "\n1. item ",
    "\n# title\n",
    "**bold**",
    "*",
    "_",
    "~",
    "\\",
    "word ",
    "A sentence. ",
    "中文句子。",
    "👩‍👩‍👧‍👦",
    "🇨🇳🇩🇪",
    "👍🏽",
    "e\u0301",
    "한글",
    "\u202e",
    "\u2066",
    "\x07",
    "\r\n",
    "\u2028",
    "\ud83d",
    " " * 40,
    "x" * 60,
)
#: Any text, and above all texts of the tokens.
hostile = st.one_of(
    st.lists(st.sampled_from(TOKENS), max_size=40).map("".join),
    st.text(max_size=200),
    st.lists(st.one_of(st.sampled_from(TOKENS), st.text(max_size=5)), max_size=40).map("".join),
)
#: The same, long enough to be split.
long_hostile = st.builds(lambda text, times: text * times, hostile, st.integers(1, 60))
MENTION = re.compile(r"<[!@#]")


def shown_texts(value: Any, kind: str = "") -> list[tuple[str, str]]:
    """Return every text that is shown in Slack's JSON, with the type of the object that holds it."""
    if isinstance(value, list):
        return [found for each in value for found in shown_texts(each, kind)]
    if not isinstance(value, dict):
        return []
    kind = str(value.get("type", kind))
    own = [(kind, value["text"])] if isinstance(value.get("text"), str) else []
    return own + [found for each in value.values() for found in shown_texts(each, kind)]


def assert_harmless(payload: Any) -> None:
    """Fail when a shown text mentions anybody, or links in mrkdwn to anything but the web."""
    for kind, text in shown_texts(payload):
        assert not MENTION.search(text), text
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text), ascii(text)
        if kind == "mrkdwn":
            assert not re.search(r"<(?!https?://[^\s<>|]+\|[^<>|\n]*>)", text), text
            assert not re.search(r"&(?!(?:amp|lt|gt);)", text), text
