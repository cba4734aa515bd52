"""Judgements of answers are kept with the run, with the reason when one is given."""

from agent.runs.run import Run
from tests.scenarios.everywhere import on_every_platform
from tests.scenarios.stage import Stage
from tests.scenarios.story import Story

pytestmark = on_every_platform


async def judged(stage: Stage, told: Story, label: str, reason: str = "") -> Run:
    """Ask, judge the answer, and return the run."""
    seen = await stage.say(told.requester, told.question)
    await stage.rate(told.requester, seen, told.says(label), reason=reason)
    actor = await stage.desk.people.named(told.requester)
    (summary,) = await stage.desk.runs.list(actor)
    return await stage.desk.runs.show(actor, summary.id)


async def test_a_good_judgement_is_kept(stage: Stage, told: Story) -> None:
    run = await judged(stage, told, "feedback.up")

    assert run.feedback is not None
    assert (run.feedback.verdict, run.feedback.reason) == ("up", "")


async def test_a_bad_judgement_is_kept_with_its_reason(stage: Stage, told: Story) -> None:
    run = await judged(stage, told, "feedback.down", reason=told.revision)

    assert run.feedback is not None
    assert (run.feedback.verdict, run.feedback.reason) == ("down", told.revision)


async def test_an_answer_that_found_nothing_can_be_judged_too(stage: Stage, told: Story) -> None:
    seen = await stage.say(told.requester, told.unknown)

    assert {told.says("feedback.up"), told.says("feedback.down")} <= set(seen.labels)
