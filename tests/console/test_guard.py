"""Nothing is written for another site, and nothing is shown under another name."""

import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Receive, Scope, Send

from bot.console.access.guard import Guard
from bot.settings import load
from tests.console.site import ORIGIN, URL, Site

POSTS = (
    "/sign-out",
    "/tickets/TCK-1/comment",
    "/tickets/TCK-1/assign",
    "/tickets/TCK-1/cancel",
    "/audit/verify",
    "/demo/switch",
    "/retrieval",
    "/knowledge/upload",
    "/knowledge/remove",
    "/channels",
    "/reminders/r1/change",
    "/reminders/r1/skip",
    "/reminders/r1/restore",
    "/reminders/r1/done",
    "/reminders/r1/delete",
    "/settings/save",
    "/settings/forget",
    "/status/retry",
    "/jobs/run",
    "/jobs/pause",
    "/jobs/resume",
    "/jobs/target",
)
DOORS = ("messages", "press", "forms", "feedback")


def writes(routes: list[BaseRoute], prefix: str = "") -> Iterator[str]:
    for route in routes:
        if isinstance(route, Mount):
            yield from writes(list(route.routes), prefix + route.path)
        elif isinstance(route, Route) and "POST" in (route.methods or ()):
            yield prefix + route.path


async def test_every_write_of_the_app_is_in_these_tests(demo_site: Site) -> None:
    covered = {"/sign-in", "/sign-out", "/tickets/{number}/{act}", "/audit/verify", "/demo/switch", "/retrieval"}
    covered |= {"/knowledge/upload", "/knowledge/remove", "/jobs/{order}", "/jobs/target", "/channels"}
    covered |= {f"/reminders/{{reminder}}/{act}" for act in ("change", "skip", "restore", "done", "delete")}
    covered |= {"/settings/save", "/settings/forget", "/status/retry"}

    assert set(writes(list(demo_site.app.routes))) == covered  # the chat's doors stand behind a wrapper, see DOORS


async def test_a_form_without_the_sessions_token_is_refused(demo_site: Site) -> None:
    browser = await demo_site.browser("cleo")
    taken = []
    for path, token in product(POSTS, ("", "x" * 22, browser.csrf[:-1], f"{browser.csrf}x", "é")):
        browser.csrf, kept = token, browser.csrf
        answer = await browser.post(path)
        browser.csrf = kept
        if answer.status_code != 403 or "Nothing was changed" not in answer.text:
            taken.append((path, token, answer.status_code))
    assert taken == []


