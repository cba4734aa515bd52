"""What a message may say: text, blocks, attachments, Markdown and metadata, with Slack's limits."""

import json
from dataclasses import dataclass
from typing import Any

from tests.fakes.slack.blocks import check_message_blocks
from tests.fakes.slack.errors import Refused, invalid
from tests.fakes.slack.records import Json

POST_TEXT_MAX = 40_000
UPDATE_TEXT_MAX = 4_000
MARKDOWN_MAX = 12_000
ATTACHMENTS_MAX = 100
METADATA_MAX = 16_000


@dataclass(frozen=True)
class Content:
    """What a call wants to show; None means that the call did not speak of it."""

    text: str | None
    blocks: list[Json] | None
    attachments: list[Json] | None
    markdown: str | None


def read_content(arguments: Json, *, longest_text: int | None = None) -> Content:
    """Return the checked content of a call; a text over `longest_text` is refused, else cut at 40,000 characters."""
    text, markdown = arguments.get("text"), arguments.get("markdown_text")
    blocks, attachments = arguments.get("blocks"), arguments.get("attachments")
    if markdown is not None and (text is not None or blocks is not None):
        raise Refused("markdown_text_conflict")
    if not any((text, markdown, blocks, attachments)):
        raise Refused("no_text")
    if text is not None and longest_text is not None and len(text) > longest_text:
        raise Refused("msg_too_long")
    if attachments is not None and len(attachments) > ATTACHMENTS_MAX:
        raise Refused("too_many_attachments")
    if blocks is not None:
        check_message_blocks(blocks)
    check_markdown(markdown)
    return Content(None if text is None else text[:POST_TEXT_MAX], blocks, attachments, markdown)


def check_markdown(markdown: str | None) -> None:
    """Refuse more Markdown than one call may bring."""
    if markdown is not None and len(markdown) > MARKDOWN_MAX:
        raise Refused("msg_too_long")


def read_metadata(arguments: Json) -> Json | None:
    """Return the checked metadata of a call: `{}` when it asks to remove them, None when it does not speak of them."""
    metadata: Any = arguments.get("metadata")
    if metadata is None:
        return None
    if not isinstance(metadata, dict) or set(metadata) - {"event_type", "event_payload", "entities"}:
        raise Refused("invalid_metadata_format")
    if not metadata:
        return {}
    if not isinstance(metadata.get("event_type"), str) or not metadata["event_type"]:
        raise invalid("invalid_metadata_schema", "missing required field: event_type")
    if not isinstance(metadata.get("event_payload"), dict):
        raise invalid("invalid_metadata_schema", "missing required field: event_payload")
    if len(json.dumps(metadata)) > METADATA_MAX:
        raise Refused("metadata_too_large")
    return metadata
