"""What one person sees in their window, worked out from the workspace and drawn as HTML."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader

from tests.fakes.slack.controls import options, words
from tests.fakes.slack.inputs import values
from tests.fakes.slack.people import Person, Scene
from tests.fakes.slack.records import Channel, Json, Message, User
from tests.fakes.slack.text_drawing import TextDrawing

ASSETS = Path(__file__).parent / "page_assets"
COLOURS = ("#4a8fe2", "#b5533c", "#2f8f6b", "#8a5fbf", "#c98a1b", "#3d7c8c", "#a3476f", "#5c6f3a")
#: Messages of one author within this time stand under one name.
TOGETHER_S = 300.0
Tab = Literal["home", "messages"]


@dataclass(frozen=True)
class Window:
    """Where a person looks: a conversation, perhaps a thread of it, and in the app's own place one of its tabs."""

    person: Person
    channel: Channel
    thread: str | None = None
    tab: Tab = "messages"


@dataclass(frozen=True)
class Line:
    """One message as it is drawn."""

    said: Message
    author: User
    clock: str
    #: Stands under the name of the message before.
    follows: bool
    replies: int
    last_reply: str
    #: "streaming", "broken" or "".
    state: str
    triangles: frozenset[str]


class PageDrawing:
    """Draws windows; knows nothing of HTTP."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.workspace = scene.workspace
        self.texts = TextDrawing(scene.workspace)

    def people(self) -> str:
        """Draw the choice of who to be."""
        people = [each for each in self.workspace.users.values() if not each.is_bot and each.id != "USLACKBOT"]
        return _templates().get_template("people.html").render(people=people, team=self.workspace.team)

    def page(self, window: Window, *, number: int) -> str:
        """Draw a whole page; `number` is the count of changes that it knows."""
        shown = self._shown(window) | {"texts": self.texts, "emoji": self.texts.plain}
        return _templates().get_template("page.html").render(number=number, **shown)

    def _shown(self, window: Window) -> dict[str, Any]:
        person, channel = window.person, window.channel
        root = None if window.thread is None else self._root(channel, window.thread)
        return {
            "window": window,
            "me": person.user,
            "bot": self.workspace.bot,
            "team": self.workspace.team,
            "app_place": channel.is_im,
            "channels": [each for each in self._mine(person) if not each.is_im],
            "app_dm": self.workspace.im(person.user),
            "lines": list(self._lines(person, channel, None)),
            "thread": None if root is None else list(self._lines(person, channel, root.root)),
            "status": self._status(channel, ""),
            "thread_status": "" if root is None else self._status(channel, root.root),
            "beside": self.workspace.thread(channel.id, ""),
            "home": self.workspace.homes.get(person.user.id),
            "modal": self._modal(person),
            "notice": person.notices[-1] if person.notices else "",
            "shortcuts": self.scene.app.message_shortcuts,
            "day": self._time(person, self.workspace.epoch()).strftime("%A, %B %-d"),
        }

    def _mine(self, person: Person) -> list[Channel]:
        found = [each for each in self.workspace.channels.values() if person.user.id in each.members]
        return sorted(found, key=lambda each: each.name)

    def _root(self, channel: Channel, ts: str) -> Message | None:
        """Return the message that a thread begins with; a deleted one holds together what stands below it."""
        found = self.workspace.messages[channel.id].get(ts)
        return None if found is None or (found.deleted and not self.workspace.replies(channel.id, ts)) else found

    def _status(self, channel: Channel, thread_ts: str) -> str:
        return self.workspace.status_of(channel.id, thread_ts)

    def _modal(self, person: Person) -> dict[str, Any] | None:
        stack = self.workspace.modals.get(person.user.id)
        if not stack:
            return None
        view = stack[-1]
        blocks: list[Json] = view.content.get("blocks", [])
        return {
            "view": view,
            "values": values(blocks, view.state["values"]),
            "complaints": person.complaints.get(view.id, {}),
            "depth": len(stack),
        }

    # Messages

    def _lines(self, person: Person, channel: Channel, root: str | None) -> Iterator[Line]:
        """Yield a channel's own messages (root None) or a thread with its first message."""
        before: Message | None = None
        for said in self.workspace.seen_by(person.user, channel):
            if not _belongs(said, root):
                continue
            yield self._line(person, said, before, in_thread=root is not None)
            before = said

    def _line(self, person: Person, said: Message, before: Message | None, *, in_thread: bool) -> Line:
        replies = [] if in_thread else self.workspace.replies(said.channel, said.ts)[1:]
        return Line(
            said=said,
            author=self.workspace.users[said.user],
            clock=_spoken_time(self._time(person, float(said.ts))),
            follows=before is not None and before.user == said.user and _close(before, said),
            replies=len(replies),
            last_reply=_spoken_time(self._time(person, float(replies[-1].ts))) if replies else "",
            state=self._stream_state(said),
            triangles=frozenset(person.triangles.get(said.ts, ())),
        )

    def _stream_state(self, said: Message) -> str:
        if said.stream is None:
            return ""
        if self.workspace.is_streaming(said):
            return "streaming"
        return "broken" if said.stream.ending == "expired" and said.edited is None else ""

    def _time(self, person: Person, epoch: float) -> datetime:
        return datetime.fromtimestamp(epoch, ZoneInfo(person.user.tz))


@cache
def _templates() -> Environment:
    """Return the templates, compiled once for all drawings."""
    made = Environment(loader=FileSystemLoader(ASSETS), autoescape=True, trim_blocks=True)
    made.globals |= {"words": words, "options": options, "colour": _colour, "initials": _initials}
    made.filters["json"] = json.dumps
    return made


def _belongs(said: Message, root: str | None) -> bool:
    if root is not None:
        return said.root == root
    return said.thread_ts is None or said.thread_ts == said.ts or said.subtype == "thread_broadcast"


def _close(before: Message, said: Message) -> bool:
    plain = before.ephemeral_to is None and said.ephemeral_to is None and said.subtype is None
    return plain and float(said.ts) - float(before.ts) < TOGETHER_S


def _spoken_time(at: datetime) -> str:
    return at.strftime("%-I:%M %p")


def _colour(user: User) -> str:
    return COLOURS[sum(map(ord, user.id)) % len(COLOURS)]


def _initials(user: User) -> str:
    """Return what stands on an avatar: the first letters of a name, or the last character of a Chinese one."""
    name = user.real_name or user.name
    if re.search(r"[\u4e00-\u9fff]", name):
        return name[-1]
    return "".join(part[0] for part in name.split()[:2]).upper()
