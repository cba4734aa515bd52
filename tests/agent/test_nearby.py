"""What comes near is named where nothing surely answers; tables are looked up by number and by the greatest."""

from collections.abc import Mapping
from typing import Any

import pytest

from agent.brains.output import UNSURE, Abstain, Reply
from agent.brains.rules.answering.extractive import in_short
from agent.brains.rules.answering.passages import Passage
from agent.brains.rules.answering.question import Question
from agent.brains.rules.answering.sufficiency import remedies
from agent.brains.rules.answering.tables import from_table
from agent.brains.rules.lookups import Lookups
from agent.brains.rules.understanding.message import read
from agent.brains.rules.understanding.sought import mislaid, sought
from agent.tools.context import Recollection
from language.numbers.ranges import holds, values_in
from language.scripts import language_of

SIGNED = (
    "| Sum | Signed by |\n| --- | --- |\n| up to 250 € | foreman |\n| 250 to 3,000 € | director |\n"
    "| above 3,000 € | board |"
)
LEAVE = "| Years of service | Days |\n| --- | --- |\n| less than 2 | 26 |\n| 2 to 4 | 28 |\n| 5 and more | 30 |"
PLANS = "| Plan | Cost | Data |\n| --- | --- | --- |\n| Basic | 9 € | 5 GB |\n| Tour | 24 € | 40 GB |"
ANNUAL = "| 工龄 | 年假 |\n| --- | --- |\n| 不满1年 | 5天 |\n| 1年至10年 | 10天 |\n| 10年以上 | 15天 |"
DRYING = "| 籽粒水分 | 热风上限 |\n| --- | --- |\n| 30% 以上 | 38 ℃ |\n| 20–30% | 41 ℃ |\n| 20% 以下 | 43 ℃ |"
BUSES = "| 线路 | 票价 |\n| --- | --- |\n| 1号线 | 免费 |\n| 2号线 | 2元 |\n| 3号线 | 3元 |"


SICK = """| With us | Full pay |
|---|---|
| under 6 months | statutory only |
| 6 months to 2 years | 4 weeks |
| 2 to 5 years | 8 weeks |
| over 5 years | 12 weeks |"""


def passage(number: int, heading: str, text: str, **more: Any) -> Mapping[str, Any]:
    return {
        "evidence": f"E{number}",
        "title": "House",
        "section": f"House > {heading}",
        "source": f"{number}.md",
        "text": text,
        "language": language_of(text),
        "score": 1.0,
        "coverage": 0.1,
        "cosine": 0.4,
        **more,
    }


def answered(text: str, *found: Mapping[str, Any]) -> Reply | Abstain | None:
    language = language_of(text) or "en"
    asked = Lookups.of(read(text, Recollection()), language, alone=False, widened=False, translated=False, nearly=3)
    return asked.answer([{"passages": found} for _ in asked.each])


@pytest.mark.parametrize(
    ("text", "table", "row"),
    [
        ("I need wood for 2,000 euros, who signs?", SIGNED, "director"),
        ("up to 250 euro who signs", SIGNED, "foreman"),
        ("who approves over three thousand?", SIGNED, "board"),
        ("how many days after six years?", LEAVE, "30"),
        ("who gets 28 days?", LEAVE, "2 to 4"),
        ("which is the cheapest plan?", PLANS, "Basic"),
        ("热风最高多少度 水分25的时候", DRYING, "20–30%"),
        ("水分18时热风上限是多少", DRYING, "20% 以下"),
        ("which plan has the most data?", PLANS, "Tour"),
        ("我干了八年，年假几天？", ANNUAL, "1年至10年"),
        ("哪些人有15天年假？", ANNUAL, "10年以上"),
        ("哪路班车最贵？", BUSES, "3号线"),
        ("i started here eight months ago, is my sick leave paid?", SICK, "6 months to 2 years"),
        ("what do I get when I'm ill after 3 years", SICK, "2 to 5 years"),
        ("ill for a while, been here six years", SICK, "over 5 years"),
        ("joined 2 months back and now i'm ill", SICK, "under 6 months"),
    ],
)
def test_a_table_is_looked_up_by_number_and_by_the_greatest(text: str, table: str, row: str) -> None:
    said = from_table(Question.of(text, language_of(text) or "en"), Passage("E1", "", "", "", table).pieces)

    assert said is not None
    assert row in said
    assert len(said.splitlines()) == 3


