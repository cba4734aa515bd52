"""What an activity says beside its words: mentions, citations and the AI label, and the wish for feedback."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.grammar import Rule, anything, items, one_of, shape, string
from tests.fakes.teams.card_rules import is_link

AI_MESSAGE = "https://schema.org/Message"
STREAM_INFO = "streaminfo"
MOST_CITATIONS = 20


def _positive(value: Any, where: str) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        yield f"must be a positive integer [json-pointer:{where}]"


def _link(value: Any, where: str) -> Iterator[str]:
    if not is_link(value):
        yield f"must be an http or https address [json-pointer:{where}]"


_DOCUMENT = shape(
    {"@type": one_of("DigitalDocument"), "name": string(80, least=1), "abstract": string(160, least=1)},
    {
        "url": _link,
        "text": string(5000),
        "encodingFormat": string(100),
        "image": anything,
        "keywords": items(string(28), 3),
        "usageInfo": anything,
    },
)
_CLAIM = shape({"@type": one_of("Claim"), "position": _positive, "appearance": _DOCUMENT})
_MESSAGE = shape(
    {"@type": one_of("Message")},
    {
        "@context": one_of("https://schema.org"),
        "@id": string(200),
        "additionalType": items(one_of("AIGeneratedContent"), 1),
        "citation": items(_CLAIM, MOST_CITATIONS, least=0),
        "usageInfo": anything,
    },
)
_MENTION = shape(
    {"mentioned": shape({"id": string(200, least=1)}, {"name": string(200)}), "text": string(300, least=1)}
)
_STREAM = shape({}, {"streamId": string(100), "streamType": one_of("informative", "streaming", "final")} | {
    "streamSequence": _positive,
})  # fmt: skip
RULES: dict[str, Rule] = {"mention": _MENTION, AI_MESSAGE: _MESSAGE, STREAM_INFO: _STREAM, "clientInfo": anything}
_FEEDBACK_LOOP = shape({"type": one_of("default", "custom")})


def entity_problems(activity: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the entities of an activity and with its wish for feedback."""
    entities = activity.get("entities", [])
    if not isinstance(entities, list) or not all(isinstance(each, dict) for each in entities):
        yield "entities must be an array of objects"
        return
    for number, entity in enumerate(entities):
        where, kind = f"/entities/{number}", str(entity.get("type"))
        yield from RULES[kind](entity, where) if kind in RULES else [f"unknown entity {kind} [json-pointer:{where}]"]
        if kind == "mention" and str(entity.get("text")) not in str(activity.get("text")):
            yield f"the text of a mention has to stand in the text [json-pointer:{where}]"
        positions = [each.get("position") for each in entity.get("citation") or [] if isinstance(each, dict)]
        if len(set(positions)) < len(positions):
            yield f"two citations share a position [json-pointer:{where}]"
    yield from _feedback_problems(activity.get("channelData") or {})


def entity_of(activity: Mapping[str, Any], kind: str) -> Mapping[str, Any] | None:
    """Return the first entity of a kind, None without one."""
    for entity in activity.get("entities") or []:
        if isinstance(entity, dict) and entity.get("type") == kind:
            return entity
    return None


def _feedback_problems(channel_data: Mapping[str, Any]) -> Iterator[str]:
    if "feedbackLoop" in channel_data:
        yield from _FEEDBACK_LOOP(channel_data["feedbackLoop"], "/channelData/feedbackLoop")
        if "feedbackLoopEnabled" in channel_data:
            yield "feedbackLoop and feedbackLoopEnabled exclude each other [json-pointer:/channelData]"
