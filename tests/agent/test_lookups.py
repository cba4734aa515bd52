"""Where the documents are asked: the page that was cited last, everything with its subject, the other language."""

from collections.abc import Mapping
from typing import Any

import pytest

from agent.brains.output import UNSURE, Abstain, Reply
from agent.brains.rules.inquiries import Manner
from agent.brains.rules.lookups import Lookups
from agent.brains.rules.understanding.message import read
from agent.tools.context import Recollection, Turn

PAGE = "handbook:garden.md"
LEAVE = "Apprentices may bring one guest."


def passage(evidence: str, section: str, text: str, **more: Any) -> Mapping[str, Any]:
    return {
        "evidence": evidence,
        "title": "Working at the garden",
        "section": f"Working at the garden > {section}",
        "source": "garden.md",
        "text": text,
        "language": "en",
        "score": 1.0,
        "coverage": 1.0,
        **more,
    }


ENTRY = passage("E1", "Free entry", f"Staff enter free of charge with the green card. {LEAVE}")
BOOTS = passage(
    "E2", "Boots", "Boots are replaced every 18 months. Ask Ines Falk in the store. Lost boots cost 25 euros."
)
SUNDAYS = passage("E3", "Hours", "Work begins at 6:30. Trainees do not work on Sundays.")
PAGES = {"passages": [ENTRY, BOOTS, SUNDAYS]}
ELSEWHERE = {
    "passages": [passage("E9", "Deliveries", "Weekend parcels go to the porter.", title="Post", source="post.md")]
}


def thread(asked: str, answered: str, *, outcome: str = "answered") -> Recollection:
    pages = (PAGE,) if outcome == "answered" else ()
    return Recollection(turns=(Turn(asked, answered, outcome, pages, pages),))


def lookups(text: str, memory: Recollection, language: str = "en") -> Lookups:
    return Lookups.of(read(text, memory), language, alone=False, widened=True, translated=True, nearly=True)


def said(answer: Reply | Abstain | None) -> str:
    assert isinstance(answer, Reply)
    return " ".join(claim.text for claim in answer.claims)


def test_a_question_that_goes_on_is_asked_of_the_cited_page_first() -> None:
    asked = lookups("and for trainees?", thread("do I get in for free?", "Staff enter free of charge. [1]"))

    assert [each.manner for each in asked.each][:2] == [Manner.PAGE, Manner.JOINED]
    assert asked.each[0].page == PAGE
    assert said(asked.answer([PAGES])) == LEAVE  # the section that was cited, not the one that says the very word


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("who do I ask?", "Ask Ines Falk in the store."),
        ("how much is that if I lose them?", "Lost boots cost 25 euros."),
        ("how often?", "Boots are replaced every 18 months."),
    ],
)
def test_what_names_nothing_new_is_answered_by_what_it_asks_for(text: str, answer: str) -> None:
    told = "Boots are replaced every 18 months." if "often" not in text else "Ask Ines Falk in the store."
    asked = lookups(text, thread("do I get new boots?", told))

    assert answer in said(asked.answer([PAGES]))


@pytest.mark.parametrize(("near", "lead"), [(0.3, "english_page"), (0.2, UNSURE), (0.1, ""), (-0.1, "")], ids=str)
def test_nearness_in_meaning_answers_from_the_other_language_where_few_words_are_translated(
    near: float, lead: str
) -> None:
    passes = passage("E5", "Spray booth", "Two people certified. Not for pregnant staff.", title="Workshop")
    asked = lookups("怀孕了能进喷漆房吗", Recollection(), "zh")  # nothing is known of 喷漆房
    nothing: list[Any] = [{"passages": []} for _ in asked.each[:-1]]
    answer = asked.answer([*nothing, {"passages": [{**passes, "cosine": near}]}])

    assert asked.each[-1].meant == "怀孕了能进喷漆房吗"
    assert (answer.lead if isinstance(answer, Reply) else "") == lead


def test_one_shared_word_leads_to_no_other_page_and_the_cited_one_is_named() -> None:
    asked = lookups("and on weekends?", thread("when does work begin?", "Work begins at 6:30."))
    found = [{"passages": [ENTRY, BOOTS]}, ELSEWHERE]

    assert asked.answer(found[:1]) is None
    assert asked.answer(found) == Abstain(look_in="E1")


def test_a_matter_of_its_own_leaves_the_page() -> None:
    own = passage("E7", "Parking", "Park behind the north gate.", title="Parking", source="parking.md")
    asked = lookups("where can I park?", thread("do I get in for free?", "Staff enter free of charge."))

    assert [each.manner for each in asked.each][:2] == [Manner.PAGE, Manner.OWN]
    found = {"passages": [{**own, "cosine": 0.8}]}
    assert asked.answer([PAGES]) is None  # nothing of the page is likely: it is asked by itself
    assert "north gate" in said(asked.answer([PAGES, found]))


