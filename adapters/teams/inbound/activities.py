"""What Teams sends, as plain values: the one module that knows the SDK's types.

Why, and how its successor takes the place: docs/decisions/0023-botbuilder-stays-in-one-module.md
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from botbuilder.schema import Activity as Sent  # type: ignore[import-untyped]
from botbuilder.schema import ChannelAccount, Entity

Json = Mapping[str, Any]

#: What is read of an activity. The rest costs time, and a time stamp of another shape loses no question.
_READ = (
    "type", "id", "name", "action", "text", "locale", "serviceUrl", "from", "recipient", "conversation", "replyToId",
    "membersAdded", "membersRemoved",
)  # fmt: skip
#: A file that somebody sent in their chat with the desk.
DOWNLOAD = "application/vnd.microsoft.teams.file.download.info"
#: Roles of senders that are no people.
_MACHINES = frozenset({"bot", "skill"})
#: Stored and bound as text everywhere, which neither NUL nor half a surrogate pair is.
_NO_TEXT = {0: None, **dict.fromkeys(range(0xD800, 0xE000))}


class Malformed(ValueError):
    """Not an activity of the Bot Framework."""


@dataclass(frozen=True)
class Member:
    """Somebody in a conversation, as Teams vouches for them."""

    id: str = ""  # "29:…" for people, "28:…" for apps
    name: str = ""
    person: str = ""  # their Entra object id, in lower case; "": they have none
    machine: bool = False


@dataclass(frozen=True)
class Mention:
    """A name in the text: `text` is how it stands there."""

    id: str
    name: str
    text: str


@dataclass(frozen=True)
class Attached:
    """A file of a message. `url` opens it for whoever has it, so it is shown nowhere; "": there is none."""

    name: str
    url: str = field(default="", repr=False)
    media_type: str = ""


@dataclass(frozen=True)
class Activity:
    """One activity. What is missing is empty; `value` is written by whoever has the card, the rest by Teams."""

    type: str
    id: str = ""
    name: str = ""
    action: str = ""
    text: str = ""
    locale: str = ""
    service_url: str = ""
    sender: Member = Member()
    recipient: Member = Member()
    conversation: str = ""
    conversation_kind: str = ""  # "personal", "groupChat", "channel"
    tenant: str = ""  # in lower case
    event: str = ""  # what happened to a message: "editMessage", "softDeleteMessage", "undeleteMessage"
    team: str = ""
    channel_type: str = ""  # "standard", "private", "shared"
    reply_to: str = ""
    added: tuple[Member, ...] = ()
    removed: tuple[Member, ...] = ()
    mentions: tuple[Mention, ...] = ()
    attached: tuple[Attached, ...] = ()
    value: Json = field(default_factory=dict, repr=False)


def text(parent: Json, name: str) -> str:
    """Return a string field without what is no text, "" when there is none."""
    return words(parent.get(name))


def record(parent: Json, name: str) -> Json:
    """Return an object field, {} when there is none."""
    value = parent.get(name)
    return value if isinstance(value, Mapping) else {}


def read(body: Json) -> Activity:
    """Return the activity that a request body holds; raise `Malformed` when it holds none."""
    if not isinstance(body, Mapping):
        raise Malformed("not a JSON object")
    known = {name: body[name] for name in _READ if name in body}
    try:
        sent: Sent = Sent().deserialize({**known, "entities": _mentions_in(body)})
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise Malformed("an activity that the SDK cannot read") from error
    if not sent.type:
        raise Malformed("an activity without a type")
    channel_data, conversation = record(body, "channelData"), sent.conversation
    return Activity(
        type=words(sent.type),
        id=words(sent.id),
        name=words(sent.name),
        action=words(sent.action),
        text=words(sent.text),
        locale=words(sent.locale),
        service_url=words(sent.service_url),
        sender=_member(sent.from_property),
        recipient=_member(sent.recipient),
        conversation=words(conversation and conversation.id),
        conversation_kind=words(conversation and conversation.conversation_type),
        # The SDK looks for `tenantID` in a conversation, and Teams writes `tenantId`.
        tenant=(text(record(channel_data, "tenant"), "id") or text(record(body, "conversation"), "tenantId")).lower(),
        event=text(channel_data, "eventType"),
        team=text(record(channel_data, "team"), "id"),
        channel_type=text(record(channel_data, "channel"), "type"),
        reply_to=words(sent.reply_to_id),
        added=_members(sent.members_added),
        removed=_members(sent.members_removed),
        mentions=tuple(_mention(each) for each in sent.entities or ()),
        attached=tuple(_attached(body)),
        value=record(body, "value"),
    )


def _mentions_in(body: Json) -> list[Json]:
    """Return the mentions alone: clients add entities of every other kind."""
    entities = body.get("entities")
    found = entities if isinstance(entities, list) else []
    return [each for each in found if isinstance(each, Mapping) and each.get("type") == "mention"]


def _mention(sent: Entity) -> Mention:
    mentioned = record(sent.additional_properties, "mentioned")
    return Mention(text(mentioned, "id"), text(mentioned, "name"), text(sent.additional_properties, "text"))


def _attached(body: Json) -> Iterator[Attached]:
    """Yield files and pictures; the same words as a web page, and cards, are attachments for Teams, too."""
    attachments = body.get("attachments")
    for each in attachments if isinstance(attachments, list) else []:
        if not isinstance(each, Mapping):
            continue
        kind = text(each, "contentType")
        if kind == DOWNLOAD:
            yield Attached(text(each, "name"), url=text(record(each, "content"), "downloadUrl"))
        elif kind.startswith("image/"):
            yield Attached(text(each, "name") or f"picture.{kind.partition('/')[2]}", media_type=kind)


def _members(sent: Iterable[ChannelAccount] | None) -> tuple[Member, ...]:
    return tuple(_member(each) for each in sent or ())


def _member(sent: ChannelAccount | None) -> Member:
    if sent is None:
        return Member()
    person = words(sent.aad_object_id).lower()
    return Member(words(sent.id), words(sent.name), person, machine=words(sent.role).lower() in _MACHINES)


def words(value: object) -> str:
    """Return a string without what is no text, "" for everything else."""
    return value.translate(_NO_TEXT) if isinstance(value, str) else ""
