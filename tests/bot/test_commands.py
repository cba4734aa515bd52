"""The slash grammar: one parser, no surprises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rendering.commands import Ask, Call, Command, Help, Status, Unknown, Usage
from tests.fixtures.features import grammar, shipped

GRAMMAR = grammar()
VERBS = GRAMMAR.verbs


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/desk ask how do I print?", Ask("how do I print?")),
        ("/desk ticket list", Call("list_tickets", {})),
        ("/desk ticket show TCK-2026-000123", Call("show_ticket", {"ticket": "TCK-2026-000123"})),
        ("/desk ticket urge", Call("urge_ticket", {"ticket": "last"})),
        ("/DESK Ticket Comment 12 on my way", Call("comment_ticket", {"ticket": "12", "text": "on my way"})),
        ("/desk ticket assign 12 ben", Call("assign_ticket", {"ticket": "12", "assignee": "ben"})),
        ("/desk ticket cancel 12 not needed", Call("cancel_ticket", {"ticket": "12", "reason": "not needed"})),
        ("/desk ticket resolve 12 新电源", Call("resolve_ticket", {"ticket": "12", "resolution": "新电源"})),
        ("/desk status", Status()),
        ("/desk", Help()),
        ("/desk ask", Usage(VERBS["ask"])),
        ("/desk ticket new ", Usage(VERBS["ticket new"])),
        ("/desk ticket comment 12", Usage(VERBS["ticket comment"])),
        ("/desk ticket resolve", Usage(VERBS["ticket resolve"])),
        ("/desk ticket", Help()),
        ("/desk ticket dance", Unknown("ticket dance", ("ticket cancel", "ticket new", "ticket watch"))),
        ("/help", Help()),
        ("how do I print?", None),
        ("the path is /desk/ask", None),
    ],
)
def test_a_line_is_the_command_that_it_says(text: str, command: Command | None) -> None:
    assert GRAMMAR.parse(text) == command


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
    assert GRAMMAR.parse(text, bare=True) == command


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
    assert GRAMMAR.own_words(text) == words


@given(st.text())
def test_no_text_breaks_the_parser(text: str) -> None:
    GRAMMAR.parse(text)
    assert GRAMMAR.parse(f"/desk {text}") is not None


def test_a_new_ticket_is_read_from_its_words() -> None:
    command = GRAMMAR.parse("/desk ticket new the door is stuck")

    assert isinstance(command, Call)
    assert (command.tool, command.prose) == ("draft_ticket", "the door is stuck")
    assert command.arguments["description"] == "the door is stuck"


def test_every_verb_fits_its_tool() -> None:
    arguments = {tool.spec.name: tool.spec.arguments for feature in shipped() for tool in feature.tools}
    for verb in VERBS.values():
        if verb.tool and verb.read is None:
            fields = arguments[verb.tool].model_fields
            assert {*verb.words, *verb.unsaid, verb.rest} - {""} <= set(fields), verb
            assert verb.needs_rest == bool(verb.rest and fields[verb.rest].is_required()), verb
