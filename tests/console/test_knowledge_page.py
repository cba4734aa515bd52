"""The page on which those who manage the knowledge add files and take sources out."""

import asyncio
from pathlib import Path

import httpx
import pytest

from bot.rendering.texts.catalogue import say
from tests.console.site import ORIGIN, Browser, Site, look
from tests.scenarios.world import PEOPLE

KEYS = b"# Archive keys\n\nThere are two keys to the archive.\n"
Files = list[tuple[str, tuple[str, bytes, str]]]


def parts(*named: tuple[str, bytes]) -> Files:
    return [("files", (name, content, "application/octet-stream")) for name, content in named]


async def upload(
    browser: Browser, *named: tuple[str, bytes], to: str = "archive", allow: str = "staff", csrf: str | None = None
) -> httpx.Response:
    data = {"csrf": browser.csrf if csrf is None else csrf, "to": to, "allow": allow}
    return await browser.client.post("/knowledge/upload", data=data, files=parts(*named), headers=ORIGIN)


async def uploaded(browser: Browser) -> None:
    """Wait until everything that was sent is indexed, as the page's script does."""
    async with asyncio.timeout(60):
        while not all(work["over"] for work in await works(browser)):  # noqa: ASYNC110 - what is looked at is a page
            await asyncio.sleep(0.02)


async def works(browser: Browser) -> list[dict[str, object]]:
    told: list[dict[str, object]] = (await browser.client.get("/knowledge/progress")).json()["works"]
    assert told
    return told


async def test_a_file_that_is_added_is_found(desk_site: Site) -> None:
    browser = await desk_site.browser("cleo")
    answer = await upload(browser, ("keys.md", KEYS), ("shot.md", b"# Other\n\nWords.\n"))
    await uploaded(browser)

    assert (answer.status_code, answer.headers["location"]) == (303, "/knowledge?done=uploaded")
    page = await browser.get("/knowledge?done=uploaded")
    assert "archive" in page.text
    assert say("en", "console.knowledge.ready", pages=2) in page.text
    found = await desk_site.desk.search.search(await desk_site.person("ada"), "two keys to the archive", language="en")
    assert found.hits[0].document_path == "keys.md"


async def test_what_cannot_be_read_is_one_line_and_the_rest_is_taken(desk_site: Site) -> None:
    browser = await desk_site.browser("cleo")
    answer = await upload(browser, ("keys.md", KEYS), ("shot.png", b"\x89PNG"), ("broken.pdf", b"%PDF-1.7\nno"))
    await uploaded(browser)

    assert answer.status_code == 422
    assert "shot.png: is of no format that is read" in look(answer).text
    page = await browser.get("/knowledge")
    assert say("en", "console.knowledge.problems", count=1) in page.text
    assert "broken.pdf" in page.text


async def test_a_chinese_page_says_in_chinese_why_a_file_cannot_be_read(desk_site: Site) -> None:
    people = desk_site.desk.settings.people_path
    people.write_text(PEOPLE.replace("Carter, language: en", "Carter, language: zh"), encoding="utf-8")
    browser = await desk_site.browser("cleo")
    answer = await upload(browser, ("empty.md", b""), ("broken.pdf", b"%PDF-1.7\nno"))
    await uploaded(browser)

    assert f"empty.md: {say('zh', 'files.why.empty')}" in look(answer).text
    page = await browser.get("/knowledge")
    assert f"broken.pdf : {say('zh', 'files.why.broken')}" in page.text.replace("broken.pdf:", "broken.pdf :")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"to": "handbook"}, "taken"),
        ({"to": "a/b"}, "name"),
        ({"to": "threads"}, "name"),
        ({"allow": "everyone"}, "access"),
    ],
)
async def test_what_speaks_against_an_upload_is_said_and_nothing_is_kept(
    desk_site: Site, fields: dict[str, str], code: str
) -> None:
    browser = await desk_site.browser("cleo")
    answer = await upload(browser, ("keys.md", KEYS), **fields)

    assert answer.status_code == 422
    assert say("en", f"console.knowledge.wrong.{code}") in look(answer).text
    assert kept(desk_site.desk.settings.home) == []


async def test_an_upload_without_a_file_says_so(desk_site: Site) -> None:
    browser = await desk_site.browser("cleo")
    answer = await upload(browser, ("", b""))

    assert say("en", "console.knowledge.wrong.no_file") in look(answer).text


async def test_nobody_else_sees_the_page_or_sends_anything(desk_site: Site) -> None:
    for person in ("ada", "ben"):
        browser = await desk_site.browser(person)
        answers = [
            await browser.client.get("/knowledge"),
            await browser.client.get("/knowledge/progress"),
            await upload(browser, ("keys.md", KEYS)),
            await browser.post("/knowledge/remove", {"source": "handbook"}),
        ]
        assert [answer.status_code for answer in answers] == [403] * 4
        assert "/knowledge" not in (await browser.get("/")).links
    nobody = desk_site.anybody()
    assert (await upload(nobody, ("keys.md", KEYS))).headers["location"] == "/sign-in"
    assert kept(desk_site.desk.settings.home) == []
    assert len(await desk_site.desk.search.sources(await desk_site.person("cleo"))) == 1


async def test_a_write_needs_the_sessions_token(desk_site: Site) -> None:
    browser = await desk_site.browser("cleo")

    assert (await upload(browser, ("keys.md", KEYS), csrf="wrong")).status_code == 403
    assert kept(desk_site.desk.settings.home) == []


async def test_a_body_of_unknown_or_too_great_size_is_refused_before_it_is_read(desk_site: Site) -> None:
    browser = await desk_site.browser("cleo")
    kind = {**ORIGIN, "content-type": "multipart/form-data; boundary=x"}
    huge = await browser.client.post(
        "/knowledge/upload", content=b"--x", headers={**kind, "content-length": "500000001"}
    )

    async def pieces() -> object:
        yield b"--x"

    unknown = await browser.client.post("/knowledge/upload", content=pieces(), headers=kind)  # type: ignore[arg-type]

    assert (huge.status_code, unknown.status_code) == (413, 411)


async def test_a_source_is_taken_out_and_its_files_are_kept(desk_site: Site) -> None:
    browser = await desk_site.browser("cleo")
    await upload(browser, ("keys.md", KEYS))
    await uploaded(browser)
    answer = await browser.post("/knowledge/remove", {"source": "archive"})

    assert answer.headers["location"] == "/knowledge?done=removed"
    assert "archive" not in [each.name for each in await desk_site.desk.search.sources(await desk_site.person("cleo"))]
    assert [name for name in kept(desk_site.desk.settings.home) if name.endswith("keys.md")]
    again = await browser.post("/knowledge/remove", {"source": "archive"})
    assert again.status_code == 404
    actions = [entry.action for entry in await desk_site.desk.audit.entries(await desk_site.person("cleo"))]
    assert "knowledge.remove" in actions


def kept(home: Path) -> list[str]:
    return [str(file) for file in (home / "uploads").rglob("*") if file.is_file()]
