"""Messages that grow while people read them: what may be added, and when Slack has closed them."""

from slack_sdk.models.messages.chunk import Chunk

from tests.fakes.slack.blocks import check_message_blocks
from tests.fakes.slack.content import check_markdown
from tests.fakes.slack.errors import Refused, invalid
from tests.fakes.slack.method import find_channel, find_message
from tests.fakes.slack.records import Json, Message
from tests.fakes.slack.workspace import SlackWorkspace

TASK_STATUSES = ("pending", "in_progress", "complete", "error")
#: What a chunk must say, by its type.
CHUNK_FIELDS = {
    "blocks": ("blocks",),
    "markdown_text": ("text",),
    "plan_update": ("title",),
    "task_update": ("id", "title", "status"),
}
TITLE_MAX = 256


def open_stream(workspace: SlackWorkspace, arguments: Json) -> Message:
    """Return the app's message that still streams."""
    channel = find_channel(workspace, arguments["channel"])
    message = find_message(workspace, channel, arguments["ts"])
    if message.user != workspace.bot.id or not workspace.is_streaming(message):
        raise Refused("message_not_in_streaming_state")
    return message


def check_addition(arguments: Json) -> None:
    """Refuse what no stream takes: both kinds at once, too much of it, or chunks that say nothing."""
    markdown, chunks = arguments.get("markdown_text"), arguments.get("chunks")
    if markdown is not None and chunks:
        raise Refused("markdown_text_conflict")
    check_markdown(markdown)
    if chunks is None:
        return
    if not isinstance(chunks, list) or not all(isinstance(chunk, dict) for chunk in chunks):
        raise Refused("invalid_chunks")
    for number, chunk in enumerate(chunks):
        _check_chunk(chunk, f"/chunks/{number}")
    check_markdown("".join(str(chunk.get("text", "")) for chunk in chunks))


def add(message: Message, arguments: Json) -> None:
    """Add what a call brings to a streamed message; its first content decides its kind for good."""
    markdown, chunks = arguments.get("markdown_text"), arguments.get("chunks") or []
    stream = message.stream
    if stream is None or (markdown and stream.chunks) or (chunks and message.text and not stream.chunks):
        raise Refused("streaming_mode_mismatch")
    stream.chunks += chunks
    added = markdown or "".join(str(chunk["text"]) for chunk in chunks if chunk["type"] == "markdown_text")
    message.text += added
    message.markdown = message.text
    message.blocks += [block for chunk in chunks if chunk["type"] == "blocks" for block in chunk["blocks"]]


def _check_chunk(chunk: Json, where: str) -> None:
    fields = CHUNK_FIELDS.get(str(chunk.get("type")))
    if fields is None:
        raise invalid("invalid_chunks", f"unsupported type: {chunk.get('type')} [json-pointer:{where}/type]")
    missing = [field for field in fields if not chunk.get(field)]
    if missing:
        raise invalid("invalid_chunks", *(f"missing required field: {name} [json-pointer:{where}]" for name in missing))
    unknown = set(chunk) - _known(chunk)
    if unknown:
        raise invalid("invalid_chunks", *(f"no such field: {name} [json-pointer:{where}]" for name in sorted(unknown)))
    if chunk["type"] == "task_update" and chunk["status"] not in TASK_STATUSES:
        raise invalid("invalid_chunks", f"no such status: {chunk['status']} [json-pointer:{where}/status]")
    if len(str(chunk.get("title", ""))) > TITLE_MAX:
        raise invalid("invalid_chunks", f"must be less than {TITLE_MAX + 1} characters [json-pointer:{where}/title]")
    if chunk["type"] == "blocks":
        check_message_blocks(chunk["blocks"])


def _known(chunk: Json) -> set[str]:
    parsed = Chunk.parse(dict(chunk))
    return set() if parsed is None else set(parsed.attributes)
