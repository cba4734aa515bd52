"""What the page may send: the shapes of the JSON bodies, and how a body is read safely."""

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from starlette.requests import ClientDisconnect, Request

#: Longest body in bytes; a form full of long Chinese paragraphs stays well below.
BODY_BYTES = 64 * 1024

#: Made by the page, so that a resend is recognised. Events of one person never meet those of another.
EventId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
ThreadId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{8,40}$")]
_Short = Annotated[str, StringConstraints(max_length=200)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    event_id: EventId
    thread: ThreadId


class MessageBody(_Body):
    """A message."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8_000)]


class PressBody(_Body):
    """A press of a button, as the card gave it."""

    action: _Short
    id: _Short
    nonce: _Short = ""
    message: _Short | None = None


class FormBody(_Body):
    """A filled form."""

    form: _Short
    id: _Short
    nonce: _Short = ""
    values: Annotated[
        dict[_Short, Annotated[str, StringConstraints(strip_whitespace=True, max_length=8_000)]], Field(max_length=50)
    ]
    message: _Short | None = None


class FeedbackBody(_Body):
    """A judgement of an answer."""

    id: _Short
    verdict: Literal["up", "down"]
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1_000)] | None = None


BodyT = TypeVar("BodyT", bound=_Body)


class BodyTooLarge(Exception):
    """More than `BODY_BYTES` came."""


class BodyMalformed(Exception):
    """The body is no JSON of the expected shape."""


async def read(request: Request, shape: type[BodyT]) -> BodyT:
    """Return the checked body; never holds more than `BODY_BYTES` of it."""
    # Only this type makes a browser ask first (a CORS preflight), so a plain form elsewhere cannot post here.
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise BodyMalformed
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > BODY_BYTES:
                raise BodyTooLarge
    except ClientDisconnect as gone:
        raise BodyMalformed from gone
    try:
        return shape.model_validate_json(bytes(body))
    except ValidationError as error:
        raise BodyMalformed from error
