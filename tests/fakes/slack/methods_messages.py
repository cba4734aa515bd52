"""Methods that write, change and remove messages."""

from typing import Any

from tests.fakes.slack.blocks import has_rich_text, named
from tests.fakes.slack.content import UPDATE_TEXT_MAX, Content, read_content, read_metadata
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.method import Method, find_channel, find_message, find_place, flag
from tests.fakes.slack.payloads import message_json
from tests.fakes.slack.records import Channel, Json, Message
from tests.fakes.slack.workspace import SlackWorkspace

_LOOKS = ("as_user", "icon_emoji", "icon_url", "username", "link_names", "parse")
_CONTENT = ("text", "blocks", "attachments", "markdown_text")


def chat_post_message(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Post a message, into a thread when `thread_ts` says so."""
    channel = find_place(workspace, arguments["channel"])
    content, metadata = read_content(arguments), read_metadata(arguments)
    thread_ts = find_thread(workspace, channel, arguments.get("thread_ts"))
    broadcast = thread_ts is not None and flag(arguments, "reply_broadcast")
    message = workspace.keep(
        written(
            workspace,
            channel,
            content,
            thread_ts=thread_ts,
            metadata=metadata or None,
            subtype="thread_broadcast" if broadcast else None,
            unfurl_links=flag(arguments, "unfurl_links", default=True),
            unfurl_media=flag(arguments, "unfurl_media", default=True),
        )
    )
    workspace.clear_status(channel.id, thread_ts)
    shown = message_json(workspace, message, with_metadata=True)
    return {"channel": channel.id, "ts": message.ts, "message": shown}


def chat_post_ephemeral(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Show a message to one member of a conversation."""
    channel = find_place(workspace, arguments["channel"])
    content = read_content(arguments)
    if arguments["user"] not in workspace.users:
        raise Refused("user_not_found")
    if arguments["user"] not in channel.members:
        raise Refused("user_not_in_channel")
    thread_ts = find_thread(workspace, channel, arguments.get("thread_ts"))
    shown = written(workspace, channel, content, thread_ts=thread_ts, ephemeral_to=arguments["user"])
    return {"message_ts": workspace.keep(shown).ts}


def chat_update(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Change a message of the app's own; what the call does not speak of stays."""
    channel = find_channel(workspace, arguments["channel"])
    message = find_message(workspace, channel, arguments["ts"])
    if message.user != workspace.bot.id or message.ephemeral_to is not None:
        raise Refused("cant_update_message")
    if workspace.is_streaming(message):
        raise Refused("streaming_state_conflict")
    content, metadata = read_content(arguments, longest_text=UPDATE_TEXT_MAX), read_metadata(arguments)
    if content.blocks is not None and has_rich_text(message.blocks) and not has_rich_text(content.blocks):
        raise Refused("block_mismatch")
    rewrite(workspace, message, content)
    if metadata is not None:
        message.metadata = metadata or None
    workspace.changed("message_changed", message)
    shown = message_json(workspace, message, with_metadata=True)
    return {"channel": channel.id, "ts": message.ts, "text": message.text, "message": shown}


def chat_delete(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Remove a message of the app's own."""
    channel = find_channel(workspace, arguments["channel"])
    message = find_message(workspace, channel, arguments["ts"])
    if message.user != workspace.bot.id or message.ephemeral_to is not None:
        raise Refused("cant_delete_message")
    message.deleted = True
    workspace.changed("message_deleted", message)
    return {"channel": channel.id, "ts": message.ts}


def chat_get_permalink(workspace: SlackWorkspace, arguments: Json) -> Json:
    """Return the address of a message."""
    channel = find_channel(workspace, arguments["channel"])
    message = find_message(workspace, channel, arguments["message_ts"])
    link = f"https://{workspace.team.domain}.slack.com/archives/{channel.id}/p{message.ts.replace('.', '')}"
    if message.thread_ts is not None:
        link += f"?thread_ts={message.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": link}


def reactions_add(workspace: SlackWorkspace, arguments: Json) -> Json:
    """React to a message as the app."""
    channel = find_place(workspace, arguments["channel"])
    message = find_message(workspace, channel, arguments["timestamp"])
    who = message.reactions.setdefault(arguments["name"].strip(":"), [])
    if workspace.bot.id in who:
        raise Refused("already_reacted")
    who.append(workspace.bot.id)
    workspace.changed("reaction", message)
    return {}


def find_thread(workspace: SlackWorkspace, channel: Channel, thread_ts: str | None) -> str | None:
    """Return the root of a thread; stricter than Slack, a reply's ts or an unknown one is refused."""
    if not thread_ts:
        return None
    root = workspace.messages[channel.id].get(thread_ts)
    if root is None or root.thread_ts is not None or root.ephemeral_to is not None:
        raise Refused("cannot_reply_to_message")
    return thread_ts


def written(workspace: SlackWorkspace, channel: Channel, content: Content, **fields: Any) -> Message:
    """Return a message of the app's, not yet kept."""
    text = content.text if content.markdown is None else content.markdown
    known: Json = {"channel": channel.id, "ts": workspace.new_ts(), "user": workspace.bot.id, "text": text or ""}
    known |= {
        "blocks": named(workspace, content.blocks or []),
        "attachments": content.attachments or [],
        "markdown": content.markdown,
    }
    return Message(**(known | {"bot_id": workspace.bot.bot_id} | fields))


def rewrite(workspace: SlackWorkspace, message: Message, content: Content) -> None:
    """Put new content into a message and mark it edited."""
    message.earlier.append(message.text)
    if content.markdown is not None:
        message.text, message.blocks = content.markdown, []
    elif content.text is not None:
        message.text = content.text
    message.markdown = content.markdown
    if content.blocks is not None:
        message.blocks = named(workspace, content.blocks)
    if content.attachments is not None:
        message.attachments = content.attachments
    message.edited = {"user": workspace.bot.id, "ts": workspace.new_ts()}


METHODS = (
    Method(
        "chat.postMessage",
        chat_post_message,
        ("channel",),
        (*_CONTENT, *_LOOKS, "thread_ts", "reply_broadcast", "unfurl_links", "unfurl_media", "mrkdwn", "metadata"),
        scopes=("chat:write",),
        tier="post",
    ),
    Method(
        "chat.postEphemeral",
        chat_post_ephemeral,
        ("channel", "user"),
        (*_CONTENT, *_LOOKS, "thread_ts"),
        scopes=("chat:write",),
        tier="T4",
    ),
    Method(
        "chat.update",
        chat_update,
        ("channel", "ts"),
        (*_CONTENT, "as_user", "link_names", "parse", "reply_broadcast", "file_ids", "metadata"),
        scopes=("chat:write",),
    ),
    Method("chat.delete", chat_delete, ("channel", "ts"), ("as_user",), scopes=("chat:write",)),
    Method("chat.getPermalink", chat_get_permalink, ("channel", "message_ts"), tier="special"),
    Method("reactions.add", reactions_add, ("channel", "name", "timestamp"), scopes=("reactions:write",)),
)
