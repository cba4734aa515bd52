"""What the app of the browser chat is handed by whoever mounts it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request

from adapters.events import Account
from adapters.port import Receive
from adapters.web.chat import WebChat
from adapters.web.render import Renderer

#: Seconds between two looks at the transcript, for what another process wrote.
POLL_S = 1.0

Identify = Callable[[Request], Awaitable[Account | None]]
#: How long this account has to wait before it may send again; 0 when it may now.
Admit = Callable[[Account], Awaitable[float]]


@dataclass(frozen=True)
class WebServices:
    """What the app is handed. `not_stored` are the errors of `receive` that mean: try again later."""

    chat: WebChat
    receive: Receive
    identify: Identify
    renderer: Callable[[str | None], Renderer]  # by language
    admit: Admit
    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    file_bytes: int  # of the largest file that may be sent
    not_stored: tuple[type[Exception], ...] = (OSError,)
    poll_s: float = POLL_S
