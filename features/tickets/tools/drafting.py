"""The tools that write drafts: a ticket in the making, which a person still has to confirm."""

import functools
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from agent.errors import ToolRefused
from agent.results import Bilingual, Message, Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext, repeat_key
from agent.tools.evidence import Ground
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.texts import say
from features.tickets.tools.corrections import corrected
from features.tickets.tools.references import BACK_REFERENCES, refusing
from features.tickets.understanding.drafts import Correction, mark_of
from features.tickets.understanding.extract import SAID_AT, priority_of
from identity.permissions import Permission
from storage.ids import JsonObject
from tickets.config import BUILT_IN_FIELDS
from tickets.content import clean_line
from tickets.service import TicketService
from tickets.ticket import Draft, DraftState, Priority

#: What a section holds that tells people to get away, or to call for help: nothing to try first.
_DANGER = re.compile(
    r"(?i)\b(?:evacuat\w*|leave(?= and|,| against)|leave (?:at once|immediately|the (?:building|room|hall|area|site))|"
    r"explosion|nobody goes (?:back )?in|poison\w*|ambulance|fire brigade|call (?:112|911|999))\b|"
    r"撤离|爆炸|中毒|拨打? ?(?:119|120)(?!\d)"
)
#: Longest description that what is said later is added to, in characters.
MOST_CHARS = 8_000
DraftReference = Annotated[
    str, Field(min_length=1, max_length=64, description='A draft id, or "last" for the last one')
]


class DraftTicket(Arguments):
    """A problem or wish in the person's own words."""

    category: Annotated[str, Field(max_length=64)]
    title: Annotated[str, Field(min_length=1, max_length=200, description="One line")]
    description: Annotated[str, Field(max_length=8_000)] = ""
    priority: Priority = Priority.NORMAL
    fields: Annotated[
        dict[str, str], Field(default_factory=dict, max_length=24, description="Configured fields, such as location")
    ]
    tried: Annotated[
        str, Field(max_length=64, description="Evidence id of the steps that your answer shows to try first, if any")
    ] = ""
    occasion: Annotated[
        Literal["", "wish", "hand_over", "beside"],
        Field(description="wish: nothing is broken; hand_over: for a talk with a person; beside: they asked more, too"),
    ] = ""
    left: Annotated[
        tuple[str, ...], Field(max_length=8, description="Questions of the same message that found no answer")
    ] = ()


class OpenDraft(Arguments):
    """A draft that is still open."""

    draft: DraftReference = "last"


class ContinueDraft(OpenDraft):
    """A draft whose first steps did not help, and what else the person said."""

    said: Annotated[str, Field(max_length=4_000)] = ""


class DiscardDraft(OpenDraft):
    """A draft that is not wanted any more, and whether that is because the problem is solved."""

    solved: bool = False


class ReviseDraft(Arguments):
    """What to change in a draft that is still open."""

    draft: DraftReference = "last"
    changes: Annotated[
        dict[str, str],
        Field(
            max_length=24,
            description="title, description, category, priority or a field → new value; "
            "with none the person's words are added to the description",
        ),
    ]
    instead: Annotated[
        dict[str, str],
        Field(
            default_factory=dict,
            max_length=1,
            description='Wrong words of the draft → what was meant; "" → it where nobody said which were wrong',
        ),
    ]
    said: Annotated[
        str, Field(max_length=4_000, description="Earlier words of theirs that are added, where these only say so")
    ] = ""


def tools(service: TicketService) -> tuple[Tool, ...]:
    """Return the tools of this file."""
    return (
        Tool(
            spec=ToolSpec(
                name="draft_ticket",
                description=_draft_description(service),
                arguments=DraftTicket,
            ),
            policy=ToolPolicy(
                permission=Permission.TICKETS_CREATE, effect=Effect.DRAFT, audit="ticket.draft", calls_per_run=3
            ),
            handler=functools.partial(_draft, service),
        ),
        Tool(
            spec=ToolSpec(name="revise_draft", description="Change a draft that is still open.", arguments=ReviseDraft),
            policy=ToolPolicy(permission=Permission.TICKETS_CREATE, effect=Effect.DRAFT, audit="ticket.revise"),
            handler=functools.partial(_revise, service),
        ),
        Tool(
            spec=ToolSpec(
                name="continue_draft",
                description="Go on with a draft when the steps that were shown to try first did not help.",
                arguments=ContinueDraft,
            ),
            policy=ToolPolicy(permission=Permission.TICKETS_CREATE, effect=Effect.DRAFT, audit="ticket.revise"),
            handler=functools.partial(_continue, service),
        ),
        Tool(
            spec=ToolSpec(
                name="discard_draft",
                description="Throw a draft away: it is not wanted, or the problem is solved. It can be undone.",
                arguments=DiscardDraft,
            ),
            policy=ToolPolicy(permission=Permission.TICKETS_CREATE, effect=Effect.DRAFT, audit="ticket.discard"),
            handler=functools.partial(_discard, service),
        ),
        Tool(
            spec=ToolSpec(
                name="show_draft",
                description="Show the draft that waits, with its buttons; only the person's button files it.",
                arguments=OpenDraft,
            ),
            policy=ToolPolicy(permission=Permission.TICKETS_CREATE, effect=Effect.READ, audit="ticket.draft_shown"),
            handler=functools.partial(_show, service),
        ),
        Tool(
            spec=ToolSpec(
                name="restore_draft",
                description="Bring a draft back that was thrown away.",
                arguments=OpenDraft,
            ),
            policy=ToolPolicy(permission=Permission.TICKETS_CREATE, effect=Effect.DRAFT, audit="ticket.restore"),
            handler=functools.partial(_restore, service),
        ),
    )


