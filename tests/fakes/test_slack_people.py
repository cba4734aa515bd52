"""People of the local Slack act, and an app made with slack_bolt understands all of it over HTTP."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.fakes.bolt_app import MANIFEST, BoltApp, bolt_app, serving
from tests.fakes.not_shown import NotShown
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.people import Person
from tests.fakes.slack.records import Channel

Json = dict[str, Any]
FORM: Json = {
    "type": "modal",
    "callback_id": "form",
    "notify_on_close": True,
    "title": {"type": "plain_text", "text": "Create ticket"},
    "submit": {"type": "plain_text", "text": "Create"},
    "private_metadata": "draft 7",
    "blocks": [
        {
            "type": "input",
            "block_id": "title",
            "label": {"type": "plain_text", "text": "Title"},
            "element": {"type": "plain_text_input", "action_id": "value", "max_length": 20},
        },
        {
            "type": "input",
            "block_id": "priority",
            "optional": True,
            "label": {"type": "plain_text", "text": "Priority"},
            "element": {
                "type": "static_select",
                "action_id": "value",
                "options": [
                    {"text": {"type": "plain_text", "text": "High"}, "value": "p1"},
                    {"text": {"type": "plain_text", "text": "Low"}, "value": "p3"},
                ],
            },
        },
    ],
}
CARD: list[Json] = [
    {"type": "section", "text": {"type": "mrkdwn", "text": "*VPN is down*"}},
    {
        "type": "actions",
        "elements": [
            {
                "type": "button",
                "action_id": "confirm#1",
                "style": "primary",
                "text": {"type": "plain_text", "text": "Confirm"},
                "value": "draft-7",
            },
            {
                "type": "button",
                "action_id": "cancel#2",
                "text": {"type": "plain_text", "text": "Cancel"},
                "confirm": {
                    "title": {"type": "plain_text", "text": "Sure?"},
                    "text": {"type": "plain_text", "text": "This cannot be undone."},
                    "confirm": {"type": "plain_text", "text": "Yes"},
                    "deny": {"type": "plain_text", "text": "No"},
                },
            },
        ],
    },
]


@dataclass
class Town:
    """A workspace with one channel, one person, and the app listening over HTTP."""

    slack: LocalSlack
    bolt: BoltApp
    ops: Channel
    ada: Person

    async def post(self, **message: Any) -> str:
        """Let the app post into the channel."""
        answer = await self.bolt.app.client.chat_postMessage(channel=self.ops.id, **message)
        return str(answer["ts"])

    async def open_form(self) -> None:
        """Let the app answer a command with the modal."""

        async def command(ack: Any, body: Json, client: Any) -> None:
            await ack()
            await client.views_open(trigger_id=body["trigger_id"], view=FORM)

        self.bolt.app.command("/desk")(command)
        await self.ada.command("/desk new", "#ops")
        await self.slack.workspace.until(lambda: self.slack.workspace.modals.get(self.ada.user.id))


@pytest.fixture
async def town() -> AsyncIterator[Town]:
    async with LocalSlack() as slack:
        bolt = bolt_app(slack)
        async with serving(bolt.app) as url:
            await slack.install(MANIFEST, request_url=url)
            ada = slack.add_person("ada", real_name="Ada Adler")
            yield Town(slack, bolt, slack.workspace.add_channel("ops", (ada.user,)), ada)
            await slack.deliveries.settled()


async def test_a_request_url_proves_itself(town: Town) -> None:
    assert town.slack.request_urls is not None
    assert await town.slack.request_urls.verified()


async def test_an_event_can_be_delivered_once_more(town: Town) -> None:
    await town.ada.say("dm", "hello")
    await town.slack.deliveries.settled()
    town.slack.deliveries.send_again(town.bolt.understood.bodies[0]["event_id"])
    await town.slack.deliveries.settled()

    first, second = town.bolt.understood.bodies
    assert first == second


async def test_a_mention_comes_twice_under_two_event_ids(town: Town) -> None:
    said = await town.ada.mention("#ops", "VPN drops & dies")

    await town.slack.deliveries.settled()
    first, second = town.bolt.understood.bodies
    assert {first["event"]["type"], second["event"]["type"]} == {"message", "app_mention"}
    assert first["event_id"] != second["event_id"]
    assert first["event"]["ts"] == second["event"]["ts"] == said.ts
    assert first["event"]["text"] == "<@U0DESK> VPN drops &amp; dies"
    assert first["event"]["blocks"][0]["elements"][0]["elements"][0] == {"type": "user", "user_id": "U0DESK"}
    assert first["authorizations"][0]["user_id"] == "U0DESK"
    assert [each.status for each in town.slack.deliveries.records] == [200, 200]


async def test_edits_deletions_broadcasts_and_reactions_arrive(town: Town) -> None:
    root = await town.ada.say("#ops", "is anybody there?")
    await town.ada.say("#ops", "found it", thread=root, broadcast=True)
    await town.ada.edit(root, "is somebody there?")
    await town.ada.react(root, "eyes")
    await town.ada.delete(root)

    await town.bolt.understood.until(5)
    assert sorted(town.bolt.understood.kinds(), key=str) == [
        ("message", "message_changed"),
        ("message", "message_changed"),  # that has replies: a tombstone takes its place
        ("message", "thread_broadcast"),
        ("message", None),
        ("reaction_added", None),
    ]
    changes = [each for each in town.bolt.understood.events if each.get("subtype") == "message_changed"]
    changed, gone = sorted(changes, key=lambda each: each["message"].get("subtype") == "tombstone")
    assert gone["message"]["subtype"] == "tombstone"
    assert gone["previous_message"]["text"] == "is somebody there?"
    assert changed["previous_message"]["text"] == "is anybody there?"
    assert changed["message"]["text"] == "is somebody there?"
    assert changed["message"]["edited"]["user"] == town.ada.user.id


async def test_a_mention_that_is_edited_in_comes_as_one(town: Town) -> None:
    said = await town.ada.say("#ops", "VPN drops")
    await town.ada.edit(said, "<@U0DESK> VPN drops")

    await town.bolt.understood.until(3)
    assert ("app_mention", None) in town.bolt.understood.kinds()


async def test_the_app_hears_nothing_from_where_it_is_not(town: Town) -> None:
    town.slack.workspace.add_channel("private", (town.ada.user,), with_bot=False, is_private=True)
    await town.ada.mention("#private", "can you hear me?")
    await town.ada.say("dm", "but here you do")

    await town.bolt.understood.until(1)
    await town.slack.deliveries.settled()
    assert [each["channel_type"] for each in town.bolt.understood.events] == ["im"]


async def test_what_the_manifest_or_the_scopes_leave_out_is_not_delivered(town: Town) -> None:
    town.slack.workspace.scopes.discard("channels:history")
    await town.ada.mention("#ops", "hello")
    await town.slack.deliveries.settled()

    assert town.bolt.understood.kinds() == [("app_mention", None)]


async def test_the_home_and_the_messages_tab_are_told_apart(town: Town) -> None:
    await town.ada.open_home()
    await town.bolt.understood.until(1)
    await town.bolt.app.client.views_publish(
        user_id=town.ada.user.id,
        view={"type": "home", "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "Hello"}}]},
    )
    await town.ada.open_home()
    await town.bolt.understood.until(2)
    await town.ada.open_messages()
    await town.bolt.understood.until(3)

    first, second, third = town.bolt.understood.events
    assert [each["tab"] for each in (first, second, third)] == ["home", "home", "messages"]
    assert "view" not in first
    assert second["view"]["blocks"][0]["text"]["text"] == "Hello"
    assert third["channel"].startswith("D")


async def test_what_slack_does_by_itself_arrives(town: Town) -> None:
    eve = town.slack.add_person("eve")
    town.slack.feed.joined(eve.user, town.ops)
    town.slack.feed.webhook(town.ops, "deployed")
    await town.bolt.understood.until(2)
    town.slack.feed.uninstalled()

    await town.bolt.understood.until(4)
    kinds = {kind for kind, _ in town.bolt.understood.kinds()}
    assert kinds == {"member_joined_channel", "message", "tokens_revoked", "app_uninstalled"}


async def test_a_command_is_answered_to_its_person_alone(town: Town) -> None:
    forms: list[Json] = []

    async def command(ack: Any, body: Json) -> None:
        forms.append(body)
        await ack("Say `/desk help`.")

    town.bolt.app.command("/desk")(command)
    answer = await town.ada.command("/desk my tickets", "#ops")

    assert answer.status == 200
    assert (forms[0]["text"], forms[0]["channel_name"]) == ("my tickets", "ops")
    assert town.ada.sees("#ops")[-1].text == "Say `/desk help`."
    assert town.ada.sees("#ops")[-1].ephemeral_to == town.ada.user.id


async def test_a_command_that_nobody_takes_is_told_by_slackbot(town: Town) -> None:
    await town.ada.command("/desk", "#ops")

    assert town.ada.sees("#ops")[-1].text == '/desk failed with the error "dispatch_failed".'
    with pytest.raises(NotShown, match="not a valid command"):
        await town.ada.command("/other", "#ops")


async def test_buttons_are_pressed_by_their_words(town: Town) -> None:
    pressed: list[Json] = []

    async def action(ack: Any, body: Json) -> None:
        pressed.append(body)
        await ack()

    town.bolt.app.action("confirm#1")(action)
    town.bolt.app.action("cancel#2")(action)
    ts = await town.post(text="VPN", blocks=CARD)

    await town.ada.press("Confirm")
    with pytest.raises(NotShown, match="asks first"):
        await town.ada.press("Cancel")
    assert await town.ada.press("Cancel", confirm=False) is None
    await town.ada.press("Cancel", confirm=True)
    with pytest.raises(NotShown, match="'Confirm', 'Cancel'"):
        await town.ada.press("Approve", on=town.slack.workspace.messages[town.ops.id][ts])

    assert [each["actions"][0]["action_id"] for each in pressed] == ["confirm#1", "cancel#2"]
    assert pressed[0]["actions"][0]["value"] == "draft-7"
    assert pressed[0]["message"]["ts"] == pressed[0]["container"]["message_ts"] == ts
    assert pressed[0]["user"]["team_id"] == town.slack.workspace.team.id
    assert not town.ada.triangles[ts]


async def test_a_button_drawn_before_an_edit_is_pressed_by_its_action(town: Town) -> None:
    pressed: list[Json] = []

    async def action(ack: Any, body: Json) -> None:
        pressed.append(body)
        await ack()

    town.bolt.app.action("confirm#1")(action)
    ts = await town.post(text="VPN", blocks=CARD)
    shown = town.slack.workspace.messages[town.ops.id][ts]
    drawn = f"{shown.blocks[1]['block_id']}/confirm#1"
    await town.bolt.app.client.chat_update(channel=town.ops.id, ts=ts, text="VPN", blocks=CARD)

    await town.ada.press(drawn, on=shown)

    assert pressed[0]["actions"][0]["block_id"] == shown.blocks[1]["block_id"] != drawn.partition("/")[0]


async def test_a_press_that_nobody_takes_shows_a_triangle(town: Town) -> None:
    ts = await town.post(text="VPN", blocks=CARD)

    await town.ada.press("Confirm")

    assert town.ada.triangles[ts] == {"confirm#1"}
    assert town.slack.deliveries.records[-1].status == 404


async def test_a_response_url_replaces_the_message_that_was_pressed(town: Town) -> None:
    async def action(ack: Any, respond: Any) -> None:
        await ack()
        await respond(text="Filed.", replace_original=True)

    town.bolt.app.action("confirm#1")(action)
    ts = await town.post(text="VPN", blocks=CARD)
    await town.ada.press("Confirm")

    message = town.slack.workspace.messages[town.ops.id][ts]
    await town.slack.workspace.until(lambda: message.text == "Filed.")


async def test_thumbs_carry_their_value(town: Town) -> None:
    votes: list[Json] = []

    async def action(ack: Any, action: Json) -> None:
        votes.append(action)
        await ack()

    town.bolt.app.action("vote")(action)
    buttons = {
        f"{verdict}_button": {"text": {"type": "plain_text", "text": verdict}, "value": f"{verdict}:9"}
        for verdict in ("positive", "negative")
    }
    element = {"type": "feedback_buttons", "action_id": "vote", **buttons}
    ts = await town.post(text="Answer", blocks=[{"type": "context_actions", "elements": [element]}])
    await town.ada.rate(town.slack.workspace.messages[town.ops.id][ts], "negative")

    assert votes[0]["type"] == "feedback_buttons"
    assert votes[0]["value"] == "negative:9"


async def test_a_message_shortcut_carries_the_message(town: Town) -> None:
    said = await town.ada.say("#ops", "printer on fire")
    await town.ada.shortcut(said, "Create ticket")

    body = next(each for each in town.bolt.understood.bodies if each["type"] == "message_action")
    assert body["message"]["text"] == "printer on fire"
    assert (body["callback_id"], body["message_ts"]) == ("ticket", said.ts)


async def test_a_form_is_checked_by_slack_before_it_is_sent(town: Town) -> None:
    await town.open_form()

    assert await town.ada.send_form({}) == {"title": "Please complete this required field."}
    wrong = await town.ada.send_form({"Title": "x" * 21})
    assert wrong == {"title": "Please shorten this to 20 characters or less."}
    with pytest.raises(NotShown, match="'High', 'Low'"):
        await town.ada.modal.fill("Priority", "Medium")
    assert [each.kind for each in town.slack.deliveries.records] == ["command"]


async def test_a_form_is_sent_and_what_the_app_answers_is_applied(town: Town) -> None:
    sent: list[Json] = []
    answers: list[Json] = [
        {"response_action": "errors", "errors": {"title": "Too short."}},
        {"response_action": "errors", "errors": {"nothing": "There is no such input."}},
        {"response_action": "push", "view": FORM | {"title": {"type": "plain_text", "text": "Second"}}},
        {"response_action": "update", "view": FORM | {"title": {"type": "plain_text", "text": "Third"}}},
        {},
    ]

    async def submitted(ack: Any, body: Json) -> None:
        sent.append(body)
        await ack(**answers[len(sent) - 1])

    town.bolt.app.view("form")(submitted)
    await town.open_form()

    assert await town.ada.send_form({"Title": "VPN", "Priority": "High"}) == {"title": "Too short."}
    assert await town.ada.send_form({}) == {"": "We had some trouble connecting. Try again?"}
    assert await town.ada.send_form({"Title": "VPN down"}) == {}
    assert town.ada.modal.title == "Second"
    assert await town.ada.send_form({"Title": "Again"}) == {}
    assert town.ada.modal.title == "Third"
    assert await town.ada.send_form({"Title": "Again"}) == {}
    assert town.ada.modal.title == "Create ticket"

    assert sent[0]["view"]["state"]["values"] == {
        "title": {"value": {"type": "plain_text_input", "value": "VPN"}},
        "priority": {
            "value": {
                "type": "static_select",
                "selected_option": {"text": {"type": "plain_text", "text": "High"}, "value": "p1"},
            }
        },
    }
    assert sent[0]["view"]["private_metadata"] == "draft 7"
    assert sent[2]["view"]["state"]["values"]["title"]["value"]["value"] == "VPN down"


async def test_a_closed_form_is_told_of_and_gone(town: Town) -> None:
    await town.open_form()
    await town.ada.modal.close()

    body = town.bolt.understood.bodies[-1]
    assert (body["type"], body["is_cleared"]) == ("view_closed", False)
    with pytest.raises(NotShown, match="no modal"):
        _ = town.ada.modal


async def test_people_of_other_companies_have_no_commands_but_can_talk(town: Town) -> None:
    other = town.slack.workspace.add_team("Pier")
    zoe = town.slack.add_person("zoe", team_id=other.id)
    town.ops.members.append(zoe.user.id)
    town.ops.is_ext_shared = True
    await zoe.mention("#ops", "hello")

    await town.bolt.understood.until(2)
    assert {each["user_team"] for each in town.bolt.understood.events} == {other.id}
    assert all(each["is_ext_shared_channel"] for each in town.bolt.understood.bodies)
    with pytest.raises(NotShown):
        await zoe.command("/desk", "#ops")
