"""Messages that no tool and no document answers: small talk, other people's secrets, matters of no workplace."""

import re

from agent.brains.output import NO_QUESTIONS, AskBack, Refuse
from agent.brains.rules.understanding import phrases
from agent.brains.rules.understanding.beyond import scope_phrases
from agent.brains.rules.understanding.beyond.about_desk import asks_about_desk
from agent.brains.rules.understanding.calling_off import calls_off
from agent.brains.rules.understanding.manners import is_noted, is_thanks
from agent.brains.rules.understanding.message import Message

#: What is said to be kind, with the code of what is said back.
_SMALL_TALK = (
    ("greeting", phrases.GREETING),
    ("farewell", phrases.FAREWELL),
    ("made_by", phrases.MADE_BY),
)


def ending(message: Message) -> AskBack | Refuse | None:
    """Return how a message ends at once, from its own words; None when it is about something."""
    plain = message.plain
    if not re.search(r"\w", plain) or asks_about_desk(plain, pointed=message.follows_pages):
        return AskBack(code="help")
    if said := next((code for code, pattern in _SMALL_TALK if pattern.fullmatch(plain)), ""):
        return AskBack(code=said)
    accepts = message.follows("no_evidence", "asked_back") and phrases.ACCEPTED.match(plain)
    if is_thanks(plain) and not accepts:
        return AskBack(code="thanks")
    left = calls_off(plain)
    if is_noted(plain) and message.follows("answered", "no_evidence") and not (accepts or left):
        return AskBack(code="noted")
    if scope_phrases.OVERRIDE.search(plain) or scope_phrases.SECRETS.search(plain):
        return Refuse(code="secrets")
    return None


def is_dropped(message: Message) -> bool:
    """Tell whether somebody does not want any more what was spoken of."""
    return calls_off(message.plain)


def left(message: Message) -> AskBack | None:
    """Return how a control word ends that no feature has a use for: what was spoken of is dropped, or nothing was."""
    if message.follows("needs_approval") and (found := _before_a_button(message)) is not None:
        return found
    if is_dropped(message):
        return AskBack(code="dropped" if message.follows("asked_back") else "left")
    if phrases.ABOUT_TO_ASK.fullmatch(message.plain):
        return AskBack(code="go_ahead")
    if phrases.NO_HELP.fullmatch(message.plain):
        return AskBack(code="no_help")
    if not _is_bare(message):
        return None
    told = (each.outcome for each in reversed(message.memory.turns) if each.answered not in NO_QUESTIONS)
    return AskBack(code="it_stands" if next(told, "") == "answered" else "nothing_asked")


def _before_a_button(message: Message) -> AskBack | None:
    """Return what is said to a word that stands for a button which only a press may stand for."""
    if phrases.ACCEPTED.match(message.plain):
        return AskBack(code="press_button")
    refused = phrases.REFUSED.fullmatch(message.plain) is not None or is_dropped(message)
    return AskBack(code="not_done") if refused else None


def _is_bare(message: Message) -> bool:
    """Tell whether it only says yes or no, and nothing was asked."""
    asked = message.follows("no_evidence", "asked_back", "needs_approval")
    if asked and message.memory.turns[-1].answered not in NO_QUESTIONS:
        return False
    return phrases.ACCEPTED.match(message.plain) is not None or phrases.REFUSED.fullmatch(message.plain) is not None


def is_off_topic(message: Message) -> bool:
    """Tell whether it is clearly no matter of a workplace; whatever is not clearly so is a question for the desk."""
    if scope_phrases.POETRY.search(message.core):
        return True
    if scope_phrases.COMPANY_MATTER.search(message.plain):
        return False
    by_core = (scope_phrases.WRITING, scope_phrases.ADVICE, scope_phrases.TRIVIA, scope_phrases.CHIT_CHAT)
    return any(pattern.search(message.core) for pattern in by_core) or bool(
        scope_phrases.OUT_CHINESE.search(message.plain)
    )
