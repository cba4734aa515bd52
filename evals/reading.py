"""What the rules brain makes of an utterance that stands alone: no desk, no documents."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from agent.brains.output import AskBack, Brief, Output, Refuse
from agent.brains.rules.model import Returned, RulesModel
from agent.brains.rules.talk import Lookup, Several, Step, Talk
from agent.brains.rules.understanding.message import read
from agent.tools.context import Recollection
from evals.cases import RoutingCase
from evals.graders import Understood
from features.knowledge.routing import ROUTE
from features.tickets.understanding.extract import Extractor
from features.tickets.understanding.talk import TicketTalk
from language.scripts import is_chinese
from tickets.config import TicketsConfig

#: Every tool that an utterance may lead to.
TOOLS = frozenset(
    {
        "search_knowledge",
        "draft_ticket",
        "revise_draft",
        "continue_draft",
        "discard_draft",
        "show_draft",
        "restore_draft",
        "count_tickets",
        "list_tickets",
        "show_ticket",
        "find_ticket",
        "comment_ticket",
        "urge_ticket",
        "reopen_ticket",
        "assign_ticket",
        "prioritise_ticket",
        "resolve_ticket",
        "cancel_ticket",
    }
)
#: Tools and codes whose intent has another name than they.
_INTENTS = {
    "search_knowledge": "ask",
    "revise_draft": "revise",
    "continue_draft": "revise",
    "what_problem": "draft",
    "which_change": "revise",
    "comment_text": "comment",
    "resolution_text": "resolve",
    "which_person": "assign",
    "show_draft": "confirm",
    "count_tickets": "list",
    "find_ticket": "show",
    "did_it_help": "discard",
    "secrets": "not_allowed",
}
#: Arguments that carry what was said.
_DETAILS = ("description", "text", "resolution", "assignee", "reason", "query")


def rules(config: TicketsConfig) -> RulesModel:
    """Return the rules with the talk of tickets, and with the documents for everything else."""
    return RulesModel((ROUTE,), talks(config))


def talks(config: TicketsConfig) -> tuple[Talk, ...]:
    """Return the talk of tickets, for somebody who may do everything."""
    return (TicketTalk(config, Extractor(config)).talk(TOOLS),)


def decided(model: RulesModel, text: str, memory: Recollection | None = None) -> Step | Output:
    """Return what the rules do about an utterance of which no document speaks, for somebody who may do everything.

    The documents are asked before a fault is drafted: there the draft is what counts.
    """
    language = "zh" if is_chinese(text) else "en"
    brief = Brief(text=text, language=language, now=datetime(2026, 11, 23, tzinfo=UTC), memory=memory or Recollection())
    decision = model.decide(brief, (), TOOLS)
    if not isinstance(decision, Step) or decision.tool != ROUTE.tool:
        return decision
    end = model.decide(brief, (Returned(ROUTE.tool, {"passages": []}, failed=False),), TOOLS)
    if end == Refuse(code="out_of_scope"):
        return end
    reading = model.reading(read(text, brief.memory), TOOLS)
    if isinstance(reading, Several):
        return reading.steps[-1]
    return reading.beside if isinstance(reading, Lookup) and reading.beside is not None else decision


def understand_all(cases: Sequence[RoutingCase]) -> tuple[Understood, ...]:
    """Return what is read out of every utterance, with the categories that the project ships."""
    config = TicketsConfig()
    extractor, model = Extractor(config), rules(config)
    return tuple(_understood(decided(model, case.text), extractor.draft(case.text).as_arguments()) for case in cases)


def _understood(decision: Step | Output, draft: Mapping[str, object]) -> Understood:
    fields = draft["fields"] if isinstance(draft["fields"], dict) else {}
    said = dict(decision.arguments) if isinstance(decision, Step) else {}
    return Understood(
        intent=intent_of(decision),
        ticket=str(said.get("ticket", "")),
        detail=next((str(said[name]) for name in _DETAILS if name in said), ""),
        status=str(said.get("status", "")),
        fields={"category": str(draft["category"]), "priority": str(draft["priority"]), **fields},
    )


def intent_of(decision: Step | Output) -> str:
    """Return in one word what somebody was understood to want."""
    match decision:
        case Step(tool="list_tickets", arguments={"scope": "queue"}):
            return "queue"
        case Step(tool=tool):
            return _INTENTS.get(tool, tool.partition("_")[0])
        case AskBack(code=code) | Refuse(code=code):
            return _INTENTS.get(code, code)
        case _:
            return type(decision).__name__.lower()
