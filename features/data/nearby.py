"""The numbers that come nearest in meaning to a question that could not be read."""

import asyncio

from agent.tools.context import ToolContext
from features.data.answering import today_of
from features.data.understanding.asked import ReadingChoice
from features.data.understanding.rows import KnownRows
from features.data.understanding.thread import Questions
from identity.permissions import Permission
from identity.policy import decide
from search.service import SearchService

#: Seconds that an answer waits for a model that compares; without one, words alone tell what is near.
_PATIENCE_S = 5.0
#: Characters of what is named as not read.
_LONGEST_NAMED = 80


class NearNumbers:
    """Finds them off the loop; what the catalogue says is read by the model once, as long as it is kept there."""

    def __init__(self, questions: Questions, rows: KnownRows, search: SearchService) -> None:
        self._questions = questions
        self._rows = rows
        self._search = search

    async def to(self, context: ToolContext, text: str) -> tuple[str, tuple[ReadingChoice, ...]]:
        """Return what could not be read of a question, and the numbers that it may be about, the nearest first.

        None where it wants no number; "" where every word could be read.
        """
        found = await asyncio.to_thread(
            self._questions.nearest,
            text,
            today=today_of(context),
            language=context.language,
            names=self._rows.of(context.actor.id),
        )
        if not found.near:
            return "", ()
        near: tuple[tuple[float, ...], ...] = ()
        if decide(context.actor, Permission.KNOWLEDGE_ASK).allowed:
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    near = await self._search.likeness(context.actor, (found.unread, text), found.terms)
            except TimeoutError:
                near = ()
        likeness = {term: sum(each) / len(each) for term, each in zip(found.terms, near, strict=False)}
        return "" if found.unread == text else found.unread[:_LONGEST_NAMED], found.ranked(likeness)
