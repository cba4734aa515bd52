"""The deterministic brain: routes, extracts, answers extractively and abstains, in English and Chinese (D6).

Its plan comes from the person's own words and the thread alone. What a passage says is only ever quoted: no text
that somebody else wrote can make it call a tool.
"""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import CompletedStreamedResponse, Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from agent.brains.output import OUTPUT_NAMES, Abstain, Act, AskBack, Brief, Claim, Output, Refuse, Reply, brief_of
from agent.brains.rules.answering.extractive import MAX_LIST_CHARS, choose
from agent.brains.rules.answering.followups import followups
from agent.brains.rules.answering.passages import passages_of
from agent.brains.rules.answering.question import Question
from agent.brains.rules.answering.ranking import rank
from agent.brains.rules.answering.sufficiency import LEAST, LEAST_WIDENED, judge
from agent.brains.rules.deeds import asks_for_deed
from agent.brains.rules.routes import Lacks, Route, Router
from agent.brains.rules.understanding.analysis import analyse
from agent.brains.rules.understanding.extract import Extractor
from agent.brains.rules.understanding.intent import Analysis, Intent
from language.words import widened
from storage.ids import JsonValue
from tickets.config import TicketsConfig

#: Intents that end a run at once.
_ENDINGS: Mapping[Intent, Output] = {
    Intent.HELP: AskBack(code="help"),
    Intent.GREETING: AskBack(code="greeting"),
    Intent.THANKS: AskBack(code="thanks"),
    Intent.OUT_OF_SCOPE: Refuse(code="out_of_scope"),
    Intent.NOT_ALLOWED: Refuse(code="secrets"),
}
#: What is missing → the code under which it is asked for.
_TO_ASK = {
    "problem": "what_problem",
    "ticket": "which_ticket",
    "comment": "comment_text",
    "resolution": "resolution_text",
    "assignee": "which_person",
}
#: What a denied call means for the person: something to say more clearly, or a plain no.
_TO_SAY_BETTER = {
    "no_ticket_yet": "no_ticket",
    "no_draft_yet": "no_draft",
    "not_found": "no_ticket",
    "ambiguous": "which_ticket",
    "unknown_person": "which_person",
}


@dataclass(frozen=True)
class Step:
    """A tool to call, with its arguments."""

    tool: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class _Returned:
    """What came of a call of this run."""

    tool: str
    content: Any
    failed: bool


class RulesModel(Model):
    """A pydantic-ai model that needs no network, no key and no luck: the same message gives the same answer."""

    #: Text in passages never changes what it does.
    follows_text = False

    def __init__(self, config: TicketsConfig, routes: Iterable[Route] = ()) -> None:
        super().__init__()
        self._router = Router(routes)
        self._extractor = Extractor(config)
        self._prefix = config.prefix

    @property
    def model_name(self) -> str:
        """The name under which runs keep it."""
        return "rules"

    @property
    def system(self) -> str:
        """The provider: ourselves."""
        return "dutydesk"

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the next tool call, or the ending."""
        _, parameters = self.prepare_request(model_settings, model_request_parameters)
        brief = brief_of(messages)
        offered = frozenset(tool.name for tool in parameters.function_tools)
        step = self.decide(brief, _returned(messages), offered)
        return _response(step, brief.now, number=len(messages))

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Yield the same response as `request`, as a stream of its parts."""
        del run_context
        response = await self.request(messages, model_settings, model_request_parameters)
        yield CompletedStreamedResponse(response, model_request_parameters=model_request_parameters, replay_events=True)

    def decide(self, brief: Brief, returned: Sequence[_Returned], offered: frozenset[str]) -> Step | Output:
        """Return what to do next. `returned` is what this run's calls gave; `offered` the tools that may be called."""
        analysis = analyse(brief.text, brief.memory, prefix=self._prefix)
        if not returned:
            return self._first(analysis, brief, offered)
        last = returned[-1]
        return self._found(analysis, brief, returned, offered) if last.tool == "search_knowledge" else _ended(last)

    def _found(
        self, analysis: Analysis, brief: Brief, returned: Sequence[_Returned], offered: frozenset[str]
    ) -> Step | Output:
        """Answer from what was found; when that does not do, look once more in other words, or draft a ticket."""
        query = analysis.query or brief.text
        again = len(returned) > 1
        least = LEAST_WIDENED if again else LEAST
        answer = answer_from(query, brief.language, returned[-1].content, least=least)
        if isinstance(answer, Reply):
            return answer
        other_words = "" if again or brief.language != "zh" else widened(query)
        if other_words:
            return Step("search_knowledge", {"query": other_words[:1_000]})
        if analysis.else_draft:
            return self._drafted(brief, offered)
        return Refuse(code="not_offered") if asks_for_deed(brief.text) else answer

    def _first(self, analysis: Analysis, brief: Brief, offered: frozenset[str]) -> Step | Output:
        step = self._routed(analysis, brief, offered) or self._plan(analysis, brief, offered)
        if isinstance(step, Step) and step.tool not in offered:
            return Refuse(code="forbidden", detail=step.tool)
        return step

    def _routed(self, analysis: Analysis, brief: Brief, offered: frozenset[str]) -> Step | Output | None:
        """Return the call that the words lead to by a feature's own routes; None when they lead to none."""
        is_foreign = analysis.intent is Intent.OUT_OF_SCOPE
        if analysis.intent in _ENDINGS and not is_foreign:
            return None
        words = brief.text
        route = self._router.find(words, offered, exact=is_foreign)
        if is_foreign and route is None:
            return None
        last = brief.memory.turns[-1] if brief.memory.turns else None
        if route is None and last is not None and last.outcome == "asked_back":
            route, words = self._router.find(last.asked, offered), f"{last.asked} {words}"
        if route is None:
            return None
        arguments = route.read(words)
        return AskBack(code=arguments.code) if isinstance(arguments, Lacks) else Step(route.tool, arguments)

    def _plan(self, analysis: Analysis, brief: Brief, offered: frozenset[str]) -> Step | Output:
        if analysis.missing and not (analysis.intent is Intent.RESOLVE and "resolve_ticket" not in offered):
            return AskBack(code=_TO_ASK[analysis.missing])
        if analysis.intent in _ENDINGS:
            return _ENDINGS[analysis.intent]
        match analysis.intent:
            case Intent.ASK:
                return Step("search_knowledge", {"query": analysis.query[:1_000]})
            case Intent.DRAFT:
                return self._draft(analysis.detail)
            case Intent.REVISE | Intent.DISCARD | Intent.CONFIRM:
                return self._on_draft(analysis, brief)
            case _:
                return _on_ticket(analysis, offered)

    def _draft(self, text: str) -> Step:
        found = self._extractor.draft(text)
        return Step(
            "draft_ticket",
            {
                "category": found.category,
                "title": found.title,
                "description": found.description,
                "priority": found.priority,
                "fields": dict(found.fields),
            },
        )

    def _drafted(self, brief: Brief, offered: frozenset[str]) -> Step | Output:
        return self._draft(brief.text) if "draft_ticket" in offered else Abstain()

    def _on_draft(self, analysis: Analysis, brief: Brief) -> Step | Output:
        if analysis.intent is Intent.DISCARD:
            return AskBack(code="press_discard")
        if analysis.intent is Intent.CONFIRM:
            return AskBack(code="press_confirm")
        missing = tuple(name for name in brief.memory.last.get("missing", "").split(",") if name)
        changes = self._extractor.changes(analysis.detail, missing=missing)
        if not changes:
            return AskBack(code="which_change")
        return Step("revise_draft", {"draft": "last", "changes": dict(changes)})


