"""The ASGI app of the browser chat, mounted by `bot/server`: six POST endpoints in, one event stream out.

    POST messages, removals, press, forms, feedback    JSON with the page's own `event_id`; a resend is a no-op
    POST files?id=…                          the bytes of a file, before the message that it comes with
    GET  events?thread=…                     server-sent events, resumed with Last-Event-ID
    GET  threads                             the person's conversations

An event is stored (`receive` returned) before it is acknowledged; when storing fails the answer is 503 and the page
sends it again under the same id.
"""

import logging
import math
import re
from typing import Any, assert_never

from sse_starlette.sse import EventSourceResponse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from adapters.events import (
    Account,
    Event,
    Feedback,
    File,
    FormSubmit,
    Inbound,
    Message,
    Press,
    Withdrawn,
    withdrawal_of,
)
from adapters.port import Accepted, InvalidForm, Receipt, Shown, TooLarge
from adapters.web.follow import HEARTBEAT_S, Follow
from adapters.web.render import Renderer
from adapters.web.requests import (
    BodyMalformed,
    BodyTooLarge,
    FeedbackBody,
    FormBody,
    MessageBody,
    PressBody,
    RemovalBody,
    pieces,
    read,
)
from adapters.web.services import WebServices
from adapters.web.transcript import TranscriptPlace, said_key

log = logging.getLogger(__name__)

#: Seconds to wait before a failed request is tried again.
RETRY_S = 3

_FILE = re.compile(r"\A[A-Za-z0-9_-]{8,64}\Z")
_THREAD = re.compile(r"\A[A-Za-z0-9_-]{8,40}\Z")


class _Refused(Exception):
    """The request ends here, with a status and a code for the words."""

    def __init__(self, status: int, code: str, *, retry_after_s: float = 0) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.retry_after_s = retry_after_s


def create(services: WebServices) -> Starlette:
    """Return the app; whoever mounts it guards it (session, CSRF token, origin)."""
    api = _Api(services)
    return Starlette(
        routes=[
            Route("/files", api.file, methods=["POST"]),
            Route("/messages", api.message, methods=["POST"]),
            Route("/removals", api.removal, methods=["POST"]),
            Route("/press", api.press, methods=["POST"]),
            Route("/forms", api.form, methods=["POST"]),
            Route("/feedback", api.feedback, methods=["POST"]),
            Route("/events", api.events, methods=["GET"]),
            Route("/threads", api.threads, methods=["GET"]),
        ],
        exception_handlers={
            _Refused: api.refused,
            BodyTooLarge: api.too_large,
            TooLarge: api.file_too_large,
            BodyMalformed: api.malformed,
            **dict.fromkeys(services.not_stored, api.unavailable),
            Exception: api.broken,
        },
    )


