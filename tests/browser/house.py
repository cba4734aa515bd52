"""The demo's desk on a loopback port, and the people who sit at their browsers before it."""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, Locator, Page, async_playwright, expect

from agent.brains.assistant import Brain
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.server import serve
from bot.settings import load
from tests.fixtures.sample_home import SAMPLE

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
#: What playwright calls the programs that it fetches.
FETCHED = ("chrome", "headless_shell", "chrome-headless-shell")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
#: Milliseconds after which something that should be on the page counts as missing.
PATIENCE_MS = 15_000


@cache
def chromium() -> str | None:
    """Return where a Chromium lies that starts: on the PATH, else where playwright puts its own; None without one."""
    known = [found for name in CHROMIUM if (found := shutil.which(name))]
    fetched = sorted((Path.home() / ".cache" / "ms-playwright").glob("chromium*/chrome*/*"), reverse=True)
    known += [str(each) for each in fetched if each.name in FETCHED]
    return next((each for each in known if _starts(each)), None)


def _starts(program: str) -> bool:
    """Say whether the program finds its libraries."""
    try:
        return subprocess.run([program, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@dataclass
class Seat:
    """One person before one browser window."""

    page: Page
    url: str
    problems: list[str] = field(default_factory=list)  # what the browser complained about

    async def open(self, path: str = "/") -> None:
        """Go to a page."""
        await self.page.goto(self.url + path)

    async def become(self, person: str) -> None:
        """Choose a sample person in the page's switcher."""
        await self.open()
        await self.page.locator("#person").select_option(person)
        await self.page.locator("form.switch button").click()
        await self.ready()

    async def ready(self) -> None:
        """Wait until the chat page listens."""
        await self.page.locator("#chat[data-ready]").wait_for()

    @property
    def answers(self) -> Locator:
        """Return the desk's finished messages."""
        return self.page.locator(".entry.desk[data-reference]")

    async def say(self, text: str) -> Locator:
        """Write a message, press Enter, and return the desk's answer."""
        before = await self.answers.count()
        await self.page.locator("#text").fill(text)
        await self.page.keyboard.press("Enter")
        return await self.answer(after=before)

    async def press(self, button: Locator) -> Locator:
        """Press a card's button and return the message that the desk then says."""
        before = await self.answers.count()
        await button.click()
        return await self.answer(after=before)

    async def answer(self, *, after: int) -> Locator:
        """Return the first message of the desk beyond that many."""
        answer = self.answers.nth(after)
        await expect(answer).to_be_visible()
        return answer


@dataclass
class House:
    """A running demo and the browser before it."""

    desk: Desk
    url: str
    browser: Browser
    _open: AsyncExitStack

    async def seat(self, person: str, **context: Any) -> Seat:
        """Return a window of its own (own cookies, own storage) in which somebody is signed in."""
        made: BrowserContext = await self.browser.new_context(**context)
        self._open.push_async_callback(made.close)
        seat = Seat(await made.new_page(), self.url)
        seat.page.on("pageerror", lambda error: seat.problems.append(str(error)))
        seat.page.on("console", lambda message: _note(seat, message.type, message.text))
        await seat.become(person)
        return seat


def _note(seat: Seat, kind: str, text: str) -> None:
    # A request that is refused on purpose is reported as "Failed to load resource"; scripts and policies are not.
    if kind == "error" and "Failed to load resource" not in text:
        seat.problems.append(text)


@asynccontextmanager
async def house(home: Path, browser: Browser) -> AsyncIterator[House]:
    """Run the demo in this process, with a browser before it."""
    async with sample_desk(home, demo=True) as (desk, url), AsyncExitStack() as windows:
        yield House(desk, url, browser, windows)


@asynccontextmanager
async def sample_desk(
    home: Path, *, port: int = 0, brain: Brain | None = None, **given: Any
) -> AsyncIterator[tuple[Desk, str]]:
    """Serve the desk of the sample company with these settings from a `sample_home`; return it and its address.

    News that follow one another are told as one message at once, not after a minute.
    """
    given.setdefault("limits", {"news_together_s": 1})
    settings = load(home=home, people_file=SAMPLE / "people.yaml", **given)
    async with await compose(settings, brain=brain) as desk, served(desk, port) as url:
        yield desk, url


@asynccontextmanager
async def served(desk: Desk, port: int = 0) -> AsyncIterator[str]:
    """Serve a desk on loopback for the time of the block; return its address."""
    stop = asyncio.Event()
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve(desk, "127.0.0.1", port, on_ready=ready.set_result, stop=stop))
    try:
        yield await ready
    finally:
        stop.set()
        await serving


@asynccontextmanager
async def opened_browser() -> AsyncIterator[Browser]:
    """Start the Chromium that was found."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        expect.set_options(timeout=PATIENCE_MS)
        yield browser
        await browser.close()
