"""Answers as cards."""

import pytest

from adapters.cards import Block, Facts, Heading, Note, Sources, Text
from agent.runs.answer import Answered, Citation
from bot.rendering.cards import answer_blocks, card_of
from features.anatomy.reader import Reader
from search.access import THREAD_FILES


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        ("Hotel per night | 145 euros | 190 in London |", "Hotel per night · 145 euros · 190 in London"),
        ("| Hotel | 145 |\n| Meals | 40 |", "Hotel · 145\nMeals · 40"),
        ("Lost: see [lost\ndevices](lost.md).", "Lost: see lost\ndevices."),
        ("Type `a | b` and press Enter.", "Type `a | b` and press Enter."),
    ],
)
def test_a_quote_is_shown_without_the_marks_of_tables_and_links(quote: str, shown: str) -> None:
    citation = Citation(1, "E1", "c1", "Limits", "Limits", "limits.md", "handbook", "limits", quote)
    blocks = answer_blocks(Answered(text="x [1]", citations=(citation,)), Reader(language="en"), run_id="run_1")
    (sources,) = (block for block in blocks if isinstance(block, Sources))

    assert sources.items[0].quote == shown


@pytest.mark.parametrize(
    ("blocks", "fallback"),
    [
        ((Text("12 hours. [1]"), Heading("Beside it")), "12 hours. [1]"),
        (
            (Heading("Ticket draft: Jam"), Text("> It jams"), Note("Please check it.")),
            "Ticket draft: Jam – Please check it.",
        ),
        (
            (Heading("Please confirm"), Text("Cancel the ticket 12"), Note("Waits.")),
            "Please confirm – Cancel the ticket 12",
        ),
        ((Note("12 was urged."), Heading("12 · Jam")), "12 was urged."),
        ((Heading("12 · Jam"), Facts((("Priority", "high"),))), "12 · Jam"),
        ((), "dutydesk"),
    ],
)
def test_a_notification_says_what_it_is_about(blocks: tuple[Block, ...], fallback: str) -> None:
    assert card_of(blocks, Reader(language="en")).fallback == fallback


@pytest.mark.parametrize(
    ("source", "url", "leads_to"),
    [
        ("harbour", "https://docs.example.org/vpn", "https://docs.example.org/vpn"),
        ("harbour", "", "https://desk.example/knowledge/page/harbour/it/vpn.md#install"),
        (THREAD_FILES, "https://docs.example.org/vpn", ""),
    ],
)
def test_a_citation_leads_to_the_page_on_its_own_site_else_to_the_desks_copy(
    source: str, url: str, leads_to: str
) -> None:
    citation = Citation(1, "E1", "c1", "VPN", "VPN", "it/vpn.md", source, "install", "Install it.", url=url)
    reader = Reader(language="en", base="https://desk.example")
    blocks = answer_blocks(Answered(text="x [1]", citations=(citation,)), reader, run_id="run_1")
    (sources,) = (block for block in blocks if isinstance(block, Sources))

    assert sources.items[0].url == leads_to
