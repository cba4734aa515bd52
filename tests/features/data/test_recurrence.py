"""How often and when something comes, as people say it; and which question they mean."""

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as some

from features.data.saved.recurrence import LAST_DAY, Recurrence, Rhythm, recurrence_in, recurrence_of
from features.data.saved.wish import wish_in

#: What is said, the name of the question, the line of the crontab ("" where something is missing), and whether here.
SAID = (
    ("Send me 'open orders' every Monday at 9", "open orders", "0 9 * * 1", False),
    ("Please send me open orders every weekday at 8:30", "open orders", "30 8 * * 1-5", False),
    ("Post “Crates” here every day at 7 pm", "Crates", "0 19 * * *", True),
    ("Crates every 1st of the month at 9:00 here", "Crates", "0 9 1 * *", True),
    ("send me Crates on the first of each month at noon", "Crates", "0 12 1 * *", False),
    ('Every Tuesday at 10am send me "Crates sold"', "Crates sold", "0 10 * * 2", False),
    ("send the results of Crates to me on Mondays at 09:15", "Crates", "15 9 * * 1", False),
    ("send me crates daily at 7", "crates", "0 7 * * *", False),
    ("Send me Crates every Monday", "Crates", "", False),
    ("Send me Crates at 9", "Crates", "", False),
    ("Crates every 31st at 9", "Crates", "", False),
    ("每周一上午9点发给我“未完成订单”", "未完成订单", "0 9 * * 1", False),
    ("每天8点半把订单发给我", "订单", "30 8 * * *", False),
    ("每个工作日9点把订单发到这里", "订单", "0 9 * * 1-5", True),
    ("每月1号9点把“订单”发给我", "订单", "0 9 1 * *", False),
    ("请在每周五下午三点发给我箱数", "箱数", "0 15 * * 5", False),
    ("订单 每周日21:00", "订单", "0 21 * * 7", False),
)


@pytest.mark.parametrize(("said", "name", "line", "here"), SAID)
def test_a_wish_is_read(said: str, name: str, line: str, here: bool) -> None:
    wish = wish_in(said)
    assert (wish.name, wish.when.line if wish.when else "", wish.here) == (name, line, here)


_RHYTHMS: dict[Rhythm, int] = {"daily": 0, "weekdays": 0, "weekly": 7, "monthly": LAST_DAY}


@given(rhythm=some.sampled_from(sorted(_RHYTHMS)), day=some.integers(1, LAST_DAY), at=some.times())
def test_what_is_read_back_is_what_runs(rhythm: Rhythm, day: int, at: time) -> None:
    most = _RHYTHMS[rhythm]
    made = Recurrence(rhythm, at.replace(second=0, microsecond=0), 0 if not most else 1 + (day - 1) % most)
    assert recurrence_of(made.line) == made
    for language in ("en", "zh"):
        words = made.in_words("zh" if language == "zh" else "en", "Europe/Berlin")
        assert "Europe/Berlin" in words
        assert f"{made.at:%H:%M}" in words


@given(text=some.text(max_size=60))
def test_other_words_are_no_recurrence_and_no_error(text: str) -> None:
    said = recurrence_in(text)
    assert all(0 <= start < end <= len(text) for start, end in said.spans)