def test_after_nothing_was_found_both_messages_are_asked_together() -> None:
    memory = thread("something about my boots", "", outcome="no_evidence")
    asked = lookups("how often are they replaced?", memory)

    joined = next(each for each in asked.each if each.manner is Manner.JOINED)
    assert joined.query == "something about my boots how often are they replaced?"


@pytest.mark.parametrize(
    ("text", "language", "page", "lead", "words"),
    [
        ("丢失的靴子费用是多少", "zh", BOOTS, "english_page", "25 euros"),
        ("靴子多久换一次", "zh", BOOTS, UNSURE, "18 months"),  # one word is little
        (
            "how much is the dormitory a month?",
            "en",
            passage("E5", "宿舍", "宿舍每月 350 元，水电另付。", title="后勤", language="zh"),
            "chinese_page",
            "350",
        ),
    ],
)
def test_the_other_language_answers_where_ones_own_does_not(
    text: str, language: str, page: Mapping[str, Any], lead: str, words: str
) -> None:
    asked = lookups(text, Recollection(), language)
    nothing: list[Any] = [{"passages": []} for _ in asked.each[:-1]]
    answer = asked.answer([*nothing, {"passages": [page]}])

    assert asked.each[-1].manner is Manner.TRANSLATED
    assert isinstance(answer, Reply)
    assert answer.lead == lead
    assert words in said(answer)


@pytest.mark.parametrize(("text", "language"), [("公司有股票期权吗", "zh"), ("do we have dental insurance?", "en")])
def test_too_little_that_is_understood_is_no_answer(text: str, language: str) -> None:
    pages = [BOOTS, passage("E5", "宿舍", "宿舍每月 350 元，有保险柜。", language="zh")]
    asked = lookups(text, Recollection(), language)
    nothing: list[Any] = [{"passages": []} for _ in asked.each[:-1]]

    assert isinstance(asked.answer([*nothing, {"passages": pages}]), Abstain)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("and 12,000 euros?", "5,001 to 50,000"),
        ("what about 200?", "up to 250"),
        ("and on a saturday?", "Weekend"),
    ],
)
def test_an_amount_or_a_day_is_found_in_the_range_that_holds_it(text: str, answer: str) -> None:
    rows = (
        "| Amount | Who approves |\n| --- | --- |\n| up to 250 | nobody |\n"
        "| 251 to 5,000 | the owner |\n| 5,001 to 50,000 | the head |"
    )
    page = {
        "passages": [
            passage("E5", "Approval", rows),
            passage("E6", "Days", "Weekend orders wait. Weekday orders do not."),
        ]
    }
    asked = lookups(text, thread("who approves an order?", "up to 250 | nobody"))

    assert answer in said(asked.answer([page]))


@pytest.mark.parametrize(
    ("text", "memory", "answer"),
    [
        ("三天呢", "请一天假谁批", "两天以上由部门经理批。"),
        ("那一天呢", "请三天假谁批", "一天以内由组长批。"),
    ],
)
def test_a_chinese_number_of_days_is_found_in_its_range(text: str, memory: str, answer: str) -> None:
    page = {
        "passages": [passage("E7", "审批", "一天以内由组长批。两天以上由部门经理批。献血当天放假一天。", language="zh")]
    }
    asked = lookups(text, thread(memory, "请假要审批。"), "zh")

    assert said(asked.answer([page])) == answer


def test_an_address_is_given_beside_the_name_that_the_thread_named_and_nobody_elses() -> None:
    told = "Report it to the conservator, Pilar Mora."
    page = passage("E1", "Damage", told)
    others = passage("E2", "Post", "Rob Maas has the extension 4310, rob@garden.example.")
    hers = passage("E3", "Works", "Pilar Mora: extension 4222, mora@garden.example.")
    asked = lookups("what's her email?", thread("a visitor touched a work", told))

    assert isinstance(asked.answer([{"passages": [page, others]}, {"passages": [others]}], is_last=True), Abstain)
    assert "mora@garden.example" in said(asked.answer([{"passages": [page, others, hers]}, {"passages": [hers]}]))


def test_after_nothing_was_found_a_follow_up_is_asked_by_itself_first() -> None:
    asked = lookups("what about boots?", thread("is there a gym?", "", outcome="no_evidence"))

    assert [each.manner for each in asked.each][:2] == [Manner.OWN, Manner.JOINED]


def test_a_second_question_that_points_is_answered_from_the_page_of_the_first() -> None:
    asked = lookups("how often are boots replaced, and who do I ask about it?", Recollection())
    found = {"passages": [BOOTS, ENTRY]}

    assert [each.manner for each in asked.each][:3] == [Manner.OWN, Manner.PART, Manner.PART]
    answer = said(asked.answer([found, found, found]))
    assert "every 18 months" in answer
    assert "Ines Falk" in answer


