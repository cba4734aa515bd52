"""Rules for Slack's text objects."""

from collections.abc import Collection, Iterator
from typing import Any

from tests.fakes.grammar import Rule, boolean, one_of, shape, string


def text(most: int, *, types: Collection[str] = ("plain_text", "mrkdwn"), least: int = 1) -> Rule:
    """Take a text object of one of these types."""
    inner = shape({"text": string(most, least=least)}, {"emoji": boolean, "verbatim": boolean, "type": one_of(*types)})

    def check(value: Any, where: str) -> Iterator[str]:
        if isinstance(value, dict) and "type" not in value:
            yield f"missing required field: type [json-pointer:{where}]"
        yield from inner(value, where)

    return check


def plain(most: int) -> Rule:
    """Take a plain text object."""
    return text(most, types=("plain_text",))
