"""What somebody wants to be reminded of is read out of their words, and out of what they answer."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.brains.rules.talk import Step
from agent.brains.rules.understanding.message import read
from agent.tools.context import Recollection, Turn
from features.anatomy.moments import wall_time
from features.anatomy.planned import in_words, plan_of, trigger_of
from features.reminders.reminder import LONGEST, Where, dump_plan, load_plan
from features.reminders.talk import talk
from features.reminders.wish import choice_of, put_off, wish_in
from language.planning.moving import moved
from language.planning.plans import Again, Once, Plan, SeveralTimes, Unclear
from storage.clock import SystemClock
from storage.queue.schedules import At

NOW = datetime(2026, 11, 24, 10, 30)  # noqa: DTZ001 - the time on a wall; a Tuesday
TOMORROW = datetime(2026, 11, 25, 9)  # noqa: DTZ001
DAYS = ((4, 9), (4, 12), (5, 9))
LAST = "Remind me on the last working day of the month to close the books"
TOOLS = frozenset(
    {"set_reminder", "word_reminder", "list_reminders", "snooze_reminder", "finish_reminder", "delete_reminder"}
)


@pytest.mark.parametrize(
    ("said", "text", "where"),
    [
        ("remind me tomorrow at 9 to renew the certificate", "renew the certificate", Where.ALONE),
        ("remind me to renew the certificate tomorrow at 9", "renew the certificate", Where.ALONE),
        ("Can you remind me tomorrow at 9am to call Bo about the contract?", "call Bo about the contract", Where.ALONE),
        ("set a reminder for tomorrow 9am: call Bo", "call Bo", Where.ALONE),
        ("hey, remind me tomorrow at 9 to call Bo, please", "call Bo", Where.ALONE),
        ("in 45 mins check on the migration, please remind me", "check on the migration", Where.ALONE),
        ("tomorrow at 9 remind me to call Bo would ya, thx", "call Bo", Where.ALONE),
        ("remind me in 2 hours, please & thank you, to restart the job", "restart the job", Where.ALONE),
        ("remind me to check in on the 15th of every month, 4pm", "check in", Where.ALONE),
        ("remind me to log on tomorrow at 9:30", "log on", Where.ALONE),
        ("nudge me abt this thread tomorrow at 9:00", "this thread", Where.THREAD),
        ("reminder: dentist, 14 Dec, 8am", "dentist", Where.ALONE),
        ("remind me tomorrow at 9:00 sharp to leave", "leave", Where.ALONE),
        ("五分钟后提醒一下我回李总电话", "回李总电话", Where.ALONE),
        ("帮我设个每周一早上九点的提醒，内容是检查证书", "检查证书", Where.ALONE),
        ("这周六下午提醒我洗车吧", "洗车", Where.ALONE),
        ("明天下午三点提醒我去酒吧", "酒吧", Where.ALONE),
        ("明天上午十点半给我发个提醒：把垃圾拿下去，谢谢啦", "把垃圾拿下去", Where.ALONE),
        ("Remind us here every Monday at 10 to post the plan", "post the plan", Where.CHANNEL),
        ("Remind everyone in this channel on Friday at 16:00 to plan", "plan", Where.CHANNEL),
        ("remind me in 2 hours about this thread", "this thread", Where.THREAD),
        ("明天下午三点提醒我续签证书", "续签证书", Where.ALONE),
        ("提醒我明天上午9点开会", "开会", Where.ALONE),
        ("每周一上午10点提醒大家发计划", "发计划", Where.CHANNEL),
        ("请在明天下午三点提醒我给李雷打电话", "给李雷打电话", Where.ALONE),
        ("设个提醒：明天9点开会", "开会", Where.ALONE),
    ],
)
def test_the_words_of_a_wish(said: str, text: str, where: Where) -> None:
    found = wish_in([said], now=NOW)
    assert (found.text, found.where) == (text, where)
    assert found.plan is not None


@pytest.mark.parametrize(
    ("said", "plan"),
    [
        (["remind me tomorrow to call Bo", "9:00"], Once(TOMORROW)),
        (["remind me to call Bo", "tomorrow", "9:00"], Once(TOMORROW)),
        (["remind me tomorrow to call Bo", "the first"], Once(TOMORROW)),
        (["remind me on 3 January 2020 at 8:00 to call Bo", "tomorrow at 9:00"], Once(TOMORROW)),
        (["提醒我给小李打电话", "明天", "上午9点"], Once(TOMORROW)),
        # A day was said: a time that answers is on that day, and never silently today.
        ([LAST, "make it 5 pm", "the first"], Once(datetime(2026, 11, 30, 17))),  # noqa: DTZ001
        ([LAST, "only this month at 4pm"], Once(datetime(2026, 11, 30, 16))),  # noqa: DTZ001
        ([LAST, "下午五点", "第一个"], Once(datetime(2026, 11, 30, 17))),  # noqa: DTZ001
        (["周五提醒我浇花", "五点", "下午"], Once(datetime(2026, 11, 27, 17))),  # noqa: DTZ001
        (["周五提醒我浇花", "下午"], Once(datetime(2026, 11, 27, 15))),  # noqa: DTZ001
        ([LAST, "tomorrow at 9:00"], Once(TOMORROW)),
    ],
)
def test_what_is_answered_completes_it(said: list[str], plan: Once) -> None:
    found = wish_in(said, now=NOW)
    assert found.plan == plan
    assert found.text in {"call Bo", "给小李打电话", "close the books", "浇花"}


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("remind me every oter monday at 9 to water the plants", "water the plants"),
        ("remind me on thrusday at 10am to call Bo", "call Bo"),
        ("明天下午三四点提醒我交材料", "交材料"),
        ("每天早上6点多提醒我跑步", "跑步"),
    ],
)
def test_words_of_when_that_are_not_read_are_no_words_of_the_reminder(said: str, text: str) -> None:
    found = wish_in([said], now=NOW)
    assert (found.plan, found.unclear, found.text) == (None, Unclear.UNREAD, text)


def test_what_it_is_about_may_come_last() -> None:
    found = wish_in(["remind me tomorrow at 9:00", "call Bo"], now=NOW)
    assert (found.text, found.plan) == ("call Bo", Once(TOMORROW))


@pytest.mark.parametrize(
    ("answer", "number"),
    [("the first", 0), ("2", 1), ("the second one", 1), ("第二个", 1), ("上午", 0), ("in the evening", 1), ("last", 1)],
)
def test_a_choice_is_named(answer: str, number: int) -> None:
    choices = (Once(NOW.replace(hour=8, minute=0)), Once(NOW.replace(hour=20, minute=0)))
    assert choice_of(choices, answer, now=NOW) == choices[number]


@pytest.mark.parametrize("answer", ["why?", "neither", "换一个", "3"])
def test_what_names_no_choice(answer: str) -> None:
    choices = (Once(NOW.replace(hour=8, minute=0)), Once(NOW.replace(hour=20, minute=0)))
    assert choice_of(choices, answer, now=NOW) is None


@pytest.mark.parametrize(
    ("said", "tool"),
    [
        ("Remind Dora tomorrow at 10 about the invoice", "set_reminder"),
        ("明天下午三四点提醒我交材料", "set_reminder"),
        ("每天早上6点多提醒我跑步", "set_reminder"),
        ("remind me tomorrow at 9 to call Bo", "set_reminder"),
        ("Please remind me to call Bo", "set_reminder"),
        ("明天9点提醒我开会", "set_reminder"),
        ("my reminders", "list_reminders"),
        ("What reminders do I have?", "list_reminders"),
        ("when is my dentist reminder?", "list_reminders"),
        ("is my pump reminder still on?", "list_reminders"),
        ("do my reminders come at the weekend?", "list_reminders"),
        ("我的提醒是几点？", "list_reminders"),
        ("我浇花的提醒还在吗？", "list_reminders"),
        ("我的提醒", "list_reminders"),
        ("stop reminding me about the plan", "delete_reminder"),
        ("delete the standup reminder", "delete_reminder"),
        ("cancel my dentist reminder please", "delete_reminder"),
        ("cancel all my reminders", "list_reminders"),
        ("delete all reminders", "list_reminders"),
        ("取消我所有的提醒", "list_reminders"),
        ("把我的提醒全部删掉", "list_reminders"),
        ("remind bo tomorrow at 9 to call me", "set_reminder"),
        ("不要再提醒我发计划了", "delete_reminder"),
        ("snooze it for an hour", "snooze_reminder"),
        ("过会儿再提醒我", "snooze_reminder"),
        ("I want a reminder for the dentist", "set_reminder"),
        ("the call is on Friday at 3pm, ping me at 2:45pm", "set_reminder"),
        ("my dentist appointment is 14 Dec at 16:30, remind me an hour before", "set_reminder"),
        ("the train leaves Saturday at 6:10am so wake me at 4:30am", "set_reminder"),
        ("周五下午三点有面试，提前15分钟提醒我", "set_reminder"),
        ("下周五之前提醒我把合同寄出去", "set_reminder"),
        ("rmeind me tomorrow at 9 to call Bo", "set_reminder"),
        ("yo ping me in like 20 mins to check the oven", "set_reminder"),
        ("in 45 mins check on the migration, please remind me", "set_reminder"),
        ("would you be so kind as to remind me on Monday at half past eight to bring the badge", "set_reminder"),
        ("can someone remind me @ 1pm 2day to eat", "set_reminder"),
        ("rmnd me in a fortnight at 10am to review the trial", "set_reminder"),
        ("reminder: dentist, 14 Dec, 8am", "set_reminder"),
        ("please could you, in half an hour or so, remind me to ring Jo back", "set_reminder"),
        ("set up a reminder every third thursday of the month at 18:00 for book club", "set_reminder"),
        ("拜托拜托，大后天上午十一点提醒我抢票", "set_reminder"),
        ("每个月的第二个周五16:00，别忘了提醒我整理工位", "set_reminder"),
        ("老铁，明早7点整叫我起床哈", "set_reminder"),
        ("半小时后踢我一下，该去接孩子了", "set_reminder"),
        ("列一下提醒", "list_reminders"),
    ],
)
def test_what_leads_to_which_tool(said: str, tool: str) -> None:
    found = talk(SystemClock(), TOOLS).understand(read(said), TOOLS)
    assert isinstance(found, Step)
    assert found.tool == tool


SET = Turn("remind me tomorrow at 9 to call Bo", "call Bo [Set]", "answered")
TYPED = Turn("/desk remind tomorrow at 15:00 to call Bo", "call Bo [Set]", "answered")
ASKED = Turn("remind me yesterday at 9 to call Bo", "reminder_past", "asked_back")


@pytest.mark.parametrize(
    ("turns", "said", "tool"),
    [
        ((SET,), "undo", "delete_reminder"),
        ((SET,), "取消刚才那个", "delete_reminder"),
        ((ASKED, Turn("tomorrow at 9", "call Bo [Set]", "answered")), "Undo that, please.", "delete_reminder"),
        ((ASKED,), "what are my reminders?", "list_reminders"),
        ((ASKED,), "stop reminding me about the supplier", "delete_reminder"),
        ((ASKED,), "tomorrow at 9", "set_reminder"),
        ((TYPED,), "改成下午五点", "snooze_reminder"),
        ((TYPED,), "撤销", "delete_reminder"),
        ((SET,), "call it ring Bo", "word_reminder"),
        ((SET,), "change the text to ring Bo and Mia", "word_reminder"),
        ((SET,), "change it to ring Bo", "word_reminder"),
        ((SET,), "change it to Thursday at 15:00", "snooze_reminder"),
        ((SET,), "leave it as it is", "word_reminder"),
        ((SET,), "把内容改成给小博打电话", "word_reminder"),
        ((SET,), "改成给小博打电话", "word_reminder"),
        ((SET,), "别动它了", "word_reminder"),
        ((SET,), "nvm", "delete_reminder"),
        ((SET,), "Never mind, thanks", "delete_reminder"),
        ((SET,), "算了，不用了", "delete_reminder"),
        ((SET,), "not on Wednesdays please", "snooze_reminder"),
        ((SET,), "周三不用", "snooze_reminder"),
        ((SET,), "再早半个小时", "snooze_reminder"),
        ((SET, Turn("call it ring Bo", "ring Bo [Set]", "acted")), "delete it", "delete_reminder"),
        (
            (Turn("my reminders", "Bo", "acted"), Turn("改到明天上午十点", "", "acted")),
            "删掉它",
            "delete_reminder",
        ),
    ],
)
def test_what_is_said_next(turns: tuple[Turn, ...], said: str, tool: str) -> None:
    found = talk(SystemClock(), TOOLS).understand(read(said, Recollection(turns, {"reminder": "r1"})), TOOLS)
    assert isinstance(found, Step)
    assert found.tool == tool


@pytest.mark.parametrize(
    "said",
    [
        "remind me when Bob is back at 3pm tomorrow",
        "When Bob is back at 3pm tomorrow, remind me to ask for the key",
        "老王明天下午三点回来后提醒我拿钥匙",
    ],
)
def test_a_wish_that_waits_for_something_else_is_asked_about_and_sets_no_time(said: str) -> None:
    found = talk(SystemClock(), TOOLS).understand(read(said), TOOLS)
    assert isinstance(found, Step)
    assert found.tool == "set_reminder"
    wish = wish_in([said], now=NOW)
    assert (wish.plan, wish.unclear, len(wish.choices)) == (None, Unclear.CONDITION, 1)
    assert wish_in([said, "at 4 pm"], now=NOW).plan == Once(TOMORROW.replace(hour=16))


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("wake me at 0530 tomorrow for the migration", "the migration"),
        ("don't let me forget to call Bob tomorrow at 4pm", "call Bob"),
        ("give me a shout tomorrow at 3pm to leave", "leave"),
        ("alert me tomorrow at 5pm about the release", "the release"),
        ("can u remind me tomorrow 9am bout the invoice", "the invoice"),
        ("rmd me in 10 mins to stretch", "stretch"),
        ("set an alarm for 6am tomorrow", ""),
        ("remind me later today about the printer ticket", "the printer ticket"),
        ("记得明早九点叫我开会", "开会"),
        ("别让我忘了明天下午交周报", "交周报"),
        ("明天五点通知我去拿快递", "拿快递"),
        ("这周五下班前提醒我提交周报", "提交周报"),
        ("at 17:45 tell me to leave for the train", "leave for the train"),
        ("tell me tomorrow at 9 to call mum", "call mum"),
        ("tomorrow lunchtime remind me what Piet said about the budget", "what Piet said about the budget"),
        ("remind me when the meeting ends to send the notes", "when the meeting ends to send the notes"),
        ("开完会提醒我发纪要", "发纪要"),
        ("改天提醒我请老王吃饭", "请老王吃饭"),
        ("明天三点的时候叫我一声去接孩子", "接孩子"),
        ("tmr 早上10点 remind 我 交 PPT 给 boss", "交 PPT 给 boss"),
    ],
)
def test_everyday_ways_of_wishing(said: str, text: str) -> None:
    found = talk(SystemClock(), TOOLS).understand(read(said), TOOLS)
    assert isinstance(found, Step)
    assert found.tool == "set_reminder"
    assert wish_in([said], now=NOW).text == text


@pytest.mark.parametrize(
    "said",
    [
        "How do I set an alarm on the door?",
        "the fire alarm went off at 3pm",
        "alert me when checkout is down",
        "can you alert us if payment fails in the next hour?",
        "the alarm woke me up at 5am, what now?",
        "system wakes me at 3am every night",
        "昨天三点通知我说账号被锁",
        "下午三点通知我系统升级了，是真的吗？",
        "监控凌晨三点叫我起来，磁盘满了",
        "tell me about tomorrow's meeting",
        "remind me what time the office opens tomorrow",
        "remind me when we have to submit the form",
        "系统到期会提醒我吗",
    ],
)
def test_what_somebody_or_something_else_does_is_no_wish(said: str) -> None:
    found = talk(SystemClock(), TOOLS).understand(read(said), TOOLS)
    assert not (isinstance(found, Step) and found.tool == "set_reminder")


@pytest.mark.parametrize("said", ["remind me when the office opens", "when is the launch on Friday at 3pm?"])
def test_who_asks_when_something_is_wants_to_be_told(said: str) -> None:
    assert talk(SystemClock(), TOOLS).understand(read(said), TOOLS) is None


WEEKDAYS = Again("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", time(8))


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("not on Wednesdays please", "MO,TU,TH,FR"),
        ("skip the friday one", "MO,TU,WE,TH"),
        ("except Monday and Friday", "TU,WE,TH"),
        ("周三不用", "MO,TU,TH,FR"),
        ("周一、周五不跑了", "TU,WE,TH"),
    ],
)
def test_days_are_left_out_later(said: str, days: str) -> None:
    assert list(moved(WEEKDAYS, said, now=NOW)) == [Again(f"FREQ=WEEKLY;BYDAY={days}", time(8))]


@pytest.mark.parametrize("said", ["make it two hours before", "改成提前半小时"])
def test_how_long_before_is_not_counted_from_the_reminder(said: str) -> None:
    """What it reminds of is at a time that the reminder does not keep: better to ask."""
    assert list(moved(Once(TOMORROW), said, now=NOW)) == []
    assert put_off(said, now=datetime(2026, 11, 24, 9, 30, tzinfo=UTC), zone="UTC") is None


@pytest.mark.parametrize("turns", [(), (SET, Turn("how do I get a VPN?", "So.", "answered")), (ASKED,)])
def test_undo_is_about_what_was_just_set(turns: tuple[Turn, ...]) -> None:
    found = talk(SystemClock(), TOOLS).understand(read("undo", Recollection(turns, {"reminder": "r1"})), TOOLS)
    assert not (isinstance(found, Step) and found.tool == "delete_reminder")


@pytest.mark.parametrize(
    ("words", "until"),
    [
        ("until Friday at 10", "2026-11-27T09:00:00+00:00"),
        ("for 2 hours", "2026-11-24T11:30:00+00:00"),
        ("by 9 or 10", ""),
    ],
)
def test_until_when_it_is_put_off(words: str, until: str) -> None:
    found = put_off(words, now=datetime(2026, 11, 24, 9, 30, tzinfo=UTC), zone="Europe/Amsterdam")
    assert (found.isoformat() if found else "") == until


@pytest.mark.parametrize(
    "said",
    [
        "remind me how to install the client",
        "remind me about the VPN policy",
        "How do I set a reminder?",
        "Outlook reminds me that my password expires tomorrow",
        "系统提醒我密码过期了",
        "怎么设置提醒？",
        "remind them about my ticket",
        "done",
        "明天上班吗",
    ],
)
def test_what_is_no_matter_of_reminders(said: str) -> None:
    assert talk(SystemClock(), TOOLS).understand(read(said), TOOLS) is None


@pytest.mark.parametrize(
    ("said", "next_said", "tool"),
    [
        ("remind me every other Friday at 4pm to send the payroll", "actually do it every Friday", "snooze_reminder"),
        ("remind me tomorrow at 9 to call Bo", "an hour earlier", "snooze_reminder"),
        ("remind me tomorrow at 9 to call Bo", "on Friday please", "snooze_reminder"),
        ("每隔一天早上八点提醒我测温", "不用了，改成每天", "snooze_reminder"),
        ("每月最后一个周五下午三点提醒我报销", "提前一小时", "snooze_reminder"),
        ("snooze 10 minutes", "done", "finish_reminder"),
        ("十分钟后再提醒", "好了，办完了", "finish_reminder"),
        ("remind me tomorrow at 9 to call Bo", "on Friday the printer broke", ""),
        ("remind me tomorrow at 9 to call Bo", "thanks", ""),
    ],
)
def test_words_of_when_alone_change_what_was_just_set(said: str, next_said: str, tool: str) -> None:
    last = Recollection((Turn(said, "Set", "acted"),), {"reminder": "r1"})
    found = talk(SystemClock(), TOOLS).understand(read(next_said, last), TOOLS)
    assert (found.tool if isinstance(found, Step) else "") == tool


LISTED = (Turn("my reminders", "1, 2, 3", "acted"),)


@pytest.mark.parametrize(
    ("turns", "said", "tool", "arguments"),
    [
        (LISTED, "cancel number 2", "delete_reminder", {"numbers": [2]}),
        (LISTED, "delete the first and third", "delete_reminder", {"numbers": [1, 3]}),
        (LISTED, "删掉第一个和第三个", "delete_reminder", {"numbers": [1, 3]}),
        ((SET,), "delete the plants one", "delete_reminder", {"about": "plants"}),
        ((SET,), "done with the dentist thing", "finish_reminder", {"about": "dentist"}),
        ((SET,), "actually 10 not 9", "snooze_reminder", {"until": "make it 10"}),
        ((SET,), "make the timesheet one every other friday", "snooze_reminder", None),
        ((SET,), "把浇花的改成每天", "snooze_reminder", None),
    ],
)
def test_those_that_words_or_numbers_name(
    turns: tuple[Turn, ...], said: str, tool: str, arguments: dict[str, object] | None
) -> None:
    found = talk(SystemClock(), TOOLS).understand(read(said, Recollection(turns, {"reminder": "r1"})), TOOLS)
    assert isinstance(found, Step)
    assert found.tool == tool
    assert arguments is None or found.arguments == arguments


@pytest.mark.parametrize("said", ["cancel number 2", "delete the plants one", "done with the dentist thing"])
def test_what_names_no_reminder_before_any_was_spoken_of_is_none_of_this(said: str) -> None:
    assert talk(SystemClock(), TOOLS).understand(read(said), TOOLS) is None


@pytest.mark.parametrize("said", ["called him already", "ok, sent it", "打完了", "已经交过了"])
def test_what_a_reminder_was_of_is_done(said: str) -> None:
    last = Recollection((), {"told_reminder": "r1"})
    found = talk(SystemClock(), TOOLS).understand(read(said, last), TOOLS)
    assert isinstance(found, Step)
    assert found.tool == "finish_reminder"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Remind Dora tomorrow at 10 about the invoice", "Remind Dora about the invoice"),
        ("can you remind chen to restart the server at 5pm tomorrow?", "remind chen to restart the server"),
        ("remind my boss tomorrow at 9 to sign the lease", "remind my boss to sign the lease"),
        ("明天上午十点提醒朵拉看发票", "提醒朵拉看发票"),
        ("明天上午十点提醒小王交周报", "提醒小王交周报"),
    ],
)
def test_a_wish_to_remind_another_names_whom(said: str, text: str) -> None:
    wish = wish_in((said,), now=NOW)
    assert (wish.another, wish.text.rstrip("?")) == (True, text)


@pytest.mark.parametrize(
    "said",
    [
        "remind me tomorrow at 10 to remind Dora",
        "remind us here every Monday at 10 to post the plan",
        "remind the team tomorrow at 10 to log hours",
        "明天上午十点提醒我看发票",
        "明天上午十点提醒检查签名",
        "明天上午十点提醒大家看发票",
        "明天上午十点提醒小组开会",
    ],
)
def test_a_wish_of_ones_own_names_nobody_else(said: str) -> None:
    assert not wish_in((said,), now=NOW).another


@pytest.mark.parametrize("said", ["提前一小时", "make it an hour earlier", "早一个小时"])
def test_earlier_is_counted_back_from_when_it_comes(said: str) -> None:
    assert list(moved(Once(TOMORROW), said, now=NOW)) == [Once(TOMORROW.replace(hour=8))]
    assert list(moved(Again("FREQ=DAILY", time(15)), said, now=NOW)) == [Again("FREQ=DAILY", time(14))]


def test_a_span_from_now_is_no_time_of_the_day_that_was_planned() -> None:
    assert list(moved(Once(TOMORROW), "十分钟后再提醒", now=NOW)) == []


@pytest.mark.parametrize("said", ["move it to Thursday", "改到周四"])
def test_another_day_keeps_the_time(said: str) -> None:
    assert list(moved(Once(TOMORROW.replace(hour=14)), said, now=NOW)) == [Once(TOMORROW.replace(day=26, hour=14))]


def test_about_that_is_about_what_was_spoken_of() -> None:
    assert wish_in(["remind me about that on Monday at 11"], now=NOW).text == "that"
    assert wish_in(["remind me that on Monday at 11 the fair opens"], now=NOW).text == "the fair opens"


@given(st.lists(st.text(max_size=80), min_size=1, max_size=3))
def test_anything_can_be_said(said: list[str]) -> None:
    assert len(wish_in(said, now=NOW).text) <= LONGEST


@given(st.datetimes(), st.times())
def test_a_plan_is_kept_as_text(moment: datetime, at: time) -> None:
    for plan in (Once(moment), Again("FREQ=DAILY", at)):
        assert load_plan(dump_plan(plan)) == plan


@given(st.text(max_size=60))
def test_other_text_is_no_plan(text: str) -> None:
    assert load_plan(text) is None


@pytest.mark.parametrize("ahead", range(7))
@pytest.mark.parametrize("said", ["Change it to Thursday at 15:00", "改成周四下午三点"])
def test_a_weekday_moves_what_comes_each_week_whatever_day_it_is(said: str, ahead: int) -> None:
    weekly = Again("FREQ=WEEKLY;BYDAY=WE", time(16))
    late = NOW.replace(hour=22) + timedelta(days=ahead)
    assert moved(weekly, said, now=late) == (Again("FREQ=WEEKLY;BYDAY=TH", time(15)),)


ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Africa/Casablanca",
    "Asia/Shanghai",
)


@given(
    zone=st.sampled_from(ZONES),
    at=st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)),  # noqa: DTZ001
    minutes=st.integers(1, 600),
)
@example(zone="Europe/Berlin", at=datetime(2026, 10, 25, 0, 59, 40), minutes=10)  # noqa: DTZ001 - clocks go back
@example(zone="Europe/Berlin", at=datetime(2026, 10, 25, 1, 30), minutes=20)  # noqa: DTZ001 - in the second of two hours
@example(zone="Europe/Berlin", at=datetime(2026, 3, 29, 0, 55), minutes=10)  # noqa: DTZ001 - clocks go forward
def test_a_span_is_counted_as_time_passes_when_clocks_change(zone: str, at: datetime, minutes: int) -> None:
    now = at.replace(microsecond=0, tzinfo=UTC)

    found = wish_in([f"remind me in {minutes} minutes to call Bo"], now=wall_time(now, zone), zone=ZoneInfo(zone))

    assert found.plan is not None
    kept = load_plan(dump_plan(found.plan))
    assert kept == found.plan
    trigger = trigger_of(kept, zone)
    assert trigger == At(now + timedelta(minutes=minutes))
    assert plan_of(trigger, zone) == kept


def test_a_day_that_is_answered_keeps_the_time_that_was_said() -> None:
    wish = wish_in(("remind me the second friday at 3pm to call Bo", "11 December"), now=NOW)
    assert wish.plan == Once(datetime.fromisoformat("2026-12-11T15:00"))


@pytest.mark.parametrize(
    ("plan", "english", "chinese"),
    [
        (
            Again("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", time(15, 30), date(2026, 12, 1)),
            "every 2 weeks on Tuesday at 15:30, from 1 Dec 2026, Shanghai time",
            "每 2 周的周二 15:30（自2026年12月1日起）（上海时间）",
        ),
        (
            SeveralTimes((Again("FREQ=DAILY", time(9)), Again("FREQ=DAILY", time(17)))),
            "every day at 09:00 and 17:00, Shanghai time",
            "每天 09:00、17:00（上海时间）",
        ),
        (
            SeveralTimes(tuple(Once(NOW.replace(month=12, day=day, hour=hour, minute=0)) for day, hour in DAYS)),
            "Fri 4 Dec 2026, 09:00 and 12:00 and Sat 5 Dec 2026, 09:00, Shanghai",
            "2026年12月4日 周五 09:00、12:00、2026年12月5日 周六 09:00（上海）",
        ),
    ],
)
def test_a_day_is_read_back_once_and_its_times_before_what_a_button_may_cut(
    plan: Plan, english: str, chinese: str
) -> None:
    assert in_words(plan, "en", "Asia/Shanghai") == english
    assert in_words(plan, "zh", "Asia/Shanghai") == chinese
