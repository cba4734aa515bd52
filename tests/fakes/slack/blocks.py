"""What a list of blocks must keep to."""

from collections.abc import Iterator
from typing import Any

from tests.fakes.slack.errors import Refused, invalid
from tests.fakes.slack.records import Json

MESSAGE_BLOCKS_MAX = 50
MESSAGE_CHARACTERS_MAX = 13_200


def check_message_blocks(blocks: Any) -> None:
    """Refuse blocks that a message cannot hold."""
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise Refused("invalid_blocks_format")
    if len(blocks) > MESSAGE_BLOCKS_MAX:
        raise invalid("invalid_blocks", f"no more than {MESSAGE_BLOCKS_MAX} items allowed [json-pointer:/blocks]")
    if sum(map(len, texts_of(blocks))) > MESSAGE_CHARACTERS_MAX:
        raise Refused("msg_blocks_too_long")


def texts_of(part: Any) -> Iterator[str]:
    """Yield every text that a reader sees in blocks or in a part of them."""
    if isinstance(part, list):
        for each in part:
            yield from texts_of(each)
    elif isinstance(part, dict):
        text = part.get("text")
        if isinstance(text, str):
            yield text
        for key, each in part.items():
            if isinstance(each, dict | list) and key != "confirm":
                yield from texts_of(each)


def has_rich_text(blocks: list[Json]) -> bool:
    """Return whether a rich-text block is among them."""
    return any(block.get("type") == "rich_text" for block in blocks)
