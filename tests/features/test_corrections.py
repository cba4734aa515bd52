"""What is corrected in a draft, and what only sounds like it."""

from datetime import UTC, datetime

import pytest

from features.tickets.tools.corrections import corrected
from features.tickets.understanding.drafts import correction_of
from tickets.ticket import Draft, DraftState, Priority

_NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
RIGHTED = [
    ("The tumble dryer is cold", "sorry i meant the washing machine not the dryer", "The washing machine is cold"),
    ("Radiator in 212 is leaking", "i meant 221", "Radiator in 221 is leaking"),
    ("Toaster in the bar is dead", "sorry i mean the waffle iron", "Waffle iron in the bar is dead"),
    ("The lamp in room 17 is out", "oops wrong room, 19", "The lamp in room 19 is out"),
    ("Cam 3 on pen 8 is all slime", "actually its cam 4", "Cam 4 on pen 8 is all slime"),
    ("2号车间的3号泵漏油", "不对 是5号泵", "2号车间的5号泵漏油"),
    ("Forklift 4 drips oil", "not forklift 4 but 14", "Forklift 14 drips oil"),
    ("Table 6 wobbles", "table 9 actually", "Table 9 wobbles"),
    ("405的电视没信号", "说错了，是504", "504的电视没信号"),
    ("二楼的洗衣机不转了", "不对 是烘干机不是洗衣机", "二楼的烘干机不转了"),
    ("大堂的灯不亮了", "打错字了，是大堂吧", "大堂吧的灯不亮了"),
    ("308房空调不制冷", "更正一下 是318", "318房空调不制冷"),
    ("The vans nearside headlamp is out", "actually its the offside", "The vans offside headlamp is out"),
]


@pytest.mark.parametrize(("title", "said", "now"), RIGHTED)
def test_what_was_meant_stands_in_place_of_what_was_wrong(title: str, said: str, now: str) -> None:
    meant = correction_of(said)
    assert meant is not None
    changes = corrected(draft_of(title), meant)

    assert changes is not None
    assert changes["title"] == now
    assert "first written" in changes["description"] or "原写" in changes["description"]


@pytest.mark.parametrize(
    "said",
    [
        "it's still not working",
        "i mean it's broken",
        "its urgent, sorry",
        "no its fine",
        "the second one from the left",
        "又坏了 不是第一次",
        "打错了",
        "sorry, still broken",
    ],
)
def test_what_names_nothing_else_corrects_nothing(said: str) -> None:
    assert correction_of(said) is None


def test_of_several_numbers_none_is_guessed() -> None:
    meant = correction_of("sorry, 14")
    assert meant is not None
    assert corrected(draft_of("Lamps in room 12 and room 13 are out"), meant) is None


def draft_of(title: str) -> Draft:
    """Return a draft whose description says what its title does."""
    return Draft(
        id="d1",
        requester_id="p1",
        requester_name="Mia",
        thread="t",
        state=DraftState.OPEN,
        version=1,
        category="other",
        title=title,
        description=title.lower(),
        priority=Priority.NORMAL,
        fields={},
        missing=(),
        created_at=_NOW,
        updated_at=_NOW,
        expires_at=_NOW,
    )
