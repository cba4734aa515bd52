"""Quiet hours are read out of what people say, with figures and with words, and out of nothing else."""

from datetime import time

import pytest

from agent.brains.output import AskBack
from agent.brains.rules.talk import Step
from agent.brains.rules.understanding.message import read
from features.preferences.understanding.talk import talk
from features.preferences.understanding.words import quiet_called
from identity.actor import QuietHours

TOOLS = frozenset({"change_settings", "show_settings", "forget_memory"})


@pytest.mark.parametrize(
    ("said", "begin", "end"),
    [
        ("晚上十点到早上七点半别打扰我", time(22), time(7, 30)),
        ("晚上11点半到早上6点请不要打扰我", time(23, 30), time(6)),
        ("don't write me between 22:00 and 7:00", time(22), time(7)),
        ("晚上十点到早上七点不要给我发消息", time(22), time(7)),
        ("Don't message me between 8pm and 7am", time(20), time(7)),
        ("my quiet hours are from 10 pm to 7:30 am", time(22), time(7, 30)),
        ("no messages after 8pm please", time(20), time(7)),
        ("晚上十点以后别给我发消息", time(22), time(7)),
        ("i dont want messages after 6pm", time(18), time(7)),
        ("I don't want to be disturbed from 9pm to 6am", time(21), time(6)),
    ],
)
def test_quiet_hours_are_set_in_words(said: str, begin: time, end: time) -> None:
    assert quiet_called(said) == QuietHours(begin, end)
    found = talk(TOOLS).understand(read(said), TOOLS)
    assert isinstance(found, Step)
    assert found.tool == "change_settings"


@pytest.mark.parametrize(
    "said",
    [
        "不要在晚上给我发消息",
        "下班后别打扰我",
        "stop all messages to me at the weekend",
        "please don't message me at night",
        "i don't want any news after work",
    ],
)
def test_who_names_no_times_of_day_is_asked_for_them(said: str) -> None:
    assert talk(TOOLS).understand(read(said), TOOLS) == AskBack(code="which_quiet_hours")


@pytest.mark.parametrize(
    "said",
    [
        "when do my quiet hours end?",
        "are my quiet hours off?",
        "do my quiet hours stop at 7?",
        "is my time zone Shanghai?",
        "我的免打扰到几点结束？",
        "免打扰关掉了吗？",
    ],
)
def test_a_question_changes_nothing_and_is_shown_how_it_stands(said: str) -> None:
    assert talk(TOOLS).understand(read(said), TOOLS) == Step("show_settings")


@pytest.mark.parametrize("said", ["Don't notify me of TCK-2026-000012 any more", "不要通知我这个工单了"])
def test_what_names_no_hours_sets_none(said: str) -> None:
    assert talk(TOOLS).understand(read(said), TOOLS) is None


@pytest.mark.parametrize(
    ("said", "step"),
    [
        ("answer me in Chinese from now on", Step("change_settings", {"language": "chinese"})),
        ("back to English please", Step("change_settings", {"language": "english"})),
        ("以后用英文回我", Step("change_settings", {"language": "英文"})),
        ("换回英文", Step("change_settings", {"language": "英文"})),
        ("有新消息发邮件给我", Step("change_settings", {"way": "mail"})),
        ("还是发在聊天里吧", Step("change_settings", {"way": "chat"})),
        ("i'd rather get news by email", Step("change_settings", {"way": "mail"})),
        ("where do I get my news?", Step("show_settings")),
        ("我的设置是什么？", Step("show_settings")),
    ],
)
def test_language_and_ways_in_words(said: str, step: Step) -> None:
    assert talk(TOOLS).understand(read(said), TOOLS) == step


@pytest.mark.parametrize(
    "said", ["发到邮箱里的账单怎么付？", "send the news to the press by mail", "what is the news in chat?"]
)
def test_what_is_no_setting(said: str) -> None:
    assert talk(TOOLS).understand(read(said), TOOLS) is None
