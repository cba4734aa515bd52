"""The run store: what is kept, who may read it, what the asker must not learn from it, how long it stays."""

from dataclasses import replace

import pytest

from agent.config import AgentConfig
from agent.errors import RunNotFound
from agent.runs.answer import Answered, Citation, Failed, NoEvidence, Outcome
from agent.runs.run import RunState, Usage
from agent.tools.evidence import MAX_TEXT, Evidence
from identity.actor import Actor
from identity.errors import Forbidden
from tests.fixtures.agent import Leaf, Workshop

CITATION = Citation(1, "E1", "h:a#0", "VPN", "VPN > Sign in", "it/vpn.md", "handbook", "sign-in", "Open the client.")


async def finished(workshop: Workshop, actor: Actor, text: str = "How?") -> str:
    context = await workshop.context(actor, text)
    answer = Answered(text="Open the client. [1]", citations=(CITATION,), followups=("And then?",))
    await workshop.runs.finish(
        context.run_id, answer, brain="rules", prompt="abc", usage=Usage(2, 30, 4), timings_ms={"run": 12.5}
    )
    return context.run_id


async def test_a_run_is_kept_whole(workshop: Workshop, ada: Actor) -> None:
    run_id = await finished(workshop, ada)

    run = await workshop.runs.show(ada, run_id)

    assert (run.state, run.outcome, run.brain, run.prompt) == (RunState.ENDED, Outcome.ANSWERED, "rules", "abc")
    assert run.answer["citations"] == [vars(CITATION)]
    assert run.usage == Usage(2, 30, 4)
    assert run.timings_ms == {"run": 12.5}
    assert run.finished_at == workshop.clock.now()


async def test_others_get_the_same_answer_as_for_nothing(
    workshop: Workshop, ada: Actor, ben: Actor, gus: Actor
) -> None:
    run_id = await finished(workshop, ada)

    for actor in (ben, gus):
        with pytest.raises(RunNotFound) as hidden:
            await workshop.runs.show(actor, run_id)
        with pytest.raises(RunNotFound) as absent:
            await workshop.runs.show(actor, "run_x")
        assert str(hidden.value).replace(run_id, "X") == str(absent.value).replace("run_x", "X")


async def test_auditors_read_everybody(workshop: Workshop, ada: Actor, ben: Actor, dora: Actor) -> None:
    run_id = await finished(workshop, ada)

    assert (await workshop.runs.show(dora, run_id)).actor_id == "ada"
    assert [run.id for run in await workshop.runs.list(dora, everybody=True)] == [run_id]
    assert [run.id for run in await workshop.runs.list(dora, actor_id="ada")] == [run_id]
    assert await workshop.runs.list(ben) == ()
    with pytest.raises(Forbidden):
        await workshop.runs.list(ben, everybody=True)
    with pytest.raises(Forbidden):
        await workshop.runs.list(ben, actor_id="ada")


async def test_a_guest_lists_no_runs(workshop: Workshop, gus: Actor) -> None:
    await finished(workshop, gus)
    with pytest.raises(Forbidden):
        await workshop.runs.list(gus)


async def test_that_something_hidden_exists_is_told_to_auditors_only(
    workshop: Workshop, ada: Actor, dora: Actor
) -> None:
    workshop.shelf.leaves.append(Leaf("Salary bands", allow=frozenset({"group:hr"})))
    context = await workshop.context(ada)
    await workshop.gate.call(context, "search_knowledge", {"query": "salary bands"}, tainted=False)

    (own,) = (await workshop.runs.show(ada, context.run_id)).steps
    (audited,) = (await workshop.runs.show(dora, context.run_id)).steps

    assert own.private == {}
    assert audited.private["hidden"] == 1
    assert replace(own, private={}) == replace(audited, private={})
    assert "hidden" not in str(own)


async def test_a_run_ends_once(workshop: Workshop, ada: Actor) -> None:
    run_id = await finished(workshop, ada)
    await workshop.runs.finish(run_id, NoEvidence())
    assert (await workshop.runs.show(ada, run_id)).outcome is Outcome.ANSWERED


