"""Messages that grow before a person's eyes, with the rules under which Teams lets them."""

from collections.abc import Mapping
from typing import Any

from tests.fakes.teams.content import ACTIVITY_BYTES_MAX, check_content, content_of, rewrite, utf16_bytes
from tests.fakes.teams.entity_rules import STREAM_INFO, entity_of
from tests.fakes.teams.errors import NOT_ALLOWED, Refused, bad
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.records import Conversation, Glimpse, Json, Message, PieceKind, Stream

LIFE_S, APART_S = 120.0, 1.0
#: An informative piece has no more characters or bytes.
INFORMATIVE_MAX = 1000
OUT_OF_ORDER = "PreCondition failed exception when processing streaming activity."
#: What a stream may end with only when it is final.
ONLY_FINAL = ("attachments", "suggestedActions")


def stream_activity(
    organisation: Organisation, conversation: Conversation, activity: Mapping[str, Any]
) -> tuple[int, Json]:
    """Take one piece of a stream, or its end; return the status and the body of the answer."""
    info = entity_of(activity, STREAM_INFO) or {}
    if conversation.kind != "personal":
        raise Refused(403, NOT_ALLOWED, "Content stream is not allowed")
    if info.get("streamType") == "final":
        return _finish(organisation, conversation, activity, info)
    if activity.get("type") != "typing":
        raise bad("Streaming activities have to be of type typing")
    _check_piece(activity, info)
    if info.get("streamId") is None:
        return _start(organisation, conversation, activity, info)
    message = _open(organisation, conversation, str(info["streamId"]))
    return _continue(organisation, message, activity, info)


def is_open(organisation: Organisation, message: Message) -> bool:
    """Return whether a stream goes on; two minutes after its start Teams has stopped it."""
    stream = message.stream
    if stream is None or stream.ended is not None:
        return False
    if organisation.clock.monotonic() - stream.started < LIFE_S:
        return True
    stream.ended, stream.ending = stream.started + LIFE_S, "expired"
    organisation.changed("stream", message)
    return False


def check_change(organisation: Organisation, message: Message) -> None:
    """Refuse to change what is still streaming, or was stopped on the way."""
    if message.stream is not None and (is_open(organisation, message) or message.stream.ending != "final"):
        raise Refused(403, NOT_ALLOWED, "Content stream is not allowed")


def _check_piece(activity: Mapping[str, Any], info: Mapping[str, Any]) -> None:
    if utf16_bytes(activity) > ACTIVITY_BYTES_MAX:
        raise Refused(403, NOT_ALLOWED, "Message size too large")
    check_content(activity, needs_words=False)
    text = str(activity.get("text") or "")
    if not text.strip():
        raise bad("Start streaming activities should include text")
    if any(activity.get(name) for name in ONLY_FINAL) or len(activity.get("entities") or []) > 1:
        raise bad("Only the final activity of a stream holds more than text")
    if "feedbackLoop" in (activity.get("channelData") or {}):
        raise bad("Only the final activity of a stream asks for feedback")
    if "streamSequence" not in info:
        raise bad("Streaming activities should include streamSequence")
    if info.get("streamType") == "informative" and len(text.encode()) > INFORMATIVE_MAX:
        raise bad("Informative updates are limited to 1 kb")


def _start(
    organisation: Organisation, conversation: Conversation, activity: Mapping[str, Any], info: Mapping[str, Any]
) -> tuple[int, Json]:
    if info["streamSequence"] != 1:
        raise bad("The first streamSequence should be 1")
    if any(is_open(organisation, each) for each in organisation.messages[conversation.id].values()):
        raise Refused(403, NOT_ALLOWED, "Content stream is not allowed")
    now = organisation.clock.monotonic()
    message = Message(conversation.id, organisation.new_id(), organisation.bot.id, organisation.epoch())
    message.stream = Stream(now, sequence=1, last=now)
    message.stream.pieces.append(_glimpse(organisation, activity, info))
    organisation.messages[conversation.id][message.id] = message
    organisation.changed("stream", message)
    return 201, {"id": message.id}


def _continue(
    organisation: Organisation, message: Message, activity: Mapping[str, Any], info: Mapping[str, Any]
) -> tuple[int, Json]:
    stream, now = _stream(message), organisation.clock.monotonic()
    if organisation.rates.enforced and now - stream.last < APART_S:
        organisation.rates.refused += 1
        raise Refused(429, "", "API calls quota exceeded", retry_after_s=1)
    if info["streamSequence"] <= stream.sequence:
        raise Refused(202, "ContentStreamSequenceOrderPreConditionFailed", OUT_OF_ORDER)
    piece = _glimpse(organisation, activity, info)
    if piece.kind == "streaming":
        _check_extends(stream, piece.text)
    stream.sequence, stream.last = info["streamSequence"], now
    stream.pieces.append(piece)
    organisation.changed("stream", message)
    return 202, {}


def _finish(
    organisation: Organisation, conversation: Conversation, activity: Mapping[str, Any], info: Mapping[str, Any]
) -> tuple[int, Json]:
    if activity.get("type") != "message" or "streamSequence" in info or "streamId" not in info:
        raise bad("A final activity is a message with a streamId and no streamSequence")
    message = _open(organisation, conversation, str(info["streamId"]))
    stream, content = _stream(message), content_of(activity)
    if utf16_bytes(activity) > ACTIVITY_BYTES_MAX:
        raise Refused(403, NOT_ALLOWED, "Message size too large")
    check_content(activity, needs_words=False)
    if not content["text"].strip():
        raise bad("Final streaming activities should include text")
    _check_extends(stream, content["text"])
    rewrite(message, content)
    message.earlier.clear()
    stream.ended, stream.ending = organisation.clock.monotonic(), "final"
    organisation.changed("message", message)
    return 202, {}


def _open(organisation: Organisation, conversation: Conversation, stream_id: str) -> Message:
    message = organisation.messages[conversation.id].get(stream_id)
    if message is None or message.stream is None:
        raise bad("Unknown streamId")
    if is_open(organisation, message):
        return message
    match message.stream.ending:
        case "stopped":
            raise Refused(403, NOT_ALLOWED, "Content stream was canceled by user.")
        case "expired":
            raise Refused(403, NOT_ALLOWED, "Content stream finished due to exceeded streaming time.")
        case _:
            words = "Content stream is not allowed on an already completed streamed message"
            raise Refused(403, NOT_ALLOWED, words)


def _check_extends(stream: Stream, text: str) -> None:
    if not text.startswith(stream.text):
        words = "Request streamed content should contain the previously streamed content"
        raise Refused(403, NOT_ALLOWED, words)


def _stream(message: Message) -> Stream:
    if message.stream is None:
        raise bad("Unknown streamId")
    return message.stream


def _glimpse(organisation: Organisation, activity: Mapping[str, Any], info: Mapping[str, Any]) -> Glimpse:
    kind: PieceKind = "informative" if info.get("streamType") == "informative" else "streaming"
    return Glimpse(kind, str(activity["text"]), info["streamSequence"], organisation.epoch())
