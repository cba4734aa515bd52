"""Ticket fields out of people's words: what stands there, and nothing else."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.tickets.rendering import unsaid
from features.tickets.understanding.extract import TITLE_CHARS, Extractor, priority_of, title_of
from tickets.config import CategoryConfig, Choice, FieldConfig, FieldKind, Keywords, Labels, TicketsConfig
from tickets.ticket import Draft, DraftState, Priority


@pytest.fixture
def extractor() -> Extractor:
    return Extractor(TicketsConfig())


FIELDS: tuple[tuple[str, dict[str, str | None]], ...] = (
    ("the printer on the third floor is jammed", {"location": "the third floor", "device": "printer"}),
    ("projector in room 204 is dead, ext 4411", {"location": "room 204", "contact": "ext 4411", "device": "projector"}),
    (
        "My desk in Hamburg has no network, call me on +49 40 555 0199",
        {"location": "Hamburg", "contact": "+49 40 555 0199"},
    ),
    ("reach me at ada@example.com, laptop LT-20931 won't boot", {"contact": "ada@example.com", "device": "LT-20931"}),
    ("I need access to the finance share", {"system": "finance share"}),
    ("Outlook keeps crashing since this morning", {"system": "Outlook"}),
    ("locked out of my Loket account", {"system": "Loket"}),
    ("our whole team can't log in to Jira", {"system": "Jira", "impact": "team"}),
    ("projector in room 204 is dead, <@U0000004> saw it", {"location": "room 204", "device": "projector"}),
    ("projector in room 204 is dead, ask @dora", {"location": "room 204", "contact": "@dora", "device": "projector"}),
    ("the printer in reception is jammed, HV20417", {"location": "reception", "device": "HV20417"}),
    ("monitor in ash ward is dead", {"location": "ash ward", "device": "monitor"}),
    ("five times an hour, castleby consulting room 2", {"location": "castleby consulting room 2"}),
    ("no access to controlled drugs cupboard", {"system": None}),
    ("空调坏了，周四之前要修好", {"dates": "周四", "device": "空调"}),
    ("location: basement, contact: Ben", {"location": "basement", "contact": "Ben"}),
    ("在三楼，分机4411", {"location": "三楼", "contact": "分机4411"}),
    ("A座12层的打印机卡纸了", {"location": "A座12层", "device": "打印机"}),
    ("1002会议室空调不制冷，电话13800005555", {"location": "1002会议室", "contact": "13800005555"}),
    ("登录不了考勤系统", {"system": "考勤系统"}),
    ("我在902，电脑蓝屏", {"location": "902", "device": "电脑"}),
    ("地点是前台，联系方式：小王", {"location": "前台", "contact": "小王"}),
)


@pytest.mark.parametrize(("text", "expected"), FIELDS)
def test_fields_are_read_where_they_stand(extractor: Extractor, text: str, expected: dict[str, str | None]) -> None:
    found = extractor.fields(text)

    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize(
    "text", ["it does not work", "something is broken, please help", "坏了，帮我看看", "please open a ticket"]
)
def test_nothing_is_made_up(extractor: Extractor, text: str) -> None:
    assert extractor.fields(text) == {}
    assert extractor.draft(text).priority == "normal"
    assert extractor.draft(text).category == "other"


CATEGORIES = (
    ("my laptop screen is black", "hardware"),
    ("VPN disconnects every hour", "network"),
    ("I forgot my password and the account is locked", "access"),
    ("the heating in the meeting room is off", "facilities"),
    ("please install Tableau", "software"),
    ("my payslip is wrong", "hr"),
    ("the cat is on the roof", "other"),
    ("tap in the prep room is dripping", "facilities"),
    ("the booking program keeps throwing me out", "software"),
    ("打印机卡纸了", "hardware"),
    ("年假天数不对", "hr"),
    ("三楼断网了", "network"),
)


@pytest.mark.parametrize(("text", "category"), CATEGORIES)
def test_the_category_comes_from_the_configured_words(extractor: Extractor, text: str, category: str) -> None:
    assert extractor.draft(text).category == category


def test_any_company_names_its_own_categories_and_fields() -> None:
    config = TicketsConfig(
        categories={
            "vessel": CategoryConfig(labels=Labels(en="Vessels"), keywords=Keywords(en=("crane", "berth"))),
            "other": CategoryConfig(labels=Labels(en="Other")),
        },
        fields={
            "quay": FieldConfig(labels=Labels(en="Quay", zh="码头")),
            "shift": FieldConfig(
                labels=Labels(en="Shift"),
                kind=FieldKind.CHOICE,
                choices=(
                    Choice(value="early", labels=Labels(en="Early shift")),
                    Choice(value="night", labels=Labels(en="Night shift")),
                ),
            ),
        },
    )
    found = Extractor(config).draft("crane 4 is stuck, quay: North 2, night shift")

    assert found.category == "vessel"
    assert dict(found.fields) == {"quay": "North 2", "shift": "night"}


@pytest.mark.parametrize(
    ("text", "priority"),
    [
        ("this is urgent", "urgent"),
        ("fix it ASAP please", "urgent"),
        ("紧急！服务器挂了", "urgent"),
        ("our whole team is blocked", "high"),
        ("请尽快处理", "high"),
        ("VetFile is down for everybody", "high"),
        ("no internet in the whole building", "high"),
        ("the checkout is dead, customers are waiting", "high"),
        ("收银系统挂了，客人在排队", "high"),
        ("everyone says that the canteen is loud", ""),
        ("not urgent, whenever you have time", "low"),
        ("不着急", "low"),
        ("空调坏了，周四之前要修好", "high"),
        ("door broken, please fix before friday", "high"),
        ("it worked before monday", ""),
        ("by monday it had stopped", ""),
        ("my laptop won't boot", ""),
        ("打印机坏了", ""),
    ],
)
def test_priority_only_by_explicit_words(text: str, priority: str) -> None:
    assert priority_of(text) == priority


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("my laptop won't boot", "My laptop won't boot"),
        ("please open a ticket: the monitor in room 204 flickers", "The monitor in room 204 flickers"),
        ("Hi, could you please fix the door of room 5? Thanks!", "Fix the door of room 5"),
        ("the printer is jammed. I already tried to restart it.", "The printer is jammed"),
        ("打印机坏了，帮我报修", "打印机坏了"),
        ("帮我提个工单：显示器闪屏", "显示器闪屏"),
        ("三楼打印机卡纸了，帮我报修，分机4411", "三楼打印机卡纸了"),
        ("My laptop does not start. Please open a ticket. Ext 4411", "My laptop does not start"),
    ],
)
def test_the_title_is_the_matter_without_the_manners(text: str, title: str) -> None:
    assert title_of(text) == title


def test_the_description_is_what_was_written(extractor: Extractor) -> None:
    text = "Please open a ticket:\n  the lift is stuck.\nIt happened twice."

    assert extractor.draft(text).description == text


@pytest.mark.parametrize(
    ("text", "missing", "changes"),
    [
        ("third floor, ext 4411", ("location", "contact"), {"location": "third floor", "contact": "ext 4411"}),
        ("change the priority to urgent", (), {"priority": "urgent"}),
        ("把优先级改成高", (), {"priority": "high"}),
        ("the title should be Broken lift", (), {"title": "Broken lift"}),
        ("make the category network", (), {"category": "network"}),
        ("next to the coffee corner", ("location",), {"location": "next to the coffee corner"}),
        ("ThinkPad", ("device",), {"device": "ThinkPad"}),
        ("在三楼，分机4411", ("location", "contact"), {"location": "三楼", "contact": "分机4411"}),
    ],
)
def test_answers_change_a_draft(
    extractor: Extractor, text: str, missing: tuple[str, ...], changes: dict[str, str]
) -> None:
    assert extractor.changes(text, missing=missing) == changes


@given(st.text(min_size=1, max_size=400))
def test_every_value_stands_in_the_text(text: str) -> None:
    config = TicketsConfig()
    found = Extractor(config).draft(text)
    spaced = " ".join(text.split())

    for name, value in found.fields.items():
        choices = {choice.value for choice in config.fields[name].choices}
        assert value in choices or value in spaced or value in text
    assert found.description == text.strip()
    assert len(found.title) <= TITLE_CHARS + 1


@pytest.mark.parametrize("text", ["also in hall 4", "it's also on floor 2", "四楼也是"])
def test_a_second_place_does_not_overwrite_the_first(extractor: Extractor, text: str) -> None:
    assert "location" not in extractor.changes(text, told=("location",))


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("the dough mixer in hall 2 stopped", "equipment"),
        ("冷却水泵漏油", "equipment"),
        ("三号灌装机停了", "equipment"),
        ("i saw an error in outlook when i press send", "software"),
        ("笔记本打不开", "hardware"),
        ("opentable keeps freezing", "software"),
    ],
)
def test_a_machine_and_a_program_have_their_categories(extractor: Extractor, text: str, category: str) -> None:
    assert extractor.draft(text).category == category


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("the dough mixer stopped", ("since", "which", "shown", "held_up")),
        ("mixer 4 stopped an hour ago with e12 on the display, everyone waits", ()),
        ("今天早上开始3号灌装机停了，显示缺料，订单都在等", ()),
        ("i dented the van on a bollard", ("which", "since", "danger")),
        ("i would like a second monitor", ()),
    ],
)
def test_a_draft_of_a_fault_names_what_is_left_unsaid(extractor: Extractor, text: str, asked: tuple[str, ...]) -> None:
    found, now = extractor.draft(text), datetime(2026, 11, 27, 9, tzinfo=UTC)
    draft = Draft(
        id="d1",
        requester_id="p1",
        requester_name="Mia",
        thread="t",
        state=DraftState.OPEN,
        version=1,
        category=found.category,
        title=found.title,
        description=text,
        priority=Priority.NORMAL,
        fields={},
        missing=(),
        created_at=now,
        updated_at=now,
        expires_at=now,
    )
    assert unsaid(draft) == asked