async def test_what_breaks_closes_the_run_and_goes_on(workshop: Workshop, ada: Actor) -> None:
    context = await workshop.context(ada)
    with pytest.raises(ZeroDivisionError):
        async with workshop.runs.failing(context.run_id, brain="rules"):
            raise ZeroDivisionError("by zero")

    run = await workshop.runs.show(ada, context.run_id)
    assert (run.state, run.outcome) == (RunState.ENDED, Outcome.FAILED)
    assert run.steps[-1].error == {"type": "ZeroDivisionError", "msg": "by zero"}


async def test_what_a_dead_process_left_running_is_closed(workshop: Workshop, ada: Actor) -> None:
    context = await workshop.context(ada)
    assert await workshop.runs.close_abandoned() == ()
    workshop.clock.advance(601)

    assert await workshop.runs.close_abandoned() == (context.run_id,)

    assert (await workshop.runs.show(ada, context.run_id)).answer == {
        "outcome": "failed",
        "code": "abandoned",
        "reference": context.run_id,
    }


async def test_feedback_is_the_askers_alone_and_keeps_its_reason(workshop: Workshop, ada: Actor, dora: Actor) -> None:
    run_id = await finished(workshop, ada)

    await workshop.runs.feedback(ada, run_id, verdict="down")
    await workshop.runs.feedback(ada, run_id, verdict="down", reason=" out of date ")
    await workshop.runs.feedback(ada, run_id, verdict="down")

    kept = (await workshop.runs.show(dora, run_id)).feedback
    assert kept is not None
    assert (kept.verdict, kept.reason) == ("down", "out of date")
    with pytest.raises(RunNotFound):
        await workshop.runs.feedback(dora, run_id, verdict="up")

    await workshop.runs.feedback(ada, run_id, verdict="up")
    changed = (await workshop.runs.show(ada, run_id)).feedback
    assert changed is not None
    assert (changed.verdict, changed.reason) == ("up", "")


async def test_secrets_are_not_kept(workshop: Workshop, ada: Actor) -> None:
    secret = "AKIAIOSFODNN7EXAMPLE"
    context = await workshop.context(ada, f"my key is {secret}")
    await workshop.runs.step(
        context.run_id,
        node="tool",
        given={"text": secret, "deep": [{"password": "hunter2hunter2", "more": secret}]},
        returned={},
        timing_ms=1,
        evidence=[Evidence.of_chunk(1, text=f"key {secret}", score=1, source={}, reason="staff")],
    )
    await workshop.runs.finish(context.run_id, Failed(reference=context.run_id, code=f"bad {secret}"))

    assert secret not in str(await workshop.runs.show(ada, context.run_id))


async def test_evidence_keeps_the_form_of_the_run_store(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.leaves.append(Leaf("vpn " + "x" * 5_000))
    context = await workshop.context(ada)
    await workshop.gate.call(context, "search_knowledge", {"query": "vpn"}, tainted=False)

    run = await workshop.runs.show(ada, context.run_id)

    (item,) = run.evidence
    assert len(item.text) == MAX_TEXT
    assert (item.evidence_id, item.type) == ("E1", "doc_chunk")
    assert item.by == run.steps[0].step_id
    assert len(item.hash) == 64
    assert {"title", "section", "source", "chunk_id", "anchor"} <= set(item.source)


async def test_old_runs_and_those_beyond_the_number_are_deleted(workshop: Workshop, ada: Actor, ben: Actor) -> None:
    workshop.config = AgentConfig(retention_days=7, retention_runs=3)
    workshop.again()
    old = await finished(workshop, ada, "old")
    workshop.clock.advance(7 * 86_400 + 1)
    runs = []
    for number in range(5):
        workshop.clock.advance(1)
        runs.append(await finished(workshop, ada, f"n{number}"))
    other = await finished(workshop, ben)

    assert await workshop.runs.retain() == 3

    assert [run.id for run in await workshop.runs.list(ada)] == runs[:1:-1]
    assert [run.id for run in await workshop.runs.list(ben)] == [other]
    with pytest.raises(RunNotFound):
        await workshop.runs.show(ada, old)


async def test_a_step_of_a_run_no_longer_kept_is_dropped(workshop: Workshop, ada: Actor) -> None:
    context = await workshop.context(ada)
    workshop.clock.advance(8 * 86_400)
    await workshop.runs.retain()
    await workshop.runs.step(context.run_id, node="tool", given={}, returned={}, timing_ms=0)
    assert await workshop.runs.list(ada) == ()
