"""What every tool's arguments have in common: closed, frozen, and never an identity."""

import re
from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from storage.ids import JsonObject, JsonValue

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


#: What an argument may hold to stand in the audit: ids that the desk gave, and references of tickets.
_ID = re.compile(r"[a-z]{2,12}_[0-9A-Za-z]{20,32}|[A-Z]{2,6}-[0-9]{1,4}(?:-[0-9]{1,9})?|E[0-9]{1,4}")


def without_words(arguments: JsonObject) -> JsonObject:
    """Return arguments as the audit keeps them: of a text that is no id its length only, since people wrote it."""
    return {name: _without_words(value) for name, value in arguments.items()}


def _without_words(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value if not value or _ID.fullmatch(value) else {"characters": len(value)}
    if isinstance(value, Mapping):
        return {"names": len(value), "characters": sum(len(str(each)) for each in value.values())}
    if isinstance(value, Sequence):
        return [_without_words(each) for each in value]
    return value


def _folded(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.casefold())
