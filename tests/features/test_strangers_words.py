"""What staff write that the desk has not met before: help that is asked for, alarms, deeds, anger and small talk."""

import pytest

from agent.brains.rules.understanding.beyond import scope
from agent.brains.rules.understanding.beyond.about_desk import asks_about_desk
from agent.brains.rules.understanding.deeds import beyond_reach
from agent.brains.rules.understanding.message import read
from agent.tools.context import Recollection, Turn
from features.alarms.alarms import Alarms, shipped
from features.alarms.over import talk
from features.tickets.understanding.changing import about_ticket
from features.tickets.understanding.drafts import about_draft
from features.tickets.understanding.extract import Extractor
from features.tickets.understanding.matter import Intent
from features.tickets.understanding.phrases import SOLVED
from features.tickets.understanding.reporting import is_report, new_ticket
from tickets.config import TicketsConfig


@pytest.mark.parametrize(
    "text",
    [
        "broken window in the packing hall, what to do?",
        "door of the wash house is broken, what to do",
        "更衣室的玻璃破了,怎么办",
        "shattered window pane upstairs - what can I do?",
    ],
)
def test_asking_what_to_do_about_something_broken_is_a_report_that_the_pages_answer_first(text: str) -> None:
    matter = new_ticket(read(text))

    assert about_ticket(read(text), "TCK") is None
    assert matter is not None
    assert matter.intent is Intent.DRAFT
    assert matter.explained


@pytest.mark.parametrize(
    ("alarm", "text"),
    [
        ("gas", "gas meter in cellar 3 beeps like mad and Jan is still in there"),
        ("gas", "the CO2 sensor is screaming and someone is in the tank"),
        ("gas", "O2 monitor goes off, two people still inside the vessel"),
        ("gas", "气体报警器一直响,里面还有人"),
        ("phishing", "点了链接又填了密码"),
        ("phishing", "密码也输了,才发现链接不对"),
        ("phishing", "我把密码填进去了,后来发现那个链接是假的"),
        ("injury", "cleaning acid splashed into Tom's eyes"),
        ("injury", "碱液溅到眼睛里了"),
        ("", "How much is a lost access card?"),
        ("", "what does it cost if I lost my access card"),
        ("", "门禁卡丢了补办要多少钱"),
        ("", "where is the meeting place in case of fire?"),
        ("", "着火的时候集合点在哪里"),
        ("", "点了登录没反应,密码输对了"),
    ],
)
def test_alarms_are_raised_for_what_happens_and_not_for_what_is_asked(alarm: str, text: str) -> None:
    assert Alarms(shipped()).of(text) == alarm


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("live", "what's the temperature in cold room 2 right now?"),
        ("live", "how warm is cold room 1 at the moment"),
        ("live", "冷库 2 现在多少度"),
        ("not_offered", "clock me in"),
        ("not_offered", "please approve my purchase of 300 euros"),
        ("not_offered", "order new gloves for me please"),
        ("not_offered", "帮我打卡"),
        ("not_offered", "替我订一张火车票"),
        (None, "how warm should a cold room be?"),
        (None, "what is the limit for purchases"),
        (None, "冷库温度上限是多少"),
    ],
)
def test_what_nobody_offers_is_known_and_never_drafted(code: str | None, text: str) -> None:
    assert beyond_reach(text) == code
    assert code is None or new_ticket(read(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "the plumber on Sundays – which number",
        "the electrician, what number",
        "until when can one hand in receipts",
        "with which program does one order things",
        "邮件附件最多能多大",
        "附件最大多大啊",
        "一天能报几趟出租车",
        "wheres the key of the bike shed",
        "whos in charge of the lifts",
        "hows the door opened from outside",
    ],
)
def test_questions_need_not_begin_with_a_question_word(text: str) -> None:
    assert read(text).question


@pytest.mark.parametrize(
    "text",
    [
        "nothing happens when I press start on the labeller",
        "when I push print nothing happens",
        "the scale shows zero",
        "the flow meter reads 0 all the time",
        "按启动键没有任何反应",
        "秤一直显示 0",
    ],
)
def test_what_shows_nothing_or_does_nothing_is_reported(text: str) -> None:
    assert is_report(read(text))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("you stupid useless thing, how many days of holiday do I have?", "how many days of holiday do I have?"),
        ("I'm really fed up with everything here. where do I clock in? what a joke", "where do I clock in?"),
        ("the fucking label printer jams again. nobody cares", "the label printer jams again."),
        ("他妈的,附件最大多大,问了三遍了", "附件最大多大,"),
        ("fuck you", "fuck you"),
        ("version 1.2, see notes.txt", "version 1.2, see notes.txt"),
    ],
)
def test_clauses_that_only_show_anger_are_left_out(text: str, asked: str) -> None:
    assert read(text).asked.lstrip(" ,") == asked
    assert read(text).text == text


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("farewell", "bye"),
        ("farewell", "see you tomorrow, good night"),
        ("farewell", "ok that's all, goodbye"),
        ("farewell", "再见"),
        ("made_by", "who built you?"),
        ("made_by", "谁开发了你"),
        ("thanks", "thanks a lot"),
        ("", "see you at the meeting about the budget"),
    ],
)
def test_small_talk_gets_a_fitting_reply(code: str, text: str) -> None:
    assert getattr(scope.ending(read(text)), "code", "") == code


