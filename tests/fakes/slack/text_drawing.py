"""Draws Slack's four kinds of text as HTML: plain, mrkdwn, Markdown and rich text. Nothing in them is trusted."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape

from tests.fakes.slack.records import Json
from tests.fakes.slack.workspace import SlackWorkspace

EMOJI = {
    "+1": "👍", "-1": "👎", "bell": "🔔", "bulb": "💡", "eyes": "👀", "fire": "🔥", "hourglass_flowing_sand": "⏳",
    "house": "🏠", "information_source": "ℹ️", "large_blue_circle": "🔵", "large_green_circle": "🟢",
    "large_yellow_circle": "🟡", "lock": "🔒", "memo": "📝", "no_entry": "⛔", "pencil2": "✏️", "red_circle": "🔴",
    "robot_face": "🤖", "rocket": "🚀", "tada": "🎉", "thumbsdown": "👎", "thumbsup": "👍", "ticket": "🎫",
    "warning": "⚠️", "wave": "👋", "white_check_mark": "✅", "wrench": "🔧", "x": "❌",
}  # fmt: skip
#: Signs that the page draws itself, because not every machine has a font for them; the CSS knows the names.
SIGNS = {
    "👍": "thumb", "👎": "thumb down", "👀": "eyes", "🎫": "ticket", "🔒": "lock", "🔵": "dot blue", "🔴": "dot red",
    "🟡": "dot yellow", "🟢": "dot green", "⚪": "dot white", "✅": "check", "❌": "cross", "⚠": "warning",
    "ℹ": "information", "⏳": "hourglass",
}  # fmt: skip
_EMOJI = re.compile(r":([a-z0-9_+-]+):")
_SIGN = re.compile(f"([{''.join(SIGNS)}])\ufe0f?")
#: What mrkdwn means by angle brackets.
_ANGLES = re.compile(r"<([^<>\n]+)>")
_CODE = re.compile(r"```\n?(?P<block>.+?)\n?```|`(?P<span>[^`\n]+)`", re.DOTALL)
_STYLES = (
    (re.compile(r"(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])"), r"<b>\1</b>"),
    (re.compile(r"(?<![\w_])_(\S(?:[^_\n]*\S)?)_(?![\w_])"), r"<i>\1</i>"),
    (re.compile(r"(?<![\w~])~(\S(?:[^~\n]*\S)?)~(?![\w~])"), r"<s>\1</s>"),
)
_QUOTE = re.compile(r"(?m)^&gt; ?(.*)$")


class TextDrawing:
    """Draws texts that name the people and channels of one workspace."""

    def __init__(self, workspace: SlackWorkspace) -> None:
        self.workspace = workspace
        self._markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
        self._markdown.add_render_rule("text", lambda _, tokens, at, *__: self._worded_markdown(tokens[at].content))
        self._markdown.add_render_rule("link_open", _link_open)

    def plain(self, text: str) -> Markup:
        """Draw plain text: line breaks and emoji."""
        return Markup(_emoji(str(escape(text))).replace("\n", "<br>"))

    def text(self, text: Mapping[str, Any] | None) -> Markup:
        """Draw a text object of Block Kit."""
        if not text:
            return Markup("")
        words = str(text.get("text", ""))
        return self.mrkdwn(words) if text.get("type") == "mrkdwn" else self.plain(words)

    def mrkdwn(self, text: str) -> Markup:
        """Draw mrkdwn, in which `&lt;` and the like stand for themselves."""
        pieces, at = [], 0
        for found in _CODE.finditer(text):
            pieces.append(self._styled(text[at : found.start()]))
            block = found["block"] is not None
            code = _unescaped(found["block"] if block else found["span"])
            pieces.append(f"<pre>{escape(code)}</pre>" if block else f"<code>{escape(code)}</code>")
            at = found.end()
        pieces.append(self._styled(text[at:]))
        return Markup("".join(pieces))

    def markdown(self, text: str) -> Markup:
        """Draw Markdown as messages and `markdown` blocks hold it."""
        return Markup(self._markdown.render(text))

    def rich_text(self, elements: Iterable[Json]) -> Markup:
        """Draw the elements of a rich_text block."""
        return Markup("").join(self._rich_part(each) for each in elements)

    def person(self, user_id: str) -> Markup:
        """Draw the name of somebody who is mentioned."""
        user = self.workspace.users.get(user_id)
        return Markup('<span class="mention">@{}</span>').format(user.real_name if user else user_id)

    def _channel(self, channel_id: str) -> Markup:
        channel = self.workspace.channels.get(channel_id)
        return Markup('<span class="mention">#{}</span>').format(channel.name if channel else channel_id)

    def _styled(self, text: str) -> str:
        angles: list[str] = []

        def put_by(found: re.Match[str]) -> str:
            angles.append(str(self._angle(found[1])))
            return f"\0{len(angles) - 1}\0"

        # What stands in angle brackets (addresses!) is put by, so that no style is found inside it.
        styled = _worded(_ANGLES.sub(put_by, text.replace("\0", "")))
        for pattern, shown in _STYLES:
            styled = pattern.sub(shown, styled)
        styled = _QUOTE.sub(r"<blockquote>\1</blockquote>", styled).replace("</blockquote>\n", "</blockquote>")
        styled = styled.replace("</blockquote><blockquote>", "<br>").replace("\n", "<br>")
        return re.sub(r"\0(\d+)\0", lambda found: angles[int(found[1])], styled)

    def _angle(self, inside: str) -> Markup:
        target, _, label = inside.partition("|")
        if target.startswith("@"):
            return self.person(target[1:])
        if target.startswith("#"):
            return self._channel(target[1:])
        if target.startswith("!"):
            words = label or "@" + target[1:].partition("^")[0]
            return Markup('<span class="mention broadcast">{}</span>').format(words)
        return _link(_unescaped(target), _unescaped(label or target))

    def _worded_markdown(self, text: str) -> str:
        # Slack reads mentions in Markdown, too: what should not call people must have been neutralised.
        return _emoji(_MENTION.sub(lambda found: str(self._angle(found[1])), str(escape(text))))

    def _rich_part(self, element: Json) -> Markup:
        inside = Markup("").join(self._rich_inline(each) for each in element.get("elements", ()))
        match element["type"]:
            case "rich_text_preformatted":
                return Markup("<pre>{}</pre>").format(inside)
            case "rich_text_quote":
                return Markup("<blockquote>{}</blockquote>").format(inside)
            case "rich_text_list":
                tag = "ol" if element.get("style") == "ordered" else "ul"
                items = Markup("").join(Markup("<li>{}</li>").format(self._rich_part(e)) for e in element["elements"])
                return Markup(f'<{tag} class="indent{int(element.get("indent", 0))}">{{}}</{tag}>').format(items)
            case _:
                return inside

    def _rich_inline(self, element: Json) -> Markup:
        drawn = Markup("")
        match element["type"]:
            case "text":
                drawn = _with_style(self.plain(element["text"]), element.get("style") or {})
            case "link":
                drawn = _link(element["url"], element.get("text") or element["url"])
            case "user":
                drawn = self.person(element["user_id"])
            case "channel":
                drawn = self._channel(element["channel_id"])
            case "broadcast":
                drawn = Markup('<span class="mention broadcast">@{}</span>').format(element["range"])
            case "emoji":
                drawn = self.plain(f":{element['name']}:")
            case _:
                pass
        return drawn


_MENTION = re.compile(r"&lt;([@#!][^\s&|]+)&gt;")


def _emoji(text: str) -> str:
    text = _EMOJI.sub(lambda found: EMOJI.get(found[1], found[0]), text)
    return _SIGN.sub(lambda found: f'<span class="sign-drawn {SIGNS[found[1]]}">{found[1]}</span>', text)


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _worded(text: str) -> str:
    return _emoji(str(escape(_unescaped(text))))


def _link(url: str, label: str) -> Markup:
    """Draw a link, or only its words when it is none for a browser."""
    if not url.startswith(("http://", "https://", "mailto:")):
        return escape(label)
    return Markup('<a href="{}" target="_blank" rel="noreferrer">{}</a>').format(url, label)


def _link_open(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, _: EnvType) -> str:
    tokens[at].attrSet("target", "_blank")
    return renderer.renderToken(tokens, at, options, {})


def _with_style(text: Markup, style: Mapping[str, bool]) -> Markup:
    for name, tag in (("code", "code"), ("bold", "b"), ("italic", "i"), ("strike", "s")):
        if style.get(name):
            text = Markup(f"<{tag}>{{}}</{tag}>").format(text)
    return text
