"""What can go wrong with people.

IdentityError
├── Forbidden          the actor may not do this
├── UnknownPerson      no such id or e-mail in people.yaml
├── PeopleFileInvalid  people.yaml cannot be read or has a wrong entry
└── SignInRefused      the link is unknown, used or expired
"""

from typing import Literal


class IdentityError(Exception):
    """Base of this package's errors."""


class Forbidden(IdentityError):
    """The actor may not do this."""

    def __init__(self, *, actor_id: str, permission: str, reason: str) -> None:
        super().__init__(f"{actor_id} may not {permission}: {reason}")
        self.actor_id = actor_id
        self.permission = permission
        self.reason = reason


class UnknownPerson(IdentityError):
    """No such id or e-mail in people.yaml."""

    def __init__(self, person: str) -> None:
        super().__init__(f"nobody with the id or e-mail {person!r} stands in people.yaml")
        self.person = person


class PeopleFileInvalid(IdentityError):
    """people.yaml cannot be read or has a wrong entry."""


RefusedSignIn = Literal["unknown", "used", "expired"]


class SignInRefused(IdentityError):
    """The link is unknown, used or expired."""

    def __init__(self, reason: RefusedSignIn = "unknown") -> None:
        super().__init__(f"the sign-in link is {reason}")
        self.reason = reason
