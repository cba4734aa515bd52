"""The deterministic brain: routes, extracts, answers extractively and abstains, in English and Chinese (D6).

Its plan comes from the person's own words and the thread alone. What a passage says is only ever quoted: no text
that somebody else wrote can make it call a tool.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeGuard

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import CompletedStreamedResponse, Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from agent.brains.output import OUTPUT_NAMES, UNSURE, Abstain, Act, AskBack, Brief, Output, Refuse, Reply, brief_of
from agent.brains.rules.answering.certainty.verdict import verdict
from agent.brains.rules.answering.sufficiency import LEAST, LEAST_WIDENED, NEARBY, remedies
from agent.brains.rules.answering.threads.kinds import CASE
from agent.brains.rules.inquiries import Inquiry
from agent.brains.rules.lookups import REPORTED, Lookups
from agent.brains.rules.replies import LEAST_BESIDE, answer_from, nearest_to, reached, together, unsure
from agent.brains.rules.routes import LIKE, LIKE_BESIDE, Route, Router
from agent.brains.rules.slots import Lacks, Utterance
from agent.brains.rules.talk import Lookup, Reading, Several, Step, Talk
from agent.brains.rules.translated import LEADS
from agent.brains.rules.understanding.beyond import scope
from agent.brains.rules.understanding.deeds import asks_for_reading, asks_how_it_stands, beyond_reach, tells_duty
from agent.brains.rules.understanding.message import Message, going_on, read
from agent.tools.context import Recollection, Turn
from language.words import normalise

#: What a tool says that knows no page of that name.
NO_SUCH_PAGE = "no_such_page"
#: What is said back to a kind word, unless it does something: "thanks, that solved it" below a draft.
_KIND_ENDINGS = tuple(AskBack(code=code) for code in ("thanks", "noted", "farewell"))
#: A longer message is read in a thread: reading takes up to 40 microseconds a character.
AT_ONCE_CHARS = 500


@dataclass(frozen=True)
class Returned:
    """What came of a call of this run."""

    tool: str
    content: Any
    failed: bool


#: How far a question may be from what the desk does itself whose answer may stand on a page in other English words.
_SAID_ON_PAGES = (None, "not_offered")


def _speaks_of(answer: Reply | Abstain, about: Sequence[str]) -> bool:
    """Tell whether one of the words stands in an answer; there may be none to look for."""
    said = " ".join(normalise(claim.text) for claim in answer.claims) if isinstance(answer, Reply) else ""
    return not about or any(word in said for word in about)


class RulesModel(Model):
    """A pydantic-ai model that needs no network, no key and no luck: the same message gives the same answer."""

    #: Text in passages never changes what it does.
    follows_text = False

    def __init__(self, routes: Iterable[Route] = (), talks: Iterable[Talk] = ()) -> None:
        super().__init__()
        self._router = Router(routes)
        self._talks = tuple(talks)

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
        returned = _returned(messages)
        if len(brief.text) > AT_ONCE_CHARS:
            step = await asyncio.to_thread(self.decide, brief, returned, offered)
        else:
            step = self.decide(brief, returned, offered)
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

    def decide(self, brief: Brief, returned: Sequence[Returned], offered: frozenset[str]) -> Step | Output:
        """Return what to do next. `returned` is what this run's calls gave; `offered` the tools that may be called."""
        message = read(brief.text, brief.memory, brief.things, asker=brief.asker)
        if not returned:
            step = self._first(message, brief, offered)
            if not _is_withheld(step, offered):
                return step
            return self._only_asked(message, brief) or Refuse(code="forbidden", detail=step.tool)
        reading = self.reading(message, offered)
        if isinstance(reading, Several) and returned[0].tool == self._planned(reading, brief.now)[0].tool:
            return self._next_part(reading, brief, returned, offered)
        if returned[-1].tool == self._router.last_resort_tool:
            found = self._found(message, brief, returned, offered)
            unknown = next((each for each in returned if _code(each) == NO_SUCH_PAGE), None)
            return self._ended(unknown) if unknown and isinstance(found, Abstain) else found
        if _code(returned[-1]) == NO_SUCH_PAGE:  # what no page is about may stand in a section
            return self._as_read(None, message, brief, offered)
        asked = self._only_asked(message, brief) if _code(returned[-1]) == "forbidden" else None
        return asked or self._answered_beside(message, brief, returned, offered) or self._ended(returned[-1])

    def _only_asked(self, message: Message, brief: Brief) -> Step | Output | None:
        """Return that the documents are asked, for who asks about a case: nothing is to be done in it yet."""
        if not (message.question and CASE.search(message.plain)):
            return None
        return self._asked(self._lookups(message, brief, None, is_foreign=False).each[0], brief.now)

    def _planned(self, parts: Several, now: datetime) -> tuple[Step, ...]:
        """Return the calls that answer several questions, the documents first."""
        searches = (self._router.otherwise(Utterance((each,), now)) for each in _asked_of_pages(parts))
        return (*(each for each in searches if isinstance(each, Step)), *parts.steps)

    def _next_part(
        self, parts: Several, brief: Brief, returned: Sequence[Returned], offered: frozenset[str]
    ) -> Step | Output:
        """Return the next call; after the last one what the documents say, shown with what the steps returned."""
        planned = [step for step in self._planned(parts, brief.now) if not _is_withheld(step, offered)]
        answer: Reply | Abstain = Abstain()
        found = dict(zip(_asked_of_pages(parts), self._contents(returned), strict=False))
        if parts.looked_up in found:
            least = LEAST_BESIDE if parts.aside else LEAST
            answer = answer_from(parts.looked_up, brief.language, found[parts.looked_up], least=least)
            answer = answer if _speaks_of(answer, parts.about) else Abstain()
            if parts.reach:
                answer = reached(parts.reach, brief.language, found[parts.looked_up]) or answer
            if parts.nearly and isinstance(answer, Abstain):
                answer = nearest_to(parts.looked_up, brief.language, found[parts.looked_up])
        report = found.get(parts.reported)
        helps = _help_with(parts.reported, brief.language, report) if report is not None else None
        if len(returned) >= len(planned):
            both = together(each for each in (helps, answer) if isinstance(each, Reply))
            return both or self._ended(returned[-1])
        step = planned[len(returned)]
        unanswered = parts.looked_up and isinstance(answer, Abstain) and not parts.aside
        unanswered = unanswered and not (parts.of_report and helps)
        left = (*parts.left, *([parts.looked_up] if unanswered else ()))
        if len(returned) + 1 < len(planned) or not left:
            return step
        return Step(step.tool, {**step.arguments, "left": list(left)})

    def _first(self, message: Message, brief: Brief, offered: frozenset[str]) -> Step | Output:
        now = brief.now
        end, understood = scope.ending(message), self._understood(message, offered)
        if end is not None and (understood is None or end not in _KIND_ENDINGS):
            return end
        ended = scope.left(message)
        if ended is not None and (understood is None or self._asked_by_route(message, now, offered)):
            return ended
        is_foreign = self._is_foreign(message, offered)
        routed = self._routed(message, now, offered, exact=is_foreign, free=understood is None)
        if routed is not None:
            return routed
        if is_foreign:  # a product may be called Forecast: the documents are asked before anything is refused
            search = self._router.otherwise(Utterance((message.asked,), now))
            return Refuse(code="out_of_scope") if _is_withheld(search, offered) else search
        return self._as_read(understood or self._supposed(message, offered), message, brief, offered)

    def _as_read(
        self, reading: Reading | None, message: Message, brief: Brief, offered: frozenset[str]
    ) -> Step | Output:
        """Return the first call of what a feature makes of a message; the documents are asked where none has a word."""
        if isinstance(reading, Several):
            return self._next_part(reading, brief, (), offered)
        if reading is None or isinstance(reading, Lookup):
            lookups = self._lookups(message, brief, reading, is_foreign=False)
            return self._asked(lookups.each[0], brief.now)
        return reading

    def _lookups(self, message: Message, brief: Brief, reading: Reading | None, *, is_foreign: bool) -> Lookups:
        """Return how the documents are asked about a message; what a feature has a word on stands by itself."""
        reading = None if isinstance(reading, Lookup) and reading.about else reading
        asked = reading if isinstance(reading, Lookup) else Lookup(otherwise=Abstain())
        beside = asked.beside is not None
        goes_on = (beside or asked.goes_on) and not is_foreign and message.follows_pages
        asks = reading is None or message.question or asked.vague
        most = NEARBY if reading is None else REPORTED if asked.vague else 0
        beyond = beyond_reach(message.asked)
        reached = not is_foreign and beyond is None and not asks_how_it_stands(message.asked)
        return Lookups.of(
            message,
            brief.language,
            alone=(reading is not None and not goes_on) or is_foreign,
            reported=beside and not (is_foreign or asked.vague or asked.along),
            widened=not is_foreign and (brief.language == "zh" or (reading is None and beyond in _SAID_ON_PAGES)),
            translated=asks and reached and not message.is_long,
            nearly=most if reached and not message.is_fragment else 0,
            surely_told=asked.goes_on and not asked.of_page,
            of_page=asked.of_page,
            along=asked.along,
        )

    def _contents(self, returned: Sequence[Returned]) -> list[Any]:
        """Return what the documents gave back, in order."""
        return [each.content for each in returned if each.tool == self._router.last_resort_tool]

    def _read_by(self, lookups: Lookups, returned: Sequence[Returned]) -> Sequence[Any]:
        """Return what each look-up so far has found; of a report, what may help with a fault."""
        contents = self._contents(returned)
        if not lookups.reported:
            return lookups.found(contents)
        befell = lookups.mishap.told if lookups.mishap else None
        return lookups.found([remedies(each, befell=befell) for each in contents])

    def _asked(self, lookup: Inquiry, now: datetime) -> Step | Output:
        """Return the call that asks the documents."""
        step = self._router.otherwise(Utterance((lookup.query,), now))
        return Step(step.tool, {**step.arguments, **lookup.arguments}) if isinstance(step, Step) else step

    def _is_foreign(self, message: Message, offered: frozenset[str]) -> bool:
        """Tell whether a message sounds like no matter of a workplace, and nothing that is offered is spoken of."""
        if not scope.is_off_topic(message) or self._understood(message, offered) is not None:
            return False
        return not any(talk.concerns(message) for talk in self._talks)

    def reading(self, message: Message, offered: frozenset[str]) -> Reading | None:
        """Return what features make of a message that no route leads to; None when none has a word on it."""
        return self._understood(message, offered) or self._supposed(message, offered)

    def _understood(self, message: Message, offered: frozenset[str]) -> Reading | None:
        readings = (talk.understand(message, offered) for talk in self._talks)
        return next((reading for reading in readings if reading is not None), None)

    def _supposed(self, message: Message, offered: frozenset[str]) -> Reading | None:
        readings = (talk.suppose(message, offered) for talk in self._talks)
        return next((reading for reading in readings if reading is not None), None)

    def _routed(
        self, message: Message, now: datetime, offered: frozenset[str], *, exact: bool, free: bool
    ) -> Step | AskBack | None:
        """Return the call that the words lead to by a feature's own routes; None when they lead to none.

        What the desk asked for, and what hangs on the words before, is read together with them. `free`: no feature
        has claimed the message by its talk.
        """
        said = Utterance((message.asked,), now)
        sure = self._router.find(said, offered, exact=True)
        if exact or (sure is not None and not message.hangs_on):
            return None if sure is None else sure.step(said)
        answers = free and message.follows("asked_back") and not message.procedural
        route, earlier = self._before(message.memory.turns, now, offered)
        together = Utterance((message.asked, *earlier.texts), now)
        goes_on = route is not None and (answers or message.hangs_on or route.is_only_values(said))
        goes_on = goes_on and sure in (None, route)  # 不要再发摘要了 is an order of its own
        if route is not None and goes_on and route.read(together) != route.read(earlier):
            return route.step(together)
        hangs_on = message.hangs_on or going_on(message.asked, message.memory) is not None
        in_pages = hangs_on and message.follows_pages
        own = sure
        if own is None and not (free and in_pages):  # "and mondays?" goes on with the page
            own = self._router.find(said, offered, least=LIKE if free else LIKE_BESIDE)
        if own is None and answers and route is not None and message.is_short:
            return route.step(together)
        lacks = own is not None and isinstance(own.read(said), Lacks)  # "only on mondays": of what was said before
        return None if own is None else own.step(together if lacks and own is route else said)

    def _asked_by_route(self, message: Message, now: datetime, offered: frozenset[str]) -> bool:
        """Tell whether the desk's last words asked for an argument: a word that ends it ends nothing older."""
        return message.follows("asked_back") and self._before(message.memory.turns, now, offered)[0] is not None

    def _before(self, turns: Sequence[Turn], now: datetime, offered: frozenset[str]) -> tuple[Route | None, Utterance]:
        """Return the route that a thread is on, with the words that belong to it, newest first."""
        if not turns:
            return None, Utterance((), now)
        text = turns[-1].asked
        message = read(text, Recollection(turns=tuple(turns[:-1])))
        if message.hangs_on or message.is_fragment or message.follows("asked_back"):
            route, earlier = self._before(turns[:-1], now, offered)
            if route is not None:
                return route, Utterance((text, *earlier.texts), now)
        least = LIKE if self._understood(message, offered) is None else LIKE_BESIDE  # as it was routed itself
        return self._router.find(Utterance((text,), now), offered, least=least), Utterance((text,), now)

    def _found(
        self, message: Message, brief: Brief, returned: Sequence[Returned], offered: frozenset[str]
    ) -> Step | Output:
        """Answer from what was found; when that does not do, look once more in other words, or do what else helps."""
        reading = self.reading(message, offered)
        beside, along = (reading.beside, reading.along) if isinstance(reading, Lookup) else (None, False)
        is_foreign = self._is_foreign(message, offered)
        lookups = self._lookups(message, brief, reading, is_foreign=is_foreign)
        contents = self._read_by(lookups, returned)
        least = _least_beside(message) if beside else LEAST_WIDENED if is_foreign else LEAST
        answer = lookups.answer(contents, least=least)
        if answer is None:
            return self._asked(lookups.each[len(contents)], brief.now)
        if isinstance(reading, Lookup) and reading.about and not _is_about(answer, reading.about, only=reading.only):
            answer = Abstain()
        beyond = beyond_reach(message.asked)
        if beyond == "duty" and isinstance(answer, Reply) and not any(tells_duty(each.text) for each in answer.claims):
            answer = Abstain()  # a manager is spoken of in many a page
        if isinstance(answer, Reply):
            answer = _beside_report(answer) if beside else answer
            is_sure = answer.lead != UNSURE  # what may not be it is nothing to try first
            answer = answer.model_copy(update={"lead": (beyond if is_sure else "") or answer.lead})
            if beside is None or _is_withheld(beside, offered):
                told = (each.text for each in answer.claims)
                lead = answer.lead or verdict(message.asked, brief.language, told)
                return answer.model_copy(update={"lead": lead})
            tried = {"tried": answer.claims[0].evidence[0]} if is_sure and not along else {}
            return Step(beside.tool, {**beside.arguments, **tried})
        if is_foreign and not asks_for_reading(message.asked):
            return Refuse(code="out_of_scope")
        if isinstance(reading, Lookup):
            return _instead(reading, offered)
        return answer if beyond is None else Refuse(code=beyond)

    def _answered_beside(
        self, message: Message, brief: Brief, returned: Sequence[Returned], offered: frozenset[str]
    ) -> Reply | None:
        """Return what the documents say beside what a step has made of the same message; None where none did."""
        if not self._contents(returned) or returned[-2].tool != self._router.last_resort_tool:
            return None
        reading = self.reading(message, offered)
        if not isinstance(reading, Lookup) or reading.beside is None or reading.beside.tool != returned[-1].tool:
            return None
        lookups = self._lookups(message, brief, reading, is_foreign=False)
        answer = lookups.answer(self._read_by(lookups, returned), least=_least_beside(message), is_last=True)
        return _beside_report(answer) if isinstance(answer, Reply) else None

    def _ended(self, last: Returned) -> Output:
        """End after a tool: the reply shows what it did, or says why it did not."""
        content = last.content if isinstance(last.content, Mapping) else {}
        if content.get("status") == "denied":
            code = _code(last)
            if content.get("ask_the_person"):
                question = str(content.get("question", ""))[:400]
                return AskBack(code=code[:64], question=question, options=list(content.get("options") or ()))
            asks = next((talk.asks for talk in self._talks if last.tool in talk.tools), {})
            if code in asks:
                return AskBack(code=asks[code])
            return Refuse(code=code[:64] or "denied", detail=str(content.get("reason", ""))[:400])
        return Refuse(code="tool_failed", detail=last.tool) if last.failed else Act()


