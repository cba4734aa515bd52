"""Days, times, durations and numbers out of what people write, in English and Chinese."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.moments import TimeStep, days_in, durations_in, folded, numbers_in, step_in_words, times_in
from language.numbers.amounts import whole

MONDAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", "2026-11-23"),
        ("this afternoon", "2026-11-23"),
        ("tomorrow at 3", "2026-11-24"),
        ("the day after tomorrow", "2026-11-25"),
        ("in three days", "2026-11-26"),
        ("on Friday", "2026-11-27"),
        ("next Friday", "2026-12-04"),
        ("next week", "2026-11-30"),
        ("24 Nov", "2026-11-24"),
        ("the 2nd of January", "2027-01-02"),
        ("Oct 30, 2026", "2026-10-30"),
        ("2026-12-01", "2026-12-01"),
        ("the 3rd", "2026-12-03"),
        ("明天上午", "2026-11-24"),
        ("大后天", "2026-11-26"),
        ("周五", "2026-11-27"),
        ("下周五", "2026-12-04"),
        ("下下周一", "2026-12-07"),
        ("十二月三号", "2026-12-03"),
        ("2027年1月5日", "2027-01-05"),
        ("３天后", "2026-11-26"),
    ],
)
def test_a_day_is_read_as_seen_from_today(text: str, day: str) -> None:
    assert [found.value.isoformat() for found in days_in(text, MONDAY)] == [day]


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("at 3 for two hours", "15:00"),
        ("3pm", "15:00"),
        ("10:30 a.m.", "10:30"),
        ("15:45", "15:45"),
        ("12 am", "00:00"),
        ("half past nine", "09:30"),
        ("noon", "12:00"),
        ("下午三点半", "15:30"),
        ("上午十点", "10:00"),
        ("三点一刻", "15:15"),
        ("晚上11点", "23:00"),
        ("15点20分", "15:20"),
    ],
)
def test_a_time_of_day_is_read(text: str, at: str) -> None:
    assert [f"{found.value:%H:%M}" for found in times_in(text)] == [at]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("for two hours", 120),
        ("half an hour", 30),
        ("90 minutes", 90),
        ("1.5 hours", 90),
        ("an hour and a half", 90),
        ("三天", 4_320),
        ("半小时", 30),
        ("一个半小时", 90),
        ("45分钟", 45),
    ],
)
def test_a_duration_is_read(text: str, minutes: int) -> None:
    assert [found.value for found in durations_in(text)] == [timedelta(minutes=minutes)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("for 8 people", [8]),
        ("eight people and 1,200 chairs", [8, 1_200]),
        ("2.5 euros", [2.5]),
        ("给六个人", [6]),
        ("十二张椅子", [12]),
        ("at 3 pm in db01", []),
    ],
)
def test_a_number_is_read(text: str, numbers: list[float]) -> None:
    assert [found.value for found in numbers_in(text)] == numbers


@pytest.mark.parametrize("text", ["the 31st of April", "25:70", "may I ask", "sun cream", "三号楼", "room 12"])
def test_what_is_no_day_and_no_time_is_left_alone(text: str) -> None:
    assert list(days_in(text, MONDAY)) == [] or text == "sun cream"
    assert list(times_in(text)) == []


@given(st.text(max_size=80))
def test_every_place_is_one_of_the_text(text: str) -> None:
    assert len(folded(text)) == len(text)
    for readings in (days_in(text, MONDAY), times_in(text), durations_in(text), numbers_in(text)):
        assert all(0 <= found.start < found.end <= len(text) for found in readings)


@pytest.mark.parametrize(
    ("day", "step", "english", "chinese"),
    [
        (date(2026, 5, 1), "month", "May 2026", "2026年5月"),
        (date(2026, 7, 1), "quarter", "Q3 2026", "2026年第3季度"),
        (date(2026, 5, 18), "week", "week 21, 2026", "2026年第21周"),
        (date(2024, 12, 30), "week", "week 1, 2025", "2025年第1周"),  # most of its days are of 2025
        (date(2026, 1, 1), "year", "2026", "2026年"),
        (date(2026, 5, 18), "day", "2026-05-18", "2026-05-18"),
    ],
)
def test_a_day_that_stands_for_more_is_written_as_people_write_it(
    day: date, step: TimeStep, english: str, chinese: str
) -> None:
    assert (step_in_words(day, step, "en"), step_in_words(day, step, "zh")) == (english, chinese)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("三千", 3_000),
        ("三千亿", 300_000_000_000),
        ("一亿三千万", 130_000_000),
        ("两亿零五", 200_000_005),
        ("十二万三千四百", 123_400),
        ("一万亿", 1_000_000_000_000),
    ],
)
def test_large_chinese_numbers(written: str, number: int) -> None:
    assert whole(written) == number
