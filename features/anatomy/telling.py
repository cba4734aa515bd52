"""How a feature speaks to people and channels that did not ask just now."""

from typing import Protocol

from features.anatomy.schedules import Says
from features.anatomy.sections import Audience
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
        subject: str = "",
        patient: bool = False,
    ) -> bool:
        """Write to a person, once for each `key`; return whether they can be written to.

        It goes to `address` (as a run was given it) while they can be reached there, else where they were last spoken
        to. What has the same `order` is posted one after the other. With a `subject` (`kind:id`) the card can be drawn
        again. What is `patient` may wait for the end of the person's quiet hours and be told together with other news.
        """
        ...

    async def post(
        self, target: JsonObject | None, draw: Says, *, key: str, timezone: str = "UTC", subject: str = ""
    ) -> str:
        """Post to the channel that is the target of a slot, once for each `key`; return what came of it, in a word.

        With a `subject` (`kind:id`) the card can be drawn again.
        """
        ...

    def channel_of(self, address: JsonObject) -> JsonObject | None:
        """Return the target of the channel that an address (as a run was given it) lies in; None in a person's own."""
        ...

    async def readers(self, place: JsonObject) -> frozenset[str]:
        """Return the principals that all who read at a channel's target or an address have in common at this moment."""
        ...

    async def is_member(self, person: str, place: JsonObject) -> bool | None:
        """Return whether a person reads at a channel's target or an address now; False where nobody can tell.

        None while the platform gives no answer.
        """
        ...

    async def audience(self, place: JsonObject) -> Audience:
        """Return everybody who reads at a channel's target or an address, with what all of them may do and read."""
        ...

    async def redraw(self, subject: str, *, version: str) -> None:
        """Draw the posted cards of a record (`kind:id`) again, once for each `version`."""
        ...