def likened(near: float, *others: float) -> dict[str, Any]:
    return {"likeness": [[each, each] for each in (near, *others)]}


def test_what_is_said_in_other_words_is_found_by_its_meaning() -> None:
    card = passage(
        "E1", "Free entry", "Show the green card. Who lends it to somebody else loses it.", **likened(0.2, 0.75)
    )
    page = {"passages": [card, {**BOOTS, **likened(0.1, 0.1, 0.1)}]}
    asked = lookups("what if my brother uses mine?", thread("do I get in for free?", "Show the green card. [1]"))

    assert said(asked.answer([page])) == "Who lends it to somebody else loses it."


def test_a_page_that_does_not_say_it_names_whom_to_ask() -> None:
    boots = {
        **BOOTS,
        "text": "Boots are replaced every 18 months. Ask Ines Falk, ines@garden.example.",
        **likened(0, 0),
    }
    asked = lookups("and in Japan?", thread("do I get new boots?", "Boots are replaced every 18 months."))
    found = [{"passages": [boots]}, *({"passages": []} for _ in asked.each[1:])]

    assert asked.answer(found) == Abstain(look_in="E2", ask="Ask Ines Falk, ines@garden.example.")


@pytest.mark.parametrize(
    ("text", "before", "answer"),
    [
        ("and class 2?", "Class 3: close the house.", "Class 2: mend within a week."),
        ("and what if it was 80?", "Up to 50 euros a slip will do.", "Above that nothing is paid."),
        ("and on Sundays?", "Work in the evening is paid more.", "On Sundays 50 % more is paid."),
        ("and if I am 59?", "Everybody does it in turn.", "From the 58th birthday on it is voluntary."),
    ],
)
def test_a_case_is_put_to_the_sentence_that_it_belongs_to(text: str, before: str, answer: str) -> None:
    wages = "Wages come on the 27th; if that is a weekend, on Friday. "
    told = passage("E1", "Rules", f"{before} {answer}", **likened(0.2, 0.2))
    other = passage("E2", "Payday", f"{wages}Ask for an advance by noon.", **likened(0.2, 0.2, 0.2))
    asked = lookups(text, thread("what are the rules?", before))

    assert said(asked.answer([{"passages": [told, other]}])) == answer


def test_a_row_and_a_sentence_are_not_told_together() -> None:
    rows = "| Part | Comes in |\n| --- | --- |\n| Pots | 3 days |\n| Ropes | order for each one, 8 days |"
    orders = "Orders before 14:00 come tomorrow."
    page = passage("E1", "Orders", f"{rows}\n\n{orders}", **likened(0.2, 0.3, 0.4))
    asked = lookups("until when must I order to have it tomorrow?", thread("do we have pots?", "Pots | 3 days"))

    assert said(asked.answer([{"passages": [page]}])) == orders


def test_a_new_matter_is_not_answered_from_the_page_before_though_it_has_the_shape_that_is_asked_for() -> None:
    asked = lookups("when do suppliers get their invoices paid?", thread("do I get new boots?", "Boots are replaced."))
    found = {"passages": [passage("E9", "Invoices", "Suppliers' invoices are paid 30 days after receipt.", source="b")]}

    assert not asked.surely
    assert "30 days" in said(asked.answer([PAGES, found]))


@pytest.mark.parametrize(
    ("told", "asked", "sought"),
    [
        ("Call the practice manager, at any hour. [1]", "who is that", "Who is the practice manager?"),
        ("Call the practice manager, at any hour. [1]", "who's the site lead?", "Who is the site lead?"),
        ("换班由护士长确认。 [1]", "是谁啊", "护士长是谁？"),
        ("Your manager approves it. [1]", "who is that", "who is that"),
    ],
)
def test_who_somebody_is_whom_an_answer_names_by_their_role_is_asked_of_all_pages(
    told: str, asked: str, sought: str
) -> None:
    assert lookups(asked, thread("what if the count is wrong?", told)).text == sought


def test_a_sentence_without_a_name_does_not_surely_say_who_somebody_is() -> None:
    unnamed = passage("E1", "Limits", "Above 2,500 euros the finance director approves it.")
    named = passage("E2", "Limits", "Above 2,500 euros the finance director, Ines Falk, approves it.")
    asked = lookups("who is the finance director?", Recollection())

    first, second = (asked.answer([{"passages": [each]}]) for each in (unnamed, named))

    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert (first.lead, second.lead == UNSURE) == (UNSURE, False)


def test_days_off_are_a_matter_of_their_own_in_any_thread() -> None:
    before = thread("do I get in for free?", "Staff enter free of charge. [1]")

    assert Manner.OWN in [each.manner for each in lookups("how many days off do i get", before).each]
