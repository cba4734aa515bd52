"""A person's home: what waits for them."""

from adapters.cards import Block, Heading, Note
from agent.approvals.approvals import Approvals
from bot.delivery.showing import Showing
from bot.rendering.texts.catalogue import say
from features.anatomy.feature import Feature
from features.anatomy.reader import Reader
from identity.actor import Actor


class Home:
    """Gathers what waits for a person."""

    def __init__(self, features: tuple[Feature, ...], *, approvals: Approvals, showing: Showing) -> None:
        self._parts = [feature.home for feature in features if feature.home is not None]
        self._feet = [feature.home_foot for feature in features if feature.home_foot is not None]
        self._approvals = approvals
        self._showing = showing

    async def blocks(self, actor: Actor, reader: Reader) -> tuple[Block, ...]:
        """Return the home's blocks: approvals first, then what each feature has."""
        blocks: list[Block] = []
        for approval in await self._approvals.waiting(actor):
            blocks.extend(await self._showing.approval(actor, approval.id, reader))
        for part in self._parts:
            blocks.extend(await part(actor, reader))
        language = reader.language
        feet = [block for foot in self._feet for block in await foot(actor, reader)]
        return (Heading(text=say(language, "home.title")), *(blocks or [Note(say(language, "home.nothing"))]), *feet)
