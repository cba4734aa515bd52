"""Pages of the console that a feature has: what they are asked and what they answer. The shell routes, guards, draws.

A page that is made of blocks is a `Page`. One with a template of its own (`templates/` of the feature, which extends
`base.html`) is a `View`; what lies in `static/` of the feature is served at `/static/<feature>/`.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from adapters.cards import Block
from features.anatomy.reader import Reader
from features.anatomy.texts import say
from identity.actor import Actor
from identity.permissions import AnyPermission
from identity.sign_in import Session
from language.scripts import Language
from storage.ids import JsonObject

#: Draws what waits for a person, for their home.
Home = Callable[[Actor, Reader], Awaitable[tuple[Block, ...]]]


class NoSuchPage(Exception):
    """There is no such page, or it is not the visitor's to see: both look the same."""


@dataclass(frozen=True)
class SentFile:
    """A file of a form, kept until the answer is made; `read` returns at most so many bytes, b"" at the end."""

    name: str
    read: Callable[[int], Awaitable[bytes]]


@dataclass(frozen=True)
class Visit:
    """One request of a signed-in person; `form` and `files` are what a write brought, its token checked."""

    actor: Actor
    language: Language
    session: Session = field(repr=False)
    parts: Mapping[str, str] = field(default_factory=dict)  # the named parts of the address
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)
    files: tuple[SentFile, ...] = ()

    @property
    def reader(self) -> Reader:
        """Return how this person reads what the desk draws."""
        return Reader(language=self.language, timezone=self.actor.timezone)

    def say(self, key: str, **values: object) -> str:
        """Return a text in the visitor's language."""
        return say(self.language, key, **values)

    def asked(self, name: str, *, limit: int = 200) -> str:
        """Return a parameter of the address, without what no honest page sends."""
        return self.query.get(name, "").replace("\x00", "").strip()[:limit]


@dataclass(frozen=True)
class Drawn:
    """A template of the feature with its values; `here` is the entry of the menu that it belongs to.

    `blocks` are drawn as in the chat, and stand in the template under their names.
    """

    template: str
    values: Mapping[str, object]
    here: str = ""
    status: int = 200
    blocks: Mapping[str, tuple[Block, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class BackTo:
    """The way back after a write, so that a reload does not send it again; `done` names what is then said."""

    address: str
    done: str = ""


@dataclass(frozen=True)
class Data:
    """JSON for a page's script."""

    values: JsonObject


@dataclass(frozen=True)
class Download:
    """A file to be saved, made when it is asked for."""

    name: str
    media_type: str
    content: bytes


ShowView = Callable[[Visit], Awaitable[Drawn | BackTo | Data | Download]]


@dataclass(frozen=True)
class Upload:
    """What a form with files may bring, and the permission without which nothing of it is read."""

    permission: AnyPermission
    most_files: int
    most_bytes: int


@dataclass(frozen=True)
class View:
    """A page with a template of its own, or a write; the service that it calls asks for the rights.

    With `menu` it is an entry of the menu (`console.nav.<menu>`, drawn by `templates/<menu>.svg`) of whoever holds
    `menu_for`.
    """

    address: str
    show: ShowView
    writes: bool = False
    upload: Upload | None = None
    menu: str = ""
    menu_for: AnyPermission | None = None


@dataclass(frozen=True)
class Page:
    """A page of the console, drawn from blocks, and an entry of its menu (`console.nav.<name>`)."""

    name: str  # the last part of its address: /features/<name>
    permission: AnyPermission
    draw: Home
