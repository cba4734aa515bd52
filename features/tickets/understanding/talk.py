"""What shall be done with tickets, decided from the person's own words and the thread: the feature's `Talk`.

It reads no document. What is not clearly about a ticket, a draft or a fault is left to others.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from agent.brains.output import AskBack
from agent.brains.rules.talk import Lookup, Reading, Several, Step, Talk
from agent.brains.rules.understanding.calling_off import calls_off
from agent.brains.rules.understanding.deeds import asks_for_deed
from agent.brains.rules.understanding.manners import is_noted, is_thanks
from agent.brains.rules.understanding.message import GoingOn, Message, answered_last, going_on, may_go_on, read
from agent.brains.rules.understanding.phrases import ACCEPTED, THANKS
from agent.tools.context import Recollection
from features.anatomy.texts import say
from features.tickets.understanding import faults, phrases
from features.tickets.understanding.changing import (
    DRAFT_OR_NEW,
    SAME_OR_NEW,
    about_news,
    about_ticket,
    asked_of_requester,
    is_of_draft,
    is_same,
    priority_named,
)
from features.tickets.understanding.drafts import (
    about_draft,
    about_steps,
    completing,
    correction_of,
    goes_on,
    is_mended,
    reads_more,
    shares_words,
    tells_since,
    tells_what_is_left,
    tells_where,
    waits,
)
from features.tickets.understanding.extract import PLACES, TITLE_CHARS, Extractor
from features.tickets.understanding.matter import Intent, Matter
from features.tickets.understanding.mixed import gist, matters_of
from features.tickets.understanding.references import assignee, pointed_out, ticket_reference
from features.tickets.understanding.reporting import EARLIER, has_no_subject, is_report, new_ticket
from features.tickets.understanding.statements import states_of_thing
from language.scripts import is_chinese
from language.words import normalise
from storage.ids import JsonValue
from tickets.config import TicketsConfig

#: What is missing → the code under which it is asked for.
_TO_ASK = {
    "problem": "what_problem",
    "steps": "did_it_help",
    "ticket": "which_ticket",
    "comment": "comment_text",
    "resolution": "resolution_text",
    "assignee": "which_person",
    "priority": "which_priority",
    "change": "which_change",
    "filed": "file_first",
    "same": SAME_OR_NEW,
    "apart": DRAFT_OR_NEW,
}
#: What a denied call means for the person: something to say more clearly.
_TO_SAY_BETTER = {
    "no_ticket_yet": "none_yet",
    "no_draft_yet": "no_draft",
    "not_found": "no_ticket",
    "ambiguous": "which_ticket",
    "unknown_person": "which_person",
}
#: Intent → the argument that carries what was said with it.
_DETAILS = {
    Intent.COMMENT: "text",
    Intent.ASSIGN: "assignee",
    Intent.PRIORITISE: "priority",
    Intent.RESOLVE: "resolution",
    Intent.REOPEN: "reason",
    Intent.CANCEL: "reason",
}


#: Categories of what may befall one and the same program.
_OF_PROGRAMS = frozenset(("software", "access", "hardware", "network"))
#: What points at nothing, at the beginning of a statement.
_POINTING = re.compile(r"^(?:it|there|this|that|they)\b")
#: What the documents are asked for somebody who wants a person, in English and Chinese.
_WHOM_TO_CALL = ("service desk help desk phone number contact hours", "服务台 联系电话 工作时间")
#: … and what has to stand in such a section.
_DESKS = (
    "service desk",
    "help desk",
    "helpdesk",
    "servicedesk",
    "hotline",
    "support line",
    "服务台",
    "热线",
    "客服",
    "帮助台",
)


class TicketTalk:
    """Reads messages with the words of the configured categories and fields."""

    def __init__(self, config: TicketsConfig, extractor: Extractor) -> None:
        self._prefix = config.prefix
        self._extractor = extractor

    def talk(self, tools: frozenset[str]) -> Talk:
        """Return it as the rules take it, for the feature's tools."""
        return Talk(
            tools=tools,
            understand=self._understand,
            suppose=self._suppose,
            concerns=lambda message: _is_matter(message) or waits(message) or self._is_of_a_category(message),
            asks=_TO_SAY_BETTER,
        )

    def _understand(self, message: Message, offered: frozenset[str]) -> Reading | None:
        if phrases.WHO_IS_TOLD.search(message.plain):
            return Step("show_duty", {"category": self._extractor.category(message.text)})
        if "draft_ticket" in offered and (instead := _reported_instead(message)):
            made = self._extractor.draft(instead).as_arguments()
            return Several((Step("discard_draft", {"draft": "last", "solved": False}), Step("draft_ticket", made)))
        matter = self._clearly(message)
        if matter is not None:
            return self._reading(matter, message, offered)
        return self._mixed(message) if "draft_ticket" in offered else None

    def _is_of_a_category(self, message: Message) -> bool:
        """Tell whether a statement has a word of a category: a certificate for the landlord is no legal advice."""
        return is_report(message) and bool(self._extractor.category(message.text))

    def _mixed(self, message: Message) -> Reading | None:
        """Return the two things to do for a message that reports something and asks something else."""
        matters = matters_of(message)
        if matters is None:
            return None
        made = {**self._extractor.draft(matters.report).as_arguments(), "description": message.text.strip()}
        draft = Step("draft_ticket", {**made, "occasion": "beside"})
        reported = "" if matters.whom else matters.report
        return Several(
            (draft,),
            looked_up=matters.looked_up,
            reported=reported,
            aside=matters.whom,
            nearly=matters.whom,
            of_report=matters.of_report,
        )

    def _suppose(self, message: Message, offered: frozenset[str]) -> Reading | None:
        matter = self._apart(message) or new_ticket(message) or completing(message) or self._given_later(message)
        matter = matter or self._placed(message)
        if matter is None and phrases.CONFIRM_WORDS.match(message.plain):
            matter = Matter(Intent.CONFIRM)  # nothing else waits for it: it is told that no draft does
        return None if matter is None else self._reading(matter, message, offered)

    def _apart(self, message: Message) -> Matter | None:
        """Return that it is to be asked where a complaint belongs that names nothing and is of another category.

        "It kicked me out, too many tries" below the draft of a leak is hardly said of that.
        """
        if not (waits(message) and has_no_subject(message)) or shares_words(message):
            return None
        category = self._extractor.draft(message.text).category
        before = {self._extractor.draft(turn.asked).category for turn in message.memory.turns[-EARLIER:]}
        of_programs = category in _OF_PROGRAMS and before & _OF_PROGRAMS
        is_other = category not in ("", "other", *before) and not of_programs
        return Matter(Intent.REVISE, detail=message.text, missing="apart") if is_other else None

    def _placed(self, message: Message) -> Matter | None:
        """Take a statement that says where it is so as a report, and what is asked for with its day as a wish.

        "It rains through at gate 9", "parental leave from 1 March, please".
        """
        told = _POINTING.sub("the thing", message.core, count=1)
        if message.question:
            return None
        fields = self._extractor.draft(message.text).fields
        says_where = bool(set(PLACES) & set(fields))
        wanted = bool(fields) and (says_where or not asks_for_deed(message.text))  # nobody comes to a deed of no place
        wished = message.directed and wanted and bool(self._extractor.category(message.text))
        placed = says_where and states_of_thing(told)
        return Matter(Intent.DRAFT, detail=message.text, tries=True, wished=wished) if wished or placed else None

    def _given_later(self, message: Message) -> Matter | None:
        """Take a bare value, or more about it, as meant for a draft of the thread, whatever was spoken of meanwhile."""
        missing = (*_names(message, "missing"), *PLACES)
        if not message.memory.last.get("draft") or message.question:
            return None
        is_value = self._extractor.is_value(message.text, missing=missing)
        if not is_value and message.is_short and not is_report(message):
            placed = not set(PLACES).isdisjoint(self._extractor.fields(message.text))
            is_value = placed or (tells_where(message) and is_chinese(message.text))
        says_more = goes_on(message) and not message.hangs_on
        return Matter(Intent.REVISE, detail=message.text, explained=not is_value) if is_value or says_more else None

    def _clearly(self, message: Message) -> Matter | None:
        message = pointed_out(message)
        thanks = THANKS.match(message.plain) and not ACCEPTED.match(message.plain)
        if thanks and not is_mended(message.plain):
            return about_steps(message)
        same = is_same(message, ticket_reference(message.text, self._prefix)) or is_of_draft(message)
        same = same or asked_of_requester(message)
        matter = same or self._answer(message) or about_draft(message) or about_ticket(message, self._prefix)
        return matter or about_news(message)

    def _answer(self, message: Message) -> Matter | None:
        """Take a message as the answer to what the desk asked back, or to its offer of a ticket."""
        turns = message.memory.turns
        if message.follows("no_evidence") and ACCEPTED.match(message.plain):
            return Matter(Intent.DRAFT, detail=turns[-1].asked)
        if not message.follows("asked_back") or message.procedural or calls_off(message.plain):
            return None
        earlier = read(turns[-1].asked, Recollection(turns=turns[:-1], last=message.memory.last))
        matter = self._clearly(earlier) or new_ticket(earlier) or completing(earlier)
        return None if matter is None else self._filled(matter, message)

    def _filled(self, matter: Matter, message: Message) -> Matter | None:
        said = message.text
        match matter.missing:
            case "problem":
                return Matter(Intent.DRAFT, detail=said, tries=True)
            case "ticket":
                bare = re.fullmatch(r"#?(\d{1,9})", message.plain.strip(" .。"))
                named = ticket_reference(said, self._prefix) or (bare.group(1) if bare else "")
                return Matter(matter.intent, ticket=named, detail=matter.detail) if named else None
            case "comment" | "resolution":
                return Matter(matter.intent, ticket=matter.ticket, detail=said)
            case "assignee":
                return Matter(matter.intent, ticket=matter.ticket, detail=assignee(said) or said.strip())
            case "priority" if wanted := priority_named(message.plain):
                return Matter(matter.intent, ticket=matter.ticket, detail=wanted)
            case _:
                return None

    def _reading(self, matter: Matter, message: Message, offered: frozenset[str]) -> Reading:
        matter = _within_rights(matter, message, offered)
        intent = matter.intent
        if intent is Intent.RESOLVE and "resolve_ticket" not in offered:
            intent = Intent.CANCEL  # who may not resolve means "I no longer need it"; withdrawing asks for a button
        elif matter.missing:
            return AskBack(code=_TO_ASK[matter.missing], options=self._options(matter, message))
        match intent:
            case (
                Intent.DRAFT
                | Intent.REVISE
                | Intent.CONFIRM
                | Intent.CONTINUE
                | Intent.SOLVED
                | Intent.DISCARD
                | Intent.RESTORE
            ):
                return self._of_draft(matter, message)
            case Intent.HAND_OVER:
                return self._handed_over(matter, message)
            case Intent.FIND | Intent.COUNT:
                counted: dict[str, JsonValue] = {"period": matter.detail, "mine": bool(matter.status)}
                find = intent is Intent.FIND
                return Step("find_ticket" if find else "count_tickets", {"about": matter.detail} if find else counted)
            case Intent.LIST | Intent.QUEUE:
                scope = "queue" if intent is Intent.QUEUE else "mine"
                return Step("list_tickets", {"scope": scope, **({"status": matter.status} if matter.status else {})})
            case _:
                detail = {_DETAILS[intent]: matter.detail} if intent in _DETAILS else {}
                return Step(f"{intent}_ticket", {"ticket": matter.ticket or "last", **detail})

    def _options(self, matter: Matter, message: Message) -> list[str]:
        """Return the answers that are offered with what is asked back."""
        language = "zh" if is_chinese(message.text) else "en"
        if matter.missing == "apart":
            return [say(language, "same_or_new.draft"), say(language, "same_or_new.new")]
        if matter.missing != "same":
            return []
        number = matter.ticket if matter.ticket != "that" else message.memory.last.get("ticket", "")
        return [say(language, "same_or_new.add", number=number), say(language, "same_or_new.new")]

    def _handed_over(self, matter: Matter, message: Message) -> Reading:
        """Draft a ticket with the conversation for somebody who wants a person, below whom they may call."""
        chinese = is_chinese(message.text)
        last = next((turn.asked for turn in reversed(message.memory.turns) if not _is_control(turn.asked)), "")
        made = self._extractor.draft(last or message.text)
        about = f"{'：' if chinese else ': '}{made.title}" if last else ""
        title = ("希望与人工沟通" if chinese else "Wants to speak with a person") + about
        draft: dict[str, JsonValue] = {
            **made.as_arguments(),
            "title": title[:TITLE_CHARS],
            "description": matter.detail,
        }
        before = answered_last(message.memory)
        reach = GoingOn(_WHOM_TO_CALL[chinese], last or message.text, before, points=True, calls=True)
        return Several(
            (Step("draft_ticket", {**draft, "occasion": "hand_over"}),),
            looked_up=_WHOM_TO_CALL[chinese],
            aside=True,
            about=_DESKS,
            reach=reach,
        )

    def _of_draft(self, matter: Matter, message: Message) -> Reading:
        """Return what becomes of a message about a draft, or one that makes one."""
        match matter.intent:
            case Intent.DRAFT:
                made = self._extractor.draft(matter.detail)
                step = Step("draft_ticket", {**made.as_arguments(), **_wished(matter)})
                of_page, looks = matter.stays, matter.explained or matter.tries
                beside = step if matter.tries and not of_page else None
                vague = beside is not None and made.category in ("", "other")
                read = Lookup(step, beside=beside, goes_on=of_page, of_page=of_page, vague=vague)
                return read if looks else step
            case Intent.REVISE:
                return self._revised(matter, message)
            case Intent.CONTINUE:
                return _continued(matter, message)
            case Intent.CONFIRM:
                return Step("show_draft", {"draft": "last"})
            case Intent.RESTORE:
                return Step("restore_draft", {"draft": "discarded"})
            case _:
                return Step("discard_draft", {"draft": "last", "solved": matter.intent is Intent.SOLVED})

    def _revised(self, matter: Matter, message: Message) -> Reading:
        """Return what a draft is told, and beside it what the pages may say to that."""
        changes = self._extractor.changes(
            matter.detail, missing=_names(message, "missing"), told=_names(message, "fields")
        )
        meant = correction_of(matter.detail)
        instead: dict[str, JsonValue] = {"instead": {meant.old: meant.new}} if meant else {}
        before = message.memory.turns[-1].asked if message.follows("asked_back") else ""
        said = {"said": before} if before and before == matter.detail else {}
        revised: Mapping[str, JsonValue] = {"draft": "last", "changes": dict(changes), **instead, **said}
        step = Step("revise_draft", revised)
        missing = _names(message, "missing")
        guessed = matter.apart and not set(missing) & set(self._extractor.fields(matter.detail))
        told = set(changes) - {"description", *(missing if guessed else ())}
        if reads_more(message):
            subject = gist(message.memory.turns[-1].asked) if message.memory.turns else ""
            return Several((step,), looked_up=f"{subject} {matter.detail}".strip(), aside=True)
        if not told & set(missing) and _may_be_on_page(message):
            return Lookup(step, beside=step, goes_on=True, of_page=True, along=True)
        asks = (matter.explained or matter.apart) and not told
        return Lookup(otherwise=step, goes_on=matter.explained) if asks else step


