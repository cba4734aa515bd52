"""One person before Microsoft's Teams client: what they can do there, and what its log tells of the desk's calls."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from playwright.async_api import Locator, Page, Request, expect

from tests.browser.teams.playground import CHANNEL, DESK, GROUP, Playground

Place = Literal["chat", "group", "channel"]
_PLACES: dict[Place, str] = {"chat": "Personal Chat", "group": GROUP, "channel": CHANNEL}
_HERE = ("127.0.0.1", "localhost")
#: Where the client's page asks for its typeface and an animation, and does without.
_DECORATION = "res-1.cdn.office.net"
#: A call between client and desk, as the log panel has it.
_CLIENT, _DESK = "Microsoft 365 Agents Playground", "User Application"
_CALL = re.compile(
    rf"^\[[^]]+\] (?P<sender>{_CLIENT}|{_DESK}) (?:->|→) (?:{_CLIENT}|{_DESK}) (?P<what>\w+) (?P<status>\d{{3}})"
)


@dataclass
class TeamsSeat:
    """A window of the client, and everything that its page asked for."""

    page: Page
    playground: Playground
    problems: list[str] = field(default_factory=list)  # what the browser complained about
    asked: list[Request] = field(default_factory=list)

    async def open(self) -> None:
        """Open the page, which installs the desk in the person's own chat."""
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request))  # noqa: PLW0108 - playwright marks it
        await self.page.goto(self.playground.url)
        await self._editor.first.wait_for()
        await self._show_log(shown=False)

    async def go(self, place: Place) -> None:
        """Open the own chat, the group chat or the channel."""
        await self.page.get_by_role("treeitem", name=_PLACES[place]).click()
        await self._editor.first.wait_for()

    async def say(self, text: str, *, to_desk: bool = False) -> None:
        """Write into the open chat, where it is told by name that the desk is meant when `to_desk`."""
        await self._write(self._editor.first, text, to_desk=to_desk)
        await self.page.keyboard.press("Enter")

    async def post(self, text: str) -> None:
        """Begin a thread in the open channel, for the desk."""
        await self._write(self._editor.first, text, to_desk=True)
        await self.page.get_by_role("button", name="Post", exact=True).click()

    async def reply(self, text: str, *, to_desk: bool = True) -> None:
        """Write into the channel's newest thread."""
        await self._write(self._editor.nth(1), text, to_desk=to_desk)
        await self.page.keyboard.press("Enter")

    @property
    def messages(self) -> Locator:
        """Return the messages of the open place, oldest first."""
        header = '[aria-label="Message header"], div:has(> .fui-Avatar):has([aria-label="Show more information"])'
        return self.page.locator(header).locator("..")

    def said(self, text: str | re.Pattern[str]) -> Locator:
        """Return the desk's messages that hold a text."""
        return self.messages.filter(has_text=re.compile(rf"^\s*{DESK}")).filter(has_text=text)

    def card(self, text: str | re.Pattern[str]) -> Locator:
        """Return the cards that hold a text."""
        return self.page.locator(".ac-adaptiveCard").filter(has_text=text)

    async def judge(self, question: str, reason: str) -> None:
        """Press the thumb down below the answer to a question, say why, and wait until the desk has heard."""
        asked = self.page.get_by_text(question, exact=True).last
        below = asked.locator("xpath=following::button").and_(self.page.get_by_role("button", name="Dislike"))
        await below.last.click()
        dialog = self.page.get_by_role("dialog")
        await dialog.locator("textarea").fill(reason)
        async with self.page.expect_response(lambda response: response.url.endswith("/invoke")):
            await dialog.get_by_role("button", name="Submit").click()
        await dialog.get_by_role("button", name="Close").click()
        await expect(dialog).to_have_count(0)

    async def assert_nothing_went_wrong(self) -> None:
        """Fail when a call between client and desk was refused, the page broke, or anything left the machine."""
        entries = await self._log()
        assert [entry for entry in entries if "(!)" in entry or _refused(entry)] == []
        assert self.problems == []
        assert [each.url for each in self.asked if _abroad(each) and (each.failure is None or not _adorns(each))] == []
        assert self.playground.left_the_machine() == []

    async def calls(self) -> list[str]:
        """Return the desk's calls so far, each as what it was and what the client answered: `message 201`."""
        found = [_CALL.match(entry) for entry in await self._log()]
        return [f"{call['what']} {call['status']}" for call in found if call is not None and call["sender"] == _DESK]

    @property
    def _editor(self) -> Locator:
        return self.page.locator("div[data-lexical-editor=true]")

    async def _write(self, editor: Locator, text: str, *, to_desk: bool) -> None:
        await editor.click()
        if to_desk:
            await self.page.keyboard.type(f"@{DESK[:2]}")
            await self.page.locator("#typeahead-menu").get_by_role("menuitem", name=DESK).click()
            await self.page.keyboard.type(" ")
        await self.page.keyboard.type(text)
        await expect(editor).to_contain_text(text)

    async def _log(self) -> list[str]:
        """Return the entries of the log panel, which takes room and is open only to be read."""
        await self._show_log(shown=True)
        read: str = await self.page.evaluate("document.body.innerText")
        await self._show_log(shown=False)
        return list(_entries(read.rpartition("Log Panel")[2]))

    async def _show_log(self, *, shown: bool) -> None:
        await self.page.get_by_title("Toggle Log Panel").click()
        await expect(self.page.get_by_text("Log Panel", exact=True)).to_have_count(int(shown))


def _entries(text: str) -> Iterator[str]:
    """Yield the entries of the log panel; one may take several lines."""
    yield from (" ".join(entry.split()) for entry in re.split(r"\n(?=\[\d)", text) if entry.startswith("["))


def _abroad(request: Request) -> bool:
    return urlsplit(request.url).hostname not in _HERE


def _adorns(request: Request) -> bool:
    return urlsplit(request.url).hostname == _DECORATION


def _refused(entry: str) -> bool:
    found = _CALL.match(entry)
    return found is not None and not found["status"].startswith("2")
