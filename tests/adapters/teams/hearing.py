"""Activities as Teams sends them, and the incoming half of the adapter with an inbox that only writes down."""

import asyncio
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from adapters.events import Address, Inbound
from adapters.outbound.health import Health
from adapters.port import Accepted, Receipt
from adapters.teams.config import TeamsConfig
from adapters.teams.inbound.activities import read
from adapters.teams.inbound.answers import InvokeAnswer
from adapters.teams.inbound.app import TeamsApp
from adapters.teams.inbound.events import Heard, heard
from adapters.teams.words import TeamsWords
from storage.clock import Clock, ManualClock

Json = dict[str, Any]
Place = Literal["chat", "group", "channel"]

TENANT, ELSEWHERE = "8b6f1f6e-tenant", "0c11d0aa-elsewhere"
DESK = {"id": "28:desk", "name": "Duty Desk"}
ADA = {"id": "29:1ada", "name": "Ada Lind", "aadObjectId": "AAAA-0001"}
BEN = {"id": "29:1ben", "name": "Ben Okoro", "aadObjectId": "bbbb-0002"}
CHANNEL, ROOT, CARD = "19:general@thread.tacv2", "1700000000001", "1700000000002"
CONVERSATIONS: Mapping[Place, Json] = {
    "chat": {"id": "a:1chat", "conversationType": "personal", "tenantId": TENANT},
    "group": {"id": "19:group@thread.v2", "conversationType": "groupChat", "isGroup": True, "tenantId": TENANT},
    "channel": {
        "id": f"{CHANNEL};messageid={ROOT}", "conversationType": "channel", "isGroup": True, "tenantId": TENANT,
    },
}  # fmt: skip
WORDS = TeamsWords(
    taken="Taken.",
    not_saved="Not saved.",
    see_chat="See our chat.",
    no_chat="I am not let into our chat.",
    see_conversation="See the conversation.",
    form_taken="Sent.",
    form_closed="Cancelled.",
    required="Fill this in.",
    working="One moment…",
    shortened="Shortened.",
)
CHINESE = TeamsWords(
    **(vars(WORDS) | {"taken": "已收到", "not_saved": "未能保存", "form_closed": "已取消", "required": "请填写"})
)

_ids = itertools.count(1_700_000_001_000)


def activity(kind: str, place: Place = "chat", *, sender: Json | None = None, **fields: Any) -> Json:
    """Return the JSON of an activity, Ada's unless said; `fields` are added or replaced, those of None left out."""
    data: Json = {"tenant": {"id": TENANT}}
    if place == "channel":
        data |= {"channel": {"id": CHANNEL}, "team": {"id": CHANNEL}}
    known: Json = {
        "type": kind,
        "id": str(next(_ids)),
        "timestamp": "2026-10-05T08:00:00.123Z",
        "channelId": "msteams",
        "serviceUrl": "https://smba.trafficmanager.net/emea/",
        "from": ADA if sender is None else sender,
        "recipient": DESK,
        "conversation": CONVERSATIONS[place],
        "channelData": data,
        "locale": "en-GB",
        "entities": [{"type": "clientInfo", "locale": "en-GB", "country": "GB", "platform": "Windows"}],
    }
    return {name: value for name, value in (known | fields).items() if value is not None}


def mention(who: Mapping[str, str] = DESK) -> Json:
    return {"type": "mention", "mentioned": dict(who), "text": f"<at>{who['name']}</at>"}


def said(text: str, place: Place = "chat", *, naming: Sequence[Mapping[str, str]] = (), **fields: Any) -> Json:
    """Return a message; the text says `<at>Name</at>` for those who are named."""
    given = {"text": text, "textFormat": "plain", "entities": [mention(who) for who in naming], **fields}
    return activity("message", place, **given)


def desk(do: str, **fields: Any) -> Json:
    """Return what a button of ours carries."""
    return {"desk": {"do": do, **fields}}


def press(action: str = "draft.confirm") -> Json:
    return desk("press", action=action, id="d1", nonce="n1")


def invoke(name: str, value: Any, place: Place = "chat", **fields: Any) -> Json:
    return activity("invoke", place, **({"name": name, "value": value, "replyToId": CARD} | fields))


def executed(data: Any, place: Place = "chat", **fields: Any) -> Json:
    """Return the invoke of a button that was pressed in a card."""
    action = {"type": "Action.Execute", "verb": "press", "data": data}
    return invoke("adaptiveCard/action", {"action": action, "trigger": "manual"}, place, **fields)


def judged(reaction: str = "like", feedback: Any = "", **fields: Any) -> Json:
    value = {"actionName": "feedback", "actionValue": {"reaction": reaction, "feedback": feedback}}
    return invoke("message/submitAction", value, **fields)


def understood(body: Json, *, tenant: str = TENANT) -> Heard:
    """Read a body without the app."""
    return heard(read(body), tenant=tenant, now=ManualClock().now())


@dataclass
class Inbox:
    """Answers `receipt` to everything, or raises `error` before anything is written; `slow` never ends."""

    receipt: Receipt = field(default_factory=Accepted)
    error: Exception | None = None
    slow: bool = False
    events: list[Inbound] = field(default_factory=list)

    async def receive(self, event: Inbound) -> Receipt:
        if self.error is not None:
            raise self.error
        if self.slow:
            await asyncio.Event().wait()
        self.events.append(event)
        return self.receipt

    @property
    def only(self) -> Inbound:
        (event,) = self.events
        return event


class Hearing:
    """The app, and what it told everybody."""

    def __init__(self, *, clock: Clock | None = None, **config: Any) -> None:
        self.clock = clock or ManualClock()
        self.inbox = Inbox()
        self.health = Health(self.clock, platform="Teams")
        self.changed: list[str] = []
        self.addresses: list[Address] = []
        self.in_place: list[str] = []
        self.app = TeamsApp(
            TeamsConfig(**({"app_id": "desk", "tenant_id": TENANT} | config)),
            self.clock,
            receive=self.inbox.receive,
            words_for=lambda language: CHINESE if language == "zh" else WORDS,
            health=self.health,
            members_changed=self.changed.append,
            heard=self.addresses.append,
            answered_in_place=self.in_place.append,
        )

    async def deliver(self, body: Json) -> InvokeAnswer:
        return await self.app.handle(body)
