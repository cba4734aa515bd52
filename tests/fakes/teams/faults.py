"""Trouble in the local Teams: what every fake has, and answers that a test puts into the connector's mouth."""

from dataclasses import dataclass, field

from tests.fakes.faults import Faults
from tests.fakes.teams.errors import CODES, Refused


@dataclass
class Refusal:
    """An answer that the next calls of an operation get."""

    status: int
    code: str
    times: int
    carried_out: bool
    retry_after_s: int | None


@dataclass
class TeamsFaults(Faults):
    """The switches, by the name of an operation: SendToConversation, UpdateActivity, Token, Keys, …; "*" means all."""

    _refusals: dict[str, list[Refusal]] = field(default_factory=dict)

    def refuse(
        self, operation: str, status: int, code: str = "", *, times: int = 1, carried_out: bool = False,
        retry_after_s: int | None = None,
    ) -> None:  # fmt: skip
        """Answer the next calls with this status; `carried_out` does what was asked all the same (502, 504)."""
        refusal = Refusal(status, code or CODES.get(status, ""), times, carried_out, retry_after_s)
        self._refusals.setdefault(operation, []).append(refusal)

    def calm(self) -> None:
        """Switch everything off."""
        super().calm()
        self._refusals.clear()

    def refusal(self, operation: str) -> tuple[Refused, bool] | None:
        """Return the refusal that this call gets and whether it is carried out all the same, and count it."""
        for name in (operation, "*"):
            for refusal in self._refusals.get(name, ()):
                if refusal.times:
                    refusal.times -= 1
                    refused = Refused(refusal.status, refusal.code, retry_after_s=refusal.retry_after_s)
                    return refused, refusal.carried_out
        return None