def _draft_description(service: TicketService) -> str:
    """Return what drafting is for, with the configured categories and what each of them needs."""
    needs = (
        f"{name} (needs {', '.join(category.required)})" if category.required else name
        for name, category in service.config.categories.items()
    )
    return (
        "Start a ticket for a problem or wish. It is only a draft until the person confirms it. "
        f"Categories: {'; '.join(needs)}. Leave out a field that the person has not told."
    )


async def _draft(service: TicketService, context: ToolContext, arguments: DraftTicket) -> ToolResult:
    ground = context.found.grounds.get(arguments.tried)
    dangerous = ground is not None and _DANGER.search(ground.text) is not None
    with refusing():
        draft = await service.draft(
            context.actor,
            thread=context.thread,
            category=arguments.category,
            title=arguments.title,
            description=arguments.description,
            priority=Priority.URGENT if dangerous else arguments.priority,
            fields=arguments.fields,
            address=context.address,
            key=repeat_key(context, "draft", arguments),
        )
    tried = "" if ground is None else _steps(context, ground)
    code = "draft.danger" if dangerous else _made(arguments, tried)
    made = _draft_result(draft, code, tried="" if dangerous or arguments.occasion == "wish" else tried)
    left = [say(context.language, "draft.left", text=each) for each in arguments.left]
    if arguments.occasion == "hand_over":
        left.append(say(context.language, "draft.handed_over_once" if draft.missing else "draft.handed_over"))
    waits = [say(context.language, "draft.other", title=each.title) for each in await _beside(service, context, draft)]
    results = (*map(_told, left), *made.results, *map(_told, waits))
    return replace(made, results=results, remembers={**made.remembers, "beside": mark_of(context.text)})


def _told(words: str) -> Message:
    return Message(Bilingual(words, words))


async def _beside(service: TicketService, context: ToolContext, draft: Draft) -> tuple[Draft, ...]:
    """Return the other drafts that wait in the thread."""
    return tuple(each for each in await service.drafts_of(context.actor, thread=context.thread) if each.id != draft.id)


def _made(arguments: DraftTicket, tried: str) -> str:
    """Return the code under which a new draft is shown."""
    match arguments.occasion:
        case "hand_over":
            return "draft.handed_over"
        case "beside":
            return "draft.beside"
        case _ if not tried:
            return "draft.made"
        case kind:
            return "draft.asked" if kind == "wish" else "draft.tried"


def _steps(context: ToolContext, ground: Ground) -> str:
    """Return page and section of the steps that are shown to try first."""
    parts = dict.fromkeys((ground.title(context.language), *ground.says("section").split(" > ")))
    return clean_line(" > ".join(filter(None, parts)))


async def _revise(service: TicketService, context: ToolContext, arguments: ReviseDraft) -> ToolResult:
    with refusing():
        draft_id = await _draft_id(service, context, arguments.draft)
        before = await service.show_draft(context.actor, draft_id)
        meant = next((corrected(before, Correction(*each)) for each in arguments.instead.items()), None)
        righted = {} if meant is None else {**meant}
        said = replace(before, description=righted.get("description", before.description))
        words = _with_words(context, said, {} if righted else arguments.changes, arguments.said or context.text)
        stated = {name: each for name, each in arguments.changes.items() if not _is_of_another(before, name, each)}
        changes = {**(stated if righted else _numbered(before, arguments.changes)), **righted, **words}
        draft = await service.revise(context.actor, draft_id, changes=changes)
    made = _draft_result(draft, "draft.corrected" if righted else "draft.revised")
    return replace(made, remembers={**made.remembers, "beside": mark_of(context.text)})


def _is_of_another(draft: Draft, name: str, value: str) -> bool:
    """Tell whether a value that corrects a number would take the place of a field's words: "sorry, 14" of headset 4."""
    return value.isdigit() and name in draft.fields and not re.search(r"\d", draft.fields[name])


#: The number on the sticker of a thing: HV20417.
_STICKER = re.compile(r"[A-Za-z]{1,4}-?\d{3,}")


def _numbered(draft: Draft, changes: Mapping[str, str]) -> dict[str, str]:
    """Return the changes with the thing kept of which just the number is told: "printer HV20417"."""
    return {
        name: f"{draft.fields[name]} {value}" if _is_number_of(draft.fields.get(name, ""), value) else value
        for name, value in changes.items()
    }


def _is_number_of(thing: str, value: str) -> bool:
    return bool(thing) and not re.search(r"\d", thing) and _STICKER.fullmatch(value) is not None


