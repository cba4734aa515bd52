"""A busy workspace of Slack's as a load: what is said in so many seconds.

Of 200 events a second 4 name the desk. The rest is their twins (Slack tells a mention twice), redeliveries, and talk
in channels and threads that is nobody's business.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Literal

from tests.desks.harbour import BERTHS, question
from tests.fakes.slack import event_payloads as events
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.records import Channel, Json, Message, User
from tests.fakes.slack.request_urls import signature

Kind = Literal["mention", "twin", "redelivery", "thread talk", "talk"]
#: How many of 200 events are of each kind.
MIX: dict[Kind, int] = {"mention": 4, "twin": 4, "redelivery": 12, "thread talk": 20, "talk": 160}
PER_SECOND = sum(MIX.values())


@dataclass(frozen=True)
class Asked:
    """A question that names the desk."""

    said: Message
    berth: str


@dataclass
class Load:
    """People in twenty channels, and what is sent of what they say; the same seed says the same."""

    slack: LocalSlack
    random: Random
    asked: list[Asked] = field(default_factory=list)
    _people: list[User] = field(default_factory=list)
    _channels: list[Channel] = field(default_factory=list)
    _berths: Iterator[str] = field(default_factory=lambda: cycle(BERTHS))
    _mentioned: list[Message] = field(default_factory=list)
    _sent: list[Json] = field(default_factory=list)
    _roots: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        workspace = self.slack.workspace
        self._people = [workspace.add_user(f"mate{number}") for number in range(20)]
        self._channels = [workspace.add_channel(f"quay{number}", tuple(self._people)) for number in range(20)]
        self._roots = [self._say("Who has seen the pilot?") for _ in range(20)]

    def write(self, plan: Path, *, seconds: int) -> None:
        """Let everything be said, and write the events that Slack makes of it, signed now, one a line, in order."""
        kinds = (kind for _ in range(seconds) for kind in self._second())
        plan.write_text("\n".join(json.dumps(self._request(kind)) for kind in kinds), encoding="utf-8")

    def _second(self) -> list[Kind]:
        """Return the kinds of one second's events; a mention comes before its twin and its redelivery."""
        kinds: list[Kind] = [kind for kind, count in MIX.items() if kind != "mention" for _ in range(count)]
        self.random.shuffle(kinds)
        for place in range(MIX["mention"]):
            kinds.insert(place * PER_SECOND // MIX["mention"], "mention")
        return kinds

    def _request(self, kind: Kind) -> Json:
        body, timestamp = json.dumps(self._event(kind), ensure_ascii=False), str(int(time.time()))
        headers = {
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": signature(self.slack.workspace.signing_secret, timestamp, body.encode()),
        }
        if kind == "redelivery":
            headers |= {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
        return {"kind": kind, "body": body, "headers": headers}

    def _event(self, kind: Kind) -> Json:
        match kind:
            case "mention":
                berth = next(self._berths)
                said = self._say(f"<@{self.slack.workspace.bot.id}> {question(berth)}")
                self.asked.append(Asked(said, berth))
                self._mentioned.append(said)
                return self._told(said, events.app_mention(self.slack.workspace, said))
            case "twin" if self._mentioned:
                return self._message(self._mentioned.pop(0))
            case "redelivery" if self._sent:
                return self.random.choice(self._sent[-PER_SECOND:])
            case "thread talk":
                root = self.random.choice(self._roots)
                return self._message(self._say("Not me.", channel=root.channel, thread_ts=root.ts))
            case _:
                return self._message(self._say("The tide is late today."))

    def _say(self, text: str, *, channel: str = "", thread_ts: str | None = None) -> Message:
        place = self.slack.workspace.channels[channel] if channel else self.random.choice(self._channels)
        return self.slack.workspace.say(self.random.choice(self._people), place, text, thread_ts=thread_ts)

    def _message(self, said: Message) -> Json:
        return self._told(said, events.message_posted(self.slack.workspace, said))

    def _told(self, said: Message, event: Json) -> Json:
        workspace = self.slack.workspace
        body = events.envelope(workspace, event, channel=workspace.channels[said.channel])
        self._sent.append(body)
        return body
