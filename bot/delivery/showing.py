"""What an answer shows: results of tools, records among them drawn from state by their ids."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from adapters.cards import Block, Button, Buttons, Card, Heading, Note, Text
from agent.approvals.approval import Approval, ApprovalState
from agent.approvals.approvals import Approvals
from agent.brains.rules.understanding.message import beginning
from agent.errors import ApprovalNotFound
from agent.results import Records, Result
from agent.runner.closing import RunResult
from agent.runs.answer import Answer, Answered, AskedBack, NeedsApproval, Refused
from agent.tools.registry import Effect
from bot.delivery.store import Posted
from bot.rendering.cards import answer_blocks, card_of
from bot.rendering.commands import as_typed
from bot.rendering.results import result_blocks
from bot.rendering.texts.catalogue import has, say
from features.anatomy.feature import Feature
from features.anatomy.handling import RecordKind
from features.anatomy.reader import Reader, when
from features.anatomy.spoken import Spoken, refusal, said_of
from identity.actor import Actor, ActorKind, system_actor
from identity.permissions import Permission
from identity.policy import decide
from storage.ids import JsonValue

#: The named actor that draws cards again for everybody who sees them.
REDRAW = system_actor("redraw")
#: The brain that runs without a language model, as a run names it.
RULES = "rules"


def results_in(answer: Answer) -> tuple[Result, ...]:
    """Return the results that an answer shows."""
    return answer.results if isinstance(answer, Answered | AskedBack | NeedsApproval) else ()


def records_in(results: Sequence[Result]) -> tuple[Records, ...]:
    """Return what is drawn from state among results."""
    return tuple(each for each in results if isinstance(each, Records))


class Showing:
    """Draws records as they stand now: approvals here, all others by the feature that knows their kind."""

    def __init__(self, features: tuple[Feature, ...], approvals: Approvals, *, public_url: str) -> None:
        self._features = features
        self._approvals = approvals
        self._public_url = public_url
        own = {"approval": RecordKind(self._approval, changes=True, acts=True)}
        self._kinds = {**own, **{name: kind for feature in features for name, kind in feature.kinds.items()}}
        self._describe = {tool.spec.name: each.describe for each in features if each.describe for tool in each.tools}
        tools = (tool for each in features for tool in each.tools)
        self._repairable = {each.spec.name for each in tools if each.policy.effect is not Effect.RISKY}

    def reader(self, actor: Actor, *, language: str, platform: str) -> Reader:
        """Return how this actor reads a card on that platform; the web chat links within its own page."""
        return self.reader_in(actor.timezone, language=language, platform=platform)

    def reader_in(self, timezone: str, *, language: str, platform: str) -> Reader:
        """Return a reader of whom only the time zone is known."""
        base = "" if platform == "web" else self._public_url
        return Reader(language="zh" if language == "zh" else "en", timezone=timezone, base=base)

    async def blocks(self, actor: Actor, results: Sequence[Result], reader: Reader) -> tuple[Block, ...]:
        """Return the blocks of everything that is shown, in order."""
        blocks: list[Block] = []
        for result in results:
            if isinstance(result, Records):
                blocks.extend(await self._one(actor, result, reader))
            else:
                blocks.extend(result_blocks(result, reader))
        return tuple(blocks)

    async def said(self, actor: Actor, result: RunResult, reader: Reader) -> Spoken:
        """Return what a run has to say."""
        answer = self._for(actor, result.answer, reader)
        results = results_in(answer)
        shown_records = records_in((*result.above, *results))
        shown = await self.blocks(actor, results, reader)
        # An answer stays as it was said, whatever becomes of the draft below it, and so does what is said beside one.
        quotes = (isinstance(answer, Answered) and bool(answer.citations)) or len(results) > 1
        subject = "" if quotes or result.above else self.subject(results)
        may_draft = decide(actor, Permission.TICKETS_CREATE).allowed
        blocks = answer_blocks(
            answer,
            reader,
            run_id=result.run_id,
            shown=shown,
            may_draft=may_draft,
            followups_rest_on=result.rests_on.followups,
        )
        above = await self.blocks(actor, result.above, reader)
        return Spoken(
            outcome=result.answer.outcome,
            blocks=(*above, *(blocks or shown), *_read_in_part(result, reader)),
            subject=subject,
            run_id=result.run_id,
            run=result.unwritten,
            refresh=(subject,) if subject else (),
            whisper=self.is_private((*result.above, *results)),
            rests_on=tuple(sorted({*result.rests_on.answer, *await self._behind(actor, shown_records)})),
        )

    def _for(self, actor: Actor, answer: Answer, reader: Reader) -> Answer:
        """Return the answer as it concerns the actor: guests are told why, others what there is."""
        if isinstance(answer, AskedBack) and answer.code == "help":
            words = say(reader.language, "asked_back.help", offers=self._listed(actor, reader))
            return replace(answer, question=as_typed(words, bare=reader.bare))
        if not isinstance(answer, Refused):
            return answer
        if answer.code == "not_offered":
            return replace(answer, detail=self._listed(actor, reader))
        guest = actor.kind is ActorKind.GUEST and answer.code == "forbidden"
        return replace(answer, code="guest") if guest else answer

    def _listed(self, actor: Actor, reader: Reader) -> str:
        return "\n".join(f"- {words}" for words in self.offers(actor, reader))

    def offers(self, actor: Actor, reader: Reader) -> tuple[str, ...]:
        """Return what each feature can do for an actor (`can.<feature>`): those of which they may use a tool."""
        may = [feature.name for feature in self._features if any(tool.serves(actor) for tool in feature.tools)]
        return tuple(say(reader.language, f"can.{name}") for name in may if has(f"can.{name}"))

    def is_private(self, results: Sequence[Result]) -> bool:
        """Return whether something is shown that is for the asker's eyes, wherever they ask for it."""
        return any(self._kinds[each.kind].private for each in records_in(results) if each.kind in self._kinds)

    def subject(self, results: Sequence[Result]) -> str:
        """Return what a card is about, when its state may change after it was posted."""
        for shown in records_in(results):
            kind = self._kinds.get(shown.kind)
            if kind is not None and kind.changes and shown.ids:
                return f"{shown.kind}:{shown.ids[0]}"
        return ""

    async def redraw(self, place: Posted, *, latest: bool) -> Card | None:
        """Return the card of a place as it stands now, for everybody who sees it; None when it is gone."""
        reader = self.reader_in(place.timezone, language=place.language, platform=place.platform)
        return await self.card(place.subject, reader, latest=latest)

    async def card(self, subject: str, reader: Reader, *, latest: bool = True) -> Card | None:
        """Return the card of a subject (`kind:id`) as it stands now; None when it is gone."""
        name, _, identifier = subject.partition(":")
        shown, kind = Records(kind=name, ids=(identifier,)), self._kinds.get(name)
        if kind is not None and kind.draw_followed is not None and not latest:
            blocks = await kind.draw_followed(REDRAW, shown, reader)
        else:
            blocks = await self._one(REDRAW, shown, reader)
        if not blocks:
            return None
        return replace(card_of(blocks, reader), rests_on=await self._behind(REDRAW, (shown,)))

    async def _behind(self, actor: Actor, shown: Sequence[Records]) -> tuple[str, ...]:
        """Return what the cards of these rest on, as an actor sees them."""
        known = [(self._kinds[each.kind].rests_on, each) for each in shown if each.kind in self._kinds]
        return tuple([on for ask, each in known if ask is not None for on in await ask(actor, each)])

    async def approval(self, actor: Actor, approval_id: str, reader: Reader) -> tuple[Block, ...]:
        """Return an approval's blocks: what would be done, and either the buttons or how it ended."""
        try:
            approval = await self._approvals.show(actor, approval_id)
        except ApprovalNotFound:
            return (Note(say(reader.language, "approval.gone"), tone="warn"),)
        readable = await self._approvals.is_readable(approval)
        what = await self._what(actor, approval, reader.language) if readable else ""
        asks = approval.state is ApprovalState.PENDING
        heading = Heading(
            text=say(reader.language, "approval.heading" if asks else "approval.heading_decided"),
            badge=say(reader.language, f"approval.state.{approval.state}"),
            tone="warn" if asks else "neutral",
        )
        shown = Text(what) if readable else Note(say(reader.language, "withheld.approval"))
        return (heading, shown, *await self._decision(actor, approval, reader))

    async def _approval(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        return await self.approval(actor, shown.ids[0], reader)

    async def _one(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        kind = self._kinds.get(shown.kind)
        if kind is not None:
            return await kind.draw(actor, shown, reader)
        said = said_of(shown.code, reader.language, number="".join(shown.ids[:1]))
        return said or result_blocks(shown, reader)

    async def _what(self, actor: Actor, approval: Approval, language: str) -> str:
        """Return what would be done, in the words of the tool's feature (`approval.what.<tool>`)."""
        given = {name: _words(value) for name, value in approval.arguments.items()}
        detail = given.get("assignee") or given.get("reason") or given.get("resolution") or given.get("text") or "–"
        values = {**given, "number": approval.resource, "detail": detail, "tool": approval.tool}
        describe = self._describe.get(approval.tool)
        if describe is not None:
            values.update(await describe(actor, approval.resource))
        key = f"approval.what.{approval.tool}"
        return say(language, key if has(key) else "approval.what.other", **values)

    async def _decision(self, actor: Actor, approval: Approval, reader: Reader) -> tuple[Block, ...]:
        language = reader.language
        values = {
            "name": approval.decided_by,
            "when": when(approval.decided_at, reader) if approval.decided_at else "",
            "detail": _why_not(approval, language),
        }
        match approval.state:
            case ApprovalState.PENDING:
                until = say(
                    language, "approval.until", name=approval.actor_name, when=when(approval.expires_at, reader)
                )
                return (Note(until), Buttons(await self._buttons(actor, approval, language)))
            case ApprovalState.SUCCEEDED:
                return (Note(say(language, "approval.succeeded", **values), tone="good"),)
            case ApprovalState.FAILED | ApprovalState.UNKNOWN:
                return (Note(say(language, f"approval.{approval.state}", **values), tone="bad"),)
            case ApprovalState.DECLINED | ApprovalState.EXPIRED | ApprovalState.EXECUTING:
                return (Note(say(language, f"approval.{approval.state}", **values)),)
            case _:
                assert_never(approval.state)

    async def _buttons(self, actor: Actor, approval: Approval, language: str) -> tuple[Button, ...]:
        nonce = await self._approvals.nonce_for(actor, approval.id)
        return (
            Button(
                label=say(language, "approval.confirm"),
                action="approval.confirm",
                id=approval.id,
                nonce=nonce,
                style="primary" if approval.tool in self._repairable else "danger",
            ),
            Button(label=say(language, "approval.decline"), action="approval.decline", id=approval.id, nonce=nonce),
        )


def _read_in_part(result: RunResult, reader: Reader) -> tuple[Block, ...]:
    """Return the word on it where the rules read only the beginning of a message."""
    told = result.request.text
    read = beginning(told) if result.brain == RULES else told
    return () if read == told else (Note(say(reader.language, "reading.in_part", count=len(read))),)


def _why_not(approval: Approval, language: str) -> str:
    """Return why an approved action was not done, "" when it was."""
    code = _words(approval.error.get("code") or "")
    if code == "changed":
        return say(language, "approval.changed")
    return refusal(language, code, _words(approval.error.get("detail") or "")) if code else ""


def _words(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