class _Api:
    def __init__(self, services: WebServices) -> None:
        self._services = services

    async def message(self, request: Request) -> Response:
        account = await self._sender(request)
        body = await read(request, MessageBody)
        place = TranscriptPlace(account.user, body.thread)
        try:
            await self._services.chat.transcript.add(
                place, author="person", content=body.shown, key=said_key(body.event_id)
            )
        except self._services.not_stored as error:
            raise _Refused(503, "unavailable", retry_after_s=RETRY_S) from error
        self._services.chat.hub.wake(place)
        files = tuple(File(name=each.name, reference={"id": each.id}, size=each.size) for each in body.files)
        event = _event(self._services, account, body, place, asked=said_key(body.event_id))
        return await self._hand_in(Message(**event, text=body.text, files=files))

    async def removal(self, request: Request) -> Response:
        account = await self._sender(request)
        body = await read(request, RemovalBody)
        event = _event(self._services, account, body, TranscriptPlace(account.user, body.thread))
        message = event["event_id"]
        return await self._hand_in(Withdrawn(**{**event, "event_id": withdrawal_of(message)}, message=message))

    async def file(self, request: Request) -> Response:
        account = await self._sender(request)
        identifier = request.query_params.get("id", "")
        if not _FILE.match(identifier):
            raise BodyMalformed
        try:
            size = await self._services.chat.files.keep(
                account.user, identifier, pieces(request), at_most=self._services.file_bytes
            )
        except OSError as error:  # a full disk; the page tries again
            raise _Refused(503, "unavailable", retry_after_s=RETRY_S) from error
        return JSONResponse({"receipt": "kept", "size": size}, status_code=201, headers=_FRESH)

    async def press(self, request: Request) -> Response:
        account = await self._sender(request)
        body = await read(request, PressBody)
        event = _event(self._services, account, body, TranscriptPlace(account.user, body.thread))
        return await self._hand_in(
            Press(**event, action=body.action, id=body.id, nonce=body.nonce, message=body.message)
        )

    async def form(self, request: Request) -> Response:
        account = await self._sender(request)
        body = await read(request, FormBody)
        event = _event(self._services, account, body, TranscriptPlace(account.user, body.thread))
        return await self._hand_in(
            FormSubmit(**event, form=body.form, id=body.id, nonce=body.nonce, values=body.values, message=body.message)
        )

    async def feedback(self, request: Request) -> Response:
        account = await self._sender(request)
        body = await read(request, FeedbackBody)
        event = _event(self._services, account, body, TranscriptPlace(account.user, body.thread))
        return await self._hand_in(Feedback(**event, id=body.id, verdict=body.verdict, reason=body.reason))

    async def threads(self, request: Request) -> Response:
        account = await self._account(request)
        found = await self._services.chat.transcript.threads(account.user)
        return JSONResponse(
            {
                "threads": [
                    {"thread": each.thread, "title": each.title, "updated_at": each.updated_at.isoformat()}
                    for each in found
                ]
            },
            headers=_FRESH,
        )

    async def events(self, request: Request) -> Response:
        account = await self._account(request)
        thread = request.query_params.get("thread", "")
        seen = request.headers.get("last-event-id") or request.query_params.get("after", "0")
        if not _THREAD.match(thread) or not seen.isdecimal() or len(seen) > 15:
            raise BodyMalformed
        follow = Follow(self._services, request, account, TranscriptPlace(account.user, thread), after=int(seen))
        return EventSourceResponse(
            follow.stream(), ping=HEARTBEAT_S, headers={**_FRESH, "X-Accel-Buffering": "no"}, send_timeout=30
        )

    async def refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, _Refused)  # noqa: S101 - Starlette's handler type is wider than what it passes
        return await self._say(request, error.status, error.code, retry_after_s=error.retry_after_s)

    async def too_large(self, request: Request, _error: Exception) -> Response:
        return await self._say(request, 413, "too_large")

    async def file_too_large(self, request: Request, _error: Exception) -> Response:
        return await self._say(request, 413, "file_too_large", limit=max(1, self._services.file_bytes // 1_000_000))

    async def malformed(self, request: Request, _error: Exception) -> Response:
        return await self._say(request, 400, "malformed")

    async def broken(self, request: Request, error: Exception) -> Response:
        # Starlette raises the error again after this answer, so that the server logs it.
        return await self.unavailable(request, error)

    async def unavailable(self, request: Request, error: Exception) -> Response:
        log.error("an event could not be stored: %s", type(error).__name__)
        words = self._services.renderer(_preferred(request)).words
        return _refusal(503, "unavailable", words.unavailable, retry_after_s=RETRY_S)

    async def _say(
        self, request: Request, status: int, code: str, *, retry_after_s: float = 0, **values: object
    ) -> Response:
        account = await self._services.identify(request)
        words = self._services.renderer(account.language if account else _preferred(request)).words
        message = str(getattr(words, code))
        return _refusal(status, code, message.format(**values) if values else message, retry_after_s=retry_after_s)

    async def _account(self, request: Request) -> Account:
        account = await self._services.identify(request)
        if account is None:
            raise _Refused(401, "signed_out")
        return account

    async def _sender(self, request: Request) -> Account:
        account = await self._account(request)
        wait_s = await self._services.admit(account)
        if wait_s > 0:
            raise _Refused(429, "too_many", retry_after_s=wait_s)
        return account

    async def _hand_in(self, event: Inbound) -> Response:
        try:
            receipt = await self._services.receive(event)
        except self._services.not_stored as error:
            raise _Refused(503, "unavailable", retry_after_s=RETRY_S) from error
        return _receipt(receipt, self._services.renderer(event.account.language))


_FRESH = {"Cache-Control": "no-store"}


def _event(
    services: WebServices, account: Account, body: Any, place: TranscriptPlace, *, asked: str = ""
) -> dict[str, Any]:
    event = Event(
        event_id=f"{account.user}:{body.event_id}",
        account=account,
        address=place.address(asked=asked),
        thread=place.key,
        received_at=services.now(),
    )
    return dict(vars(event))


def _receipt(receipt: Receipt, renderer: Renderer) -> Response:
    match receipt:
        case Accepted():
            return JSONResponse({"receipt": "accepted"}, status_code=202, headers=_FRESH)
        case Shown():
            return JSONResponse({"receipt": "form", "html": renderer.form(receipt.form)}, headers=_FRESH)
        case InvalidForm():
            return JSONResponse({"receipt": "invalid", "errors": dict(receipt.errors)}, status_code=422, headers=_FRESH)
        case _:
            assert_never(receipt)


def _refusal(status: int, code: str, message: str, *, retry_after_s: float = 0) -> Response:
    headers = dict(_FRESH)
    if retry_after_s > 0:
        headers["Retry-After"] = str(math.ceil(retry_after_s))
    return JSONResponse({"error": code, "message": message}, status_code=status, headers=headers)


def _preferred(request: Request) -> str | None:
    return request.headers.get("accept-language", "")[:2].lower() or None
