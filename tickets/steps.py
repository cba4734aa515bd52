"""One step in a ticket's life, as a value: what is asked, and what the ticket becomes."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from identity.actor import Actor
from storage.columns import storable
from tickets.ticket import Action, Ticket, next_status


@dataclass(frozen=True)
class Step:
    """What somebody wants to do. `version` is the one that he saw; None where the state alone decides."""

    action: Action
    text: str = ""  # the comment, resolution or reason
    assignee: Actor | None = None
    version: int | None = None
    key: str = ""

    @property
    def detail(self) -> str:
        """Return what the timeline and the notice say beside the action."""
        return storable(self.assignee.name) if self.assignee else self.text


def changes_nothing(ticket: Ticket, step: Step) -> bool:
    """Return whether the ticket already is what the step asks for: the same person, assigned again."""
    return step.assignee is not None and ticket.assignee_id == step.assignee.id


def taken_by_another(ticket: Ticket, step: Step) -> bool:
    """Return whether the step would silently take the ticket from somebody; naming the version makes it deliberate."""
    return step.assignee is not None and ticket.assignee_id is not None and step.version is None


def apply(ticket: Ticket, step: Step, *, now: datetime) -> Ticket:
    """Return the ticket after the step; raise KeyError when its state does not allow it."""
    status = next_status(step.action, ticket.status) or ticket.status
    moved = replace(ticket, status=status, version=ticket.version + 1, updated_at=now)
    match step.action:
        case Action.ASSIGN:
            assignee = step.assignee
            return replace(
                moved,
                assignee_id=assignee.id if assignee else None,
                assignee_name=storable(assignee.name) if assignee else None,
            )
        case Action.RESOLVE:
            return replace(moved, resolution=step.text)
        case Action.REOPEN:  # back in the queue: nobody has it, and it may be urged at once
            return replace(moved, resolution="", assignee_id=None, assignee_name=None, urged_at=None)
        case Action.URGE:
            return replace(moved, urged_at=now, urges=ticket.urges + 1)
        case Action.CANCEL | Action.COMMENT:
            return moved
        case _:
            assert_never(step.action)
