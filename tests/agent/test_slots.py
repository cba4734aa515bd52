"""Arguments out of declared places and kinds: what is said, what is asked back, what goes on from before."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from agent.brains.output import AskBack, Brief, Output
from agent.brains.rules.model import RulesModel
from agent.brains.rules.routes import Route
from agent.brains.rules.slots import ArgumentSlot, SlotKind, SlotReader
from agent.brains.rules.talk import Step, Talk
from agent.brains.rules.understanding.message import Message
from agent.tools.context import Recollection, Turn
from storage.ids import JsonValue

MONDAY = datetime(2026, 11, 23, 9, tzinfo=UTC)
_ROOMS = {"harbour": ("harbour room", "海港厅"), "attic": ("the attic", "阁楼")}
_FREE = (
    "Which rooms are free on {day} at {start}?",
    "Is {room} free?",
    "Find a room for {people} people",
    "{day}哪些会议室有空？",
)
_BOOK = (
    "Book {room} on {day} at {start} for {length} about {purpose}",
    "Reserve {room} for {guest}",
    "I need a room",
    "预订{room}，{day}{start}，主题是{purpose}",
    "给{guest}订个会议室",
)
ROUTES = (
    Route(
        "free_rooms",
        SlotReader(
            (
                ArgumentSlot("room", SlotKind.CHOICE, _ROOMS),
                ArgumentSlot("day", SlotKind.DATE),
                ArgumentSlot("start", SlotKind.TIME),
                ArgumentSlot("people", SlotKind.NUMBER),
            ),
            _FREE,
        ),
        _FREE,
        counterexamples=("What equipment is in the rooms?",),
    ),
    Route(
        "book_room",
        SlotReader(
            (
                ArgumentSlot("room", SlotKind.CHOICE, _ROOMS, ask="which_room"),
                ArgumentSlot("day", SlotKind.DATE, ask="which_day"),
                ArgumentSlot("start", SlotKind.TIME, ask="which_time"),
                ArgumentSlot("length", SlotKind.DURATION),
                ArgumentSlot("guest", SlotKind.PERSON),
                ArgumentSlot("purpose", SlotKind.TEXT, ask="which_purpose"),
            ),
            _BOOK,
        ),
        _BOOK,
    ),
    Route("ask", lambda said: {"query": said.text}, last_resort=True),
)
OFFERED = frozenset(route.tool for route in ROUTES)
MODEL = RulesModel(ROUTES)


def thread(*lines: str) -> Iterator[Step | Output]:
    """Yield what comes of each message of a thread."""
    turns: list[Turn] = []
    for line in lines:
        brief = Brief(line, "en", MONDAY, Recollection(turns=tuple(turns)))
        decided = MODEL.decide(brief, (), OFFERED)
        yield decided
        turns.append(Turn(line, "", "asked_back" if isinstance(decided, AskBack) else "answered"))


def last(*lines: str) -> Step | Output:
    return list(thread(*lines))[-1]


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        ("Which rooms are free tomorrow at 3pm?", "free_rooms", {"day": "2026-11-24", "start": "15:00"}),
        ("find me a room for eight people", "free_rooms", {"people": 8}),
        ("is the harbour room free on Wednesday?", "free_rooms", {"room": "harbour", "day": "2026-11-25"}),
        ("明天哪些会议室有空", "free_rooms", {"day": "2026-11-24"}),
        (
            "Please book the attic on Friday at 10:30 for 2 hours about the budget review.",
            "book_room",
            {"room": "attic", "day": "2026-11-27", "start": "10:30", "length": 120, "purpose": "the budget review"},
        ),
        (
            "请预订阁楼，下周一上午十点，主题是预算评审",
            "book_room",
            {"room": "attic", "day": "2026-11-30", "start": "10:00", "purpose": "预算评审"},
        ),
    ],
)
def test_what_is_said_is_read(text: str, tool: str, arguments: dict[str, JsonValue]) -> None:
    assert last(text) == Step(tool, arguments)


def test_what_is_missing_is_asked_for_one_after_the_other() -> None:
    said = ("I need a room for Ben Brook", "the attic", "tomorrow", "at half past nine", "It's for the board meeting.")
    *asked, booked = thread(*said)

    assert [each.code for each in asked if isinstance(each, AskBack)] == [
        "which_room",
        "which_day",
        "which_time",
        "which_purpose",
    ]
    assert booked == Step(
        "book_room",
        {"room": "attic", "day": "2026-11-24", "start": "09:30", "guest": "Ben Brook", "purpose": "the board meeting"},
    )


def test_a_name_in_chinese_is_read_where_the_example_has_it() -> None:
    booked = last("给李雷订个会议室", "阁楼", "周五", "三点", "面试")

    assert booked == Step(
        "book_room", {"guest": "李雷", "room": "attic", "day": "2026-11-27", "start": "15:00", "purpose": "面试"}
    )


@pytest.mark.parametrize(
    ("lines", "arguments"),
    [
        (("Is the attic free tomorrow?", "and on Friday?"), {"room": "attic", "day": "2026-11-27"}),
        (("Is the attic free tomorrow?", "and the harbour room?"), {"room": "harbour", "day": "2026-11-24"}),
        (
            ("Is the attic free tomorrow?", "and on Friday?", "after 3pm?"),
            {"room": "attic", "day": "2026-11-27", "start": "15:00"},
        ),
        (("明天哪些会议室有空？", "那周五呢？"), {"day": "2026-11-27"}),
    ],
)
def test_a_follow_up_keeps_what_it_does_not_change(lines: tuple[str, ...], arguments: dict[str, JsonValue]) -> None:
    assert last(*lines) == Step("free_rooms", arguments)


def test_what_was_called_is_called_again_with_something_else() -> None:
    changed = last("Book the attic tomorrow at 10 about the budget", "make it the harbour room instead")

    assert changed == Step(
        "book_room", {"room": "harbour", "day": "2026-11-24", "start": "10:00", "purpose": "the budget"}
    )


@pytest.mark.parametrize(
    "text",
    [
        "How do I book a room?",
        "What equipment is in the attic?",
        "Who booked the attic?",
        "meeting room policy",
        "会议室怎么预订？",
        "show me the travel policy",
        "how many vacation days do I have?",
    ],
)
def test_a_question_for_the_documents_stays_one(text: str) -> None:
    assert last(text) == Step("ask", {"query": text})
    assert last("I need a room", text) == Step("ask", {"query": text})


@pytest.mark.parametrize("text", ["never mind", "forget it", "算了", "不用了"])
def test_what_was_begun_can_be_left(text: str) -> None:
    assert last("I need a room", text) == AskBack(code="dropped")


@pytest.mark.parametrize("text", ["never mind", "forget it", "算了"])
def test_what_is_left_is_what_was_asked_last_and_not_an_older_draft(text: str) -> None:
    waiting = Recollection(turns=(Turn("I need a room", "", "asked_back"),), last={"draft": "DR-1"})
    desk = RulesModel(ROUTES, (Talk(OFFERED, understand=_discard),))

    assert desk.decide(Brief(text, "en", MONDAY, waiting), (), OFFERED) == AskBack(code="dropped")


def _discard(message: Message, _offered: frozenset[str]) -> Step | None:
    return Step("discard_draft") if message.memory.last.get("draft") else None


@pytest.mark.parametrize("text", ["never mind", "forget it", "cancel", "算了", "取消"])
def test_what_nobody_asked_about_can_be_left_too(text: str) -> None:
    assert last("How long does a VPN session last?", text) == AskBack(code="left")


def test_small_talk_is_no_answer() -> None:
    assert last("I need a room", "tell me a joke") == Step("ask", {"query": "tell me a joke"})
    assert last("I need a room", "hello") == AskBack(code="greeting")
