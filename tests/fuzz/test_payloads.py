"""Whatever Slack or Teams were to send, signed by them: it is answered, and what comes in can be stored."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from adapters.cards import Field, Form
from adapters.events import Inbound
from adapters.inbound.webhook import Refusals, RequestRefused
from adapters.slack.drawing.modals import FormPlace, form_view
from adapters.slack.inbound.signatures import Signatures
from adapters.slack.inbound.webhook import SlackWebhook
from bot.delivery.events import dump_event, kind_of, load_event, without_secrets
from tests.adapters.slack import hearing as slack
from tests.adapters.teams import hearing as teams
from tests.fakes.slack import event_payloads as events
from tests.fakes.slack import interaction_payloads as interactions
from tests.fakes.slack.records import View
from tests.fuzz.payloads import Json, changed

FORM_TYPE = "application/x-www-form-urlencoded"
#: One app hears all of it, as in life; so nothing may be left behind that makes it deaf.
for_all = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def held(heard: Sequence[Inbound]) -> None:
    """Hold that what came in can be stored and is the same afterwards."""
    for event in heard:
        safe = without_secrets(event)
        stored = json.dumps(dump_event(safe), allow_nan=False)
        stored.encode()
        assert "\\u0000" not in stored
        assert load_event(kind_of(safe), json.loads(stored)) == safe
        assert event.event_id
        assert event.thread
        assert event.account.user


def slack_bodies(hearing: slack.Hearing) -> list[Json]:
    """Return one of each that Slack sends."""
    space, ada = hearing.workspace, hearing.ada
    said = hearing.said("My <https://a.example|laptop> &amp; <@U1> *broke* <!here>", thread_ts="1.0")
    form = Form("draft", "d1", "n1", "Draft", "File", "Not now", (Field("title", "Title", "Printer"),))
    place = FormPlace("d1", "n1", {"user": "U1", "team": "T1", "channel": "C1", "thread_ts": "1.0"}, "C1:1.1", "zh")
    view = View("V1", "modal", ada.id, form_view(form, place).to_dict(), "h1", "V1")
    before = events.message(space, said)
    happened = (
        events.app_mention(space, said),
        events.message_posted(space, said),
        events.message_changed(space, said, before),
        events.message_deleted(space, said, before),
        events.app_home_opened(space, ada, tab="home", channel=hearing.dm, view=view),
        events.member_joined_channel(space, space.bot, hearing.general, inviter=ada),
        events.reaction_added(space, ada, said, name="eyes"),
        events.tokens_revoked(space),
        events.app_uninstalled(space),
    )
    return [
        *(events.envelope(space, event) for event in happened),
        hearing.told(said),
        hearing.mentioned(said),
        interactions.command(space, ada, hearing.general, name="/desk", text="my tickets"),
        interactions.message_shortcut(space, ada, said, callback_id="draft.from_message"),
        interactions.view_submission(space, ada, view),
        interactions.view_closed(space, ada, view, cleared=True),
        events.url_verification("challenge"),
        events.app_rate_limited(space),
        hearing.pressed(),
        hearing.rated("negative"),
    ]


def encoded(body: Json) -> tuple[bytes, str]:
    """Return the body as JSON, or as a form where it is what somebody did; half a character as an escape or a "?"."""
    if "command" in body:
        return urlencode(body, errors="replace").encode(), FORM_TYPE
    written = json.dumps(body)
    if "event" in body or "challenge" in body or "minute_rate_limited" in body:
        return written.encode(), "application/json"
    return urlencode({"payload": written}).encode(), FORM_TYPE


class SlackDoor:
    """Slack's webhook over an app that only writes down."""

    def __init__(self) -> None:
        self.hearing = slack.Hearing()
        self.bodies = slack_bodies(self.hearing)
        signatures = Signatures(self.hearing.workspace.signing_secret, self.hearing.clock)
        refusals = Refusals(self.hearing.clock, platform="Slack")
        self.webhook = SlackWebhook(self.hearing.app, signatures, refusals)
        self.runner = asyncio.Runner()

    def status(self, body: Json) -> int:
        return self.runner.run(self._status(body))

    async def _status(self, body: Json) -> int:
        raw, kind = encoded(body)
        headers = {name: [value] for name, value in (*self.hearing.signed(raw).items(), ("content-type", kind))}
        try:
            status = (await self.webhook.take(raw, headers)).status
        except RequestRefused as refused:
            status = refused.status
        await self.hearing.afterwards.settled()
        return status


@pytest.fixture(scope="module")
def slack_door() -> Iterator[SlackDoor]:
    door = SlackDoor()
    yield door
    door.runner.close()


SLACK_BODIES = slack_bodies(slack.Hearing())
(JOINED,) = (each for each in SLACK_BODIES if each.get("event", {}).get("type") == "member_joined_channel")


@for_all
@given(body=changed(st.sampled_from(SLACK_BODIES)))
@example(body=JOINED | {"event_id": ""})
def test_whatever_slack_sends_is_answered(slack_door: SlackDoor, body: Json) -> None:
    slack_door.hearing.inbox.events.clear()
    assert slack_door.status(body) in {200, 400, 404}
    held(slack_door.hearing.inbox.events)


ATTACHED = {"contentType": "application/vnd.microsoft.teams.file.download.info", "name": "a.md",
            "content": {"downloadUrl": "https://a.example/f", "fileType": "md", "uniqueId": "1"}}  # fmt: skip
TEAMS_BODIES = [
    teams.said("<at>Duty Desk</at> my <b>laptop</b> &amp; [a](https://b.example)", "channel", naming=(teams.DESK,)),
    teams.said("hello", attachments=[ATTACHED, {"contentType": "text/html", "content": "<p>hello</p>"}]),
    teams.said("hello", "group", naming=(teams.DESK, teams.BEN)),
    teams.activity("messageDelete", "group"),
    teams.activity("messageUpdate", channelData={"tenant": {"id": teams.TENANT}, "eventType": "editMessage"}),
    teams.activity("conversationUpdate", "channel", membersAdded=[teams.DESK, teams.ADA], membersRemoved=[]),
    teams.activity("conversationUpdate", "channel", membersRemoved=[{"id": teams.BEN["id"]}]),
    teams.activity("installationUpdate", action="add"),
    teams.activity("installationUpdate", action="remove"),
    teams.activity("typing"),
    teams.activity("message", value=teams.press()),
    teams.executed(teams.press(), "channel"),
    teams.executed(teams.desk("say", text="My tickets")),
    teams.executed(teams.desk("form", form="draft", id="d1", nonce="n1", title="Printer")),
    teams.invoke("task/fetch", {"data": teams.press(), "context": {"theme": "dark"}}),
    teams.invoke("task/submit", {"data": teams.desk("form", form="draft", id="d1", nonce="n1"), "title": "x"}),
    teams.judged(feedback=json.dumps({"feedbackText": "out of date"})),
    teams.invoke("composeExtension/query", {"commandId": "x"}),
]


@for_all
@given(body=changed(st.sampled_from(TEAMS_BODIES)))
def test_whatever_teams_sends_is_answered(body: Json) -> None:
    hearing = teams.Hearing()
    answer = asyncio.run(hearing.deliver(body))
    assert answer.status in {200, 400, 404, 501}
    json.dumps(answer.body, allow_nan=False)
    held(hearing.inbox.events)
