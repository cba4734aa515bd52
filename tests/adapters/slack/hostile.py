"""What no text that Slack gets may hold."""

import re
from typing import Any

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