def _may_be_on_page(message: Message) -> bool:
    """Tell whether the page that was shown above a draft may say more to what is added: "her ferns too"."""
    if not (waits(message) and message.follows_pages) or tells_since(message.plain) or tells_where(message):
        return False
    more = going_on(message.asked, message.memory) or may_go_on(message.asked, message.memory, tells=message.tells)
    return more is not None and more.before is not None


#: What follows where somebody gives one thing up and goes on with another: "forget it, but the light is broken too".
_INSTEAD = re.compile(
    r"[,，.。;；!！]? ?(?:\b(?:but|however|though|only|also|instead)\b|但是?|不过|可是|倒是|另外)[,， ]*"
)


def _reported_instead(message: Message) -> str:
    """Return what else is reported in the same breath in which a draft is given up; "" for nothing."""
    if not message.memory.last.get("draft") or message.question:
        return ""
    found = _INSTEAD.search(message.text)
    before, other = (message.text[: found.start()], message.text[found.end() :]) if found else ("", "")
    reports = bool(before) and calls_off(normalise(before)) and is_report(read(other))
    return other if reports and not is_mended(normalise(other)) else ""


def _continued(matter: Matter, message: Message) -> Reading:
    """Return that a draft goes on, below what its steps leave to do: "still nothing: the spare one is in the safe"."""
    step = Step("continue_draft", {"draft": "last", "said": matter.detail})
    turns = message.memory.turns
    left = turns and matter.detail and tells_what_is_left(turns[-1].answered)
    return Several((step,), looked_up=turns[-1].asked, aside=True) if left else step


