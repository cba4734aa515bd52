"""The web server: one app of console and chat under uvicorn."""

import asyncio
import errno
import gc
import ipaddress
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.events import Account
from adapters.web import app as chat_app
from adapters.web.chat import WebChat
from adapters.web.hub import Hub
from adapters.web.services import WebServices
from bot.compose.desk import Desk
from bot.compose.memory import FreedMemory, few_heaps
from bot.console.access.connections import Connections, descriptors_missing, limited
from bot.console.access.guard import Guard
from bot.console.access.visitors import Visitors
from bot.console.app import Console
from bot.console.conversations import renderer_for
from bot.settings import Settings
from storage.database import AWAY
from storage.throttle import Throttle

log = logging.getLogger(__name__)

#: Writes of one person to the chat's endpoints in a minute; the inbox has finer limits of its own.
WRITES_PER_MINUTE = 120
#: Seconds for which a busy thread may keep the event loop waiting each time; an answer changes threads often.
SWITCH_S = 0.001
#: Seconds that open requests get to end when the server stops.
GRACE_S = 5
#: The status from which on something broke here, and the seconds for which the rest of a body is taken then.
BROKEN, BODY_S = 500, 20.0


class CannotServe(Exception):
    """The server cannot start as asked; the text says why and what to do."""


def build(desk: Desk) -> Starlette:
    """Return the one app: pages, the chat's endpoints, /health. Its lifespan runs the desk's workers."""
    visitors = Visitors(desk)
    console = Console(desk, visitors)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with desk.running():
            yield

    async def health(_request: Request) -> Response:
        return await _health(desk)

    return Starlette(
        routes=[
            Route("/health", health, methods=["GET"]),
            *console.routes(),
            Mount("/chat", _WithToken(_chat(desk, visitors), visitors)),
        ],
        middleware=[Middleware(_PlatformWebhooks, webhooks=desk.webhooks), Middleware(Guard, settings=desk.settings)],
        exception_handlers=console.refusals(),
        lifespan=lifespan,
    )


async def serve(
    desk: Desk,
    host: str,
    port: int,
    *,
    on_ready: Callable[[str], None] | None = None,
    stop: asyncio.Event | None = None,
) -> None:
    """Serve until a signal or `stop`; `on_ready` is told the address once requests are taken. Raises CannotServe."""
    require_safe(desk.settings, host)
    listening = _listen(host, port)
    actual = listening.getsockname()[1]
    scheme = "https" if desk.settings.web.tls_certificate else "http"
    connections = Connections(desk.settings.limits.connections, desk.clock.monotonic)
    if missing := descriptors_missing(connections.at_most):
        log.warning("%s", missing)
    config = uvicorn.Config(
        _BodyFirst(build(desk)),
        http=limited(connections),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(desk.settings.web.trusted_proxies),
        forwarded_allow_ips=list(desk.settings.web.trusted_proxies),
        timeout_graceful_shutdown=GRACE_S,
        ssl_certfile=desk.settings.web.tls_certificate,
        ssl_keyfile=desk.settings.web.tls_key,
    )
    server = _Server(config, desk.hub)
    if on_ready is not None:
        shown = f"[{host}]" if ":" in host else host
        server.tell = lambda: on_ready(f"{scheme}://{shown}:{actual}")
    few_heaps()
    sys.setswitchinterval(SWITCH_S)
    beside = [asyncio.create_task(FreedMemory().run(), name="memory")]
    if stop is not None:
        beside.append(asyncio.create_task(server.stop_with(stop), name="stop"))
    try:
        await server.serve(sockets=[listening])
    finally:
        listening.close()
        for task in beside:
            task.cancel()


def spare_the_collector() -> None:
    """Leave what is there now out of the garbage collector's rounds, for a process that serves until it ends.

    A whole round over it stops the event loop for a tenth of a second or two.
    """
    gc.collect()
    gc.freeze()