async def test_a_chat_door_without_the_sessions_token_is_refused(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")
    taken = []
    for door, token in product(DOORS, ("", "x", browser.csrf[:-1])):
        answer = await browser.door(door, {"text": "x"}, **{"x-csrf-token": token})
        if (answer.status_code, answer.json()["error"]) != (403, "refused"):
            taken.append((door, token, answer.status_code))
    assert taken == []


async def test_the_token_of_another_session_is_worth_nothing(desk_site: Site) -> None:
    ada, ben = await desk_site.browser("ada"), await desk_site.browser("ben")
    ada.csrf = ben.csrf

    assert (await ada.post("/sign-out")).status_code == 403
    assert (await ada.door("messages", {"text": "x"})).status_code == 403


@pytest.mark.parametrize(
    "origin",
    ["", "null", "http://evil.example", "http://127.0.0.1:8765.evil.example", "http://127.0.0.1:9999", "file://"],
)
async def test_a_write_from_another_origin_is_refused_even_with_everything_else_right(
    desk_site: Site, origin: str
) -> None:
    browser = await desk_site.browser("ada")
    form = await browser.post("/sign-out", origin=origin)
    door = await browser.door("messages", {"text": "x"}, origin=origin)

    assert (form.status_code, door.status_code) == (403, 403)
    assert await desk_site.desk.transcript.threads("ada") == ()


async def test_a_write_without_an_origin_is_refused(desk_site: Site) -> None:
    token = await desk_site.desk.sign_in.link(await desk_site.person("ada"))
    client = desk_site.anybody().client

    assert (await client.post("/sign-in", data={"token": token})).status_code == 403
    assert (await client.post("/sign-in", data={"token": token}, headers=ORIGIN)).status_code == 303


async def test_a_host_name_that_is_not_ours_is_refused(desk_site: Site) -> None:
    client = desk_site.anybody().client
    hosts = ("evil.example", "evil.example:8765", "127.0.0.1.evil.example", "", "[broken")
    answers = {host: await client.get("/sign-in", headers={"host": host}) for host in hosts}

    assert {host: answer.status_code for host, answer in answers.items()} == dict.fromkeys(hosts, 421)
    assert [host for host, answer in answers.items() if "web.url" not in answer.text] == []


async def test_loopback_has_several_names(desk_site: Site) -> None:
    client = desk_site.anybody().client
    hosts = ("localhost:8765", "127.0.0.1", "[::1]:8765", "LOCALHOST")

    told = {host: (await client.get("/sign-in", headers={"host": host})).status_code for host in hosts}
    assert told == dict.fromkeys(hosts, 200)


async def test_every_answer_tells_the_browser_what_it_may_do(desk_site: Site) -> None:
    client = desk_site.anybody().client
    paths = ("/sign-in", "/static/desk.css", "/health", "/nowhere", "/chat/threads")
    told = {path: (await client.get(path)).headers for path in paths}

    policies = {path: headers["content-security-policy"] for path, headers in told.items()}
    assert [path for path, policy in policies.items() if "default-src 'none'" not in policy or "unsafe" in policy] == []
    assert {path: headers["x-content-type-options"] for path, headers in told.items()} == dict.fromkeys(
        paths, "nosniff"
    )
    assert {path: headers["x-frame-options"] for path, headers in told.items()} == dict.fromkeys(paths, "DENY")


async def test_no_path_leads_out(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")
    paths = (
        "/static/../guard.py",
        "/static/%2e%2e/guard.py",
        "/static/..%2fguard.py",
        "/static/%2e%2e%2f%2e%2e%2fsettings.py",
        "/chat/static/../app.py",
        "/static//etc/passwd",
        "/knowledge/page/handbook/../../people.yaml",
        "/knowledge/page/handbook/%2e%2e/%2e%2e/people.yaml",
        "/knowledge/page/handbook/..%2f..%2fpeople.yaml",
        "/knowledge/page/..%2f..%2f/people.yaml",
        "/knowledge/page/handbook/.access.yaml",
        "/c/..%2f..%2fben",
    )
    answers = {path: await browser.client.get(URL + path) for path in paths}

    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(paths, 404)
    assert [path for path, answer in answers.items() if "import" in answer.text or "email" in answer.text] == []


async def test_a_form_of_unknown_or_great_length_is_refused_unread(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")

    async def pieces() -> object:
        yield b"csrf=x"

    kind = {"content-type": "application/x-www-form-urlencoded"}
    unknown = await browser.client.post("/sign-out", content=pieces(), headers={**ORIGIN, **kind})  # type: ignore[arg-type]
    great = await browser.post("/tickets/TCK-1/comment", {"text": "x" * 70_000})

    assert (unknown.status_code, great.status_code) == (411, 413)


async def test_pages_load_nothing_from_elsewhere_and_run_nothing_inline(demo_site: Site) -> None:
    browser = await demo_site.browser("cleo")
    for path in ("/", "/tickets", "/queue", "/runs", "/audit"):
        page = await browser.get(path)
        assert page.status == 200
        for tag, attributes in page.tags:
            assert not [name for name in attributes if name.startswith("on") or name == "style"], (path, tag)
            loaded = [attributes[name] for name in ("src", "href") if tag in ("script", "link") and name in attributes]
            assert all(str(each).startswith("/") and not str(each).startswith("//") for each in loaded)
            assert tag != "script" or attributes.get("src")


async def test_cookies_of_backslashes_hold_up_nobody(demo_site: Site) -> None:
    browser = await demo_site.browser("cleo")
    session = "; ".join(f"{each.name}={each.value}" for each in browser.client.cookies.jar)
    slow = "\\0" * 25_000
    began = time.thread_time()
    answer = await browser.client.get("/settings", headers={"cookie": f'a="{slow}"; {session}'})
    assert time.thread_time() - began < 1
    assert answer.status_code == 200, "the session's own cookie is read beside it"


async def test_no_cookie_with_a_backslash_is_passed_on(tmp_path: Path) -> None:
    seen = list[str]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(Request(scope).headers.get("cookie", "none"))
        await PlainTextResponse("")(scope, receive, send)

    guarded = Guard(app, load(home=tmp_path))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(guarded), base_url="http://localhost") as client:
        for cookie in ('a="\\0"; b=1', "a=1; b=2", 'a="\\""'):
            await client.get("/", headers={"cookie": cookie})
    assert seen == [" b=1", "a=1; b=2", ""]
