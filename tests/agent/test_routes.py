"""Words to tools by examples and patterns, and what nobody offers."""

import re
from datetime import UTC, datetime

import pytest

from agent.brains.rules.routes import Route, Router
from agent.brains.rules.slots import Utterance
from agent.brains.rules.understanding.deeds import asks_for_deed

NOW = datetime(2026, 11, 23, tzinfo=UTC)
ROTA = Route(
    tool="who_is_on_call",
    read=lambda _said: {},
    examples=("Who is on call for the network?", "whose turn is it this week", "今天网络谁值班？", "这周轮到谁了"),
    patterns=(re.compile(r"\bpager\b"),),
    counterexamples=("How does the on-call rota work?", "What am I paid for being on call?", "值班补贴是多少？"),
)
ROUTER = Router([ROTA])
OFFERED = frozenset({"who_is_on_call"})


def found(text: str, offered: frozenset[str] = OFFERED) -> Route | None:
    return ROUTER.find(Utterance((text,), NOW), offered)


@pytest.mark.parametrize(
    "text", ["Who is on call for storage?", "who's on call", "who has the pager", "今天存储谁值班", "这周谁值班？"]
)
def test_what_is_like_an_example_takes_the_route(text: str) -> None:
    assert found(text) is ROTA


@pytest.mark.parametrize(
    "text",
    [
        "How does the on-call rota work here?",
        "What are we paid for being on call at night?",
        "值班补贴是多少钱？",
        "How do I connect to the VPN?",
        "怎么连接 VPN？",
        "",
    ],
)
def test_what_is_nearer_to_a_counterexample_or_to_nothing_does_not(text: str) -> None:
    assert found(text) is None


def test_a_tool_that_is_not_offered_is_not_led_to() -> None:
    assert found("Who is on call for the network?", frozenset()) is None


@pytest.mark.parametrize(
    ("text", "deed"),
    [
        ("Please book a meeting room for tomorrow", True),
        ("Can you restart the web server?", True),
        ("帮我预订一间会议室", True),
        ("How do I book a meeting room?", False),
        ("怎么预订会议室？", False),
        ("What is the deadline for expenses?", False),
    ],
)
def test_a_deed_is_told_apart_from_a_question(text: str, deed: bool) -> None:
    assert asks_for_deed(text) is deed


def test_a_router_without_examples_leads_nowhere() -> None:
    bare = Router([Route(tool="who_is_on_call", read=lambda _said: {})])
    assert bare.find(Utterance(("who is on call",), NOW), OFFERED) is None