def answer_from(query: str, language: str, content: Any, *, least: float = LEAST) -> Reply | Abstain:
    """Return the extractive answer to a question from a search result, or abstain."""
    question = Question.of(query, language)
    ranked = rank(question, passages_of(content))
    if not judge(question, ranked, least=least).enough:
        return Abstain()
    chosen = choose(question, ranked)
    if not chosen:
        return Abstain()
    cited = tuple(dict.fromkeys(item.evidence for item in chosen))
    return Reply(
        claims=[Claim(text=item.text[:MAX_LIST_CHARS], evidence=[item.evidence]) for item in chosen],
        followups=list(followups(question, ranked, cited)),
    )


def _listing(analysis: Analysis) -> Step:
    arguments: dict[str, JsonValue] = {"scope": "queue" if analysis.intent is Intent.QUEUE else "mine"}
    if analysis.status:
        arguments["status"] = analysis.status
    return Step("list_tickets", arguments)


#: Intent → the argument that carries what was said with it.
_DETAILS = {
    Intent.COMMENT: "text",
    Intent.ASSIGN: "assignee",
    Intent.RESOLVE: "resolution",
    Intent.REOPEN: "reason",
    Intent.CANCEL: "reason",
}


def _on_ticket(analysis: Analysis, offered: frozenset[str]) -> Step:
    intent = analysis.intent
    if intent in (Intent.LIST, Intent.QUEUE):
        return _listing(analysis)
    if intent is Intent.RESOLVE and "resolve_ticket" not in offered:
        intent = Intent.CANCEL  # who may not resolve means "I no longer need it"; withdrawing asks for a button
    detail = {_DETAILS[intent]: analysis.detail} if intent in _DETAILS else {}
    return Step(f"{intent.value}_ticket", {"ticket": analysis.ticket or "last", **detail})


def _ended(last: _Returned) -> Output:
    """End after a ticket tool: the reply shows what it did, or says why it did not."""
    content = last.content if isinstance(last.content, Mapping) else {}
    if content.get("status") == "denied":
        code = str(content.get("code", ""))
        if code in _TO_SAY_BETTER:
            return AskBack(code=_TO_SAY_BETTER[code])
        return Refuse(code=code[:64] or "denied", detail=str(content.get("reason", ""))[:400])
    if last.failed:
        return Refuse(code="tool_failed", detail=last.tool)
    return Act()


def _returned(messages: Sequence[ModelMessage]) -> tuple[_Returned, ...]:
    """Return what the tools gave back since the person's newest words, in order; endings are left out."""
    endings = frozenset(OUTPUT_NAMES.values())
    asked = [
        at for at, message in enumerate(messages) if any(isinstance(part, UserPromptPart) for part in message.parts)
    ]
    messages = messages[asked[-1] :] if asked else messages
    return tuple(
        _Returned(tool=part.tool_name, content=part.content, failed=part.outcome != "success")
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart) and part.tool_name not in endings
    )


def _response(step: Step | Output, now: datetime, *, number: int) -> ModelResponse:
    if isinstance(step, Step):
        part = ToolCallPart(step.tool, dict(step.arguments), tool_call_id=f"rules-{number}")
    else:
        name = OUTPUT_NAMES[type(step)]
        part = ToolCallPart(name, step.model_dump(mode="json"), tool_call_id=f"rules-{number}")
    return ModelResponse(
        parts=[part], usage=RequestUsage(), model_name="rules", provider_name="dutydesk", timestamp=now
    )
