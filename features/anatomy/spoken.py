"""What a use case has to say back: an outcome and blocks; the inbox turns it into the one reply."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from adapters.cards import Block, Note, Text, Tone
from agent.runs.answer import Outcome
from features.anatomy.texts import has, say


@dataclass(frozen=True)
class Spoken:
    """An outcome, what is shown, and what the card is about (`draft:<id>`) when that may change later."""

    outcome: Outcome
    blocks: tuple[Block, ...]
    subject: str = ""
    run_id: str | None = None
    refresh: tuple[str, ...] = ()  # subjects whose posted cards are to be drawn again
    whisper: bool = False  # where others read along, only the person it is for sees it
    privately: bool = False  # it goes to the person's own conversation, wherever they asked
    offer: tuple[Block, ...] = ()  # whispered beside it
    run: Callable[[Any], Awaitable[None]] | None = None  # writes the run that says it, with the end of the event
    asked: tuple[Block, ...] = ()  # above it: what it answers, where that stands nowhere else
    rests_on: tuple[str, ...] = ()  # the ids of the pages that it quotes

    def with_offer(self, blocks: tuple[Block, ...]) -> "Spoken":
        """Return the same with something whispered beside it."""
        return replace(self, offer=blocks)


def note(outcome: Outcome, words: str, *, tone: Tone = "neutral", refresh: tuple[str, ...] = ()) -> Spoken:
    """Return one small line. It is drawn as it is written, so that the marks of what is to be typed are left out."""
    return Spoken(outcome=outcome, blocks=(Note(words.replace("`", ""), tone=tone),), refresh=refresh)


def text(outcome: Outcome, words: str) -> Spoken:
    """Return one paragraph."""
    return Spoken(outcome=outcome, blocks=(Text(words),))


def refusal(language: str, code: str, detail: str) -> str:
    """Return the words of a refusal; an unknown code still says that it was refused and why."""
    key = f"refused.{code}"
    return say(language, key, detail=detail) if has(key) else say(language, "refused.denied", detail=detail or code)


def said_of(code: str, language: str, **values: str) -> tuple[Block, ...]:
    """Return the line that says what happened (`Records.code`); nothing where the code has no words."""
    if not code or not has(code):
        return ()
    return (Note(say(language, code, **{"name": "", **values}), tone="good"),)
