"""Stands before every page and door: the host it is called by, where a write comes from, and what browsers may do."""

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.settings import Settings

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_ANY = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not listened on
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: `same-origin`, not `no-referrer`: with the latter browsers send `Origin: null` for our own forms.
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Middleware. A request under an unknown host name is refused: that is how a page elsewhere rebinds DNS to us."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._hosts = _hosts(settings)
        self._own = _origin(settings.web.url)
        self._headers = headers_of(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on and put the headers on the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        plain = {**scope, "headers": [*_with_plain_cookies(scope["headers"])]}
        await (refusal or self._app)(plain, receive, send_guarded)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._hosts is not None and host_name(host) not in self._hosts:
            return PlainTextResponse(
                "dutydesk is not known under this address. Set `web.url` to the address that people open.", 421
            )
        if scope["method"] in _SAFE:
            return None
        if headers.get("origin", "") not in self._origins(host):
            return PlainTextResponse("This request came from another site, so it was refused.", 403)
        return None

    def _origins(self, host: str) -> Iterable[str]:
        own = (self._own,) if self._own else ()
        return (f"http://{host}", f"https://{host}", *own)


def _with_plain_cookies(headers: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the headers without cookies that hold a backslash: ours hold none.

    Up to Python 3.11.9 and 3.12.5 a cookie of 50 kB of them is read in a time that grows with its square: 9 s.
    """
    for name, value in headers:
        if name == b"cookie" and b"\\" in value:
            yield name, b";".join(each for each in value.split(b";") if b"\\" not in each)
        else:
            yield name, value


def headers_of(settings: Settings) -> dict[str, str]:
    """Return what every answer tells the browser it may do."""
    lasting = {"Strict-Transport-Security": "max-age=31536000"} if is_encrypted(settings) else {}
    return {**_HEADERS, **lasting}


def is_encrypted(settings: Settings) -> bool:
    """Return whether people reach the desk over TLS, so that the cookie may be bound to it."""
    return settings.public_url.startswith("https://")


def host_name(host: str) -> str:
    """Return the name in a Host header, without its port; empty when it is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _hosts(settings: Settings) -> frozenset[str] | None:
    named = host_name(urlsplit(settings.web.url).netloc) if settings.web.url else ""
    if settings.web.host in _ANY and not named:
        return None  # any of the machine's names; a bind like this needs TLS or a proxy, which check names themselves
    return _LOOPBACK | {name for name in (named, settings.web.host.lower()) if name}


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if url else ""
