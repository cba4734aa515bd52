"""Answers out of passages that go on beyond themselves: lists come whole, and nothing comes twice."""

from agent.brains.rules.answering.passages import passages_of
from agent.brains.rules.answering.question import Question
from agent.brains.rules.answering.ranking import rank
from tests.agent.test_extractive import answer, found, passage, text_of

LONG_LIST = "\n".join(f"{number}. Turn screw {number} half a turn to the left." for number in range(1, 11))
CUT = LONG_LIST.index("5. Turn")
REPLACING = passage(
    1,
    "Printer",
    "Replace the drum",
    LONG_LIST[CUT : LONG_LIST.index("8. Turn") - 1],
    before="To replace the drum of the printer, do this:\n\n" + LONG_LIST[:CUT],
    after=LONG_LIST[LONG_LIST.index("8. Turn") - 1 :] + "\n\nThen print a page.",
)


def test_a_list_that_goes_beyond_its_passage_is_given_whole() -> None:
    reply = answer("How do I replace the drum of the printer?", REPLACING)
    assert LONG_LIST in text_of(reply)
    assert text_of(reply).startswith("**Replace the drum**\n\nTo replace the drum of the printer, do this:")
    alone = answer("How do I replace the drum of the printer?", {**REPLACING, "before": "", "after": ""})
    assert LONG_LIST not in text_of(alone)


def test_a_list_that_goes_on_in_another_passage_is_given_whole_and_once() -> None:
    second = passage(2, "Printer", "Replace the drum", str(REPLACING["after"]).strip())
    first = {**REPLACING, "after": "\n", "goes_on_in": "E2"}
    for hits in ((first, second), (second, first)):
        said = text_of(answer("How do I replace the drum of the printer?", *hits))
        assert LONG_LIST in said
        assert said.count("screw 9") == 1


def test_what_stands_around_is_not_what_a_passage_is_judged_by() -> None:
    question = Question.of("What is the colour of the drum?", "en")
    around = {**REPLACING, "after": "\n\nThe colour of the drum is green."}
    (with_it,), (without,) = (
        rank(question, passages_of(found(hit))) for hit in (around, {**REPLACING, "before": "", "after": ""})
    )
    assert (with_it.fit, with_it.coverage) == (without.fit, without.coverage)


def test_passages_that_lead_round_in_a_circle_are_read_once() -> None:
    one = passage(1, "Printer", "Drum", "The drum is green.", goes_on_in="E2")
    other = passage(2, "Printer", "Drum", "It turns.", goes_on_in="E1")
    assert [item.after for item in passages_of(found(one, other))] == ["It turns.", "The drum is green."]


def test_a_long_list_that_a_sentence_leads_on_to_is_not_lost_for_its_length() -> None:
    listed = "\n".join(
        f"- Rack {number} takes {'spare parts of every kind and size, ' * 4}and tape." for number in range(12)
    )
    hit = passage(1, "Store", "What the racks take", f"The racks take this:\n\n{listed}\n")
    assert listed in text_of(answer("What do the racks take?", hit))


def test_steps_that_a_sentence_without_a_colon_announces_come_with_it() -> None:
    steps = "\n".join(f"{number}. Enter value {number} of the old release and wait for it." for number in range(1, 13))
    said = "Follow the steps given below to take the release back to the one before."
    back = passage(1, "Release", "Going back", f"{said}\n\n{steps}\n\n{'The log keeps every change. ' * 12}")
    assert steps in text_of(answer("go back to the release before", back))
