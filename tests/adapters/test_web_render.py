"""Every block of a card as HTML; nothing that anybody wrote becomes markup."""

from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any, get_args

import pytest

from adapters.cards import (
    PNG,
    Block,
    Button,
    Buttons,
    Card,
    Chart,
    ChartSeries,
    Code,
    Column,
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
from adapters.web.hub import LiveDraft
from adapters.web.render import Renderer
from adapters.web.transcript import TranscriptEntry
from tests.adapters.web_desk import WORDS

EVIL = """"'><script>alert(1)</script><img src=x onerror=alert(1)>"""
RENDERER = Renderer(WORDS, own_url="http://desk.example")
BLOCKS: tuple[Block, ...] = (
    Text("Press **Confirm** [1]"),
    Heading("Ticket draft", badge="draft", tone="info"),
    Facts((("Category", "Hardware"),)),
    Sources(
        "Sources", (Source(1, "VPN", "VPN > Connect", "/knowledge/page/hb/vpn.md#connect", "Open the client", "new"),)
    ),
    Note("Confidence: high", tone="good"),
    Buttons((Button("Confirm", "draft.confirm", "d1", "n1", "primary"), Link("Open", "/tickets/T-1"))),
    Suggestions("Next", ("How long?",)),
    Rating("run_1", "This helped", "This did not", "What was wrong?", "Thank you"),
    Table((Column("Site"), Column("Wait", "min", "number")), (("Berlin", "12"), ("上海", "7")), "Waits", "2 of 9 rows"),
    Code("SELECT 1\nFROM sites;", "sql", "The statement"),
    Chart("bar", "Waits", ("Berlin", "上海"), (ChartSeries("2026", (12.0, 7.5)),), "Berlin waits longest", "min"),
    Image(PNG, "A map of the sites", "Map"),
)


@dataclass
class Seen:
    tags: list[tuple[str, dict[str, str | None]]]
    text: str


def seen(html: str) -> Seen:
    result = Seen([], "")
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: result.tags.append((tag, dict(attrs)))  # type: ignore[method-assign]
    parser.handle_data = lambda data: setattr(result, "text", result.text + data)  # type: ignore[method-assign]
    parser.feed(html)
    return result


def poisoned(value: Any) -> Any:
    """Return the value with every free text replaced by markup."""
    if isinstance(value, str):
        return EVIL
    if isinstance(value, tuple):
        return tuple(poisoned(each) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        kept = {"kind", "tone", "style", "holds", "shape"}
        return replace(
            value,
            **{
                each.name: poisoned(getattr(value, each.name))
                for each in fields(value)
                if each.name not in kept and each.init
            },
        )
    return value


def test_every_kind_of_block_is_drawn() -> None:
    assert {type(block) for block in BLOCKS} == set(get_args(Block))
    html = RENDERER.card(Card(BLOCKS, fallback="x", language="zh"))

    assert html.startswith('<div class="card" lang="zh-Hans">')
    for words in (
        "Ticket draft",
        "Hardware",
        "Open the client",
        "Confidence",
        "How long?",
        "This helped",
        "上海",
        "SELECT 1\nFROM sites;",
    ):
        assert words in html


def test_a_button_carries_action_id_and_nonce_and_is_a_button() -> None:
    html = RENDERER.card(Card((BLOCKS[5],), fallback=""))
    button = next(attributes for tag, attributes in seen(html).tags if tag == "button")

    assert (button["data-action"], button["data-id"], button["data-nonce"]) == ("draft.confirm", "d1", "n1")
    assert button["type"] == "button"


def test_the_verdict_that_was_given_is_the_pressed_one() -> None:
    rating = Rating(id="run_1", up="Good", down="Bad", reason_label="Why?", thanks="Thanks")
    html = replace(RENDERER, verdicts={"run_1": "down", "run_2": "up"}).card(Card((rating,), fallback=""))
    pressed = {
        attributes["data-verdict"]: attributes["aria-pressed"]
        for tag, attributes in seen(html).tags
        if "data-verdict" in attributes
    }

    assert pressed == {"up": "false", "down": "true"}


def test_a_mark_in_the_text_leads_where_its_source_leads() -> None:
    html = RENDERER.card(Card(BLOCKS, fallback=""))
    links = [attributes["href"] for tag, attributes in seen(html).tags if tag == "a"]

    assert links.count("/knowledge/page/hb/vpn.md#connect") == 2


def test_a_source_on_another_site_opens_beside_the_chat() -> None:
    source = Source(1, "VPN", "VPN > Connect", "https://docs.example.org/vpn?a=1&b=2", "Open the client")
    html = RENDERER.card(Card((Text("Open it. [1]"), Sources("Sources", (source,))), fallback=""))
    links = [attributes for tag, attributes in seen(html).tags if tag == "a"]

    assert [link["href"] for link in links] == [source.url, source.url]
    assert {(link["target"], link["rel"]) for link in links} == {("_blank", "noopener noreferrer nofollow")}


@pytest.mark.parametrize("url", ["javascript:alert(1)", "//evil.example/x", "https://a@evil.example/", "data:,x"])
def test_a_source_never_leads_to_what_is_no_web_address(url: str) -> None:
    sources = Sources("Sources", (Source(1, "VPN", "VPN", url, "Open it."),))
    html = RENDERER.card(Card((Text("Open it. [1]"), sources), fallback=""))

    assert [attributes["href"] for tag, attributes in seen(html).tags if tag == "a"] == ["#"]


def test_our_own_address_becomes_relative_and_a_foreign_one_no_link() -> None:
    links = Buttons(
        (
            Link("own", "http://desk.example/tickets/1"),
            Link("theirs", "http://desk.example.evil/x"),
            Link("js", "javascript:alert(1)"),
        )
    )
    html = RENDERER.card(Card((links,), fallback=""))

    assert [attributes["href"] for tag, attributes in seen(html).tags if tag == "a"] == ["/tickets/1"]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.kind)
def test_no_words_of_a_block_become_markup(block: Block) -> None:
    found = seen(RENDERER.card(Card((poisoned(block),), fallback=EVIL)))

    assert "script" not in {tag for tag, _ in found.tags}
    pictures = [attributes["src"] or "" for tag, attributes in found.tags if tag == "img"]
    assert len(pictures) == (block.kind == "image")
    assert all(each.startswith("data:image/png;base64,") for each in pictures)
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
    assert "<script>" in found.text or block.kind == "rating"


@pytest.mark.parametrize("kind", ["text", "paragraph", "choice"])
def test_no_words_of_a_form_become_markup(kind: Any) -> None:
    field = Field(EVIL, EVIL, EVIL, kind, ((EVIL, EVIL),), hint=EVIL)
    found = seen(RENDERER.form(Form(EVIL, EVIL, EVIL, EVIL, EVIL, EVIL, (field,))))

    assert not {"script", "img"} & {tag for tag, _ in found.tags}
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]


