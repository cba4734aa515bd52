"""What every tool's arguments have in common: closed, frozen, and never an identity."""

import re
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

#: Argument names that would say on whose behalf a call is made. Who calls is known from the run alone.
IDENTITY_NAMES = frozenset(
    {
        "actingas",
        "actor",
        "actorid",
        "asuser",
        "audience",
        "behalf",
        "email",
        "employeeid",
        "groups",
        "identity",
        "impersonate",
        "onbehalfof",
        "permission",
        "permissions",
        "personid",
        "principal",
        "principals",
        "requester",
        "requesterid",
        "role",
        "roles",
        "runas",
        "sudo",
        "tenant",
        "tenantid",
        "user",
        "userid",
        "username",
    }
)


class Arguments(BaseModel):
    """Base of every tool's arguments."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


def identity_names(names: Iterable[str], *, declared: Iterable[str]) -> tuple[str, ...]:
    """Return the names that try to say who is calling and do not stand in the tool's own schema."""
    known = frozenset(declared)
    return tuple(name for name in names if name not in known and _folded(name) in IDENTITY_NAMES)


def _folded(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.casefold())
