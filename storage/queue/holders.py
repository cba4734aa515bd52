"""Who holds an item, as its row says: which worker, by which claim, and what the deaths of earlier holders prove.

A holder is written `[alone:]WORKER/CLAIM[#DEATHS][+]`. A worker that died may have been killed by any item that it
held, or from outside. So a death counts against an item only where the worker held nothing else: what it had held
together with others is marked `+` when the first of them is taken again, and what is taken again is alone for a moment.
"""

from dataclasses import dataclass

from storage.ids import new_id

#: Mark of a holder that had one item only in its claim. When it dies, the item may be the reason; of many, none is.
ALONE = "alone:"
WITH_OTHERS = "+"


@dataclass(frozen=True)
class Holder:
    """One claim of one worker; `deaths` are those of its predecessors that count against the item."""

    worker: str
    alone: bool = False
    deaths: int = 0
    with_others: bool = False  # when it died

    def claim(self, *, alone: bool = False, deaths: int = 0) -> str:
        """Return the text for a new claim: it is the fence, too, so it comes only once."""
        counted = f"#{deaths}" if deaths else ""
        return f"{ALONE if alone else ''}{self.worker}/{new_id('claim')}{counted}"


def held_by(text: str) -> Holder:
    """Return who held an item, from what its row says; what another release wrote proves nothing."""
    rest = text.removesuffix(WITH_OTHERS)
    worker, _, claim = rest.removeprefix(ALONE).partition("/")
    counted = claim.partition("#")[2]
    return Holder(
        worker=worker if claim else "",
        alone=rest.startswith(ALONE),
        deaths=int(counted) if counted.isdecimal() else 0,
        with_others=rest != text or not claim,
    )
