"""Words that alter a time and that nothing reads: with them, no day and no time is set in silence."""

from datetime import datetime, time

import pytest

from language.planning.plans import Again, Once, Unclear
from language.planning.reading import plan_in

#: A Wednesday.
NOW = datetime.fromisoformat("2027-09-08T10:20")
_BEFORE = (
    "the end of|the start of|the following|the previous|the second|the last|every other|alternate|any|not|never|"
    "anything but|instead of|no later than|no sooner than|right after|since|from|within|during|a month from|"
    "a year after|a fortnight after|last year's|next year's|another|on the eve of|mid|"
    "halfway to|up to|prior to|twice on|once a quarter on|lunar|odd"
)
_AFTER = (
    "last year|the year after|of the following week|ago|excluded|except holidays|but not on holidays|and the next day|"
    "and then weekly|plus one day|minus an hour|local time|their time|Dora's time|in the Berlin office's time zone|ET|"
    "HKT|UTC+8|annually|twice|three times|on odd weeks|in the second week|a day late|until Christmas"
)
_BEFORE_ZH = (
    "去年的|前年|上个月|上周的|农历|除了|不是|别在|每隔一个|下次|再下一个|第二个|最后一个|那个|任何一个|不早于|截止|从|比|快到|"
    "连续三个|最近的|只有|偶尔|偶数周的|会后|发布后的|放假前的|另一个"
)
_AFTER_ZH = (
    "次日|第二天|的下一周|除外|之外|不要|为止|之内|那周|去年|三次|各一次|连续三天|顺延一天|提早一小时|再推一周|"
    "当地时间|UTC"
)


@pytest.mark.parametrize("words", _BEFORE.split("|"))
@pytest.mark.parametrize("day", ["20 September", "tomorrow"])
def test_words_before_a_day(day: str, words: str) -> None:
    assert plan_in(f"remind me {words} {day} at 3pm to call Bob", now=NOW).plan is None


@pytest.mark.parametrize("words", _AFTER.split("|"))
def test_words_after_a_time(words: str) -> None:
    assert plan_in(f"remind me on Friday at 3pm {words} to call Bob", now=NOW).plan is None


@pytest.mark.parametrize("words", _BEFORE_ZH.split("|"))
def test_chinese_words_before_a_day(words: str) -> None:
    assert plan_in(f"{words}9月20号下午三点提醒我给小王打电话", now=NOW).plan is None


@pytest.mark.parametrize("words", _AFTER_ZH.split("|"))
def test_chinese_words_after_a_time(words: str) -> None:
    assert plan_in(f"周五下午三点{words}提醒我给小王打电话", now=NOW).plan is None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("remind me tomorrow at 3pm to send the second invoice of last year", "2027-09-09T15:00"),
        ("remind me on Friday at 3pm to look at Bob's time sheet", "2027-09-10T15:00"),
        ("remind me around Friday 3pm to ask who is in before the holidays", "2027-09-10T15:00"),
        ("not today but tomorrow at 3pm remind me to call Bob", "2027-09-09T15:00"),
        ("remind me on 20 September next year at 3pm", "2028-09-20T15:00"),
        ("remind me next month on the 3rd at 3pm", "2027-10-03T15:00"),
        ("remind me at 3pm or so", "2027-09-08T15:00"),
        ("明天下午三点提醒我把去年的发票发出去", "2027-09-09T15:00"),
        ("晚饭后,晚上八点提醒我关灯", "2027-09-08T20:00"),
        ("明年9月20号下午三点提醒我", "2028-09-20T15:00"),
        ("最晚周五下午三点提醒我", "2027-09-10T15:00"),
    ],
)
def test_what_is_read_nevertheless(text: str, at: str) -> None:
    assert plan_in(text, now=NOW).plan == Once(datetime.fromisoformat(at))


#: Each says when with a word that is misspelt, unread or taken back: something is asked, whatever else stands there.
_NOT_WHOLLY_READ = """
remind me every oter Friday at 3pm to call Bob
remind me on thrusday at 10am to call Bob
remind me wensday at 3pm
remind me at 3pm on the frist of october
remind me at 6 or something tomorrow evening
remind me tomorrow at 9 something to call Bob
remind me shortly after 5pm
remind me some time tomorrow at 9am or later
remind me some Fridays at 9am
remind me daily for a week at 9am
remind me on Friday at 9am, no, 10am
remind me on Friday at 9am. Scratch that, Saturday
remind me at 9am Friday, I mean Thursday
remind me fri/sat 9am
every weekday bar Friday at 16:30 remind me to log off
remind me at 3pm in Tokyo
remind me a minute to midnight
明天下午四典提醒我开会
明天下午三四点提醒我开会
明天早上6点多提醒我开会
明天晚上八点出头提醒我开会
明天下午不到三点提醒我开会
星期几三点提醒我开会
大下周三上午9点提醒我开会
生日那天早上9点提醒我买蛋糕
明天九点提醒我,不对,十点
下午开会前十分钟提醒我
"""


@pytest.mark.parametrize("said", _NOT_WHOLLY_READ.strip().splitlines())
def test_what_is_not_wholly_read_is_asked_for(said: str) -> None:
    assert plan_in(said, now=NOW).plan is None


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("the call is on Friday at 3pm, ping me at 2:45pm", "2027-09-10T14:45"),
        ("dentist tomorrow at 3pm, remind me at 2pm", "2027-09-09T14:00"),
        ("周五下午三点评审,两点半提醒我准备", "2027-09-10T14:30"),
        ("remind me to renew it at noon the day before it expires on 20 January", "2028-01-19T12:00"),
    ],
)
def test_a_time_shortly_before_another_is_of_its_day(said: str, at: str) -> None:
    assert plan_in(said, now=NOW).plan == Once(datetime.fromisoformat(at))


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("remind me mon/wed/fri 8am to water the ferns", "MO,WE,FR"),
        ("remind me Mon, Wed and Fri at 8am to water the ferns", "MO,WE,FR"),
        ("周二、周四、周六早上八点提醒我跑步", "TU,TH,SA"),
        ("星期一、三、五早上八点提醒我吃药", "MO,WE,FR"),
    ],
)
def test_three_days_and_more_are_those_of_every_week(said: str, days: str) -> None:
    assert plan_in(said, now=NOW).plan == Again(f"FREQ=WEEKLY;BYDAY={days}", time(8))


def test_days_of_a_week_that_is_named_are_those_of_no_other() -> None:
    assert not isinstance(plan_in("下周一、三、五八点提醒我吃药", now=NOW).plan, Again)


def test_a_misspelt_day_is_offered_as_the_day_that_is_meant() -> None:
    found = plan_in("remind me on thrusday at 10am to call Bob", now=NOW)
    assert (found.unclear, found.choices) == (Unclear.UNREAD, (Once(datetime.fromisoformat("2027-09-09T10:00")),))
    said = "remind me on thrusday at 10am to call Bob"
    assert [said[start:end] for start, end in found.spans] == ["thrusday", "at 10am"]
