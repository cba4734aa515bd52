"""Pages with a cursor, as Slack hands out its long lists."""

import base64
import binascii
from collections.abc import Sequence
from typing import TypeVar

from tests.fakes.slack.errors import Refused
from tests.fakes.slack.method import whole
from tests.fakes.slack.records import Json

Item = TypeVar("Item")


def page(items: Sequence[Item], arguments: Json, *, default: int = 100, most: int = 1000) -> tuple[list[Item], str]:
    """Return one page by `limit` and `cursor`, and the cursor of the next page ("" after the last)."""
    limit = whole(arguments, "limit", default=default, most=most)
    start = _start(arguments.get("cursor") or "")
    end = start + limit
    following = base64.b64encode(f"next:{end}".encode()).decode() if end < len(items) else ""
    return list(items[start:end]), following


def _start(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        return int(base64.b64decode(cursor, validate=True).decode().removeprefix("next:"))
    except (binascii.Error, ValueError):
        raise Refused("invalid_cursor") from None
