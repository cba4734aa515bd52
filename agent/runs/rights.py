"""Who may read now what runs, conversations and memories quote: pages by the search, results of tools by their feature.

A page is named by the id of its document, a result by `kept_id`: its kind, and what its feature finds it by.
"""

import hashlib
from collections.abc import Awaitable, Callable, Collection, Mapping

from agent.tools.prefetch import PageRights
from identity.actor import Actor
from identity.readership import ALONE, Readership

#: Says whether somebody, and all who read along, may read now what a feature has kept under this name.
KeptRights = Callable[[Actor, str, Readership], Awaitable[bool]]
#: Before the kind: no source of pages is called so.
_SIGN = "="


def kept_id(kind: str, name: str) -> str:
    """Return by what a kept result is named among pages."""
    return f"{_SIGN}{kind}:{name}"


#: The kind of what was drawn for somebody's eyes as they were then, from more than pages and results: a digest.
_EYES = "eyes"


def rights_of(actor: Actor) -> tuple[str, ...]:
    """Return what a person's rights follow from."""
    return tuple(sorted({*actor.principals, *actor.roles, actor.kind.value}))


def eyes_of(actor: Actor) -> str:
    """Return the id of what rests on all that an actor may see: readable for as long as their rights are these."""
    return kept_id(_EYES, hashlib.sha256("\n".join(rights_of(actor)).encode()).hexdigest()[:32])


class TodaysRights:
    """Asks whoever knows. What belongs to a feature that is not there any more is nobody's to read."""

    def __init__(self, search: PageRights) -> None:
        self._search = search
        self.kinds: Mapping[str, KeptRights] = {}  # by kind, of the features; given once they are made

    async def readable(
        self, actor: Actor, documents: Collection[str], *, readership: Readership = ALONE, can_wait: bool = False
    ) -> frozenset[str]:
        """Return which of these the actor and all who read along may read now."""
        kept = {each for each in documents if each.startswith(_SIGN)}
        pages = [each for each in documents if each not in kept]
        found = await self._search.readable(actor, pages, readership=readership, can_wait=can_wait)
        return found | {each for each in kept if await self._is_readable(actor, each, readership)}

    async def _is_readable(self, actor: Actor, kept: str, readership: Readership) -> bool:
        kind, _, name = kept.removeprefix(_SIGN).partition(":")
        if kind == _EYES:
            return kept == eyes_of(actor)
        return kind in self.kinds and await self.kinds[kind](actor, name, readership)
