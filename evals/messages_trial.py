"""Plays messages on a desk with the sample handbook, without a model, and tells what the desk took them for."""

from collections.abc import Mapping, Sequence

from agent.runner.requests import Request
from agent.runs.answer import Answer, AskedBack, Outcome
from agent.runs.run import Step
from bot.compose.desk import Desk
from evals.messages import UNSURE, MessageCase, TakenFor
from evals.trial import sample_desk
from language.scripts import language_of
from storage.ids import new_id

#: Tool → intent; a tool that is not here is an intent of its own.
_INTENTS = {
    "draft_ticket": "report",
    "revise_draft": "revise",
    "continue_draft": "revise",
    "discard_draft": "discard",
    "show_draft": "confirm",
    "show_ticket": "status",
    "list_tickets": "status",
    "count_tickets": "status",
    "find_ticket": "status",
    "set_reminder": "remind",
    "sound_alarm": "alarm",
    "comment_ticket": "comment",
    "urge_ticket": "urge",
    "cancel_ticket": "cancel",
    "reopen_ticket": "reopen",
    "resolve_ticket": "resolve",
    "assign_ticket": "assign",
    "prioritise_ticket": "prioritise",
}
#: What is answered to manners.
_SOCIAL = frozenset({"thanks", "farewell", "greeting", "hello", "help", "nothing_asked", "praise", "go_ahead"})
#: A draft was made, and asks for what it lacks.
_DRAFTED = "draft.missing"
#: Ways in which nothing was done and nothing claimed.
_NOTHING_DONE = (Outcome.ASKED_BACK, Outcome.NO_EVIDENCE, Outcome.REFUSED)


async def take_all(cases: Sequence[MessageCase]) -> tuple[TakenFor, ...]:
    """Say every message in a thread of its own and return what it was taken for."""
    async with sample_desk() as desk:
        return tuple([await _take(desk, case) for case in cases])


async def _take(desk: Desk, case: MessageCase) -> TakenFor:
    number = await _ticket(desk, case) if "{ticket}" in case.say else ""
    thread = new_id("thread")
    before: tuple[Step, ...] = ()
    for said in case.before:
        _, before = await _say(desk, case, said, thread)
    answer, steps = await _say(desk, case, case.say.replace("{ticket}", number), thread)
    known = {step.step_id for step in before}  # a run that waited for an answer goes on with it
    new = [step for step in steps if step.step_id not in known]
    return TakenFor(_intent(case, answer, new), _fields(new))


async def _say(desk: Desk, case: MessageCase, text: str, thread: str) -> tuple[Answer, tuple[Step, ...]]:
    actor = await desk.directory.person(case.asker)
    result = await desk.runner.run(
        Request(
            actor=actor,
            event_id=new_id("case"),
            thread=thread,
            text=text,
            language=language_of(text) or "en",
            now=desk.clock.now(),
        )
    )
    return result.answer, (await desk.runs.show(actor, result.run_id)).steps


async def _ticket(desk: Desk, case: MessageCase) -> str:
    """File a ticket of the sales assistant's, as every case finds one that no other has touched."""
    ada, dora = await desk.directory.person("ada"), await desk.directory.person("dora")
    fields = {"location": "desk 1", "device": "lamp"}
    draft = await desk.tickets.draft(
        ada, thread=new_id("thread"), category="other", title=new_id("lamp"), description="dark", fields=fields
    )
    ticket = await desk.tickets.file(ada, draft.id, nonce=await desk.tickets.nonce_for(ada, draft.id))
    if case.closed:
        await desk.tickets.resolve(dora, ticket.number, resolution="done")
    return ticket.number


def _intent(case: MessageCase, answer: Answer, steps: Sequence[Step]) -> str:
    deeds = [step for step in steps if step.node == "tool" and step.tool != "search_knowledge"]
    done = not isinstance(answer, AskedBack) or answer.code == _DRAFTED
    if deeds and done:
        return _deed(deeds[0])
    if isinstance(answer, AskedBack):
        return "social" if answer.code in _SOCIAL else UNSURE
    if answer.outcome in _NOTHING_DONE and case.intent == UNSURE:
        return UNSURE
    return "outside" if answer.outcome is Outcome.REFUSED else "ask"


def _deed(step: Step) -> str:
    given = step.given
    if step.tool == "draft_ticket" and given.get("occasion") == "hand_over":
        return "person"
    if step.tool == "list_tickets" and given.get("scope") == "queue":
        return "queue"
    return _INTENTS.get(step.tool, step.tool)


def _fields(steps: Sequence[Step]) -> Mapping[str, str]:
    """Return what was written into a ticket beside its words: the fields, and a priority that is not the usual one."""
    for step in steps:
        if step.tool == "draft_ticket":
            told = step.given.get("fields")
            fields = {str(name): str(value) for name, value in told.items()} if isinstance(told, dict) else {}
            priority = str(step.given.get("priority", "normal"))
            return fields if priority == "normal" else {**fields, "priority": priority}
        if step.tool == "revise_draft":
            told = step.given.get("changes")
            return {str(name): str(value) for name, value in told.items()} if isinstance(told, dict) else {}
    return {}