@pytest.mark.parametrize("text", ["somebody left a scarf in row 5, where is it?", "主演一晚最多多少钱？", "who signs?"])
def test_a_number_of_something_else_looks_nothing_up(text: str) -> None:
    for table in (SIGNED, LEAVE, PLANS, BUSES):
        assert from_table(Question.of(text, language_of(text) or "en"), Passage("E1", "", "", "", table).pieces) is None


def test_sections_that_come_near_are_named_as_unsure() -> None:
    weapons = passage(1, "Weapons", "Prop guns live in the safe of the armourer.", cosine=0.5)
    flames = passage(2, "Naked flames", "Torches need a permit.", cosine=0.45, score=0.9, coverage=0.3)
    porter = passage(3, "Porter", "The porter has keys.", cosine=0.1, score=0.2)
    reply = answered("where is the pistol?", weapons, flames, porter)

    assert isinstance(reply, Reply)
    assert reply.lead == UNSURE
    assert [claim.evidence for claim in reply.claims] == [["E1"], ["E2"]]
    assert reply.claims[0].text.startswith("**Weapons**")


def test_a_section_without_the_fact_that_is_asked_for_is_not_named() -> None:
    harbour = passage(1, "Help", "What the harbour knows.", cosine=0.5)
    asked = "how often is the harbour crane inspected?"

    assert isinstance(answered(asked, harbour), Abstain)
    assert isinstance(answered(asked, {**harbour, "text": "The harbour is swept every nine weeks."}), Reply)


def test_off_the_subject_nothing_is_named() -> None:
    assert isinstance(answered("how do I bake bread?", passage(1, "Porter", "Keys.", cosine=0.15)), Abstain)


def test_a_code_that_stands_nowhere_is_not_met_by_what_comes_near() -> None:
    assert isinstance(answered("what does GX-4711 mean?", passage(1, "Porter", "Keys.", cosine=0.6)), Abstain)


def test_a_page_in_the_other_language_is_not_what_comes_near() -> None:
    assert isinstance(answered("where is the pistol?", passage(1, "道具枪", "道具枪在保险柜里。", cosine=0.6)), Abstain)


def test_a_section_without_a_word_of_the_question_is_shown_from_its_beginning() -> None:
    items = "".join(f"- bar {number} moves by itself\n" for number in range(40))
    reply = answered("where is the pistol?", passage(1, "Above the stage", items, cosine=0.5))

    assert isinstance(reply, Reply)
    assert reply.lead == UNSURE
    assert "- bar 0 moves" in reply.claims[0].text


def test_steps_are_shown_from_the_first_on() -> None:
    steps = "1. Call the armourer.\n2. Sign the book.\n3. Carry the case of the pistol to him.\n"
    walk = "The fly floor is closed while the bars move. Ask the head flyman before you go up. " * 12
    section = Passage.of(passage(1, "Weapons", f"{walk}\n\n{steps}\n{walk}"))

    assert "1. Call the armourer." in in_short(Question.of("where is the pistol?", "en"), section).text


def test_a_thing_that_nothing_speaks_of_is_named_above_the_one_section_that_may_call_it_otherwise() -> None:
    phones = passage(1, "Phones in the halls", "Not at the machines; in the break room yes.", cosine=0.4, coverage=0.3)
    paper = passage(2, "Paper", "Reams are in the store.", cosine=0.39, coverage=0.3)
    dormitory = passage(3, "宿舍", "四人一间，每月八十元。", cosine=0.44, coverage=0.4)

    sauna, cat = answered("where is the sauna?", phones, paper), answered("宿舍可以养猫吗", dormitory)
    assert isinstance(sauna, Reply)
    assert (sauna.unsaid, [claim.evidence for claim in sauna.claims]) == ("sauna", [["E1"]])
    assert isinstance(cat, Reply)
    assert cat.unsaid == "养猫"