@pytest.mark.parametrize(
    "text",
    ["my access keeps failing", "install keeps failing", "VPN access keeps dropping", "I lose access whenever I walk"],
)
def test_a_verb_is_never_the_name_of_a_system(text: str) -> None:
    assert Extractor(TicketsConfig()).fields(text).get("system", "") in ("", "VPN")


@pytest.mark.parametrize("text", ["hall 2, since this morning", "二号车间,今天早上开始", "no"])
def test_where_and_since_when_goes_into_the_draft_that_waits(text: str) -> None:
    before = Turn(asked="nothing happens when I press start", answered="", outcome="needs_approval")
    message = read(text, Recollection(turns=(before,), last={"draft": "D1"}))

    assert new_ticket(message) is None


@pytest.mark.parametrize("text", ["did that, all good now cheers", "all sorted thanks", "tried it, works"])
def test_who_says_that_it_is_over_files_nothing(text: str) -> None:
    matter = about_draft(read(text, Recollection(last={"draft": "drf_1", "tried": "yes"})))
    assert matter is not None
    assert matter.intent is Intent.SOLVED


@pytest.mark.parametrize("text", ["whats happening with my ticket", "hows my ticket doing"])
def test_an_apostrophe_that_was_left_out_changes_nothing(text: str) -> None:
    matter = about_ticket(read(text), "TCK")
    assert matter is not None
    assert matter.intent is Intent.SHOW


@pytest.mark.parametrize("text", ["so what else can you do then", "btw what can you do", "你还能干啥"])
def test_what_the_desk_can_do_is_asked_in_many_ways(text: str) -> None:
    assert asks_about_desk(read(text).core, pointed=False)


@pytest.mark.parametrize("text", ["thanks that sorted it", "cheers, that fixed it", "great that solved the problem ta"])
def test_what_helped_is_told_in_many_ways(text: str) -> None:
    assert SOLVED.fullmatch(read(text).plain)


@pytest.mark.parametrize("text", ["did all that, no luck. sticker says ML-014", "tried it all, nothing. it is room 4"])
def test_steps_that_were_taken_in_vain_go_into_the_draft_with_what_else_is_said(text: str) -> None:
    matter = about_draft(read(text, Recollection(last={"draft": "drf_1", "tried": "yes"})))
    assert matter is not None
    assert (matter.intent, matter.detail) == (Intent.CONTINUE, text)


@pytest.mark.parametrize("text", ["actually no", "on second thoughts, no thanks"])
def test_who_thinks_again_drops_the_draft(text: str) -> None:
    matter = about_draft(read(text, Recollection(last={"draft": "drf_1"})))
    assert matter is not None
    assert matter.intent is Intent.DISCARD


@pytest.mark.parametrize("text", ["call who", "bring it where then", "done by when?"])
def test_a_question_word_at_the_end_asks(text: str) -> None:
    assert read(text).question


@pytest.mark.parametrize(
    ("text", "over", "anywhere"),
    [
        ("it's ok she left", True, False),
        ("false alarm", True, True),
        ("sorry it was only toast", True, False),
        ("the police are here now", True, False),
        ("没事了他醒了", True, False),
        ("虚惊一场", True, True),
        ("she left her badge here", False, False),
        ("who do I tell that it is over?", False, False),
        ("how many days off do i get", False, False),
    ],
)
def test_that_an_alarm_is_over_is_heard_right_after_it_and_elsewhere_by_its_name(
    text: str, over: bool, anywhere: bool
) -> None:
    understand = talk(Alarms(shipped())).understand
    raised = Recollection(turns=(Turn(asked="someone threatens to hit me", answered="", outcome="answered"),))
    calm = Recollection(turns=(Turn(asked="how do I swap a shift?", answered="", outcome="answered"),))

    assert (understand(read(text, raised), frozenset()) is not None) is over
    assert (understand(read(text, calm), frozenset()) is not None) is anywhere


@pytest.mark.parametrize("text", ["i want to quit", "I'd like to resign", "我想辞职"])
def test_who_gives_notice_is_offered_no_helpline(text: str) -> None:
    assert not Alarms(shipped()).may_belong(text, "crisis")


@pytest.mark.parametrize(
    ("text", "reports"),
    [
        ("my dog died this morning", False),
        ("our old cat was put to sleep", False),
        ("我的猫去世了", False),
        ("my laptop has died", True),
        ("the label printer conked out", True),
    ],
)
def test_who_mourns_reports_nothing(text: str, reports: bool) -> None:
    assert (new_ticket(read(text)) is not None) is reports
