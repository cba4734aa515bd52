"""What stands above a draft, what is added to one, and what comes near on pages in the other language."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.brains.output import UNSURE
from agent.brains.rules.understanding.asking import is_asked_by_others
from agent.results import Records
from agent.runs.answer import Answer, Answered
from bot.compose.desk import Desk
from tests.evals.asking import ask, desk_over

PAGES = {
    "guarantee.md": "# Guarantee\n\n## What we take back\n\nA broken lamp that was bought here is exchanged with its "
    "receipt.\n\n| Thing | Guarantee |\n|---|---|\n| Lamps and shades | two years |\n| Curtains and rails | 30 days |\n"
    "| Rugs | 6 months |\n",
    "leave.md": "# Days off\n\n## Asking\n\nAsk your manager for days off in the planner. If a request was not "
    "answered within ten days, it counts as granted.\n\n## Paid days\n\n| Occasion | Paid days |\n|---|---|\n"
    "| Your own wedding | 2 days |\n| Moving house | 1 day |\n| Death of a child | 5 days |\n",
    "shifts.md": "# 仓库的班次\n\n## 加钱的时段\n\n星期日上班加钱百分之六十，节日加钱百分之一百。\n\n"
    "## 迟到\n\n打卡迟到五分钟以内不扣，超过五分钟扣半小时。\n",
    "prices.md": "# Trips\n\n## What is paid\n\n| Item | At most |\n|---|---|\n"
    "| Bed for a night | €120 at home, €150 abroad |\n| Small things on a trip, per day | €9 |\n",
}


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    pages, home = tmp_path / "pages", tmp_path / "home"
    home.mkdir()
    pages.mkdir()
    for name, text in PAGES.items():
        (pages / name).write_text(text, encoding="utf-8")
    async with desk_over(home, pages) as made:
        yield made


def _drafted(answer: Answer) -> list[str]:
    results = answer.results if isinstance(answer, Answered) else ()
    return [each.kind for each in results if isinstance(each, Records)]


async def test_what_is_added_to_a_draft_is_looked_up_on_the_page_above_it(desk: Desk) -> None:
    first = await ask(desk, "customer with a broken lamp from last year", thread="lamp")
    more = await ask(desk, "her curtains too", thread="lamp")
    when = await ask(desk, "since last week", thread="lamp")

    assert _drafted(first) == ["draft"]
    assert isinstance(more, Answered), more
    assert "30 days" in more.text
    assert more.lead == UNSURE
    assert _drafted(more) == ["draft"]
    assert not isinstance(when, Answered) or "30 days" not in when.text


async def test_what_comes_near_in_the_other_language_is_shown_as_unsure(desk: Desk) -> None:
    answer = await ask(desk, "came 9 minutes late to clock in, what does it cost me", thread="late")

    assert isinstance(answer, Answered), answer
    assert "扣半小时" in answer.text
    assert answer.lead == UNSURE


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("cheapest bed in vienna is 140, ok?", "€150 abroad"),
        ("i work two days a week at the kitchen table, how many days do i get paid", "Moving house"),
    ],
)
async def test_a_value_that_is_only_told_picks_no_row(desk: Desk, said: str, holds: str) -> None:
    answer = await ask(desk, said, thread=said)

    assert isinstance(answer, Answered), answer
    assert holds in answer.text


@pytest.mark.parametrize(
    ("said", "is_asked"),
    [
        ("man with a camera and a mic wants to know about our wages", True),
        ("lady at the till keeps asking whether we deliver", True),
        ("有个记者打电话问我们的农药", True),
        ("man with a knife asks for the till money", False),
        ("客人的问题很多", False),
    ],
)
def test_what_somebody_else_wants_to_know_is_asked(said: str, is_asked: bool) -> None:
    assert is_asked_by_others(said) is is_asked
