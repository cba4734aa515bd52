"""The catalogue: both languages have the same keys and the same names in them; every code has its words."""

import ast
import re
from pathlib import Path

import pytest

from agent.approvals.approval import ApprovalState
from agent.runs.answer import Outcome
from bot.rendering.texts.catalogue import UnknownText, catalogue, has, say
from features.anatomy.spoken import note
from features.tickets.phrases import phrases
from identity.policy import PolicyReason
from tickets import errors
from tickets.config import TicketsConfig
from tickets.ticket import DraftState, Priority, Status

ROOT = Path(__file__).parents[2]


def test_both_languages_have_the_same_keys() -> None:
    assert set(catalogue("en")) == set(catalogue("zh"))


def test_both_languages_fill_in_the_same_names() -> None:
    names = [
        {key: set(re.findall(r"{(\w+)}", text)) for key, text in catalogue(language).items()}
        for language in ("en", "zh")
    ]

    assert [(key, names[0][key], names[1][key]) for key in names[0] if names[0][key] != names[1][key]] == []
    assert any(names[0].values())


def test_an_unknown_key_is_told_apart_from_an_empty_text() -> None:
    with pytest.raises(UnknownText):
        say("en", "no.such.key")


def test_every_state_and_reason_has_words() -> None:
    wanted = [
        *(f"ticket.status.{each}" for each in Status),
        *(f"ticket.priority.{each}" for each in Priority),
        *(f"draft.state.{each}" for each in DraftState),
        *(f"approval.state.{each}" for each in ApprovalState),
        *(f"refused.{each}" for each in (PolicyReason.NOT_PERMITTED, PolicyReason.NOT_YOURS)),
    ]

    assert [key for key in wanted if not has(key)] == []


def test_every_error_of_the_tickets_has_its_reply() -> None:
    raised = {error for error in vars(errors).values() if isinstance(error, type) and _is_leaf(error)}

    assert {error.__name__ for error in raised - set(phrases(TicketsConfig()))} == set()


def test_every_code_that_a_brain_or_the_gate_refuses_with_has_words() -> None:
    refused = _codes_of("ToolRefused") | _codes_of("Refuse")
    asked = _codes_of("AskBack")

    assert sorted(code for code in refused if not has(f"refused.{code}")) == []
    assert sorted(code for code in asked if not has(f"asked_back.{code}")) == []


def _is_leaf(error: type) -> bool:
    return issubclass(error, errors.TicketsError) and error is not errors.TicketsError


def _codes_of(name: str) -> set[str]:
    """Return the literal codes with which the agent's modules construct something."""
    codes: set[str] = set()
    for file in (*(ROOT / "agent").rglob("*.py"), *(ROOT / "features").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                given = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "code")]
                codes |= {
                    each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
    return codes


def test_no_small_line_and_no_page_shows_the_marks_of_code() -> None:
    for language in ("en", "zh"):
        texts = catalogue(language)
        marked = {key: text for key, text in texts.items() if "`" in text and key.startswith("refused.")}
        lines = [note(Outcome.REFUSED, text).blocks for text in marked.values()]
        assert len(lines) >= 3
        assert [block for blocks in lines for block in blocks if "`" in repr(block)] == []
        assert [key for key, text in texts.items() if "`" in text and key.startswith("console.")] == []
