"""The browser chat on the real server: signed in by a link, written to over its doors, read off pages and streams."""

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from adapters.web.chat import LIMITS
from adapters.web.transcript import TranscriptPlace as Conversation
from bot.compose.desk import Desk
from tests.desks.house import serving
from tests.scenarios.page import Element, parse
from tests.scenarios.platforms import MAIN, Choice, OpenForm, Place, Seen
from tests.scenarios.stage import PATIENCE_S, Setting, Stage

ACCEPTED, FORM, INVALID, KEPT = 202, 200, 422, 201


#: Entries of a conversation that an open window may hold, more than any scenario says.
_ALL = 10_000


@asynccontextmanager
async def open_web(setting: Setting) -> AsyncIterator[Stage]:
    """Run a desk behind the real server on a loopback port."""
    async with setting.desk() as desk, serving(desk) as url:
        driver = WebDriver(desk, url)
        try:
            yield Stage(desk, driver, setting.clock)
        finally:
            await driver.close()


@dataclass
class Window:
    """One conversation, open in a person's browser: the page it began with, kept up to date by its stream."""

    client: httpx.AsyncClient
    thread: str
    csrf: str
    entries: dict[str, Element] = field(default_factory=dict)
    glimpses: list[str] = field(default_factory=list)

    async def follow(self, after: str) -> None:
        """Take in what the stream brings, as the page's script does."""
        query = {"thread": self.thread, "after": after}
        async with self.client.stream("GET", "/chat/events", params=query, timeout=None) as stream:
            name = ""
            async for line in stream.aiter_lines():
                kind, _, value = line.partition(": ")
                if kind == "event":
                    name = value
                elif kind == "data":
                    self._take(name, json.loads(value))

    def show(self, entry: Element) -> None:
        """Put a message in its place: a later version replaces an earlier one."""
        old = self.entries.get(entry.attributes["data-reference"])
        if old is None or int(old.attributes["data-seq"]) < int(entry.attributes["data-seq"]):
            self.entries[entry.attributes["data-reference"]] = entry

    def versions(self) -> dict[str, str]:
        """Return which version of each message is shown."""
        return {name: entry.attributes["data-seq"] for name, entry in self.entries.items()}

    def _take(self, name: str, data: Mapping[str, Any]) -> None:
        if name == "entry":
            self.show(parse(data["html"]).one("li"))
        elif name == "stream":
            self.glimpses.append(parse(data["html"]).text)

    async def post(self, door: str, **body: Any) -> httpx.Response:
        """Send something as the page's script does."""
        headers = {"x-csrf-token": self.csrf, "origin": str(self.client.base_url).rstrip("/")}
        answer = await self.client.post(f"/chat/{door}", json={"thread": self.thread, **body}, headers=headers)
        assert answer.status_code in (ACCEPTED, FORM, INVALID), answer.text
        return answer

    async def upload(self, identifier: str, content: bytes) -> None:
        """Send the bytes of a file as the page's script does."""
        answer = await self.client.post(
            f"/chat/files?id={identifier}",
            content=content,
            headers={
                "x-csrf-token": self.csrf,
                "origin": str(self.client.base_url).rstrip("/"),
                "content-type": "application/octet-stream",
            },
        )
        assert answer.status_code == KEPT, answer.text


@dataclass
class WebForm:
    """A dialog on the page."""

    window: Window
    dialog: Element
    event_ids: "itertools.count[int]"

    def __post_init__(self) -> None:
        self.title = self.dialog.one("h2").text
        self.values: Mapping[str, str] = {label: _value(each) for label, each in self._fields().items()}

    async def send(self, values: Mapping[str, str]) -> Mapping[str, str]:
        self.values = {**self.values, **values}
        fields = self._fields()
        form = self.dialog.one("form").attributes
        answer = await self.window.post(
            "forms",
            event_id=f"form-{next(self.event_ids):08}",
            form=form["data-form"],
            id=form["data-id"],
            nonce=form["data-nonce"],
            values={each.attributes["name"]: self.values[label] for label, each in fields.items()},
        )
        wrong = answer.json().get("errors", {}) if answer.status_code == INVALID else {}
        return {
            label: wrong[each.attributes["name"]] for label, each in fields.items() if each.attributes["name"] in wrong
        }

    def _fields(self) -> dict[str, Element]:
        inputs = {each.attributes["id"]: each for each in self.dialog.all(name="*") if "id" in each.attributes}
        return {each.text: inputs[each.attributes["for"]] for each in self.dialog.all("label")}


def _value(control: Element) -> str:
    match control.tag:
        case "textarea":
            return "".join(child for child in control.children if isinstance(child, str)).removeprefix("\n")
        case "select":
            chosen = [each for each in control.all("option") if "selected" in each.attributes]
            return chosen[0].attributes["value"] if chosen else ""
        case _:
            return control.attributes.get("value", "")


