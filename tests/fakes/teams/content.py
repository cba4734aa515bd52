"""What the connector takes as the content of a message, and how it becomes one."""

import json
from collections.abc import Mapping
from typing import Any

from tests.fakes.teams.card_rules import card_problems
from tests.fakes.teams.entity_rules import entity_problems
from tests.fakes.teams.errors import Refused, bad
from tests.fakes.teams.records import Json, Message

CARD = "application/vnd.microsoft.card.adaptive"
#: Of a whole activity in UTF-16, and of one card in UTF-8.
ACTIVITY_BYTES_MAX, CARD_BYTES_MAX = 100 * 1024, 28 * 1024
MOST_ATTACHMENTS = 10
TEXT_FORMATS = {"markdown", "plain", "xml"}
#: What an activity may say at all; a misspelt field would be lost in silence.
FIELDS = {
    "type", "id", "timestamp", "channelId", "from", "recipient", "conversation", "replyToId", "text", "textFormat",
    "summary", "attachments", "attachmentLayout", "entities", "channelData", "suggestedActions", "locale",
    "inputHint", "importance", "deliveryMode", "serviceUrl", "value", "speak",
}  # fmt: skip


def check_content(activity: Mapping[str, Any], *, needs_words: bool = True) -> None:
    """Refuse what a message cannot hold: too much, unknown fields, attachments and entities that are none."""
    if utf16_bytes(activity) > ACTIVITY_BYTES_MAX:
        raise Refused(413, "MessageSizeTooBig")
    unknown = sorted(set(activity) - FIELDS)
    if unknown:
        raise bad(f"Unknown fields: {', '.join(unknown)}")
    if activity.get("textFormat", "markdown") not in TEXT_FORMATS:
        raise bad("Unknown textFormat")
    if not isinstance(activity.get("text", ""), str):
        raise bad("text must be a string")
    attachments = activity.get("attachments") or []
    check_attachments(attachments)
    if needs_words and not str(activity.get("text") or "").strip() and not attachments:
        raise bad("Activity must include text or attachments")
    problems = list(entity_problems(activity))
    if problems:
        raise bad("; ".join(problems))


def check_attachments(attachments: Any) -> None:
    """Refuse attachments that are no cards of ours, and cards that are wrong or too large."""
    if not isinstance(attachments, list) or len(attachments) > MOST_ATTACHMENTS:
        raise bad("Too many attachments")
    for each in attachments:
        if not isinstance(each, dict) or each.get("contentType") != CARD:
            raise bad("Unknown attachment type")
        check_card(each.get("content"))


def check_card(card: Any) -> None:
    """Refuse a card that Teams would not draw as it is meant."""
    problems = card_problems(card)
    if problems:
        raise bad("; ".join(problems))
    if len(json.dumps(card, ensure_ascii=False).encode()) > CARD_BYTES_MAX:
        raise Refused(413, "MessageSizeTooBig")


def utf16_bytes(content: Any) -> int:
    """Return the size of JSON as Teams counts it."""
    return len(json.dumps(content, ensure_ascii=False).encode("utf-16-le"))


def content_of(activity: Mapping[str, Any]) -> Json:
    """Return the fields of `Message` that an activity gives."""
    return {
        "text": str(activity.get("text") or ""),
        "text_format": str(activity.get("textFormat", "markdown")),
        "summary": str(activity.get("summary") or ""),
        "attachments": list(activity.get("attachments") or []),
        "entities": [each for each in activity.get("entities") or [] if each.get("type") != "streaminfo"],
        "channel_data": dict(activity.get("channelData") or {}),
        "suggested_actions": dict(activity.get("suggestedActions") or {}),
    }


def rewrite(message: Message, content: Json) -> None:
    """Put new content in a message's place, whole: what the new one does not have is gone."""
    message.earlier.append({name: getattr(message, name) for name in content})
    for name, value in content.items():
        setattr(message, name, value)
    message.own_cards.clear()
