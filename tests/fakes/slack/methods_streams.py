"""Methods that stream a message."""

from tests.fakes.slack.blocks import check_message_blocks, named
from tests.fakes.slack.content import read_metadata
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.method import Method, find_place
from tests.fakes.slack.methods_messages import find_thread
from tests.fakes.slack.payloads import message_json
from tests.fakes.slack.records import Channel, Json, Message, Stream
from tests.fakes.slack.sessions import check_session_status
from tests.fakes.slack.streams import add, check_addition, open_stream
from tests.fakes.slack.workspace import SlackWorkspace


def chat_start_stream(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Begin a message in a thread; in a channel it must say for whom."""
    channel = find_place(workspace, arguments["channel"])
    thread_ts = find_thread(workspace, channel, arguments["thread_ts"])
    check_addition(arguments)
    user, team = _recipient(workspace, channel, arguments)
    stream = Stream(workspace.clock.monotonic(), recipient_user_id=user, recipient_team_id=team)
    message = Message(
        channel.id, workspace.new_ts(), workspace.bot.id, "", thread_ts=thread_ts, bot_id=workspace.bot.bot_id,
        stream=stream,
    )  # fmt: skip
    add(message, arguments)
    workspace.keep(message)
    workspace.clear_status(channel.id, thread_ts)
    return {"channel": channel.id, "ts": message.ts}


def chat_append_stream(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Add to a message that streams."""
    message = open_stream(workspace, arguments)
    check_addition(arguments)
    if not (arguments.get("markdown_text") or arguments.get("chunks")):
        raise Refused("no_text")
    add(message, arguments)
    workspace.changed("stream", message)
    return {"channel": message.channel, "ts": message.ts}


def chat_stop_stream(workspace: SlackWorkspace, arguments: Json) -> Json:
    """End a stream; the last words, blocks below them and metadata may come with it."""
    message = open_stream(workspace, arguments)
    check_addition(arguments)
    metadata = read_metadata(arguments)
    blocks = arguments.get("blocks")
    if blocks is not None:
        check_message_blocks(blocks)
    status = check_session_status(arguments.get("session_status") or "active")
    add(message, arguments)
    message.blocks += named(workspace, blocks or [])
    message.metadata = metadata or None
    if message.stream is not None:
        message.stream.ended, message.stream.ending = workspace.clock.monotonic(), "stopped"
    workspace.thread(message.channel, message.root).session_status = status
    workspace.changed("stream", message)
    shown = message_json(workspace, message, with_metadata=True)
    return {"channel": message.channel, "ts": message.ts, "message": shown}


def _recipient(workspace: SlackWorkspace, channel: Channel, arguments: Json) -> tuple[str | None, str | None]:
    user, team = arguments.get("recipient_user_id"), arguments.get("recipient_team_id")
    if not channel.is_im and not user:
        raise Refused("missing_recipient_user_id")
    if not channel.is_im and not team:
        raise Refused("missing_recipient_team_id")
    if user and user not in workspace.users:
        raise Refused("user_not_found")
    if team and team not in workspace.teams:
        raise Refused("team_not_found")
    return user, team


_RECIPIENT = ("recipient_user_id", "recipient_team_id")
_LOOKS = ("icon_emoji", "icon_url", "username")
METHODS = (
    Method(
        "chat.startStream",
        chat_start_stream,
        ("channel", "thread_ts"),
        ("markdown_text", "chunks", *_RECIPIENT, "task_display_mode", "is_stoppable", *_LOOKS),
        scopes=("chat:write",),
        tier="T2",
    ),
    Method(
        "chat.appendStream",
        chat_append_stream,
        ("channel", "ts"),
        ("markdown_text", "chunks"),
        scopes=("chat:write",),
        tier="T4",
    ),
    Method(
        "chat.stopStream",
        chat_stop_stream,
        ("channel", "ts"),
        ("markdown_text", "chunks", "blocks", "metadata", "session_status"),
        scopes=("chat:write",),
        tier="T2",
    ),
)
