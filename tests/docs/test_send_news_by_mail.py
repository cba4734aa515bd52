"""`docs/how-to/send-news-by-mail.md` done as it says: what people then find in their mailbox, and when it fails."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.delivery.news.mail import TRIES
from bot.settings import load
from storage.database import Database
from storage.queue.worker import LONGEST_RETRY_S
from tests.architecture.source import ROOT
from tests.docs.pages import Page
from tests.fakes.news_ways import Mailbox, mail_server
from tests.scenarios.stage import MovableClock
from tests.scenarios.world import World, button, words, world_in

SOURCE = ROOT / "docs" / "how-to" / "send-news-by-mail.md"
PAGE = Page(SOURCE, SOURCE.read_text(encoding="utf-8"))
(WRITTEN,) = PAGE.blocks("toml")
REPORT = "My laptop 77 on floor 3 does not start, my extension is 4411. Please open a ticket."
PASSWORD = "kept out of the file"


@pytest.fixture
def mailbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailbox]:
    """Do what the page says in an empty home: its settings lead to a server that knows their name and password."""
    given = tomllib.loads(WRITTEN)["mail"]
    (variable,) = re.findall(r"password belongs in the environment: `(\w+)`", PAGE.text)
    with mail_server(tmp_path / "certificates", login=(given["username"], PASSWORD)) as box:
        there = WRITTEN.replace(given["host"], str(box.settings["host"])).replace(
            str(given["port"]), str(box.settings["port"]), 1
        )
        authority = f'ca_file = "{box.settings["ca_file"]}"\n'
        web = '\n[web]\nurl = "https://desk.example.com"\n'
        (tmp_path / "home").mkdir()
        (tmp_path / "home" / "dutydesk.toml").write_text(there + authority + web, encoding="utf-8")
        monkeypatch.setenv(variable, PASSWORD)
        yield box


async def filed(world: World, person: str, report: str) -> str:
    card = await world.say(person, report)
    done = words(await world.press(person, button(card, "draft.confirm")))
    found = re.search(r"TCK-[\d-]+\d", done)
    assert found is not None
    return found[0]


async def test_who_chose_e_mail_reads_it_there_in_their_language(
    database: Database, tmp_path: Path, mailbox: Mailbox
) -> None:
    async with world_in(tmp_path / "home", database, clock=MovableClock()) as world:
        number = await filed(world, "bao", "我的笔记本 77 在 3 楼打不开，分机 4411，请建一张工单。")
        await world.say("bao", "/desk settings set way mail")
        await world.say("ben", f"/desk ticket comment {number} Is it plugged in?")

    (message,) = mailbox.got
    plain, html = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert html is not None
    assert (message["From"], message["To"]) == ("Duty desk <desk@example.com>", "bao@example.com")
    assert message["Content-Language"] == "zh-Hans"
    assert number in message["Subject"]
    assert "Is it plugged in?" in plain.get_content()
    assert f"https://desk.example.com/tickets/{number}" in plain.get_content()
    assert f'href="https://desk.example.com/tickets/{number}"' in html.get_content()
    assert "<button" not in html.get_content()


async def test_what_may_have_arrived_is_sent_again_as_the_same_message(
    database: Database, tmp_path: Path, mailbox: Mailbox
) -> None:
    clock = MovableClock()
    async with world_in(tmp_path / "home", database, clock=clock) as world:
        number = await filed(world, "ada", REPORT)
        await world.say("ada", "/desk settings set way mail")
        mailbox.receipt = "451 come back later"
        await world.say("ben", f"/desk ticket comment {number} look here")
        mailbox.receipt = "250 OK"
        clock.skip(2)
        await world.settle("ada")

    first, second = mailbox.got
    assert first["Message-ID"] == second["Message-ID"]


@pytest.mark.parametrize(("answer", "tries"), [("451 come back later", TRIES), ("550 no such user", 1)])
async def test_what_the_server_never_takes_comes_in_the_chat(
    database: Database, tmp_path: Path, mailbox: Mailbox, answer: str, tries: int
) -> None:
    assert {1: "a 5xx at once", TRIES: "is tried ten times"}[tries] in PAGE.text
    clock = MovableClock()
    async with world_in(tmp_path / "home", database, clock=clock) as world:
        number = await filed(world, "ada", REPORT)
        await world.say("ada", "/desk settings set way mail")
        mailbox.answer = answer
        await world.say("ben", f"/desk ticket comment {number} look here")
        for _ in range(tries):
            clock.skip(LONGEST_RETRY_S)
            await world.settle("ada")
        assert mailbox.offered == tries
        shown = [words(each.card) for each in world.chat.posted() if each.address["user"] == "ada"]

    assert sum("look here" in each for each in shown) == 1


def test_a_desk_takes_the_settings_of_the_page_as_they_stand(tmp_path: Path) -> None:
    (tmp_path / "dutydesk.toml").write_text(WRITTEN, encoding="utf-8")
    assert load(home=tmp_path).mail.host == tomllib.loads(WRITTEN)["mail"]["host"]