def test_a_thing_that_nothing_speaks_of_or_means_is_named_alone() -> None:
    phones = passage(1, "Phones in the halls", "Not at the machines; in the break room yes.", cosine=0.2, coverage=0.3)
    assert answered("where is the sauna?", phones) == Abstain(unsaid="sauna")
    assert answered("what is the proceedure?", phones) == Abstain()


def test_who_forgot_one_thing_gets_no_answer_about_another_one() -> None:
    said = "Forgotten passwords are reset at the hatch."
    password = passage(1, "Password forgotten", said, cosine=0.45, coverage=0.5)

    assert isinstance(answered("forgot my locker key", password), Abstain)
    assert isinstance(answered("forgot my password", password), Reply)


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("where is the prayer room?", "prayer room"),
        ("do we get a discount on the gym", "discount"),
        ("how many days notice do i need to give for a sabbatical", "sabbatical"),
        ("who services the compressor", "compressor"),
        ("工龄工资怎么算", "工龄工资"),
        ("打卡机坏了谁来修", "打卡机"),
        ("the paper ripped in the middle of the run", ""),
        ("do i get paid", ""),
        ("孩子上幼儿园有补贴吗", "孩子上幼儿园"),
        ("一个月补卡能补几回", ""),
        ("do I get money for my bus pass", ""),
        ("what's the policy on tattoos", "tattoos"),
        ("is private health insurance part of the package", "private health insurance"),
        ("can we buy more days off somehow", ""),
        ("公司每年安排体检吗", "体检"),
    ],
)
def test_the_thing_that_is_asked_for_is_read_from_the_sentence(text: str, thing: str) -> None:
    assert sought(text) == thing


@pytest.mark.parametrize(
    ("text", "thing"),
    [("forgot to clock in", "clock"), ("left my badge at home", "badge"), ("饭卡不见了", "饭卡"), ("my badge", "")],
)
def test_what_was_lost_or_forgotten_is_read_from_the_sentence(text: str, thing: str) -> None:
    assert mislaid(text) == thing


@pytest.mark.parametrize(
    ("asked", "text", "is_held"),
    [
        ("满一年之后", "不满 1 年", False),
        ("满一年之后", "1 年到 5 年", True),
        ("11 个月", "不满 1 年", True),
        ("500 euros", "more than 500 euros", False),
        ("500 euros", "no more than 500 euros", True),
        ("500 euros", "less than 500 euros", False),
        ("500 euros", "at least 500 euros", True),
    ],
)
def test_a_range_holds_its_end_where_its_words_say_so(asked: str, text: str, is_held: bool) -> None:
    assert (holds(text, values_in(asked)) > 0) is is_held


ROOMS = passage(1, "Which rooms there are", "| Room | Equipment |\n| --- | --- |\n| Rogge | projector, camera |")
BADGE = passage(2, "Your badge", "It opens the entrance, the lockers and the printers. Wear it visibly.")
SCREEN = passage(3, "Screens", "Plug in the cable with the yellow ring. Nothing on the panel? Pull the plug.")
REPAIR = passage(4, "维修", "拿到 9 楼服务台, 半小时内给一台备用机。")
NETWORKS = passage(5, "三个网络的区别", "| 名称 | 给谁用 |\n| --- | --- |\n| MV-Staff | 公司电脑 |")


def test_below_a_report_stands_only_what_may_help_with_a_fault() -> None:
    kept = remedies({"passages": [ROOMS, BADGE, SCREEN, REPAIR, NETWORKS], "more": 1})

    assert kept == {"passages": [SCREEN, REPAIR], "more": 1}
    assert remedies({"passages": [ROOMS]}) == {"passages": []}


def test_a_report_names_no_section_that_says_too_little_of_it() -> None:
    laptops = passage(1, "Repairs", "Bring the laptop to the counter. The broken machine stays there.", cosine=0.39)
    coffee = passage(
        2, "Drinks", "A coffee machine that is broken is mended by Facilities, extension 4400.", cosine=0.45
    )

    assert reported("the coffee machine is broken", laptops) == Abstain()
    answer = reported("the coffee machine is broken", laptops, coffee)
    assert isinstance(answer, Reply)
    assert [each.evidence for each in answer.claims] == [["E2"]]


