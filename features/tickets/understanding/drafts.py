"""Messages about a draft that waits in the thread: what it lacks, what changes, and words for its buttons."""

import re

from agent.brains.rules.understanding.message import Message, read
from agent.brains.rules.understanding.phrases import ACCEPTED, NEVER_MIND
from features.tickets.understanding import phrases
from features.tickets.understanding.faults import is_fault
from features.tickets.understanding.matter import Intent, Matter


def waits(message: Message) -> bool:
    """Tell whether the thread's last turn left a draft that waits for the person."""
    left = message.follows("needs_approval", "asked_back") or is_tried(message)
    return bool(message.memory.last.get("draft")) and left


def is_tried(message: Message) -> bool:
    """Tell whether the thread's last turn showed steps to try first, above a draft."""
    last = message.memory.last
    if not (last.get("draft") and last.get("tried") and message.follows("answered")):
        return False
    return is_fault(read(message.memory.turns[-1].asked).core)


def about_steps(message: Message) -> Matter | None:
    """Return what came of the steps that were to be tried first: they solved it, or it is still broken."""
    last, plain = message.memory.last, message.plain
    if not (last.get("draft") and last.get("tried")) or message.question:
        return None
    if phrases.STILL_BROKEN.match(plain) or (is_tried(message) and phrases.NO.fullmatch(plain)):
        bare = phrases.STILL_BROKEN.fullmatch(plain) or phrases.NO.fullmatch(plain)
        return Matter(Intent.CONTINUE, detail="" if bare else message.text)
    if phrases.SOLVED.fullmatch(plain):
        return Matter(Intent.SOLVED)
    unclear = is_tried(message) and ACCEPTED.match(plain)
    return Matter(Intent.SOLVED, missing="steps") if unclear else None


def about_draft(message: Message) -> Matter | None:
    """Return which button of the draft somebody writes instead of pressing it."""
    plain = message.plain
    if (steps := about_steps(message)) is not None:
        return steps
    if phrases.DRAFT_NOUN.search(plain) and not message.procedural:
        if phrases.CANCEL.search(plain) or phrases.THROW_AWAY.search(plain):
            return Matter(Intent.DISCARD)
        if phrases.CONFIRM_WORDS.match(plain):
            return Matter(Intent.CONFIRM)
    if not message.memory.last.get("draft") or message.question:
        return None
    if phrases.CONFIRM_WORDS.match(plain) or (waits(message) and ACCEPTED.match(plain)):
        return Matter(Intent.CONFIRM)
    return Matter(Intent.DISCARD) if waits(message) and NEVER_MIND.fullmatch(plain) else None


def completing(message: Message) -> Matter | None:
    """Take a statement in a thread with a waiting draft as what the draft still lacks, or as a change to it."""
    if not message.memory.last.get("draft") or message.procedural:
        return None
    lacks = waits(message) and not message.plain.endswith("?")
    changes = re.search(phrases.CHANGES_FIELD, message.plain)
    return Matter(Intent.REVISE, detail=message.text) if lacks or changes else None