def require_safe(settings: Settings, host: str) -> None:
    """Raise CannotServe when the address is reachable from elsewhere and nothing encrypts the way."""
    web = settings.web
    if settings.teams.mode == "test" and not is_loopback(host):
        raise CannotServe(
            f"{host} can be reached from other machines, and teams.mode = test believes whoever writes to it.\n"
            "Set teams.mode = on, or listen on 127.0.0.1."
        )
    if is_loopback(host) or web.insecure or (web.tls_certificate and web.tls_key):
        return
    raise CannotServe(
        f"{host} can be reached from other machines, and nothing would encrypt the way there.\n"
        "Set web.tls_certificate and web.tls_key, or web.insecure = true behind a proxy that adds TLS, "
        "or listen on 127.0.0.1."
    )


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class _Server(uvicorn.Server):
    """Says when it is ready, and ends the open event streams before it waits for requests to end."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub
        self.tell: Callable[[], None] = lambda: None

    async def stop_with(self, stop: asyncio.Event) -> None:
        """Stop as soon as the event is set."""
        await stop.wait()
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.close()
        await super().shutdown(sockets)


class _PlatformWebhooks:
    """Hands a platform's requests to its adapter, which knows by the signature who sent them: no browser does."""

    def __init__(self, app: ASGIApp, webhooks: Mapping[str, ASGIApp]) -> None:
        self._app = app
        self._webhooks = webhooks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        webhook = self._webhooks.get(scope["path"]) if scope["type"] == "http" else None
        await (webhook or self._app)(scope, receive, send)


class _BodyFirst:
    """Takes a request's body to its end before it says that something broke: else who sends it sees a cut line."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        left = scope["type"] == "http" and scope["method"] not in ("GET", "HEAD")

        async def received() -> Message:
            nonlocal left
            message = await receive()
            left = left and message["type"] == "http.request" and message.get("more_body", False)
            return message

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= BROKEN:
                with suppress(TimeoutError):
                    async with asyncio.timeout(BODY_S):
                        while left:
                            await received()
            await send(message)

        await self._app(scope, received, sent)


class _WithToken:
    """Lets a write through to the chat only with the session's token in its header."""

    def __init__(self, app: ASGIApp, visitors: Visitors) -> None:
        self._app = app
        self._visitors = visitors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            request = Request(scope)
            visitor = await self._visitors.of(request)
            # Nobody signed in is the app's own 401: the page then says so and keeps what was typed.
            if visitor is not None and not visitor.may_write(request.headers.get("x-csrf-token", "")):
                words = renderer_for("zh" if visitor.actor.language == "zh" else "en", own_url="").words
                refusal = JSONResponse({"error": "refused", "message": words.refused}, status_code=403)
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _chat(desk: Desk, visitors: Visitors) -> ASGIApp:
    throttle = Throttle(desk.database, desk.clock, desk.redis)

    async def admit(account: Account) -> float:
        admission = await throttle.admit(f"web:{account.user}", limit=WRITES_PER_MINUTE, per_s=60)
        if not admission.allowed:
            return max(admission.retry_after_s, 1.0)
        return await desk.room.wait_s(account)

    chat = desk.chats["web"]
    if not isinstance(chat, WebChat):
        raise TypeError("the chat called web must be the browser chat")
    return chat_app.create(
        WebServices(
            chat=chat,
            receive=desk.inbox.receive,
            identify=visitors.account,
            renderer=lambda language: renderer_for(
                "zh" if (language or "").startswith("zh") else "en", own_url=desk.settings.public_url
            ),
            admit=admit,
            now=desk.clock.now,
            monotonic=desk.clock.monotonic,
            file_bytes=desk.settings.search.uploads.thread_file_bytes,
            not_stored=AWAY,
        )
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family, backlog=512)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotServe(
                f"Port {port} on {host} is in use, perhaps by another dutydesk.\n"
                f"Stop that program, or choose another port: --port {port + 1} (or DUTYDESK_WEB__PORT={port + 1})."
            ) from error
        raise CannotServe(f"Cannot listen on {host}, port {port}: {error.strerror}.") from error


async def _health(desk: Desk) -> Response:
    """Answer a probe; whoever asks is not known, so it says no more than that."""
    try:
        await desk.database.ping()
    except OSError:
        return JSONResponse({"status": "database unavailable"}, status_code=503)
    return JSONResponse({"status": "ok"})
