"""Methods about conversations: what they are, who is in them, and what was said."""

from collections.abc import Iterable

from tests.fakes.slack.errors import Refused, invalid
from tests.fakes.slack.method import Method, family, find_channel, flag, needs
from tests.fakes.slack.paging import page
from tests.fakes.slack.payloads import channel_json, message_json
from tests.fakes.slack.records import Channel, Json, Message
from tests.fakes.slack.workspace import SlackWorkspace

_WINDOW = ("cursor", "limit", "oldest", "latest", "inclusive", "include_all_metadata")


def conversations_info(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Return one conversation."""
    channel = _readable(workspace, arguments["channel"], "read")
    shown = _shown(workspace, channel, with_count=flag(arguments, "include_num_members"))
    return {"channel": shown | ({"locale": "en-US"} if flag(arguments, "include_locale") else {})}


def conversations_members(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Return a page of the ids of those who are in a conversation."""
    channel = _readable(workspace, arguments["channel"], "read")
    members, following = page(channel.members, arguments, key=str)
    return {"members": members, "response_metadata": {"next_cursor": following}}


def conversations_open(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Open, or find, the direct conversation with one person."""
    if arguments.get("channel"):
        channel = find_channel(workspace, arguments["channel"])
        if not channel.is_im:
            raise Refused("method_not_supported_for_channel_type")
        return {"no_op": True, "already_open": True, "channel": _opened(workspace, channel, arguments)}
    users = [each for each in str(arguments.get("users") or "").split(",") if each]
    if not users:
        raise Refused("users_list_not_supplied")
    if len(users) > 1:
        raise invalid("invalid_arguments", "the local Slack opens conversations with one person only")
    user = workspace.users.get(users[0])
    if user is None:
        raise Refused("user_not_found")
    if user.deleted or user.is_bot:
        raise Refused("user_disabled" if user.deleted else "cannot_dm_bot")
    known = {channel.id for channel in workspace.channels.values()}
    channel = workspace.im(user)
    old = channel.id in known
    already = {"no_op": True, "already_open": True} if old else {}
    return already | {"channel": _opened(workspace, channel, arguments)}


def conversations_history(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Return a page of a conversation, newest first, without the replies of its threads."""
    channel = _readable(workspace, arguments["channel"], "history")
    top = (
        each for each in workspace.standing(channel.id) if each.thread_ts is None or each.subtype == "thread_broadcast"
    )
    return _messages(workspace, list(reversed(_within(top, arguments))), arguments, default=100)


def conversations_replies(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Return a page of a thread, oldest first, its first message always before the rest."""
    channel = _readable(workspace, arguments["channel"], "history")
    found = workspace.messages[channel.id].get(arguments["ts"])
    thread = workspace.replies(channel.id, arguments["ts"])
    if found is None or (found.deleted and not thread):
        raise Refused("thread_not_found")
    if found.thread_ts is not None:
        thread = [found]
    roots = [each for each in thread if each.thread_ts is None]
    rest = _within((each for each in thread if each.thread_ts is not None), arguments)
    return _messages(workspace, [*roots, *rest], arguments, default=1000)


def _readable(workspace: SlackWorkspace, channel_id: str, what: str) -> Channel:
    channel = workspace.channels.get(channel_id)
    if channel is not None:
        needs(workspace.scopes, f"{family(channel)}:{what}")
    channel = find_channel(workspace, channel_id)
    if what == "history" and workspace.bot.id not in channel.members:
        raise Refused("not_in_channel")
    return channel


def _shown(workspace: SlackWorkspace, channel: Channel, *, with_count: bool = False) -> Json:
    return channel_json(channel, member=workspace.bot.id in channel.members, with_count=with_count)


def _opened(workspace: SlackWorkspace, channel: Channel, arguments: Json) -> Json:
    return _shown(workspace, channel) if flag(arguments, "return_im") else {"id": channel.id}


def _within(messages: Iterable[Message], arguments: Json) -> list[Message]:
    oldest, latest = _ts(arguments.get("oldest") or "0"), _ts(arguments.get("latest") or "99999999999")
    ends = flag(arguments, "inclusive")
    return [each for each in messages if oldest < _ts(each.ts) < latest or (ends and _ts(each.ts) in {oldest, latest})]


def _ts(text: object) -> tuple[int, int]:
    seconds, _, micros = str(text).partition(".")
    try:
        return int(seconds), int((micros or "0").ljust(6, "0"))
    except ValueError:
        raise Refused("invalid_ts_oldest") from None


def _messages(workspace: SlackWorkspace, found: list[Message], arguments: Json, *, default: int) -> Json:
    items, following = page(found, arguments, key=lambda message: message.ts, default=default, most=1000)
    with_metadata = flag(arguments, "include_all_metadata")
    shown = [message_json(workspace, message, with_metadata=with_metadata) for message in items]
    answer: Json = {"messages": shown, "has_more": bool(following)}
    return answer | ({"response_metadata": {"next_cursor": following}} if following else {})


METHODS = (
    Method("conversations.info", conversations_info, ("channel",), ("include_locale", "include_num_members")),
    Method("conversations.members", conversations_members, ("channel",), ("cursor", "limit"), tier="T4"),
    Method("conversations.open", conversations_open, optional=("channel", "users", "return_im"), scopes=("im:write",)),
    Method("conversations.history", conversations_history, ("channel",), _WINDOW),
    Method("conversations.replies", conversations_replies, ("channel", "ts"), _WINDOW),
)
