"""The sample company's desk in a local Slack, and the people who sit at their Slack windows."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Locator, Page

from agent.brains.assistant import Brain
from bot.compose.desk import Desk
from identity.actor import Actor
from tests.browser.house import sample_desk
from tests.desks.process import free_port
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.people import Person
from tests.fakes.slack.records import Channel
from tests.fakes.slack.workspace import SlackWorkspace
from tests.slack_desk.house import House, install, slack_settings

DOMAIN = "marenvold.example"


@dataclass
class SlackSeat:
    """One person before their Slack window."""

    page: Page
    person: Person
    url: str
    problems: list[str] = field(default_factory=list)  # what the browser complained about

    async def go(self, channel: Channel | None = None, *, tab: str = "") -> None:
        """Open a channel, or the place of the desk."""
        at = f"&at={channel.id}" if channel else ""
        await self.page.goto(f"{self.url}{at}{f'&tab={tab}' if tab else ''}")
        await self.page.locator("body[data-ready]").wait_for()

    async def write(self, label: str, text: str) -> None:
        """Write into one of the boxes and press Enter."""
        await self.page.get_by_label(label).fill(text)
        await self.page.keyboard.press("Enter")

    async def open_thread(self) -> None:
        """Open the thread of the newest message, once there is one."""
        await self.page.locator(".conversation article").last.locator(".replies").click()
        await self.thread.wait_for()
        await self.page.locator("body[data-ready]").wait_for()

    @property
    def thread(self) -> Locator:
        """Return the thread that is open."""
        return self.page.locator("section.thread")

    def said(self, text: str | re.Pattern[str]) -> Locator:
        """Return the messages in the open thread that hold a text."""
        return self.thread.locator("article").filter(has_text=text)

    @property
    def modal(self) -> Locator:
        """Return the form before the person."""
        return self.page.get_by_role("dialog")


@dataclass
class SlackHouse:
    """A desk in its Slack, with a browser before it."""

    slack: LocalSlack
    desk: Desk
    url: str  # where the desk listens
    browser: Browser
    channel: Channel
    people: dict[str, Person]
    _open: AsyncExitStack

    async def seat(self, name: str) -> SlackSeat:
        """Return a window of somebody."""
        context = await self.browser.new_context(viewport={"width": 1440, "height": 900})
        self._open.push_async_callback(context.close)
        person = self.people[name]
        seat = SlackSeat(await context.new_page(), person, self.slack.window(person))
        seat.page.on("pageerror", lambda error: seat.problems.append(str(error)))
        return seat

    async def settle(self) -> None:
        """Wait until nothing is on its way in, in work or on its way out."""
        await House(self.slack, self.desk, self.url).settle()


@asynccontextmanager
async def slack_house(
    home: Path, browser: Browser, *, brain: Brain | None = None, **platforms: Any
) -> AsyncIterator[SlackHouse]:
    """Serve the desk of the sample company, installed in a local Slack, and on the other platforms that are given."""
    port = free_port()
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(LocalSlack(workspace=SlackWorkspace(name="Marenvold")))
        await install(slack, f"http://127.0.0.1:{port}")
        given = slack_settings(slack, email_domains=(DOMAIN,))
        desk, url = await stack.enter_async_context(sample_desk(home, port=port, brain=brain, slack=given, **platforms))
        people = {actor.id: _moved_in(slack, actor) for actor in await desk.directory.people()}
        channel = slack.workspace.add_channel("ask-it", tuple(person.user for person in people.values()))
        windows = await stack.enter_async_context(AsyncExitStack())
        yield SlackHouse(slack, desk, url, browser, channel, people, windows)


def _moved_in(slack: LocalSlack, actor: Actor) -> Person:
    """Give somebody of the sample company a window in Slack."""
    locale = "zh-CN" if actor.language == "zh" else "en-US"
    return slack.add_person(actor.id, real_name=actor.name, email=actor.email, locale=locale, tz=actor.timezone)
