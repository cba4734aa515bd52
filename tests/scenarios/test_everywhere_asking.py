"""Asking: an answer with its source, in the language of the question, or an honest nothing and a way on."""

from tests.scenarios.everywhere import on_every_platform
from tests.scenarios.platforms import Place
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH, Story

pytestmark = on_every_platform


async def test_a_question_is_answered_with_its_source(stage: Stage, told: Story) -> None:
    seen = await stage.say(told.requester, told.question)

    assert told.answer in seen.text
    assert told.says("answer.sources") in seen.text
    assert told.cited in seen.text


async def test_the_language_of_the_answer_follows_the_question(stage: Stage) -> None:
    for asked in (ENGLISH, CHINESE):
        seen = await stage.say("ada", asked.question, Place(asked.language))
        assert asked.answer in seen.text
        assert asked.says("answer.sources") in seen.text


async def test_a_follow_up_goes_on_where_the_conversation_is(stage: Stage, told: Story) -> None:
    await stage.say(told.requester, told.question)
    seen = await stage.say(told.requester, told.follow_up)

    assert told.follow_up_answer in seen.text


async def test_a_suggestion_is_asked_by_choosing_it(stage: Stage) -> None:
    seen = await stage.say("ada", ENGLISH.question)
    (suggested, *_) = [label for label in seen.labels if label.endswith("?")]
    answer = await stage.press("ada", seen, suggested)

    assert ENGLISH.says("answer.sources") in answer.text


async def test_nothing_found_can_become_a_draft(stage: Stage, told: Story) -> None:
    seen = await stage.say(told.requester, told.unknown)
    named = told.says("no_evidence.unsaid", thing="\n").split("\n")
    assert told.says("no_evidence.text") in seen.text or all(each in seen.text for each in named)
    draft = await stage.press(told.requester, seen, told.says("no_evidence.draft"))

    assert told.kept in draft.text
    assert told.says("draft.discard") in draft.labels


async def test_what_one_may_not_see_gets_the_words_of_nothing(stage: Stage) -> None:
    forbidden = await stage.say("ada", "What does band seven start at in euros a year?", Place("a"))
    nothing = await stage.say("ada", "What does tungsten carbide slurry boil at in kelvins a year?", Place("b"))

    assert forbidden.text == nothing.text
    assert forbidden.labels == nothing.labels


async def test_a_page_is_given_in_short(stage: Stage) -> None:
    english = await stage.say("ada", "Please summarise the VPN page", Place("a"))
    chinese = await stage.say("ada", "总结一下VPN使用说明", Place("b"))

    assert ["Session length" in english.text, "Open the Software Centre" in english.text] == [True, True]
    assert "会话时长" in chinese.text


async def test_a_page_that_one_may_not_see_is_like_none(stage: Stage) -> None:
    forbidden = await stage.say("ada", "summarise the salary bands", Place("a"))
    nothing = await stage.say("ada", "summarise the tungsten carbide slurry", Place("b"))

    assert "salary bands" in forbidden.text
    assert forbidden.text.replace("salary bands", "") == nothing.text.replace("tungsten carbide slurry", "")
