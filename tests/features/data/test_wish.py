"""How often and when something comes, as people say it; and which question they mean."""

from datetime import datetime

import pytest

from agent.brains.rules.slots import Utterance
from features.anatomy.texts import say
from features.data.saved.tools import sent_in_words
from features.data.saved.wish import read_name, wish_in
from queries.sql.saved.scheduling import TOPIC, SentQuestion
from storage.queue.schedules import Cron, Schedule

NOW = datetime.fromisoformat("2026-11-24T10:00")

#: What is said, the name of the question, the rule with its time ("" where something is missing), and whether here.
SAID = (
    ("Send me 'open orders' every Monday at 9", "open orders", "FREQ=WEEKLY;BYDAY=MO 09:00", False),
#: What is said, the name of the question, the rule with its time ("" where one is missing), and whether here.
    ("Post “Crates” here every day at 7 pm", "Crates", "FREQ=DAILY 19:00", True),
    ("Crates every 1st of the month at 9:00 here", "Crates", "FREQ=MONTHLY;BYMONTHDAY=1 09:00", True),
    ("send me Crates on the first of each month at noon", "Crates", "FREQ=MONTHLY;BYMONTHDAY=1 12:00", False),
    ('Every Tuesday at 10am send me "Crates sold"', "Crates sold", "FREQ=WEEKLY;BYDAY=TU 10:00", False),
    ("send the results of Crates to me on Mondays at 09:15", "Crates", "FREQ=WEEKLY;BYDAY=MO 09:15", False),
    ("send me crates daily at 7", "crates", "FREQ=DAILY 07:00", False),
    ("Send me Crates every Monday", "Crates", "", False),
    ("Send me Crates at 9", "Crates", "", False),
    ("Crates every 31st at 9", "Crates", "", False),
    ("每周一上午9点发给我“未完成订单”", "未完成订单", "FREQ=WEEKLY;BYDAY=MO 09:00", False),
    ("每天8点半把订单发给我", "订单", "FREQ=DAILY 08:30", False),
    ("每个工作日9点把订单发到这里", "订单", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR 09:00", True),
    ("每月1号9点把“订单”发给我", "订单", "FREQ=MONTHLY;BYMONTHDAY=1 09:00", False),
    ("请在每周五下午三点发给我箱数", "箱数", "FREQ=WEEKLY;BYDAY=FR 15:00", False),
    ("订单 每周日21:00", "订单", "FREQ=WEEKLY;BYDAY=SU 21:00", False),
)  # fmt: skip


@pytest.mark.parametrize(("said", "name", "line", "here"), SAID)
def test_a_wish_is_read(said: str, name: str, line: str, here: bool) -> None:
    wish = wish_in(said, now=NOW)
    assert (wish.name, f"{wish.when.rule} {wish.when.at:%H:%M}" if wish.when else "", wish.here) == (name, line, here)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("30 8 * * *", "every day at 08:30, Berlin time"),
        ("0 9 * * 1-5", "every weekday, Monday to Friday, at 09:00, Berlin time"),
        ("0 9 * * 7", "every Sunday at 09:00, Berlin time"),
        ("0 9 28 * *", "on day 28 of every month at 09:00, Berlin time"),
    ],
)
def test_what_was_made_before_there_were_rules_is_still_read_back(line: str, words: str) -> None:
    sent = SentQuestion.of(Schedule("s", TOPIC, Cron(line), "Europe/Berlin", "ada", payload={"question": "Crates"}))
    assert sent_in_words(sent, "en") == say("en", "data.sent.to_you", when=words)
    assert sent.schedule.trigger == Cron(line)


def test_what_was_made_before_there_were_rules_keeps_its_name() -> None:
    sent = SentQuestion("Crates", "ada", Cron("0 9 * * 1"), "Europe/Berlin")
    assert sent.id == "question:ada:d5a5cbe5024d"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("save this as Weekly orders", "Weekly orders"),
        ("Please save that result under “Orders by region”.", "Orders by region"),
        ("save this question", ""),
        ("保存为“每月订单”", "每月订单"),
        ("把这个保存为每月订单", "每月订单"),
        ("保存这个问题，叫每周订单", "每周订单"),
    ],
)
def test_the_name_of_what_is_saved_is_read(text: str, name: str) -> None:
    assert read_name(Utterance((text,), NOW)) == ({"name": name} if name else {})