class WebDriver:
    """People at their browsers."""

    limits = LIMITS

    def __init__(self, desk: Desk, url: str) -> None:
        self._desk = desk
        self._url = url
        self._clients: dict[str, httpx.AsyncClient] = {}
        self._windows: dict[tuple[str, str], Window] = {}
        self._homes: dict[str, Seen] = {}
        self._following: list[asyncio.Task[None]] = []
        self._event_ids = itertools.count(1)

    async def close(self) -> None:
        """Close every window."""
        for task in self._following:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for client in self._clients.values():
            await client.aclose()

    async def say(self, person: str, text: str, place: Place, *, addressed: bool = True, deliveries: int = 1) -> None:
        del addressed
        window, event_id = await self.window(person, place), self._event_id()
        for _ in range(deliveries):
            await window.post("messages", event_id=event_id, text=text)

    async def send_file(
        self, person: str, name: str, content: bytes, place: Place, *, text: str = "", deliveries: int = 1
    ) -> None:
        window, event_id = await self.window(person, place), self._event_id()
        file = {"id": f"file-{event_id}", "name": name, "size": len(content)}
        await window.upload(f"file-{event_id}", content)
        for _ in range(deliveries):
            await window.post("messages", event_id=event_id, text=text, files=[file])

    async def delete(self, person: str, place: Place) -> None:
        window = await self.window(person, place)
        await self.remove(person, [each for each in window.entries.values() if "📎" in each.text][-1], place)

    async def remove(self, person: str, entry: Element, place: Place) -> None:
        """Press what removes a message, at the message or at the answer to it, and confirm."""
        window = await self.window(person, place)
        await window.post("removals", event_id=entry.one("button", data_remove="*").attributes["data-remove"])

    async def press(self, person: str, choice: Choice, place: Place, *, times: int = 1) -> None:
        button = choice.handle
        assert isinstance(button, dict)
        if "data-say" in button:
            await self.say(person, button["data-say"], place)
            return
        window = await self.window(person, place)
        await asyncio.gather(*(self._press(window, button) for _ in range(times)))

    async def open(self, person: str, choice: Choice, place: Place) -> OpenForm:
        window = await self.window(person, place)
        assert isinstance(choice.handle, dict)
        answer = await self._press(window, choice.handle)
        return WebForm(window, parse(answer.json()["html"]).one("dialog"), self._event_ids)

    async def rate(self, person: str, choice: Choice, place: Place, *, reason: str = "") -> None:
        assert isinstance(choice.handle, dict)
        window = await self.window(person, place)
        given = {"id": choice.handle["data-rating"], "verdict": choice.handle["data-verdict"]}
        await window.post("feedback", event_id=self._event_id(), **given)
        if reason:
            await window.post("feedback", event_id=self._event_id(), **given, reason=reason)

    async def command(self, person: str, line: str) -> None:
        await self.say(person, f"/desk {line}", self.commands(person))

    def commands(self, person: str) -> Place:
        del person
        return Place("commands")

    async def read(self, person: str, place: Place) -> Sequence[Seen]:
        window = await self.window(person, place)
        said = [entry for entry in window.entries.values() if entry.has("class_", "desk")]
        return [Seen("") if any(each.all(class_="removed")) else seen_in(each.one(class_="card")) for each in said]

    async def glimpses(self, person: str, place: Place) -> Sequence[str]:
        return (await self.window(person, place)).glimpses

    async def open_home(self, person: str) -> None:
        page = parse((await (await self._client(person)).get("/")).text)
        self._homes[person] = seen_in(page.one("ol", id="log"))

    def home(self, person: str) -> Seen:
        return self._homes[person]

    async def shared(self, *people: str) -> Place:
        del people
        return MAIN  # what a page was sent can be sent by anybody

    async def idle(self) -> bool:
        """Return whether every open window has taken in all that stands in its conversation."""
        for (person, thread), window in self._windows.items():
            stands = await self._desk.transcript.recent(Conversation(person, thread), limit=_ALL)
            if {entry.reference: str(entry.seq) for entry in stands} != window.versions():
                return False
        return True

    async def window(self, person: str, place: Place) -> Window:
        """Return the person's window on a conversation, opened when it is not."""
        thread = f"thread-{place.name}"
        if (person, thread) not in self._windows:
            window = await self._open(await self._client(person), thread)
            self._windows[person, thread] = window
            self._following.append(asyncio.create_task(window.follow("0")))
        return self._windows[person, thread]

    async def _open(self, client: httpx.AsyncClient, thread: str) -> Window:
        page = parse((await client.get(f"/c/{thread}")).text)
        window = Window(client, thread, page.one(id="chat").attributes["data-csrf"])
        for entry in page.all("li", data_reference="*"):
            window.show(entry)
        return window

    async def _client(self, person: str) -> httpx.AsyncClient:
        if person not in self._clients:
            client = self._clients[person] = httpx.AsyncClient(base_url=self._url, timeout=PATIENCE_S)
            token = await self._desk.sign_in.link(await self._desk.directory.person(person))
            answer = await client.post("/sign-in", data={"token": token}, headers={"origin": self._url})
            assert answer.is_redirect
        return self._clients[person]

    async def _press(self, window: Window, button: Mapping[str, str]) -> httpx.Response:
        pressed = {name: button[f"data-{name}"] for name in ("action", "id", "nonce")}
        return await window.post("press", event_id=self._event_id(), **pressed)

    def _event_id(self) -> str:
        return f"event-{next(self._event_ids):08}"


def seen_in(shown: Element) -> Seen:
    """Return what a reader sees in a message, and what they can press in it."""
    choices: list[Choice] = []
    for button in shown.all("button"):
        if button.has("data_action", "*") or button.has("data_say", "*"):
            choices.append(Choice(button.text, button.attributes))
        elif button.has("data_verdict", "*"):
            rating = next(each for each in shown.all(data_rating="*") if button in list(each.all("button")))
            choices.append(Choice(button.attributes["aria-label"], {**button.attributes, **rating.attributes}))
    return Seen(shown.text, tuple(choices), shown.links)
