"""What stands above a reply, or in its place: the result of a call that a message may need beside its answer."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from agent.brains.assistant import Work
from agent.brains.rules.talk import Step
from agent.gate.gate import Gate
from agent.gate.outcomes import Done
from agent.tools.context import Ledger, ToolContext
from agent.tools.prefetch import same_words
from search.documents import Meaning
from search.errors import IndexUnavailable

#: Seconds that a reply is held back for the search of the message's own words, where its brain has not waited for it.
_WAIT_S = 1.0
#: The call that a message may need beside its answer, by its words and the vector that they were searched with.
FindAbove = Callable[[str, Meaning], Step | None]


class AboveReply:
    """Makes the call, once the brain has ended, or finds the one to make before it begins."""

    def __init__(self, gate: Gate, find: FindAbove, instead: FindAbove) -> None:
        self._gate = gate
        self._find = find
        self._instead = instead

    async def instead(self, context: ToolContext) -> Step | None:
        """Return the call that a message needs in place of any reply, known by what it means; None for none."""
        with suppress(IndexUnavailable, TimeoutError):
            meant = await _meant(context)
            return None if meant is None else self._instead(context.text, meant)
        return None

    async def of(self, work: Work) -> Done | None:
        """Return what came of the call; None where there is none, where it may not be made, or was made already.

        Without a vector of the message, as on a desk that searches by words alone, there is none.
        """
        context = work.context
        with suppress(IndexUnavailable, TimeoutError):
            meant = await _meant(context)
            step = None if meant is None else self._find(context.text, meant)
            if step is None or any(call.tool == step.tool for call in work.calls):
                return None
            # A budget of its own: what the brain has used up is no reason to keep it back.
            own = replace(context, ledger=Ledger())
            done = await self._gate.call(own, step.tool, step.arguments, tainted=False)
            return done if isinstance(done, Done) else None
        return None


async def _meant(context: ToolContext) -> Meaning | None:
    search = context.prefetched.get(same_words(context.text))
    return None if search is None else (await asyncio.wait_for(asyncio.shield(search), _WAIT_S)).meant
