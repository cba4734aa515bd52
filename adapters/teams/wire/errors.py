"""What the Bot Connector's refusals mean for a caller: come back later, or never again."""

from collections.abc import Mapping
from enum import Enum
from http import HTTPStatus
from typing import Any

from adapters.outbound.errors import CallDenied, ContentRefused, StreamOver, Vanished


class TeamsMeaning(Enum):
    """What to do after a refusal."""

    LIMITED = "limited"  # nothing was carried out: again, more slowly
    FAILING = "failing"  # nobody knows
    CREDENTIALS = "credentials"
    GONE = "gone"
    NEVER = "never"


#: The person blocked the desk, or the app is not (or no more) where it would write.
_GONE = frozenset(
    {
        "BotDisabledByAdmin", "BotNotInConversationRoster", "ConversationBlockedByUser", "ForbiddenOperationException",
        "MessageWritesBlocked",
    }
)  # fmt: skip
STREAM_OVER = "ContentStreamNotAllowed"
_DENIALS: Mapping[int, type[CallDenied]] = {
    HTTPStatus.BAD_REQUEST: ContentRefused,
    HTTPStatus.NOT_FOUND: Vanished,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ContentRefused,
}
#: Refusals that name no reason of their own: the token is not taken.
_TOKEN = frozenset({"", "AuthorizationFailed", "Forbidden", "Unauthorized"})
_LIMITED = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.PRECONDITION_FAILED})
#: Failures of the server; what it does not implement (501) it never will.
_BROKEN = frozenset(range(HTTPStatus.INTERNAL_SERVER_ERROR, 600)) - {HTTPStatus.NOT_IMPLEMENTED}


def code_of(told: Mapping[str, Any]) -> str:
    """Return the code in an error's JSON; "" when there is none.

    Some codes stand only in the words of the error, as JSON in a string or as English.
    """
    inner = told.get("error")
    error = inner if isinstance(inner, Mapping) else told
    code = next((str(error[name]) for name in ("code", "error", "errorCode") if error.get(name)), "")
    words = f"{error.get('message')} {told.get('message')}"
    if "stream" in words.lower():
        return STREAM_OVER
    return next((known for known in sorted(_GONE) if known in words), code)


def meaning_of(status: int, code: str) -> TeamsMeaning:
    """Return what a refusal asks for; one that is not known is taken for the last word."""
    if status in _LIMITED:
        return TeamsMeaning.LIMITED
    if status < HTTPStatus.BAD_REQUEST or status in _BROKEN:
        return TeamsMeaning.FAILING
    if code in _GONE:
        return TeamsMeaning.GONE
    if status == HTTPStatus.UNAUTHORIZED or (status == HTTPStatus.FORBIDDEN and code in _TOKEN):
        return TeamsMeaning.CREDENTIALS
    return TeamsMeaning.NEVER


def denied(what: str, status: int, code: str) -> CallDenied:
    """Return the last word on a call."""
    kind = StreamOver if code == STREAM_OVER else _DENIALS.get(status, CallDenied)
    return kind(what, f"{status} {code}".rstrip())
