"""Cards, forms and messages as HTML fragments. Every word is escaped; every address passes `Links`.

But where a source stands, on whatever site, is said by whoever made the card, and never by a text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import assert_never

from adapters.cards import (
    Block,
    Button,
    Buttons,
    Card,
    Chart,
    Code,
    Facts,
    Field,
    Form,
    Heading,
    Image,
    Link,
    Note,
    Rating,
    Source,
    Sources,
    Suggestions,
    Table,
    Text,
)
from adapters.markdown import parsing as markdown
from adapters.markdown.text import web_address
from adapters.web import figures
from adapters.web.hub import LiveDraft
from adapters.web.transcript import TranscriptEntry, sent_as
from adapters.web.words import WebWords

#: Characters that one input of a form takes.
INPUT_CHARS = 200
#: A quote is shown, not followed: its links mean something in its own page only.
_NO_LINKS = markdown.Links(own=False)
PARAGRAPH_CHARS = 4_000

#: Drawn, not typed: many systems have no emoji font. The style sheet turns it for "down".
_THUMB = (
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" '
    'aria-hidden="true"><path d="M7 11v9H3v-9zM7 11l4-8c1.700 0 2.700 1.200 2.400 2.900L12.800 9H19'
    'c1.300 0 2.200 1.100 2 2.400l-1.200 7A2 2 0 0 1 17.800 20H7"/></svg>'
)


_BIN = (
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" '
    'aria-hidden="true"><path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5"/></svg>'
)


@dataclass(frozen=True)
class Renderer:
    """Draws for one reader. Addresses below `own_url` become relative, so that they work under any host name."""

    words: WebWords
    own_url: str = ""
    links: markdown.Links = field(default_factory=markdown.Links)
    verdicts: Mapping[str, str] = field(default_factory=dict)  # answer → "up" or "down", as the reader rated it

    def entry(self, entry: TranscriptEntry) -> str:
        """Return a message as a list item."""
        content = entry.content
        if entry.removed:
            body = f'<p class="removed">{escape(self.spoken(entry))}</p>'
        else:
            body = f'<p class="said">{escape(content)}</p>' if isinstance(content, str) else self.card(content)
        edited = f' <span class="edited">{escape(self.words.edited)}</span>' if entry.edited else ""
        return self._item(
            author=entry.author,
            attributes={"data-seq": str(entry.seq), "data-reference": entry.reference, "data-key": entry.key},
            foot=_time(entry) + ("" if entry.removed else edited + self._removal(entry)),
            body=body,
        )

    def spoken(self, entry: TranscriptEntry) -> str:
        """Return what a message says, as plain words."""
        if entry.removed:
            return self.words.removed if entry.author == "person" else self.words.removed_answer
        return entry.content if isinstance(entry.content, str) else entry.content.fallback

    def _removal(self, entry: TranscriptEntry) -> str:
        """Return the button that removes a person's message, which stands at its answers, too."""
        message = sent_as(entry.key if entry.author == "person" else entry.asked)
        if not message:
            return ""
        label = escape(self.words.remove if entry.author == "person" else self.words.remove_answer)
        named = f'aria-label="{label}" title="{label}"'
        return f' <button type="button" class="remove" data-remove="{escape(message)}" {named}>{_BIN}</button>'

    def draft(self, draft: LiveDraft) -> str:
        """Return a message in the making."""
        text = markdown.to_html(draft.text, links=self.links) if draft.text else ""
        status = f'<p class="status"><span class="pulse"></span>{escape(draft.status)}</p>' if draft.status else ""
        return self._item(
            author="desk",
            attributes={"data-key": draft.key, "data-stream": ""},
            foot="",
            body=f'<div class="card">{text}{status}</div>',
        )

    def card(self, card: Card) -> str:
        """Return all blocks of a card."""
        marks = {
            source.number: markdown.InlineMark(
                self._cited(source.url) or "#", f"{self.words.source} {source.number}: {source.title}"
            )
            for block in card.blocks
            if isinstance(block, Sources)
            for source in block.items
        }
        blocks = "".join(self._block(block, marks) for block in card.blocks)
        return f'<div class="card" lang="{_lang(card.language)}">{blocks}</div>'

    def form(self, form: Form) -> str:
        """Return a form in a dialog; `chat.js` opens it and sends it."""
        fields = "".join(self._field(each) for each in form.fields)
        return (
            f'<dialog class="form" lang="{_lang(form.language)}" aria-labelledby="form-title">'
            '<form method="dialog" novalidate'
            f' data-form="{escape(form.form)}" data-id="{escape(form.id)}" data-nonce="{escape(form.nonce)}">'
            f'<h2 id="form-title">{escape(form.title)}</h2>{fields}'
            '<p class="error" role="alert" data-form-error hidden></p>'
            '<div class="buttons">'
            f'<button type="submit" class="button primary">{escape(form.submit)}</button>'
            f'<button type="button" class="button" data-close>{escape(form.cancel)}</button>'
            "</div></form></dialog>"
        )

    def _item(self, *, author: str, attributes: dict[str, str], foot: str, body: str) -> str:
        name = self.words.you if author == "person" else self.words.desk
        data = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
        by = f'<p class="by"><span class="who">{escape(name)}</span> {foot}</p>'
        return f'<li class="entry {author}"{data}>{by}{body}</li>'

    def _block(self, block: Block, marks: dict[int, markdown.InlineMark]) -> str:  # noqa: PLR0911 - one line per kind of block
        match block:
            case Text():
                html = markdown.to_html(block.markdown, links=self.links, marks=marks)
                return f'<div class="text">{html}</div>'
            case Heading():
                return _heading(block)
            case Facts():
                rows = "".join(
                    f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>" for label, value in block.rows
                )
                return f'<dl class="facts">{rows}</dl>'
            case Sources():
                return self._sources(block)
            case Note():
                return f'<p class="note tone-{escape(block.tone)}">{escape(block.text)}</p>'
            case Buttons():
                return f'<div class="buttons">{"".join(self._button(item) for item in block.items)}</div>'
            case Suggestions():
                return _suggestions(block)
            case Rating():
                return self._rating(block)
            case Table() | Code() | Chart() | Image():
                return figures.draw(block, self.words)
            case _:
                assert_never(block)

    def _button(self, item: Button | Link) -> str:
        if isinstance(item, Link):
            href = self._href(item.url)
            if href is None:
                return f'<span class="button off">{escape(item.label)}</span>'
            return f'<a class="button" href="{escape(href)}">{escape(item.label)}</a>'
        return (
            f'<button type="button" class="button {escape(item.style)}" data-action="{escape(item.action)}"'
            f' data-id="{escape(item.id)}" data-nonce="{escape(item.nonce)}">{escape(item.label)}</button>'
        )

    def _sources(self, block: Sources) -> str:
        items = "".join(self._source(source) for source in block.items)
        return f'<section class="sources"><h3>{escape(block.label)}</h3><ol>{items}</ol></section>'

    def _source(self, source: Source) -> str:
        href = self._cited(source.url)
        title = escape(source.title)
        named = (
            f'<a href="{escape(href)}"{markdown.away(href)}>{title}</a>'
            if href is not None
            else f"<span>{title}</span>"
        )
        section = f'<p class="section">{escape(source.section)}</p>' if source.section else ""
        age = f' <span class="age">{escape(source.age)}</span>' if source.age else ""
        quote = f"<blockquote>{markdown.to_html(source.quoted, links=_NO_LINKS)}</blockquote>" if source.quoted else ""
        return (
            f'<li value="{source.number}"><p class="named"><span class="number">{source.number}</span>'
            f"{named}{age}</p>{section}{quote}</li>"
        )

    def _rating(self, block: Rating) -> str:
        given = self.verdicts.get(block.id)
        buttons = "".join(
            f'<button type="button" class="rate" data-verdict="{verdict}"'
            f' aria-pressed="{"true" if verdict == given else "false"}"'
            f' aria-label="{escape(label)}" title="{escape(label)}">{_THUMB}</button>'
            for verdict, label in (("up", block.up), ("down", block.down))
        )
        return (
            f'<div class="rating" data-rating="{escape(block.id)}">{buttons}'
            f'<span class="thanks" role="status" hidden>{escape(block.thanks)}</span>'
            f'<form class="reason" hidden><label>{escape(block.reason_label)}'
            f'<input name="reason" maxlength="{INPUT_CHARS}" autocomplete="off"></label>'
            f'<button type="submit" class="button">{escape(self.words.send_reason)}</button></form></div>'
        )

    def _field(self, each: Field) -> str:
        name = escape(each.name)
        optional = "" if each.required else f' <span class="optional">{escape(self.words.optional)}</span>'
        hint = f'<p class="hint" id="hint-{name}">{escape(each.hint)}</p>' if each.hint else ""
        described = f"error-{name}" + (f" hint-{name}" if each.hint else "")
        shared = f'id="field-{name}" name="{name}" aria-describedby="{described}"' + (
            ' required aria-required="true"' if each.required else ""
        )
        return (
            f'<div class="field"><label for="field-{name}">{escape(each.label)}{optional}</label>{hint}'
            f'{self._input(each, shared)}<p class="error" id="error-{name}" data-error="{name}" hidden></p></div>'
        )

    def _input(self, each: Field, shared: str) -> str:
        match each.kind:
            case "text":
                return f'<input {shared} value="{escape(each.value)}" maxlength="{INPUT_CHARS}">'
            case "paragraph":
                # A newline right after the tag is dropped by HTML parsers: one of ours keeps the person's first one.
                return f'<textarea {shared} rows="4" maxlength="{PARAGRAPH_CHARS}">\n{escape(each.value)}</textarea>'
            case "choice":
                options = "".join(_option(value, label, each.value) for value, label in self._choices(each))
                return f"<select {shared}>{options}</select>"
            case _:
                assert_never(each.kind)

    def _choices(self, each: Field) -> tuple[tuple[str, str], ...]:
        known = each.value in {value for value, _label in each.choices}
        return each.choices if known else (("", self.words.choose), *each.choices)

    def _cited(self, url: str) -> str | None:
        """Return where a source can be read: on our own page of it, or on a site of the web."""
        return self._href(url) or web_address(url)

    def _href(self, url: str) -> str | None:
        relative = url.removeprefix(self.own_url) if self.own_url and url.startswith(f"{self.own_url}/") else url
        return relative if self.links.allows(relative) else None


def _heading(block: Heading) -> str:
    badge = f' <span class="badge tone-{escape(block.tone)}">{escape(block.badge)}</span>' if block.badge else ""
    return f'<h3 class="title">{escape(block.text)}{badge}</h3>'


def _option(value: str, label: str, chosen: str) -> str:
    return f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(label)}</option>'


def _suggestions(block: Suggestions) -> str:
    items = "".join(
        f'<button type="button" class="suggestion" data-say="{escape(item)}">{escape(item)}</button>'
        for item in block.items
    )
    return f'<div class="suggestions"><p class="label">{escape(block.label)}</p>{items}</div>'


def _lang(language: str) -> str:
    return "zh-Hans" if language == "zh" else "en"


def _time(entry: TranscriptEntry) -> str:
    at = entry.created_at
    return f'<time datetime="{at.isoformat()}">{at:%H:%M}</time>'
