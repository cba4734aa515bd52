"""How a feature speaks to people and channels that did not ask just now."""

from typing import Protocol

from features.anatomy.schedules import Says
from storage.ids import JsonObject


class Telling(Protocol):
    """How a feature writes to people who did not ask just now."""

    async def tell(
        self,
        person: str,
        draw: Says,
        *,
        key: str,
        address: JsonObject | None = None,
        order: str = "",
    ) -> bool:
        """Write to a person, once for each `key`; return whether they can be written to.

        It goes to `address` (as a run was given it) while they can be reached there, else where they were last spoken
        to. What has the same `order` is posted one after the other.
        """
        ...

    async def post(self, target: JsonObject | None, draw: Says, *, key: str, timezone: str = "UTC") -> str:
        """Post to the channel that is the target of a slot, once for each `key`; return what came of it, in a word."""
        ...

    async def redraw(self, subject: str, *, version: str) -> None:
        """Draw the posted cards of a record (`kind:id`) again, once for each `version`."""
        ...
