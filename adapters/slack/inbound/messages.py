"""What people say: messages, mentions and slash commands, as neutral messages in plain words."""

import re

from adapters.events import File, Message, Withdrawn, withdrawal_of
from adapters.slack.config import account
from adapters.slack.inbound.origin import (
    Json,
    SlackDelivery,
    SlackIgnored,
    carried,
    home_of,
    place,
    record,
    records,
    text,
)

#: Subtypes that are words of a person all the same.
SPOKEN_SUBTYPES = frozenset({"", "thread_broadcast", "file_share", "me_message"})

_CHANGES = frozenset({"message_changed", "message_deleted", "message_replied"})
#: What Slack calls a message that was deleted while others stand below it, and a file that was deleted.
_TOMBSTONE = "tombstone"
_SLACKBOT = "USLACKBOT"
#: Slack's word for a format → the ending of such files, where it is another.
_SUFFIXES = {"markdown": "md", "text": "txt"}
#: `<@U2>`, `<#C1|name>`, `<!here>`, `<https://…|label>`.
_MARKUP = re.compile(r"<(?P<sign>[@#!]?)(?P<target>[^<>|\s][^<>|]*)(?:\|(?P<label>[^<>]*))?>")
_PERSON = re.compile(r"<@(?P<user>[UW][A-Z0-9]+)(?:\|[^<>]*)?>")


def heard_message(delivery: SlackDelivery) -> Message | Withdrawn | SlackIgnored:
    """Read a `message` or `app_mention` event; both of one message have the same id."""
    event, at = delivery.event, delivery.at
    if text(event, "subtype") in _CHANGES:
        return _withdrawn(delivery) or SlackIgnored("edited")
    user, ts, said = text(event, "user"), text(event, "ts"), text(event, "text")
    ignored = _not_of_a_person(delivery)
    if ignored is not None:
        return ignored
    direct = is_direct(text(event, "channel"), text(event, "channel_type"))
    named = text(event, "type") == "app_mention" or at.bot_user in mentioned(said)
    thread_ts = text(event, "thread_ts")
    begins = not thread_ts or thread_ts == ts
    if not direct and not named:
        if begins and (not said.strip() or text(event, "channel_type") == "mpim"):
            return SlackIgnored("talk")
        if mentioned(said):
            return SlackIgnored("others")
    home = home_of(event)
    by = account(user, home, at, shared=delivery.body.get("is_ext_shared_channel") is True)
    address = place(
        delivery,
        user,
        home,
        channel=text(event, "channel"),
        thread_ts=thread_ts or ts,
        message_ts=ts,
        kind="dm" if direct else "channel",
    )
    return Message(
        **carried(delivery, f"{address.channel}:{ts}", address, by),
        text=plain(without_mention(said, at.bot_user)),
        addressed=direct or named,
        overheard=begins and not (direct or named),
        private=direct,
        files=_files(event),
    )


def _withdrawn(delivery: SlackDelivery) -> Withdrawn | None:
    """Return that a message was deleted, or which files a change took away; None where it took none."""
    event, before, after = delivery.event, record(delivery.event, "previous_message"), record(delivery.event, "message")
    ts, user, channel = text(before, "ts"), text(before, "user"), text(event, "channel")
    whole = text(event, "subtype") == "message_deleted" or text(after, "subtype") == _TOMBSTONE
    standing = [] if whole else [each.reference for each in _files(after)]
    kept = tuple(each.name for each in _files(before) if each.reference in standing)
    own = user == delivery.at.bot_user or bool(text(before, "bot_id"))
    if not ts or not user or own or (not whole and len(kept) == len(_files(before))):
        return None
    home, message = home_of(before), f"{channel}:{ts}"
    address = place(
        delivery,
        user,
        home,
        channel=channel,
        thread_ts=text(before, "thread_ts") or ts,
        message_ts=ts,
        kind="dm" if is_direct(channel, text(event, "channel_type")) else "channel",
    )
    event_id = withdrawal_of(message) if whole else f"{message}:{text(event, 'event_ts')}"
    by = account(user, home, delivery.at)
    return Withdrawn(**carried(delivery, event_id, address, by), message=message, kept=kept)


