"""A web site becomes a source by one command."""

import asyncio
import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.cli.documents.crawl import folder_name
from bot.compose.compose import compose
from bot.schedules.order import Order
from bot.settings import load
from identity.actor import local_operator
from storage.queue import schedules
from tests.cli.conftest import invoke, start
from tests.fakes.website import Website, links, page


@contextmanager
def served(site: Website) -> Iterator[Website]:
    """Serve a site from a thread of its own, since the command runs a loop itself."""
    ready, over = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with site:
            ready.set()
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(10)
    try:
        yield site
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
        loop.close()


@pytest.fixture
def site() -> Iterator[Website]:
    handbook = Website()
    handbook.served = {
        "/help/": page("<h1>Help</h1>" + links("vpn", "map.png", "broken"), title="Help"),
        "/help/vpn": page("<h1>VPN</h1><p>Open the Tidegate client and sign in with your badge number.</p>"),
    }
    with served(handbook):
        yield handbook


def test_a_site_is_fetched_indexed_and_answers(site: Website, tmp_path: Path) -> None:
    home = tmp_path / "home"
    done = invoke("crawl", f"{site.url}/help/", "--allow", "staff", "--rate", "50", home=home)

    assert done.exit_code == 0, done.output
    folder = home / "web" / folder_name(site.url)
    assert "2 added, 0 changed, 0 removed, 0 unchanged in" in done.output
    assert "Left out: 1 that hold no text" in done.output
    assert {path.name for path in (folder / "help").iterdir()} == {"index.md", "vpn.md"}
    status = invoke("knowledge", "status", home=home).output
    assert folder.name in status
    asked = invoke("ask", "How do I open the Tidegate client?", home=home)
    assert "badge number" in asked.output
    assert f"{site.url}/help/vpn" in asked.output
    found = invoke("search", "Tidegate client", home=home).output
    assert f"{site.url}/help/vpn" in found.replace("\n", "")
    (hit, *_) = json.loads(invoke("search", "Tidegate client", "--json", home=home).stdout)["hits"]
    assert hit["url"] == f"{site.url}/help/vpn"

    site.served["/help/vpn"] = page("<h1>VPN</h1><p>It was taken out of service.</p>")
    again = invoke("crawl", f"{site.url}/help/", "--rate", "50", home=home)

    assert "0 added, 1 changed, 0 removed, 1 unchanged in" in again.output
    assert "badge number" not in invoke("ask", "How do I open the Tidegate client?", home=home).output


def test_a_folder_of_ones_own_without_an_index(site: Website, tmp_path: Path) -> None:
    out = tmp_path / "pages"
    options = ("--out", str(out), "--no-index", "--rate", "50", "--pages", "1")
    done = invoke("crawl", f"{site.url}/help/", *options, home=tmp_path / "h")

    assert done.exit_code == 0, done.output
    assert (out / "help/index.md").exists()
    assert "Stopped before the end: the limit of 1 pages is reached (--pages)." in done.output
    assert not (tmp_path / "h/index.db").exists()


def test_who_may_read_is_judged_before_anything_is_fetched(site: Website, tmp_path: Path) -> None:
    done = invoke("crawl", f"{site.url}/help/", "--allow", "everyone", home=tmp_path / "home")

    assert done.exit_code == 1
    assert "'everyone' is nobody" in str(done.exception)
    assert site.asked == []


def test_what_stands_against_a_crawl_is_one_line(site: Website, tmp_path: Path) -> None:
    process = start("crawl", f"{site.url}/nothing", "--home", str(tmp_path / "home"))
    _, errors = process.communicate(timeout=60)

    assert process.returncode == 1
    assert errors == f"Error: {site.url}/nothing answers 404 (Not Found); nothing was changed\n"


def test_ctrl_c_keeps_what_was_fetched(site: Website, tmp_path: Path) -> None:
    site.served |= {f"/help/{number}": page(f"<p>{number}</p>" + links(str(number + 1))) for number in range(500)}
    site.served["/help/"] = page("<p>Help.</p>" + links("0"))
    out = tmp_path / "pages"
    process: subprocess.Popen[str] = start(
        "crawl", f"{site.url}/help/", "--home", str(tmp_path), "--out", str(out), "--rate", "20"
    )
    fetched = threading.Event()

    async def watch(_: object) -> None:
        if "/help/3" in site.asked:
            fetched.set()

    site.before = watch
    assert fetched.wait(60)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)

    assert process.returncode == 130
    assert errors.endswith("Stopped. What was fetched is kept; the same command goes on where it was.\n")
    assert (out / "help/0.md").exists()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://Docs.Example.com/a/", "docs.example.com"),
        ("http://127.0.0.1:8080/", "127.0.0.1-8080"),
        ("https://user:secret@example.com/", "example.com"),
        ("https://../x", "site"),
    ],
)
def test_the_folder_goes_by_the_host(url: str, name: str) -> None:
    assert folder_name(url) == name


def test_a_site_is_crawled_again_by_the_clock_until_its_source_is_removed(site: Website, tmp_path: Path) -> None:
    home, name = tmp_path / "home", f"crawl {site.url}/help/"
    invoke("crawl", f"{site.url}/help/", "--allow", "staff", "--rate", "50", "--every", "6", home=home)
    listed = invoke("jobs", "list", home=home).output
    assert f"{name}: next " in listed

    async def by_the_clock() -> list[str]:
        async with await compose(load(home=home)) as desk:
            operator = local_operator()
            (job,) = [each for each in await desk.job_control.everything(operator) if each.schedule.name == name]
            assert job.schedule.next_at is not None
            assert 5.9 < (job.schedule.next_at - desk.clock.now()).total_seconds() / 3_600 <= 6
            await desk.job_control.order(operator, name, Order.RUN)
            await desk.jobs.worker.drain()
            runs = await desk.job_control.history(operator, name)
            await desk.uploads.remove(operator, folder_name(site.url))
            await desk.job_control.order(operator, name, Order.RUN)
            await desk.jobs.worker.drain()
            async with desk.database.reading() as session:
                assert await schedules.find(session, name) is None
        return [str(each.outcome) for each in runs]

    site.served["/help/vpn"] = page("<h1>VPN</h1><p>It was taken out of service.</p>")
    assert asyncio.run(by_the_clock()) == ["0 added, 1 changed, 0 removed"]


def test_a_site_that_is_not_to_be_crawled_again_has_no_job(site: Website, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for hours in ("24", "0"):
        done = invoke("crawl", f"{site.url}/help/", "--allow", "staff", "--rate", "50", "--every", hours, home=home)
        assert done.exit_code == 0, done.output

    assert "crawl http" not in invoke("jobs", "list", home=home).output
