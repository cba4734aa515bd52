"""A thread remembers what one person was told there, shortly, and ids instead of payload."""

from agent.config import AgentConfig
from agent.memory.memory import MAX_TURN_CHARS
from agent.runs.answer import Answered, Citation, NoEvidence
from identity.actor import Actor
from tests.fixtures.agent import Workshop


async def remember(workshop: Workshop, actor: Actor, asked: str, answered: str = "Yes. [1]", **last: str) -> None:
    await workshop.remember(actor, asked, Answered(text=answered), last=last)


async def test_turns_and_ids_come_back_in_order(workshop: Workshop, ada: Actor) -> None:
    await remember(workshop, ada, "first", ticket="TCK-2026-000001")
    await remember(workshop, ada, "second", draft="draft_1")
    workshop.again()

    memory = await workshop.memory.recall(ada, thread="t1")

    assert [turn.asked for turn in memory.turns] == ["first", "second"]
    assert memory.turns[0].answered == "Yes.", "citation marks mean nothing later"
    assert memory.last == {"ticket": "TCK-2026-000001", "draft": "draft_1"}


async def test_what_somebody_else_was_told_in_the_thread_stays_theirs(
    workshop: Workshop, ada: Actor, ben: Actor
) -> None:
    await remember(workshop, ada, "salaries?", "Band 4 is secret.", ticket="TCK-2026-000001")

    memory = await workshop.memory.recall(ben, thread="t1")

    assert memory.turns == ()
    assert memory.last == {}


async def test_the_oldest_turns_go_first_when_the_budget_is_used(workshop: Workshop, ada: Actor) -> None:
    workshop.config = AgentConfig(memory_turns=3, memory_chars=100)
    workshop.again()
    for number in range(5):
        await remember(workshop, ada, f"question {number}", "a" * 40)

    memory = await workshop.memory.recall(ada, thread="t1")
    assert [turn.asked for turn in memory.turns] == ["question 3", "question 4"]


async def test_a_long_turn_is_shortened_and_a_secret_taken_out(workshop: Workshop, ada: Actor) -> None:
    await remember(workshop, ada, "my key is AKIAIOSFODNN7EXAMPLE", "b" * 5_000)

    (turn,) = (await workshop.memory.recall(ada, thread="t1")).turns

    assert "AKIA" not in turn.asked
    assert len(turn.answered) == MAX_TURN_CHARS


async def test_a_follow_up_begins_at_the_page_that_was_cited_first(workshop: Workshop, ada: Actor) -> None:
    cited = [Citation(n, f"E{n}", f"c{n}", "", "", page, "handbook", "", "") for n, page in enumerate(("z.md", "a.md"))]
    await workshop.remember(ada, "how?", Answered(text="So. [1] Or so. [2]", citations=tuple(cited)))

    (turn,) = (await workshop.memory.recall(ada, thread="t1")).turns

    assert turn.cited == ("handbook:z.md", "handbook:a.md")


async def test_ids_can_be_noted_outside_a_run(workshop: Workshop, ada: Actor) -> None:
    await remember(workshop, ada, "first", draft="draft_1")
    await workshop.memory.note(ada, thread="t1", last={"ticket": "TCK-2026-000002"})

    memory = await workshop.memory.recall(ada, thread="t1")

    assert memory.last == {"draft": "draft_1", "ticket": "TCK-2026-000002"}
    assert len(memory.turns) == 1


async def test_quiet_threads_are_forgotten(workshop: Workshop, ada: Actor) -> None:
    await workshop.remember(ada, "x", NoEvidence())
    workshop.clock.advance(8 * 86_400)

    assert await workshop.memory.retain() == 1
    assert (await workshop.memory.recall(ada, thread="t1")).turns == ()
