"""Answers to a command or a press over its response_url, which need no membership and no scope."""

from tests.fakes.slack.content import Content, read_content
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.method import flag
from tests.fakes.slack.methods_messages import rewrite, written
from tests.fakes.slack.records import Json, Message, ResponseUrl
from tests.fakes.slack.workspace import SlackWorkspace

_KNOWN = {
    "text", "blocks", "attachments", "response_type", "replace_original", "delete_original", "thread_ts", "mrkdwn",
    "unfurl_links", "unfurl_media", "metadata", "username", "icon_emoji", "markdown_text", "headers",
}  # fmt: skip


def answer_response_url(workspace: SlackWorkspace, lent_id: str, body: Json) -> None:
    """Carry out one answer; refuse it when the URL is spent, old or unknown, or the answer cannot be read."""
    if set(body) - _KNOWN:
        raise Refused("invalid_payload")
    lent = workspace.use_response_url(lent_id)
    original = None if lent.message_ts is None else workspace.message(lent.channel, lent.message_ts)
    if flag(body, "delete_original"):
        _delete(workspace, original)
    elif flag(body, "replace_original"):
        _replace(workspace, original, read_content(body))
    else:
        _post(workspace, lent, body, read_content(body))


def _delete(workspace: SlackWorkspace, original: Message | None) -> None:
    if original is None:
        raise Refused("message_not_found")
    original.deleted = True
    workspace.changed("message_deleted", original)


def _replace(workspace: SlackWorkspace, original: Message | None, content: Content) -> None:
    if original is None:
        raise Refused("message_not_found")
    rewrite(workspace, original, content)
    if content.blocks is None:
        original.blocks = []
    workspace.changed("message_changed", original)


def _post(workspace: SlackWorkspace, lent: ResponseUrl, body: Json, content: Content) -> None:
    response_type = body.get("response_type", "ephemeral")
    if response_type not in {"ephemeral", "in_channel"}:
        raise Refused("invalid_payload")
    channel = workspace.channels[lent.channel]
    only = lent.user if response_type == "ephemeral" else None
    thread_ts = body.get("thread_ts") or lent.thread_ts
    workspace.keep(written(workspace, channel, content, thread_ts=thread_ts, ephemeral_to=only))
