"""The slash grammar: one parser, no surprises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agent.tools import ticket_changes, tickets
from bot.rendering.commands import TICKET_VERBS, Ask, Call, Command, Help, New, Status, own_words, parse


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/desk ask how do I print?", Ask("how do I print?")),
        ("/desk ticket new the door is stuck", New("the door is stuck")),
        ("/desk ticket list", Call("list_tickets", {})),
        ("/desk ticket show TCK-2026-000123", Call("show_ticket", {"ticket": "TCK-2026-000123"})),
        ("/desk ticket urge", Call("urge_ticket", {"ticket": "last"})),
        ("/DESK Ticket Comment 12 on my way", Call("comment_ticket", {"ticket": "12", "text": "on my way"})),
        ("/desk ticket assign 12 ben", Call("assign_ticket", {"ticket": "12", "assignee": "ben"})),
        ("/desk ticket cancel 12 not needed", Call("cancel_ticket", {"ticket": "12", "reason": "not needed"})),
        ("/desk ticket resolve 12 新电源", Call("resolve_ticket", {"ticket": "12", "resolution": "新电源"})),
        ("/desk status", Status()),
        ("/desk", Help()),
        ("/desk ask", Help("ask")),
        ("/desk ticket new ", Help("new")),
        ("/desk ticket comment 12", Help("comment")),
        ("/desk ticket resolve", Help("resolve")),
        ("/desk ticket", Help()),
        ("/desk ticket dance", Help()),
        ("/help", Help()),
        ("how do I print?", None),
        ("the path is /desk/ask", None),
    ],
)
def test_a_line_is_the_command_that_it_says(text: str, command: Command | None) -> None:
    assert parse(text) == command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("home", Status()),
        (" 主页 ", Status()),
        ("Help", Help()),
        ("ticket list", Call("list_tickets", {})),
        ("Ticket comment 12 on my way", Call("comment_ticket", {"ticket": "12", "text": "on my way"})),
        ("ask how do I print?", Ask("how do I print?")),
        ("ask", None),
        ("home office rules?", None),
        ("ticket machines are broken", None),
        ("the ticket list", None),
        ("/desk home", Status()),
    ],
)
def test_where_there_are_no_slash_commands_a_verb_stands_alone(text: str, command: Command | None) -> None:
    assert parse(text, bare=True) == command


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("/desk help", ""),
        ("/desk status", ""),
        ("/desk ticket show TCK-2026-000123", ""),
        ("/desk ticket assign TCK-2026-000123 Ben", ""),
        ("/desk ticket comment TCK-2026-000123 在路上", "在路上"),
        ("/desk ask 怎么连接 VPN？", "怎么连接 VPN？"),
        ("how do I print?", "how do I print?"),
    ],
)
def test_only_a_persons_own_words_tell_their_language(text: str, words: str) -> None:
    assert own_words(text) == words


@given(st.text())
def test_no_text_breaks_the_parser(text: str) -> None:
    parse(text)
    assert parse(f"/desk {text}") is not None


def test_every_verb_fits_its_tool() -> None:
    arguments: dict[str, type[BaseModel]] = {
        "assign_ticket": ticket_changes.AssignTicket,
        "cancel_ticket": ticket_changes.CancelTicket,
        "comment_ticket": ticket_changes.CommentTicket,
        "list_tickets": tickets.ListTickets,
        "reopen_ticket": ticket_changes.ReopenTicket,
        "resolve_ticket": ticket_changes.ResolveTicket,
        "show_ticket": tickets.ShowTicket,
        "urge_ticket": ticket_changes.UrgeTicket,
    }
    for verb in TICKET_VERBS.values():
        names = {*verb.words, verb.rest} - {""}
        fields = arguments[verb.tool].model_fields
        assert names <= set(fields), verb
        assert verb.needs_rest == bool(verb.rest and fields[verb.rest].is_required()), verb