def test_a_form_is_labelled_and_keeps_what_stood_in_it() -> None:
    form = Form(
        "f",
        "1",
        "n",
        "Finish",
        "Save",
        "Close",
        (
            Field("title", "Title", "Printer"),
            Field("text", "Text", "\nsecond line", "paragraph", required=False, hint="Briefly"),
            Field("floor", "Floor", "3", "choice", (("2", "second"), ("3", "third"))),
            Field("room", "Room", "", "choice", (("a", "A"),)),
        ),
    )
    html = RENDERER.form(form)
    found = seen(html)
    labels = {attributes["for"] for tag, attributes in found.tags if tag == "label"}
    inputs = {attributes["id"]: attributes for tag, attributes in found.tags if tag in ("input", "textarea", "select")}

    assert labels == set(inputs)
    assert inputs["field-title"]["value"] == "Printer"
    assert "required" in inputs["field-title"]
    assert "required" not in inputs["field-text"]
    assert inputs["field-text"]["aria-describedby"] == "error-text hint-text"
    assert ">\n\nsecond line</textarea>" in html
    assert '<option value="3" selected>third</option>' in html
    assert '<option value="" selected>choose</option>' in html


def test_a_person_is_shown_in_plain_text() -> None:
    entry = TranscriptEntry(3, "m3", "person", f"**not bold**\n{EVIL}", "k", datetime(2026, 1, 1, 9, 30, tzinfo=UTC))
    html = RENDERER.entry(entry)

    assert "**not bold**" in html
    assert "<script>" not in html
    assert 'data-seq="3" data-reference="m3" data-key="k"' in html
    assert '<time datetime="2026-01-01T09:30:00+00:00">09:30</time>' in html


def test_an_edited_message_says_so() -> None:
    entry = TranscriptEntry(
        3, "m3", "desk", Card((Text("x"),), "x"), "k", datetime(2026, 1, 1, tzinfo=UTC), edited=True
    )

    assert '<span class="edited">edited</span>' in RENDERER.entry(entry)


def test_a_message_in_the_making_shows_status_and_text() -> None:
    html = RENDERER.draft(LiveDraft("k1", status="Reading <it>", text="Half **done**"))

    assert "Reading &lt;it&gt;" in html
    assert "<strong>done</strong>" in html
    assert 'data-key="k1" data-stream' in html