@pytest.mark.parametrize(
    ("text", "cosine", "is_shown"),
    [
        ("the card machine at reception is dead", 0.37, False),  # other machines stand on the page
        ("labels come out blank", 0.55, True),
        ("the printer at the desk won't print", 0.52, True),  # where it stands is not said
        ("my phone has no dial tone", 0.54, False),
        ("my printer has a label", 0.1, False),  # words alone are chance
    ],
)
def test_above_a_report_stands_what_names_the_thing_and_the_trouble(text: str, cosine: float, is_shown: bool) -> None:
    said = "Label printers stand at each reception. If labels come out blank, turn the roll. Phones: ask Ida."
    printers = passage(1, "Printers", said, title="Computers, printers and machines", cosine=cosine)

    assert isinstance(reported(text, printers), Reply) is is_shown


def test_the_likeliest_section_that_means_a_report_is_shown_as_unsure_whatever_it_says() -> None:
    asking = "Ask for days off in the planner; silence counts as a yes. If your holiday is refused, ask HR."
    leave = passage(1, "Asking for holidays", asking, cosine=0.52, coverage=0.5)

    answer = reported("boss never answered my holiday request, been nearly two weeks", leave)

    assert isinstance(answer, Reply)
    assert answer.lead == UNSURE
    assert [each.evidence for each in answer.claims] == [["E1"]]


def reported(text: str, *found: Mapping[str, Any]) -> Reply | Abstain | None:
    message = read(text, Recollection())
    asked = Lookups.of(
        message, language_of(text) or "en", alone=True, widened=True, translated=False, nearly=0, reported=True
    )
    return asked.answer([{"passages": found} for _ in asked.each], is_last=True)


def test_of_a_table_below_a_report_the_row_of_its_code_is_shown() -> None:
    codes = "| 代码 | 处理 |\n| --- | --- |\n| E1 | 冷却后复位 |\n| E9 | 立即撤离, 拨 8119 |"

    answer = reported("报警器响了 显示E9 我们还在炉子旁边", passage(1, "故障代码", codes))

    assert isinstance(answer, Reply)
    assert "E9" in answer.claims[0].text
    assert "E1" not in answer.claims[0].text


def test_a_section_that_lacks_what_is_asked_for_does_not_surely_answer() -> None:
    asked = "where can I rent a bouncy castle for the jubilee party"
    party = passage(1, "Jubilee party", "25 years: one month net, and a jubilee party for 40 guests.", cosine=0.45)
    castle = passage(1, "Jubilee party", "Rent a bouncy castle for the jubilee party at Hall's.", cosine=0.45)

    beside, said = answered(asked, party), answered(asked, castle)

    assert isinstance(beside, Reply)
    assert (beside.lead, beside.unsaid) == (UNSURE, "bouncy castle")
    assert isinstance(said, Reply)
    assert said.unsaid == ""


def test_who_asks_how_late_is_not_late() -> None:
    late = Question.of("how late may a child be in the building", "en")
    weights = {term.word: term.weight for term in late.terms}
    assert weights["late"] < weights["child"]


def test_a_row_that_shares_one_word_with_the_question_does_not_stand_alone() -> None:
    items = ("Lunch", "Dinner after 20:00", "Hotel with breakfast", "Small costs on a trip abroad", "Parking", "Taxi")
    rows = "".join(
        f"| {item} | €{10 * at} with a receipt |\n" for at, item in enumerate((*items, "Gift for a supplier"))
    )
    said = "What you pay for the company is repaid with the next salary when the form is in by the tenth. " * 4
    table = passage(1, "Expenses", f"| Item | At most |\n| --- | --- |\n{rows}\n{said}", cosine=0.6)

    lunch = answered("what may my sandwich cost when I am out all day at a supplier", table)
    gift = answered("how much may a gift for a supplier cost", table)

    assert isinstance(lunch, Reply)
    assert "Lunch" in lunch.claims[0].text
    assert isinstance(gift, Reply)
    assert "Lunch" not in gift.claims[0].text
