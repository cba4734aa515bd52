"""The page of the local Slack in a real browser: it shows what people see, and what they do in it reaches the app."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest
from playwright.async_api import Page, async_playwright, expect

from tests.browser.house import ARGUMENTS, chromium
from tests.fakes.bolt_app import MANIFEST, BoltApp, bolt_app, serving
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.people import Person
from tests.fakes.slack.records import Channel
from tests.fakes.test_slack_people import CARD, FORM

Json = dict[str, Any]


@dataclass
class Desk:
    """A browser window of one person, the Slack behind it, and the app behind that."""

    slack: LocalSlack
    bolt: BoltApp
    ops: Channel
    ada: Person
    page: Page
    problems: list[str] = field(default_factory=list)

    async def open(self, rest: str = "") -> None:
        await self.page.goto(self.slack.window(self.ada) + rest)
        await self.page.locator("body[data-ready]").wait_for()

    async def type(self, label: str, text: str) -> None:
        await self.page.get_by_label(label).fill(text)
        await self.page.keyboard.press("Enter")


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    executable = chromium()
    if executable is None:
        pytest.skip("no Chromium was found on the PATH, so nothing was tested in a real browser")
    async with LocalSlack() as slack, async_playwright() as playwright:
        bolt = bolt_app(slack)
        async with serving(bolt.app) as url:
            await slack.install(MANIFEST, request_url=url)
            ada = slack.add_person("ada", real_name="Ada Adler")
            ops = slack.workspace.add_channel("ops", (ada.user,))
            browser = await playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
            page = await browser.new_page(viewport={"width": 1280, "height": 800})
            desk = Desk(slack, bolt, ops, ada, page)
            page.on("pageerror", lambda error: desk.problems.append(str(error)))
            yield desk
            assert not desk.problems
            await browser.close()


async def test_what_is_typed_is_said_and_what_the_app_posts_appears(desk: Desk) -> None:
    await desk.open(f"&at={desk.ops.id}")
    await desk.type("Message #ops", "@Duty Desk 你好 <b>")
    await expect(desk.page.locator(".message .mention")).to_have_text("@Duty Desk")
    await desk.bolt.understood.until(2)
    ts = desk.bolt.understood.events[0]["ts"]
    await desk.bolt.app.client.chat_postMessage(channel=desk.ops.id, text="*hello*", thread_ts=ts)

    await desk.page.get_by_text("1 reply").click()
    await expect(desk.page.get_by_label("Thread", exact=True).locator("b").get_by_text("hello")).to_be_visible()
    await desk.type("Reply…", "thank you")
    await expect(desk.page.get_by_label("Thread", exact=True).get_by_text("thank you")).to_be_visible()
    assert desk.slack.workspace.replies(desk.ops.id, ts)[-1].user == desk.ada.user.id


async def test_buttons_are_pressed_and_asked_about(desk: Desk) -> None:
    pressed: list[str] = []

    async def action(ack: Any, action: Json) -> None:
        pressed.append(action["action_id"])
        await ack()

    desk.bolt.app.action("confirm#1")(action)
    await desk.bolt.app.client.chat_postMessage(channel=desk.ops.id, text="VPN", blocks=CARD)
    await desk.open(f"&at={desk.ops.id}")
    await desk.page.get_by_role("button", name="Confirm").click()
    await desk.slack.deliveries.settled()
    await desk.page.get_by_role("button", name="Cancel").click()
    await desk.page.get_by_role("button", name="No", exact=True).click()
    await desk.page.get_by_role("button", name="Cancel").click()
    await desk.page.get_by_role("button", name="Yes", exact=True).click()

    await expect(desk.page.locator(".triangle")).to_be_visible()
    assert pressed == ["confirm#1"]
    assert desk.slack.deliveries.records[-1].body["actions"][0]["action_id"] == "cancel#2"


async def test_a_command_opens_a_modal_that_is_filled_sent_and_complained_about(desk: Desk) -> None:
    sent: list[Json] = []

    async def command(ack: Any, body: Json, client: Any) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)

    async def submitted(ack: Any, view: Json) -> None:
        sent.append(view["state"]["values"])
        await (ack(response_action="errors", errors={"title": "Too short."}) if len(sent) == 1 else ack())

    desk.bolt.app.command("/desk")(command)
    desk.bolt.app.view("form")(submitted)
    await desk.open()
    await desk.type("Message Duty Desk", "/desk new")
    form = desk.page.get_by_role("dialog")
    await form.get_by_role("button", name="Create").click()
    await expect(form.get_by_role("alert")).to_have_text("Please complete this required field.")
    await form.get_by_label("Title").fill("VPN")
    await form.get_by_label("Priority").select_option("High")
    await form.get_by_role("button", name="Create").click()
    await expect(form.get_by_role("alert")).to_have_text("Too short.")
    await expect(form.get_by_label("Title")).to_have_value("VPN")
    await form.get_by_role("button", name="Create").click()
    await expect(form).to_have_count(0)

    assert sent[1]["title"]["value"]["value"] == "VPN"
    assert sent[1]["priority"]["value"]["selected_option"]["value"] == "p1"


async def test_streams_ephemeral_messages_and_edits_are_told_apart(desk: Desk) -> None:
    said = await desk.ada.say("#ops", "why?")
    client = desk.bolt.app.client
    known = {"channel": desk.ops.id, "thread_ts": said.ts, "recipient_team_id": desk.slack.workspace.team.id}
    known |= {"recipient_user_id": desk.ada.user.id, "markdown_text": "I look at the **logs**"}
    stream = await client.api_call("chat.startStream", json=known)
    await client.chat_postEphemeral(channel=desk.ops.id, user=desk.ada.user.id, text="psst")
    await desk.open(f"&at={desk.ops.id}&thread={said.ts}")
    thread = desk.page.get_by_label("Thread", exact=True)
    await expect(desk.page.get_by_text("Only visible to you")).to_be_visible()
    await expect(thread.get_by_text("Writing…")).to_be_visible()

    stop = {"channel": desk.ops.id, "ts": stream["ts"], "markdown_text": ": all is well."}
    await client.api_call("chat.stopStream", json=stop)
    await expect(thread.get_by_text("Writing…")).to_have_count(0)
    await expect(thread.get_by_text("I look at the logs: all is well.")).to_be_visible()
    await desk.ada.edit(said, "why not?")
    await expect(thread.get_by_text("(edited)")).to_be_visible()


async def test_the_home_opens_and_a_shortcut_carries_its_message(desk: Desk) -> None:
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "🟢 *No tickets*"}}]
    await desk.bolt.app.client.views_publish(user_id=desk.ada.user.id, view={"type": "home", "blocks": blocks})
    await desk.ada.say("#ops", "printer on fire")
    await desk.open("&tab=home")
    await expect(desk.page.locator(".home")).to_contain_text("No tickets")
    await desk.page.get_by_role("link", name="ops").click()
    await desk.page.get_by_text("printer on fire").hover()
    await desk.page.get_by_label("More actions").click()
    await desk.page.get_by_role("button", name="Create ticket").click()

    await desk.bolt.understood.until(3)
    assert {"app_home_opened", "message"} <= {kind for kind, _ in desk.bolt.understood.kinds()}
    shortcut = next(each for each in desk.bolt.understood.bodies if each["type"] == "message_action")
    assert shortcut["message"]["text"] == "printer on fire"


async def test_a_prompt_is_taken(desk: Desk) -> None:
    dm = desk.slack.workspace.im(desk.ada.user)
    desk.slack.workspace.thread(dm.id, "").prompts = [{"title": "Reset", "message": "How do I reset my token?"}]
    await desk.open()
    await desk.page.get_by_role("button", name="Reset").click()

    await expect(desk.page.locator(".message")).to_contain_text("How do I reset my token?")


async def test_nobody_looks_into_a_conversation_of_others(desk: Desk) -> None:
    other = desk.slack.workspace.add_channel("board")
    async with aiohttp.ClientSession() as session:
        window = desk.slack.window(desk.ada)
        answers = [await session.get(f"{window}&at={channel}") for channel in (other.id, desk.ops.id)]

    assert [each.status for each in answers] == [404, 200]
