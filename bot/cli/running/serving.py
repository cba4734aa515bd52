"""The desk as a server: what is printed when it is ready, and what goes on behind the first page."""

import asyncio
import importlib
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from adapters.web.transcript import TranscriptPlace
from bot import server
from bot.cli import screen
from bot.cli.invocation import open_desk
from bot.cli.running.logs import log_the_witness
from bot.compose.desk import Desk
from bot.delivery.address_store import addresses_of, remember_address
from bot.settings import Settings
from identity.actor import local_operator
from search.errors import SearchError

#: The conversation of the page in which sample people are told what happens before they say anything.
NEWS = "news"


def listening(settings: Settings, *, host: str | None, port: int | None) -> Settings:
    """Return the settings with the address that was asked for; port 0 becomes a free one, so that links are right."""
    web = settings.web
    host = web.host if host is None else host
    port = web.port if port is None else port
    taken = {"host": host, "port": port or _free_port(host)}
    return settings.model_copy(update={"web": web.model_copy(update=taken)})


async def serve(
    settings: Settings, *, handbook: Path | None = None, company: Path | None = None, browser: bool = False
) -> None:
    """Serve until Ctrl-C.

    A handbook is indexed while the page is served already, and the sample company's database is made where it is not
    there yet; vectors are made behind it.
    """
    server.require_safe(settings, settings.web.host)
    if not settings.demo:
        log_the_witness()
    async with open_desk(settings) as desk, _behind(desk, handbook, company):
        link = "" if settings.demo else await sign_in_link(desk)

        def ready(address: str) -> None:
            server.spare_the_collector()
            _greet(settings, settings.public_url if settings.web.url else address, link)
            if browser:
                _open(address)

        await server.serve(desk, settings.web.host, settings.web.port, on_ready=ready)


async def sign_in_link(desk: Desk, *, minutes: int = 15) -> str:
    """Return a link that signs the local operator in once."""
    token = await desk.sign_in.link(local_operator(), minutes=minutes)
    return f"{desk.settings.public_url}/sign-in?token={token}"


@asynccontextmanager
async def _behind(desk: Desk, handbook: Path | None, company: Path | None) -> AsyncIterator[None]:
    """Index and make vectors for as long as the block lasts; what is unfinished goes on at the next start."""
    if desk.settings.demo:
        await reach_in_the_page(desk)
    works = [asyncio.create_task(_index(desk, handbook), name="index")]
    if company is not None:
        works.append(asyncio.create_task(asyncio.to_thread(_make, company), name="company"))
    try:
        yield
    finally:
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)


async def reach_in_the_page(desk: Desk) -> None:
    """Let all sample people be told in the page before they say a word: whoever tries the demo can become each of them.

    Elsewhere somebody has to have spoken to the desk: nobody knows whether they ever look at this page.
    """
    people = await desk.directory.people()
    async with desk.database.transaction() as session:
        for actor in people:
            if not await addresses_of(session, actor.id):
                page = TranscriptPlace(user=actor.id, thread=NEWS).address()
                await remember_address(
                    session,
                    actor_id=actor.id,
                    platform="web",
                    address=dict(page),
                    language=actor.language,
                    now=desk.clock.now(),
                )


def _make(company: Path) -> None:
    """Make the sample company's database, once. Imported by name: only the demo needs it."""
    if not company.exists():
        importlib.import_module("sample.company").make_company(company, today=datetime.now(UTC).date())


async def _index(desk: Desk, handbook: Path | None) -> None:
    try:
        if handbook is not None:
            report = await desk.search.add_folder(local_operator(), handbook)
            if report.added or report.changed:
                screen.say(f"{report.pages} pages of {handbook.name} can be asked about now; vectors follow.", "dim")
        await desk.search.mend(local_operator(), thoroughly=True)
        await desk.search.warm_up()
        if await desk.search.embed_pending():
            screen.say("All vectors are made.", "dim")
    except (SearchError, OSError) as error:
        screen.warn(f"Documents: {error}")


def _greet(settings: Settings, address: str, link: str) -> None:
    screen.say("")
    if settings.demo:
        screen.say(f"The demo is ready: {address}", "bold green")
        screen.say("Ask how something is done, or report a problem. The page lets you be any of the sample people.")
        screen.say(f"What it writes lies in {settings.home}.", "dim")
    else:
        screen.say(f"The desk is ready: {address}", "bold green")
        screen.say(f"Sign in once, within 15 minutes: {link}")
    screen.say("Ctrl-C ends it.", "dim")


def _open(address: str) -> None:
    """Open a graphical browser; one that would take over this terminal, or none, leaves the printed address."""
    if not sys.stdout.isatty():
        return
    try:
        chosen = webbrowser.get()
    except webbrowser.Error:
        return
    if not isinstance(chosen, webbrowser.GenericBrowser) or isinstance(chosen, webbrowser.BackgroundBrowser):
        chosen.open(address)


def _free_port(host: str) -> int:
    with socket.create_server((host.strip("[]"), 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as free:
        port: int = free.getsockname()[1]
        return port
