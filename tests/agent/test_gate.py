"""Every call passes the gate, and each of its checks refuses what it is there for."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from agent.config import AgentConfig, Budget
from agent.errors import ToolRefused
from agent.gate.outcomes import Denied, Done, GateResult, Pending
from agent.results import Records
from agent.runs.answer import NoEvidence
from agent.runs.run import StepStatus
from agent.tools.arguments import IDENTITY_NAMES, Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Confirmation, Effect, Registry, Tool, ToolPolicy, ToolResult, ToolSpec
from identity.actor import Actor, ActorKind
from identity.audit import AuditEntry, AuditTrail
from identity.permissions import ROLE_PERMISSIONS, Permission
from identity.policy import decide
from storage.ids import JsonValue
from tests.fixtures.agent import Leaf, Workshop
from tests.scale import scaled
from tickets.ticket import Status


class Note(Arguments):
    text: str = Field(max_length=20)


def tool(
    calls: list[ToolContext],
    *,
    effect: Effect = Effect.WRITE,
    confirmation: Confirmation = Confirmation.NEVER,
    timeout_s: float = 5.0,
    calls_per_run: int = 6,
    takes_s: float = 0.0,
    refuses: str = "",
) -> Tool:
    async def handler(context: ToolContext, arguments: Note) -> ToolResult:
        calls.append(context)
        await asyncio.sleep(takes_s)
        if refuses:
            raise ToolRefused(refuses)
        return ToolResult((Records("notice", (), "noted", {"n": len(calls), "text": arguments.text}),))

    policy = ToolPolicy(
        permission=Permission.TICKETS_CREATE,
        effect=effect,
        audit="note.write",
        confirmation=confirmation,
        timeout_s=timeout_s,
        calls_per_run=calls_per_run,
    )
    return Tool(spec=ToolSpec(name="note", description="Note.", arguments=Note), policy=policy, handler=handler)


def with_tool(workshop: Workshop, made: Tool) -> Workshop:
    workshop.extra_tools = (made,)
    workshop.again()
    return workshop


async def audited(workshop: Workshop, operator: Actor) -> tuple[AuditEntry, ...]:
    return await AuditTrail(workshop.database, workshop.clock).entries(operator)


async def call(
    workshop: Workshop, context: ToolContext, name: str, arguments: dict[str, JsonValue], *, tainted: bool = False
) -> GateResult:
    return await workshop.gate.call(context, name, arguments, tainted=tainted)


async def test_an_unknown_tool_is_refused_and_audited(workshop: Workshop, ada: Actor, operator: Actor) -> None:
    result = await call(workshop, await workshop.context(ada), "format_disk", {"path": "/"})

    assert result == Denied("unknown_tool", "format_disk")
    entry = (await audited(workshop, operator))[0]
    assert (entry.action, entry.resource, entry.allowed, entry.reason) == (
        "tool.call",
        "tool:format_disk",
        False,
        "unknown_tool",
    )


async def test_a_tool_without_the_permission_is_neither_offered_nor_callable(
    workshop: Workshop, ada: Actor, gus: Actor, operator: Actor
) -> None:
    ticket = await workshop.ticket(ada)
    offered = {item.spec.name for item in workshop.registry.offered(gus)}
    assert offered == {"search_knowledge"}

    result = await call(workshop, await workshop.context(gus), "show_ticket", {"ticket": ticket.number})

    assert result == Denied("forbidden", Permission.TICKETS_READ_OWN)
    entry = (await audited(workshop, operator))[0]
    assert (entry.actor_id, entry.action, entry.allowed) == (gus.id, "ticket.show", False)


async def test_a_tool_that_is_withheld_where_it_is_asked_is_refused_whoever_asks(
    workshop: Workshop, ada: Actor, operator: Actor
) -> None:
    context = replace(await workshop.context(ada), withheld=frozenset({"search_knowledge"}))

    result = await call(workshop, context, "search_knowledge", {"query": "vpn"})

    assert result == Denied("not_here", "search_knowledge")
    assert (await audited(workshop, operator))[0].allowed is False


@pytest.mark.parametrize(
    "name", ["actor", "user", "user_id", "User-Id", "role", "ROLES", "tenant", "on_behalf_of", "runAs", "audience"]
)
async def test_an_argument_that_says_who_is_calling_is_refused_and_audited(
    workshop: Workshop, ada: Actor, operator: Actor, name: str
) -> None:
    workshop.shelf.leaves.append(Leaf("Salaries of everybody", allow=frozenset({"group:hr"})))

    result = await call(workshop, await workshop.context(ada), "search_knowledge", {"query": "salaries", name: "cleo"})

    assert result == Denied("identity_argument", name)
    assert workshop.shelf.asked == []
    entry = (await audited(workshop, operator))[0]
    assert (entry.allowed, entry.reason) == (False, "identity_argument")


async def test_no_tool_declares_an_identity_argument(workshop: Workshop, operator: Actor) -> None:
    offered = workshop.registry.offered(operator)
    assert len(offered) > 5
    for item in offered:
        folded = {name.replace("_", "") for name in item.spec.arguments.model_fields}
        assert not folded & IDENTITY_NAMES, item.spec.name


@pytest.mark.parametrize("arguments", [{}, {"text": "x" * 21}, {"text": 7}, {"text": "x", "more": "y"}, {"text": None}])
async def test_arguments_that_do_not_fit_the_schema_are_refused_with_the_reason(
    workshop: Workshop, ada: Actor, arguments: dict[str, JsonValue]
) -> None:
    calls: list[ToolContext] = []
    with_tool(workshop, tool(calls))

    result = await call(workshop, await workshop.context(ada), "note", arguments)

    assert isinstance(result, Denied)
    assert result.code == "invalid_arguments"
    assert result.reason
    assert calls == []


async def test_a_tool_has_a_budget_and_so_has_the_run(workshop: Workshop, ada: Actor) -> None:
    calls: list[ToolContext] = []
    workshop.config = AgentConfig(budget=Budget(tool_calls=4))
    with_tool(workshop, tool(calls, calls_per_run=3))
    context = await workshop.context(ada)

    codes = [await call(workshop, context, "note", {"text": f"n{n}"}) for n in range(4)]
    assert [isinstance(code, Done) for code in codes] == [True, True, True, False]
    assert codes[-1] == Denied("budget", "note was called often enough in this run")

    other = await call(workshop, context, "list_tickets", {})
    assert isinstance(other, Denied)
    assert other.code == "budget", "the fifth call of the run"
    assert len(calls) == 3


async def test_the_same_read_twice_in_a_run_is_refused_with_a_hint(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.leaves.append(Leaf("Open the VPN client."))
    context = await workshop.context(ada)

    first = await call(workshop, context, "search_knowledge", {"query": "vpn client"})
    again = await call(workshop, context, "search_knowledge", {"query": "vpn client"})

    assert isinstance(first, Done)
    assert again == Denied("repeated", "the same call was made before in this run: see E1")
    assert len(workshop.shelf.asked) == 1


async def test_a_risky_call_always_waits_for_a_button(workshop: Workshop, ada: Actor) -> None:
    ticket = await workshop.ticket(ada)
    context = await workshop.context(ada)

    result = await call(workshop, context, "cancel_ticket", {"ticket": "last", "reason": "solved itself"})

    assert isinstance(result, Pending)
    approval = await workshop.approvals.show(ada, result.approval_id)
    assert approval.resource == ticket.number, '"last" was resolved before the button was shown'
    assert approval.arguments["ticket"] == ticket.number
    assert (await workshop.tickets.show(ada, ticket.number)).status is Status.OPEN


async def test_the_same_risky_call_waits_only_once(workshop: Workshop, ada: Actor) -> None:
    ticket = await workshop.ticket(ada)
    arguments: dict[str, JsonValue] = {"ticket": ticket.number}

    first = await call(workshop, await workshop.context(ada), "cancel_ticket", arguments)
    second = await call(workshop, await workshop.context(ada), "cancel_ticket", arguments)

    assert first == second
    assert len(await workshop.approvals.waiting(ada)) == 1


@pytest.mark.parametrize("tainted", [True, False])
async def test_a_write_waits_for_a_button_once_foreign_text_was_read(
    workshop: Workshop, ada: Actor, tainted: bool
) -> None:
    ticket = await workshop.ticket(ada)
    arguments: dict[str, JsonValue] = {"ticket": ticket.number, "text": "Any news?"}

    result = await call(workshop, await workshop.context(ada), "comment_ticket", arguments, tainted=tainted)

    assert isinstance(result, Pending if tainted else Done)
    comments = (await workshop.tickets.show(ada, ticket.number)).comments
    assert len(comments) == (0 if tainted else 1)


async def test_the_same_words_within_the_window_run_once(workshop: Workshop, ada: Actor) -> None:
    calls: list[ToolContext] = []
    with_tool(workshop, tool(calls))

    first = await call(workshop, await workshop.context(ada), "note", {"text": "a"})
    again = await call(workshop, await workshop.context(ada), "note", {"text": "a"})
    assert isinstance(first, Done)
    assert isinstance(again, Done)
    assert again.replayed
    assert again.content == first.content
    assert again.result.results == first.result.results

    other_words = await call(workshop, await workshop.context(ada, "other words"), "note", {"text": "a"})
    other_arguments = await call(workshop, await workshop.context(ada), "note", {"text": "b"})
    workshop.clock.advance(61)
    later = await call(workshop, await workshop.context(ada), "note", {"text": "a"})
    for result in (other_words, other_arguments, later):
        assert isinstance(result, Done)
        assert not result.replayed
    assert len(calls) == 4


async def test_a_repetition_by_somebody_else_is_not_a_repetition(workshop: Workshop, ada: Actor, ben: Actor) -> None:
    calls: list[ToolContext] = []
    with_tool(workshop, tool(calls))

    await call(workshop, await workshop.context(ada), "note", {"text": "a"})
    other = await call(workshop, await workshop.context(ben), "note", {"text": "a"})

    assert isinstance(other, Done)
    assert not other.replayed
    assert [context.actor.id for context in calls] == ["ada", "ben"]


async def test_many_at_once_run_once(workshop: Workshop, ada: Actor) -> None:
    calls: list[ToolContext] = []
    with_tool(workshop, tool(calls, takes_s=0.02))
    contexts = [await workshop.context(ada) for _ in range(scaled(40, least=4))]

    results = await asyncio.gather(*(call(workshop, context, "note", {"text": "a"}) for context in contexts))

    assert len(calls) == 1
    assert {isinstance(result, Done) and result.content["n"] for result in results} == {1}


async def test_a_refusal_is_not_kept_for_repetitions(workshop: Workshop, ada: Actor, operator: Actor) -> None:
    calls: list[ToolContext] = []
    with_tool(workshop, tool(calls, refuses="not_today"))

    for _ in range(2):
        result = await call(workshop, await workshop.context(ada), "note", {"text": "a"})
        assert result == Denied("not_today", "")

    assert len(calls) == 2
    outcomes = [entry.outcome for entry in await audited(workshop, operator) if entry.action == "note.write"]
    assert outcomes.count("refused:not_today") == 2


async def test_a_tool_that_does_not_come_back_is_given_up(workshop: Workshop, ada: Actor, operator: Actor) -> None:
    calls: list[ToolContext] = []
    with_tool(workshop, tool(calls, timeout_s=0.05, takes_s=5.0))

    result = await call(workshop, await workshop.context(ada), "note", {"text": "a"})

    assert isinstance(result, Denied)
    assert result.code == "timeout"
    assert "unknown" in [entry.outcome for entry in await audited(workshop, operator)]


async def test_changes_are_audited_before_and_after_and_reads_once(
    workshop: Workshop, ada: Actor, operator: Actor
) -> None:
    calls: list[ToolContext] = []
    with_tool(workshop, tool(calls))
    context = await workshop.context(ada)

    await call(workshop, context, "note", {"text": "token xoxb-123456789012-abcdefghijkl"[:20]})
    await call(workshop, context, "list_tickets", {})

    rows = [entry for entry in await audited(workshop, operator) if entry.resource.startswith("tool:")]
    assert [(row.action, row.outcome, row.run_id) for row in reversed(rows)] == [
        ("note.write", "started", context.run_id),
        ("note.write", "succeeded", context.run_id),
        ("ticket.list", "succeeded", context.run_id),
    ]


async def test_a_refusal_is_audited_in_the_transaction_that_writes_its_run(
    workshop: Workshop, ada: Actor, operator: Actor
) -> None:
    context = await workshop.context(ada)
    run_id = workshop.runs.begin(ada, event_id="e", thread="t1", text="x", language="en", brain="test")

    await call(workshop, replace(context, run_id=run_id), "nothing_such", {})
    assert await audited(workshop, operator) == ()

    with pytest.raises(RuntimeError):
        async with workshop.database.transaction() as session:
            await workshop.runs.ending(run_id, NoEvidence())(session)
            raise RuntimeError
    assert await audited(workshop, operator) == (), "the run was not written, so neither is its refusal"


async def test_every_outcome_of_a_call_is_in_the_audit_and_secrets_are_not(
    workshop: Workshop, ada: Actor, operator: Actor
) -> None:
    calls: list[ToolContext] = []
    with_tool(workshop, tool(calls))
    workshop.shelf.leaves.append(Leaf("Open the VPN client."))
    key = "AKIAIOSFODNN7EXAMPLE"

    for name, arguments in (
        ("search_knowledge", {"query": f"vpn with {key}"}),
        ("search_knowledge", {"query": f"vpn with {key}"}),  # the same again in one run
        ("search_knowledge", {"wrong": "x"}),
        ("nothing_such", {}),
    ):
        await call(workshop, await workshop.context(ada, thread=name), name, dict(arguments))
    first = await workshop.context(ada)
    await call(workshop, first, "note", {"text": "a"})
    await call(workshop, await workshop.context(ada), "note", {"text": "a"})

    rows = [entry for entry in await audited(workshop, operator) if entry.resource.startswith("tool:")]
    assert [(row.action, row.outcome) for row in reversed(rows)] == [
        ("knowledge.search", "succeeded"),
        ("knowledge.search", "succeeded"),
        ("knowledge.search", "refused"),
        ("tool.call", "refused"),
        ("note.write", "started"),
        ("note.write", "succeeded"),
        ("note.write", "replayed"),
    ]
    assert key not in str([row.detail for row in rows])
    assert rows[-1].detail["evidence"] == ["E1"]


async def test_every_call_is_a_step_of_its_run(workshop: Workshop, ada: Actor) -> None:
    calls: list[ToolContext] = []
    with_tool(workshop, tool(calls))
    workshop.shelf.leaves += [Leaf("Open the VPN client."), Leaf("VPN secrets", allow=frozenset({"group:hr"}))]
    context = await workshop.context(ada)

    await call(workshop, context, "search_knowledge", {"query": "vpn"})
    await call(workshop, context, "note", {"text": "a"})
    await call(workshop, context, "note", {"wrong": "a"})

    run = await workshop.runs.show(ada, context.run_id)
    assert [(step.tool, step.status) for step in run.steps] == [
        ("search_knowledge", StepStatus.OK),
        ("note", StepStatus.OK),
        ("note", StepStatus.DENIED),
    ]
    assert run.steps[2].error["type"] == "invalid_arguments"
    assert [item.by for item in run.evidence] == [run.steps[0].step_id]


async def test_secrets_do_not_reach_the_brain_or_the_run(workshop: Workshop, ada: Actor) -> None:
    key = "AKIAIOSFODNN7EXAMPLE"
    workshop.shelf.leaves.append(Leaf(f"The vpn key is aws_access_key_id={key} and stays secret."))
    context = await workshop.context(ada)

    result = await call(workshop, context, "search_knowledge", {"query": "vpn key"})

    assert isinstance(result, Done)
    assert key not in str((result.content, result.result, result.evidence))
    assert key not in str(await workshop.runs.show(ada, context.run_id))


ROLES = st.frozensets(st.sampled_from(sorted(ROLE_PERMISSIONS)), max_size=3)
KINDS = st.sampled_from([ActorKind.PERSON, ActorKind.STAFF, ActorKind.GUEST])
POLICIES = st.lists(st.sampled_from(list(Permission)), min_size=1, max_size=8)


@settings(max_examples=scaled(1_000, least=50))
@given(roles=ROLES, kind=KINDS, permissions=POLICIES)
def test_offered_is_exactly_what_the_policy_permits(
    roles: frozenset[str], kind: ActorKind, permissions: list[Permission]
) -> None:
    """The registry offers what the gate would let through, for any actor and any set of tools."""
    actor = Actor(id="x", name="X", kind=kind, roles=roles)
    base = tool([])
    made = [
        replace(base, spec=replace(base.spec, name=f"t{at}"), policy=replace(base.policy, permission=permission))
        for at, permission in enumerate(permissions)
    ]

    offered = {item.spec.name for item in Registry(made).offered(actor)}

    assert offered == {item.spec.name for item in made if decide(actor, item.policy.permission).allowed}


@pytest.mark.parametrize("roles", [frozenset[str](), frozenset({"agent"}), frozenset({"auditor"})])
@pytest.mark.parametrize("kind", [ActorKind.PERSON, ActorKind.STAFF, ActorKind.GUEST])
async def test_whatever_is_not_offered_cannot_be_called(
    workshop: Workshop, operator: Actor, roles: frozenset[str], kind: ActorKind
) -> None:
    actor = Actor(id="somebody", name="Somebody", kind=kind, roles=roles)
    offered = {item.spec.name for item in workshop.registry.offered(actor)}
    context = await workshop.context(actor)

    for name in workshop.registry.names():
        if name not in offered:
            result = await call(workshop, context, name, {})
            assert isinstance(result, Denied)
            assert result.code == "forbidden"
    denied = {entry.resource for entry in await audited(workshop, operator) if not entry.allowed}
    assert denied == {f"tool:{name}" for name in workshop.registry.names() if name not in offered}