def _beside_report(answer: Reply) -> Reply:
    """Return an answer as it stands above a report: what a page in the other language says may be none."""
    return unsure(answer) if answer.lead in LEADS.values() else answer


def _help_with(report: str, language: str, content: Any) -> Reply | None:
    """Return what one look-up says that surely helps with a report; None where it says nothing of the kind."""
    message = read(report)
    lookups = Lookups.of(message, language, alone=True, widened=False, translated=False, nearly=0, reported=True)
    answer = lookups.answer([remedies(content)], least=LEAST_BESIDE, is_last=True)
    return answer if isinstance(answer, Reply) and answer.lead != UNSURE else None


def _asked_of_pages(parts: Several) -> tuple[str, ...]:
    """Return what the documents are asked about several matters, in order."""
    return tuple(each for each in (parts.looked_up, parts.reported) if each)


def _least_beside(message: Message) -> float:
    """Return the least likelihood of an answer that stands beside a report."""
    return LEAST if message.is_short else LEAST_BESIDE


def _code(last: Returned) -> str:
    """Return why a call was not done; "" for one that was."""
    content = last.content if isinstance(last.content, Mapping) else {}
    return str(content.get("code", "")) if content.get("status") == "denied" else ""


def _is_about(answer: Reply | Abstain, names: Sequence[str], *, only: bool) -> bool:
    """Return whether an answer is sure or has one of the names in it; both where `only` its words count."""
    if isinstance(answer, Abstain) or (only and answer.lead == UNSURE):
        return False
    if answer.lead != UNSURE and not only:
        return True
    said = normalise(" ".join(each.text for each in answer.claims))
    return any(each in said for each in names)


def _instead(looked_up: Lookup, offered: frozenset[str]) -> Step | Output:
    """Return what is done where the documents hold nothing about a message that was looked up first."""
    otherwise = looked_up.otherwise
    if not isinstance(otherwise, Step) or otherwise.tool in offered:
        return otherwise
    return Refuse(code="forbidden", detail=otherwise.tool) if looked_up.beside else Abstain()


def _is_withheld(step: Step | Output, offered: frozenset[str]) -> TypeGuard[Step]:
    return isinstance(step, Step) and step.tool not in offered


def _returned(messages: Sequence[ModelMessage]) -> tuple[Returned, ...]:
    """Return what the tools gave back since the person's newest words, in order; endings are left out."""
    endings = frozenset(OUTPUT_NAMES.values())
    asked = [
        at for at, message in enumerate(messages) if any(isinstance(part, UserPromptPart) for part in message.parts)
    ]
    messages = messages[asked[-1] :] if asked else messages
    return tuple(
        Returned(tool=part.tool_name, content=part.content, failed=part.outcome != "success")
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