def _within_rights(matter: Matter, message: Message, offered: frozenset[str]) -> Matter:
    """Return the matter as it is for who may change priorities, and as urging for who may not."""
    works = "prioritise_ticket" in offered
    urgent = matter.intent is Intent.URGE and phrases.MAKE_URGENT.search(message.core)
    if works and urgent:
        return replace(matter, intent=Intent.PRIORITISE, detail="urgent")
    if works and matter.intent is Intent.LIST and not phrases.OWN_ONES.search(message.plain):
        return replace(matter, intent=Intent.QUEUE)
    raises = matter.intent is Intent.PRIORITISE and matter.detail in ("high", "urgent")
    return replace(matter, intent=Intent.URGE, detail="") if raises and not works else matter


def _wished(matter: Matter) -> dict[str, JsonValue]:
    return {"occasion": "wish"} if matter.wished else {}


def _names(message: Message, key: str) -> tuple[str, ...]:
    """Return names of fields that the thread remembers of its draft: those that it lacks, or those that it has."""
    return tuple(name for name in message.memory.last.get(key, "").split(",") if name)


def _is_matter(message: Message) -> bool:
    """Tell whether it names a ticket or a fault, which is no small talk even when it is about the weather."""
    return phrases.THE_NOUN.search(message.plain) is not None or faults.FAULT.search(message.core) is not None


def _is_control(said: str) -> bool:
    """Tell whether words only steer the conversation: "never mind", "thanks"; they are no matter of their own."""
    plain = normalise(said)
    return calls_off(plain) or is_thanks(plain) or is_noted(plain)
