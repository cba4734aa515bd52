"""What Slack makes of what a person types: the mrkdwn `text` of the message and its rich_text block."""

import re
from collections.abc import Iterator

from tests.fakes.slack.records import Json

_TOKEN = re.compile(
    r"<@(?P<user>[UW][A-Z0-9]+)>"
    r"|<#(?P<channel>[CG][A-Z0-9]+)>"
    r"|(?<!\w)@(?P<range>channel|here|everyone)\b"
    r"|(?P<url>https?://[^\s<>]*[^\s<>.,;:!?)'\"])"
    r"|(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?<![\w@/.-])(?P<domain>(?:[\w-]+\.)+(?:com|org|net|io|dev))\b"
    r"|`(?P<code>[^`\n]+)`"
    r"|(?<![\w*])\*(?P<bold>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])"
    r"|(?<!\w)_(?P<italic>[^\s_](?:[^_\n]*[^\s_])?)_(?!\w)"
    r"|(?<![\w~])~(?P<strike>[^\s~](?:[^~\n]*[^\s~])?)~(?![\w~])"
)
_PREFORMATTED = re.compile(r"```\n?(.*?)\n?```\n?", re.DOTALL)
_QUOTED = re.compile(r"(?m)((?:^>[^\n]*(?:\n|\Z))+)")


def escaped(text: str) -> str:
    """Return text with the three characters replaced that mean something in mrkdwn."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def mrkdwn(typed: str) -> str:
    """Return the `text` of a message: `<@U…>` and `<#C…>` stand for picked people and channels, the rest is escaped."""
    pieces, at = [], 0
    for found in _TOKEN.finditer(typed):
        pieces += [escaped(typed[at : found.start()]), _written(found)]
        at = found.end()
    return "".join([*pieces, escaped(typed[at:])])


def _written(found: re.Match[str]) -> str:
    kind, value = str(found.lastgroup), escaped(str(found[str(found.lastgroup)]))
    match kind:
        case "user" | "channel":
            return found[0]
        case "range":
            return f"<!{value}>"
        case "url":
            return f"<{value}>"
        case "email":
            return f"<mailto:{value}|{value}>"
        case "domain":
            return f"<http://{value}|{value}>"
        case _:
            return escaped(found[0])


def rich_text(typed: str, *, block_id: str) -> Json:
    """Return the block that Slack stores beside the text."""
    elements: list[Json] = []
    at = 0
    for found in _PREFORMATTED.finditer(typed):
        elements += _sections(typed[at : found.start()])
        elements.append({"type": "rich_text_preformatted", "elements": [{"type": "text", "text": found[1]}]})
        at = found.end()
    elements += _sections(typed[at:])
    return {"type": "rich_text", "block_id": block_id, "elements": elements}


def _sections(typed: str) -> Iterator[Json]:
    for number, piece in enumerate(_QUOTED.split(typed)):
        if number % 2:
            lines = "\n".join(line.removeprefix(">").strip() for line in piece.splitlines())
            yield {"type": "rich_text_quote", "elements": list(_inline(lines))}
        elif piece:
            yield {"type": "rich_text_section", "elements": list(_inline(piece))}


def _inline(typed: str) -> Iterator[Json]:
    at = 0
    for found in _TOKEN.finditer(typed):
        if found.start() > at:
            yield {"type": "text", "text": typed[at : found.start()]}
        yield _element(str(found.lastgroup), str(found[str(found.lastgroup)]))
        at = found.end()
    if at < len(typed):
        yield {"type": "text", "text": typed[at:]}


def _element(kind: str, value: str) -> Json:
    match kind:
        case "user" | "channel":
            return {"type": kind, f"{kind}_id": value}
        case "range":
            return {"type": "broadcast", "range": value}
        case "url":
            return {"type": "link", "url": value}
        case "email":
            return {"type": "link", "url": f"mailto:{value}", "text": value}
        case "domain":
            return {"type": "link", "url": f"http://{value}", "text": value}
        case _:
            return {"type": "text", "text": value, "style": {kind: True}}
