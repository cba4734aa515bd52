"""Coming in and going out."""

from http.cookies import SimpleCookie
from pathlib import Path

import pytest

from tests.console.site import ORIGIN, Site, look, site

PAGES = (
    "/",
    "/c/thread-0001",
    "/conversations",
    "/tickets",
    "/tickets/TCK-1",
    "/queue",
    "/runs",
    "/runs/run_1",
    "/audit",
)


async def test_every_page_asks_who_is_there(desk_site: Site) -> None:
    asked = (*PAGES, "/knowledge/page/handbook/vpn.md")
    answers = {path: await desk_site.anybody().client.get(path) for path in asked}

    told = {path: (answer.status_code, answer.headers.get("location")) for path, answer in answers.items()}
    assert told == dict.fromkeys(asked, (303, "/sign-in"))
    assert [path for path, answer in answers.items() if "set-cookie" in answer.headers] == []


async def test_a_look_at_the_link_does_not_use_it_up_and_the_button_does(desk_site: Site) -> None:
    token = await desk_site.desk.sign_in.link(await desk_site.person("ada"))
    browser = desk_site.anybody()
    for _ in range(3):
        page = await browser.get(f"/sign-in?token={token}")
        assert page.all("input", name="token")[0]["value"] == token

    first = await browser.client.post("/sign-in", data={"token": token}, headers=ORIGIN)
    second = await desk_site.anybody().client.post("/sign-in", data={"token": token}, headers=ORIGIN)

    assert (first.status_code, first.headers["location"]) == (303, "/")
    assert second.status_code == 401
    assert "used already or has expired" in look(second).text
    assert "set-cookie" not in second.headers
    assert "Ada Adler" in (await browser.get("/")).text


@pytest.mark.parametrize("token", ["", "made-up", "x" * 5_000, "<script>alert(1)</script>"])
async def test_a_made_up_link_is_refused(desk_site: Site, token: str) -> None:
    answer = await desk_site.anybody().client.post("/sign-in", data={"token": token}, headers=ORIGIN)

    assert answer.status_code == 401
    assert "<script>alert" not in answer.text


async def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(desk_site: Site) -> None:
    token = await desk_site.desk.sign_in.link(await desk_site.person("ada"))
    answer = await desk_site.anybody().client.post("/sign-in", data={"token": token}, headers=ORIGIN)
    cookie = SimpleCookie(answer.headers["set-cookie"])["dutydesk_session"]

    assert cookie["httponly"]
    assert cookie["samesite"] == "lax"
    assert not cookie["secure"]


async def test_over_tls_the_cookie_never_travels_in_the_open(migrated_home: Path) -> None:
    async with site(migrated_home, url="https://desk.example") as made:
        token = await made.desk.sign_in.link(await made.person("ada"))
        headers = {"host": "desk.example", "origin": "https://desk.example"}
        answer = await made.anybody().client.post("/sign-in", data={"token": token}, headers=headers)

    assert SimpleCookie(answer.headers["set-cookie"])["dutydesk_session"]["secure"]
    assert answer.headers["strict-transport-security"].startswith("max-age=")


async def test_signing_out_ends_the_session_for_good(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")
    cookie = browser.client.cookies["dutydesk_session"]
    answer = await browser.post("/sign-out")

    assert answer.headers["location"] == "/sign-in"
    assert await desk_site.desk.sign_in.session(cookie) is None


async def test_a_person_who_was_removed_is_signed_out(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")
    people = desk_site.desk.settings.people_path
    lines = [line for line in people.read_text(encoding="utf-8").splitlines() if "id: ada" not in line]
    people.write_text("\n".join(lines) + "\n", encoding="utf-8")

    assert (await browser.client.get("/tickets")).headers["location"] == "/sign-in"


async def test_there_is_no_switcher_outside_of_a_demo(desk_site: Site) -> None:
    browser = await desk_site.browser("ada")

    assert not (await browser.get("/")).all("form", action="/demo/switch")
    assert (await browser.post("/demo/switch", {"person": "cleo"})).status_code in (404, 405)
    assert "Ada Adler" in (await browser.get("/")).text


async def test_a_demo_signs_in_the_first_person_and_switches(demo_site: Site) -> None:
    browser = demo_site.anybody()
    page = await browser.get("/tickets")
    token = str(page.all("form", action="/demo/switch") and page.all("input", name="csrf")[0]["value"])
    old = browser.client.cookies["dutydesk_session"]
    browser.csrf = token
    answer = await browser.post("/demo/switch", {"person": "bao"})
    switched = await browser.get("/tickets")

    assert [option["value"] for option in page.all("option") if "selected" in option] == ["ada"]
    assert answer.status_code == 303
    assert "我的工单" in switched.text
    assert await demo_site.desk.sign_in.session(old) is None


async def test_the_demo_does_not_switch_to_nobody(demo_site: Site) -> None:
    browser = demo_site.anybody()
    browser.csrf = str((await browser.get("/tickets")).all("input", name="csrf")[0]["value"])
    await browser.post("/demo/switch", {"person": "operator"})

    assert "My tickets" in (await browser.get("/tickets")).text


async def test_before_signing_in_the_browser_chooses_the_language(desk_site: Site) -> None:
    page = await desk_site.anybody().get("/sign-in", **{"accept-language": "zh-CN,zh;q=0.9"})

    assert page.all("html")[0]["lang"] == "zh-Hans"
    assert "登录" in page.text
