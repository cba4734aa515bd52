"""The incoming half of the Slack adapter beside a workspace, with an inbox that only writes down."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlencode

from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from adapters.cards import Button, Rating
from adapters.events import Inbound
from adapters.inbound.tasks import Afterwards
from adapters.outbound.health import Health
from adapters.port import Accepted, Receipt, Unavailable
from adapters.slack.config import Installation, SlackConfig
from adapters.slack.drawing.elements import button, rating
from adapters.slack.inbound.app import build
from adapters.slack.inbound.events import Heard, heard
from adapters.slack.words import SlackWords
from storage.clock import Clock, ManualClock
from tests.fakes.slack import event_payloads as events
from tests.fakes.slack import interaction_payloads as interactions
from tests.fakes.slack.records import Channel, Json, Message, User
from tests.fakes.slack.request_urls import signature
from tests.fakes.slack.workspace import SlackWorkspace

WORDS = SlackWords(
    loading_title="Duty desk",
    loading="One moment…",
    see_conversation="See the conversation.",
    submit="Send",
    cancel="Cancel",
    close="Close",
    press_again="That took too long. Please press again.",
    not_saved="This could not be saved. Nothing is lost: please send it again.",
    see_direct_message="See your direct messages.",
    shortened="Shortened.",
    reason_title="What was wrong?",
    reason_label="What should it have said?",
    prompts_title="Ask me",
    prompts=(("Passwords", "How do I reset my password?"), ("Tickets", "/desk my tickets")),
)
CHINESE = "请稍候…"


def words_for(language: str) -> SlackWords:
    return SlackWords(**(vars(WORDS) | {"loading": CHINESE, "not_saved": "未能保存"})) if language == "zh" else WORDS


@dataclass
class Inbox:
    """Answers `receipt` to everything, or raises `error` before anything is written."""

    receipt: Receipt = field(default_factory=Accepted)
    error: Exception | None = None
    events: list[Inbound] = field(default_factory=list)

    async def receive(self, event: Inbound) -> Receipt:
        if self.error is not None:
            raise self.error
        self.events.append(event)
        return self.receipt

    @property
    def only(self) -> Inbound:
        (event,) = self.events
        return event


@dataclass
class WrittenCalls:
    """A Web API that writes down what is asked of it; `away` methods are refused."""

    made: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    away: set[str] = field(default_factory=set)

    async def call(self, method: str, arguments: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        self.made.append((method, arguments or {}))
        if method in self.away:
            raise Unavailable(method, retry_after_s=1)
        return {"ok": True, "view": {"id": "V1"}}

    def of(self, method: str) -> list[Mapping[str, Any]]:
        return [arguments for made, arguments in self.made if made == method]


class Hearing:
    """A workspace, the app, and requests from one to the other."""

    def __init__(self, *, clock: Clock | None = None, **config: Any) -> None:
        self.clock = clock or ManualClock()
        self.workspace = SlackWorkspace(self.clock)
        self.ada = self.workspace.add_user("ada", real_name="Ada Lind")
        self.ben = self.workspace.add_user("ben", real_name="Ben Okoro")
        self.general = self.workspace.add_channel("general", (self.ada, self.ben))
        self.dm = self.workspace.im(self.ada)
        self.inbox = Inbox()
        self.calls = WrittenCalls()
        self.installation = Installation()
        self.health = Health(self.clock, platform="Slack")
        self.afterwards = Afterwards(self.clock)
        self.joined: list[str] = []
        self.languages: dict[str, str] = {}
        known = {"bot_token": "xoxb-1", "signing_secret": self.workspace.signing_secret}
        self.config = SlackConfig(**(known | {"form_actions": frozenset({"draft.edit"})} | config))
        self.app: AsyncApp = build(
            self.config,
            self.clock,
            receive=self.inbox.receive,
            words_for=words_for,
            calls=self.calls,
            installation=self.installation,
            health=self.health,
            afterwards=self.afterwards,
            language_of=lambda user: self.languages.get(user, ""),
            readers_changed=self.joined.append,
        )

    def said(self, text: str, *, user: User | None = None, channel: Channel | None = None, **fields: Any) -> Message:
        return self.workspace.say(user or self.ada, channel or self.general, text, **fields)

    def told(self, message: Message) -> Json:
        """Return the request body of a message event."""
        channel = self.workspace.channels[message.channel]
        return events.envelope(self.workspace, events.message_posted(self.workspace, message), channel=channel)

    def mentioned(self, message: Message) -> Json:
        channel = self.workspace.channels[message.channel]
        return events.envelope(self.workspace, events.app_mention(self.workspace, message), channel=channel)

    def told_of(self, event: Json) -> Json:
        return events.envelope(self.workspace, event)

    def heard(self, body: Json) -> Heard:
        """Read a body without the app."""
        return heard(body, known=self.installation, now=self.clock.now())

    def signed(self, raw: bytes, *, secret: str = "", late_s: float = 0) -> dict[str, str]:
        """Return the headers that vouch for a raw body, `late_s` ago."""
        timestamp = str(int(self.clock.now().timestamp() - late_s))
        made = signature(secret or self.workspace.signing_secret, timestamp, raw)
        return {"x-slack-request-timestamp": timestamp, "x-slack-signature": made}

    def pressed(self, action: str = "draft.edit") -> Json:
        """Return the request body of a pressed button of a card."""
        made = button(Button("Edit", action, "d1", "n1"), 1)
        assert made is not None
        return self._acted(dict(made.to_dict()), block_id="b", value={})

    def rated(self, verdict: Literal["positive", "negative"]) -> Json:
        """Return the request body of a thumb under a Chinese answer."""
        block = rating(Rating("r1", "Good", "Bad", "Why?", "Thanks"), 1, language="zh", thumbs=True)
        assert block is not None
        shown = block.to_dict()
        value = {"value": shown["elements"][0][f"{verdict}_button"]["value"]}
        return self._acted(shown["elements"][0], block_id=shown["block_id"], value=value)

    def _acted(self, element: Json, *, block_id: str, value: Json) -> Json:
        action = interactions.action_body(element, block_id=block_id, value=value, action_ts="1.5")
        said = self.said("a card", user=self.workspace.bot)
        return interactions.message_action(self.workspace, self.ada, said, action=action, values={})

    async def deliver(self, body: Json) -> BoltResponse:
        """Hand a signed request to the app, and return its answer once all that follows is done."""
        raw, content_type = encoded(body)
        headers: dict[str, Any] = {**self.signed(raw), "content-type": content_type}
        response = await self.app.async_dispatch(AsyncBoltRequest(body=raw.decode(), headers=headers))
        await self.afterwards.settled()
        return response


def encoded(body: Json) -> tuple[bytes, str]:
    """Return the raw body and content type that Slack would send: JSON for events, forms for what people do."""
    if body.get("type") in {"event_callback", "url_verification", "app_rate_limited"}:
        return json.dumps(body, ensure_ascii=False).encode(), "application/json"
    form = body if "command" in body or "ssl_check" in body else {"payload": json.dumps(body, ensure_ascii=False)}
    return urlencode(form).encode(), "application/x-www-form-urlencoded"
