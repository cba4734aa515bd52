"""What somebody's words ask of a digest."""

from datetime import datetime

import pytest

from features.digests.cards import called
from features.digests.digest import back_of
from features.digests.wish import sections_in, wish_in
from storage.queue.schedules import Rule
from tests.fixtures.features import shipped

SECTIONS = tuple(section for feature in shipped() for section in feature.sections)
NOW = datetime.fromisoformat("2026-11-24T10:00")
TICKETS = ("overdue_tickets", "new_tickets", "waiting_tickets", "resolved_tickets")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Send a digest of tickets here every weekday at 9", TICKETS),
        ("a digest of new tickets", ("new_tickets",)),
        ("每个工作日早上9点在这里发工单日报", TICKETS),
        ("每天9点发新工单和故障", ("incidents", "new_tickets")),
        ("what was down-voted", ("disliked_answers",)),
        ("saved questions", ("saved_questions",)),
        ("a digest of overdue tickets", ("overdue_tickets",)),
        ("a digest with new and overdue tickets", ("new_tickets", "overdue_tickets")),
        ("逾期的工单摘要", ("overdue_tickets",)),
        ("resolved tickets and incidents", ("incidents", "resolved_tickets")),
        ("a digest every day at 9", ()),
    ],
)
def test_sections_are_named_by_their_words(text: str, names: tuple[str, ...]) -> None:
    assert set(sections_in(text, SECTIONS)) == set(names)


def test_a_digest_is_called_by_no_phrase_that_asks_for_more() -> None:
    assert called(sections_in("a digest of tickets", SECTIONS), "en") == "tickets"
    assert called(("new_tickets", "overdue_tickets"), "en") == ""


@pytest.mark.parametrize(
    ("text", "rule", "here", "alone"),
    [
        ("Send a digest of tickets here every weekday at 9", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", True, False),
        ("Send me a digest every Monday at 8:30", "FREQ=WEEKLY;BYDAY=MO", False, True),
        ("每个工作日早上9点在这里发日报", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", True, False),
        ("每周一上午9点给我发摘要", "FREQ=WEEKLY;BYDAY=MO", False, True),
        ("Send us a digest every day at 9", "FREQ=DAILY", False, False),
        ("can i get a daily summary of my tickets at 8:30?", "FREQ=DAILY", False, False),
        ("每周五下午五点把本周的工单情况总结发给我", "FREQ=WEEKLY;BYDAY=FR", False, True),
    ],
)
def test_when_and_where_are_read(text: str, rule: str, here: bool, alone: bool) -> None:
    wish = wish_in(text, SECTIONS, now=NOW)
    assert wish.plan is not None
    assert (wish.plan.rule, wish.here, wish.alone) == (rule, here, alone)


@pytest.mark.parametrize(
    ("said", "rule", "hour"),
    [
        ("Send me a digest every weekday at 9|make it 8", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", 8),
        ("Send me a digest every weekday at 9|make it 8|only on mondays", "FREQ=WEEKLY;BYDAY=MO", 8),
        ("Send me a digest every weekday at 9|at 10 instead", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", 10),
        ("Send me a digest every weekday at 9|make it 5", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", 17),
        ("Send me a digest every day at 9|every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", 9),
        ("Send me a digest every day at 9|only tickets", "FREQ=DAILY", 9),
        ("Send me a digest of tickets|every day at 9", "FREQ=DAILY", 9),
        ("每周一上午9点给我发摘要|改成周五", "FREQ=WEEKLY;BYDAY=FR", 9),
        ("每周一上午9点给我发摘要|改成周五|改成十点", "FREQ=WEEKLY;BYDAY=FR", 10),
    ],
)
def test_later_words_change_what_was_said_before(said: str, rule: str, hour: int) -> None:
    plan = wish_in(said.replace("|", "\n"), SECTIONS, now=NOW).plan
    assert plan is not None
    assert (plan.rule, plan.at.hour) == (rule, hour)


@pytest.mark.parametrize("text", ["Send a digest tomorrow at 9", "Send a digest every day", "发日报"])
def test_what_comes_once_or_at_no_time_is_no_wish(text: str) -> None:
    assert wish_in(text, SECTIONS, now=NOW).plan is None


@pytest.mark.parametrize(
    ("rule", "days"),
    [
        ("FREQ=DAILY", 1),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", 1),
        ("FREQ=WEEKLY;BYDAY=MO", 7),
        ("FREQ=MONTHLY;BYMONTHDAY=1", 31),
    ],
)
def test_a_first_digest_looks_back_as_far_as_the_one_before_would_have_been(rule: str, days: int) -> None:
    assert back_of(Rule(rule, "09:00")).days == days
