"""What the page may send: the shapes of the JSON bodies, and how a body is read safely."""

from collections.abc import AsyncIterator
from typing import Annotated, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
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


class FileBody(BaseModel):
    """A file that was sent before, by the id that it was sent under."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: EventId
    name: Annotated[str, StringConstraints(min_length=1, max_length=255)]
    size: Annotated[int, Field(ge=0)]


class MessageBody(_Body):
    """A message: words, files, or both."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=8_000)]
    files: Annotated[tuple[FileBody, ...], Field(max_length=10)] = ()

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.text and not self.files:
            raise ValueError("neither words nor files")
        return self

    @property
    def shown(self) -> str:
        """Return what stands in the conversation."""
        return "\n".join(filter(None, (self.text, *(f"📎 {each.name}" for each in self.files))))


class RemovalBody(_Body):
    """A message that its author removes, by the id that it was sent under."""


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


async def pieces(request: Request) -> AsyncIterator[bytes]:
    """Yield a file's bytes as they come; what breaks off raises `BodyMalformed`."""
    # Like JSON, no plain form elsewhere can send this type.
    if request.headers.get("content-type", "") != "application/octet-stream":
        raise BodyMalformed
    try:
        async for piece in request.stream():
            yield piece
    except ClientDisconnect as gone:
        raise BodyMalformed from gone


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
