"""A run is gone through again from what it has kept, and says where it comes out differently now."""

from dataclasses import replace

from agent.config import AgentConfig
from agent.runner.replay import replay
from agent.runs.answer import Answered
from identity.actor import Actor
from tests.agent.test_runner import QUESTION, RULES, SEARCH, VPN, reply, scripted
from tests.fixtures.agent import Workshop


async def test_a_run_replays_without_a_search_or_a_model(workshop: Workshop, ada: Actor, dora: Actor) -> None:
    workshop.shelf.leaves.append(VPN)
    by_model = await workshop.ask(
        ada, QUESTION, model=scripted(SEARCH, reply(("Sign in with your badge number.", "E1")))
    )
    by_rules = await workshop.ask(ada, QUESTION, rules=RULES, thread="t2")
    assert isinstance(by_model.answer, Answered)
    asked = list(workshop.shelf.asked)

    for result in (by_model, by_rules):
        run = await workshop.runs.show(dora, result.run_id)
        steps = await replay(run, rules=RULES, registry=workshop.registry, config=AgentConfig())
        assert [each.what for each in steps if each.diverges] == [], steps
        assert steps[-1].what == "answer"

        changed = replace(run, answer={**run.answer, "text": "Something else."})
        steps = await replay(changed, rules=RULES, registry=workshop.registry, config=AgentConfig())
        assert [each.what for each in steps if each.diverges] == ["answer"]
    assert workshop.shelf.asked == asked
