"""Pages with a cursor, as Slack hands out its long lists."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.fakes.slack.errors import Refused
from tests.fakes.slack.method import whole
from tests.fakes.slack.records import Json

Item = TypeVar("Item")


def page(
    items: Sequence[Item], arguments: Json, *, key: Callable[[Item], str], default: int = 100, most: int = 1000
) -> tuple[list[Item], str]:
    """Return one page by `limit` and `cursor`, and the cursor of the next page ("" after the last).

    A cursor names the item that comes next by its `key`, so that what is added meanwhile moves nothing.
    """
    limit = whole(arguments, "limit", default=default, most=most)
    start = _start(items, arguments.get("cursor") or "", key)
    end = start + limit
    following = base64.b64encode(f"next:{key(items[end])}".encode()).decode() if end < len(items) else ""
    return list(items[start:end]), following


def _start(items: Sequence[Item], cursor: str, key: Callable[[Item], str]) -> int:
    if not cursor:
        return 0
    try:
        wanted = base64.b64decode(cursor, validate=True).decode().removeprefix("next:")
    except (binascii.Error, UnicodeDecodeError):
        raise Refused("invalid_cursor") from None
    for index, item in enumerate(items):
        if key(item) == wanted:
            return index
    raise Refused("invalid_cursor")