def _files(said: Json) -> tuple[File, ...]:
    """Return the files of a message, but for those that were deleted."""
    standing = [each for each in records(said, "files") if text(each, "mode") != _TOMBSTONE]
    return tuple(_file(each) for each in standing if text(each, "id"))


def _file(told: Json) -> File:
    """Return a file by its id: the rest is asked for when it is fetched, since what an event says may be left out."""
    size, name = told.get("size"), text(told, "name") or text(told, "title") or text(told, "id")
    kind = text(told, "filetype")
    if "." not in name and kind:  # a snippet: its kind stands beside its title
        name = f"{name}.{_SUFFIXES.get(kind, kind)}"
    return File(
        name=name,
        reference={"id": text(told, "id")},
        size=size if isinstance(size, int) else None,
        media_type=text(told, "mimetype"),
    )


def heard_command(delivery: SlackDelivery) -> Message | SlackIgnored:
    """Read a slash command; the desk's own name of it is `/desk`, whatever the operator called it."""
    body, at = delivery.body, delivery.at
    user, home = text(body, "user_id"), text(body, "team_id")
    if not user:
        return SlackIgnored("unknown")
    address = place(delivery, user, home, channel=text(body, "channel_id"), kind="command")
    event_id = text(body, "trigger_id") or f"{user}:{delivery.now.isoformat()}"
    said = _unescaped(text(body, "text"))
    heard = carried(delivery, event_id, address, account(user, home, at))
    return Message(**heard, text=f"/desk {said}".strip(), unseen=True)


def _not_of_a_person(delivery: SlackDelivery) -> SlackIgnored | None:
    event, at = delivery.event, delivery.at
    user, subtype = text(event, "user"), text(event, "subtype")
    if user and user == at.bot_user:
        return SlackIgnored("own")
    if text(event, "bot_id") or record(event, "bot_profile") or subtype == "bot_message" or user == _SLACKBOT:
        return SlackIgnored("own" if at.bot_id and text(event, "bot_id") == at.bot_id else "bot")
    if subtype not in SPOKEN_SUBTYPES:
        return SlackIgnored("subtype")
    return None if user and text(event, "ts") and text(event, "channel") else SlackIgnored("unknown")


def is_direct(channel: str, channel_type: str = "") -> bool:
    """Return True for a conversation of one person with the desk."""
    return channel_type == "im" or channel.startswith("D")


def mentioned(said: str) -> frozenset[str]:
    """Return the ids of all people that a message names."""
    return frozenset(found["user"] for found in _PERSON.finditer(said)) if "<@" in said else frozenset()


def without_mention(said: str, user: str) -> str:
    """Return what is said without naming one person; the rest keeps its lines."""
    if not user or f"<@{user}" not in said:
        return said
    own = re.compile(rf"(?<![ \t])[ \t]*+<@{re.escape(user)}(?:\|[^<>]*)?>[ \t]*+(?:[,:，：][ \t]*+)?")
    return "\n".join(line.strip() for line in own.sub(" ", said).split("\n")).strip()


def plain(said: str) -> str:
    """Return mrkdwn as plain words: links, channels and broadcasts written out, people left as `<@U…>`."""
    return _unescaped(_MARKUP.sub(_words, said)) if "<" in said or "&" in said else said


def _words(found: re.Match[str]) -> str:
    sign, target, label = found["sign"], found["target"], found["label"] or ""
    match sign:
        case "@":
            return f"<@{target}>"
        case "#":
            return f"#{label or target}"
        case "!":
            return label or f"@{target.partition('^')[0]}"
        case _:
            address = target.removeprefix("mailto:")
            said_alike = {"", address, address.partition("://")[2]}
            return label or address if label in said_alike else f"{label} ({address})"


def _unescaped(said: str) -> str:
    """Return text with the three characters back that Slack escapes, and no others."""
    return said.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
