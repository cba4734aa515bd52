"""The chat platforms that settings turn on, besides our own doors."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from starlette.types import ASGIApp

from adapters.port import Chat, Receive


@dataclass(frozen=True)
class Hearing:
    """How a platform's events come in: apps to mount by path, and what runs while the desk does."""

    doors: Mapping[str, ASGIApp] = field(default_factory=dict)
    running: tuple[Callable[[], AbstractAsyncContextManager[None]], ...] = ()


@dataclass(frozen=True)
class Platform:
    """A platform: what the desk says goes to `chat`, what it hears comes from `listen`, once there is an inbox."""

    chat: Chat
    listen: Callable[[Receive], Hearing]