def _with_words(context: ToolContext, draft: Draft, changes: Mapping[str, str], said: str) -> dict[str, str]:
    """Return the description with what was said just now, once and with its time.

    A message that only sets what a ticket shows anyway, such as its title, is not repeated in it.
    """
    said = said.strip()
    if (changes and set(changes) <= set(BUILT_IN_FIELDS)) or not said or said in draft.description:
        return {}
    at = context.now.astimezone(ZoneInfo(context.actor.timezone))
    description = f"{draft.description}\n\n{at:{SAID_AT}} {said}"
    return {"description": description} if len(description) <= MOST_CHARS else {}


async def _draft_id(service: TicketService, context: ToolContext, said: str) -> str:
    if said.casefold() not in BACK_REFERENCES:
        return said
    remembered = context.memory.last.get("draft")
    if remembered:
        return remembered
    latest = await service.latest_draft(context.actor, thread=context.thread)
    if latest is None:
        raise ToolRefused("no_draft_yet")
    return latest.id


async def _continue(service: TicketService, context: ToolContext, arguments: ContinueDraft) -> ToolResult:
    with refusing():
        draft = await service.show_draft(context.actor, await _draft_id(service, context, arguments.draft))
        tried = context.memory.last.get("tried", "")
        changes = went_wrong(draft, tried, said=arguments.said, language=context.language)
        if changes and draft.priority in (Priority.LOW, Priority.NORMAL) and (priority := priority_of(arguments.said)):
            changes["priority"] = priority
        if changes:
            draft = await service.revise(context.actor, draft.id, changes=changes)
    return _draft_result(draft, "draft.revised")


async def _discard(service: TicketService, context: ToolContext, arguments: DiscardDraft) -> ToolResult:
    with refusing():
        draft_id = await _draft_id(service, context, arguments.draft)
        nonce = await service.nonce_for(context.actor, draft_id)
        draft = await service.discard(context.actor, draft_id, nonce=nonce)
    code = "draft.solved" if arguments.solved else "draft.thrown_away"
    other = next(iter(await _beside(service, context, draft)), None)
    words = [say(context.language, "draft.other", title=other.title)] if other else []
    remembers = settled(discarded=draft.id, other=other)
    return ToolResult((Records("discarded", (draft.id,), code), *map(_told, words)), remembers=remembers)


async def _show(service: TicketService, context: ToolContext, arguments: OpenDraft) -> ToolResult:
    with refusing():
        draft = await service.show_draft(context.actor, await _draft_id(service, context, arguments.draft))
    return as_it_waits(draft)


def as_it_waits(draft: Draft) -> ToolResult:
    """Return a draft with the words that it was not sent yet, and what is left to do."""
    ready = draft.state is DraftState.OPEN and not draft.missing
    return _draft_result(draft, "draft.button" if ready else "draft.unfinished")


async def _restore(service: TicketService, context: ToolContext, arguments: OpenDraft) -> ToolResult:
    draft_id = context.memory.last.get("discarded", "") if arguments.draft == "discarded" else arguments.draft
    if not draft_id:
        raise ToolRefused("no_draft_yet")
    with refusing():
        nonce = await service.nonce_for(context.actor, draft_id)
        draft = await service.restore(context.actor, draft_id, nonce=nonce)
    return _draft_result(draft, "draft.restored")


def went_wrong(draft: Draft, tried: str, *, language: str, said: str = "") -> dict[str, str]:
    """Return what changes in a draft when steps were tried first and did not help; nothing where none were."""
    steps = say(language, "draft.tried_line", steps=tried) if tried else ""
    added = [each for each in (said, steps) if each and each not in draft.description]
    return {"description": "\n\n".join((draft.description, *added))} if added else {}


def _draft_result(draft: Draft, code: str, *, tried: str = "") -> ToolResult:
    content: JsonObject = {
        "draft": {
            "id": draft.id,
            "version": draft.version,
            "category": draft.category,
            "title": draft.title,
            "description": draft.description,
            "priority": draft.priority.value,
            "fields": dict(draft.fields),
            "missing": list(draft.missing),
        }
    }
    return ToolResult((Records("draft", (draft.id,), code, content),), remembers=waiting(draft, tried=tried))


def waiting(draft: Draft, *, tried: str = "") -> dict[str, str]:
    """Return what a thread remembers of a draft that waits: its id, what it still needs, which steps come first."""
    told = ",".join(name for name, value in draft.fields.items() if value)
    missing = ",".join(draft.missing)
    return {"draft": draft.id, "missing": missing, "fields": told, "tried": tried, "discarded": "", "beside": ""}


def settled(ticket_number: str = "", *, discarded: str = "", other: Draft | None = None) -> dict[str, str]:
    """Return what a thread remembers once its draft is filed (as that ticket) or gone, and may be brought back.

    `other` is the draft that still waits there.
    """
    none = {"draft": "", "missing": "", "fields": "", "tried": "", "beside": ""}
    left = {**(waiting(other) if other else none), "discarded": discarded}
    return {**left, **({"ticket": ticket_number, "filed": ticket_number} if ticket_number else {})}
