"""The health page tells how the platforms are doing, in the visitor's language."""

from pathlib import Path

import pytest

from adapters.outbound.health import Trouble
from adapters.slack.chat import SlackChat
from tests.console.site import site

#: Nothing listens there, and nothing is asked of it here.
SLACK = {"mode": "http", "bot_token": "xoxb-1", "signing_secret": "s", "api_url": "http://127.0.0.1:1/api/"}
EVENTS = "/slack/events"


async def test_a_platform_without_trouble_is_well(migrated_home: Path) -> None:
    async with site(migrated_home, slack=SLACK) as made:
        page = await (await made.browser("cleo")).get("/status")

    assert "Slackwell" in page.text  # two cells of one row


@pytest.mark.parametrize(
    ("person", "words"), [("cleo", "Slack does not answer; posts wait."), ("bao", "Slack 没有响应")]
)
async def test_trouble_is_told_until_it_is_over(migrated_home: Path, person: str, words: str) -> None:
    async with site(migrated_home, slack=SLACK) as made:
        chat = made.desk.chats["slack"]
        assert isinstance(chat, SlackChat)
        browser = await made.browser(person)
        chat.calls.health.begins(Trouble.AWAY, "no answer")
        during = await browser.get("/status")
        chat.calls.health.ends(Trouble.AWAY)
        after = await browser.get("/status")

    assert words in during.text
    assert words not in after.text


async def test_what_was_refused_at_the_platforms_door_is_counted(migrated_home: Path) -> None:
    async with site(migrated_home, slack=SLACK) as made:
        forged = await made.anybody().client.post(EVENTS, content=b"{}")
        page = await (await made.browser("cleo")).get("/status")

    assert forged.status_code == 401
    assert "1 requests that were not Slack's were refused" in page.text
