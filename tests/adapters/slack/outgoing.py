"""The outgoing half of the Slack adapter, wired to a local Slack."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from adapters.outbound.health import Health
from adapters.slack.address import Kind, SlackAddress
from adapters.slack.chat import SlackChat
from adapters.slack.config import SlackConfig
from adapters.slack.wire.client import SlackCalls
from storage.clock import Clock
from tests.adapters.slack.hearing import words_for
from tests.desks.pace import PacedClock, running
from tests.fakes.slack.records import Call, Channel, Message, User
from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.workspace import SlackWorkspace

#: Real seconds that an answer may take in tests: the local Slack needs milliseconds.
ANSWER_WITHIN_S = 2.0


@dataclass
class Outgoing:
    """One desk, two people and two channels; `clock` runs both sides."""

    workspace: SlackWorkspace
    server: SlackServer
    config: SlackConfig
    clock: Clock
    chat: SlackChat = field(init=False)
    ada: User = field(init=False)
    ben: User = field(init=False)
    general: Channel = field(init=False)
    secret: Channel = field(init=False)

    def __post_init__(self) -> None:
        self._chats: list[SlackChat] = []
        self.chat = self.restarted()
        self.ada = self.workspace.add_user("ada", real_name="Ada Lind", locale="zh-CN")
        self.ben = self.workspace.add_user("ben", real_name="Ben Okoro")
        self.general = self.workspace.add_channel("general", (self.ada, self.ben))
        self.secret = self.workspace.add_channel("secret", (self.ada,), is_private=True)

    @property
    def calls(self) -> SlackCalls:
        """Return the door of the chat."""
        return self.chat.calls

    def restarted(self) -> SlackChat:
        """Return the chat of another process: it remembers nothing."""
        calls = SlackCalls(
            self.config, self.clock, health=Health(self.clock, platform="Slack"), answer_within_s=ANSWER_WITHIN_S
        )
        self._chats.append(SlackChat(self.config, self.clock, calls=calls, words_for=words_for))
        return self._chats[-1]

    async def close(self) -> None:
        """Close every chat."""
        for chat in self._chats:
            await chat.close()

    def ask(self, channel: Channel, text: str = "<@U0DESK> how?", *, user: User | None = None) -> SlackAddress:
        """Let a person write in a channel or in their direct messages, and return where the answer goes."""
        who = user or self.ada
        said = self.workspace.say(who, channel, text)
        return self.at(channel, user=who, thread_ts=said.ts, message_ts=said.ts)

    def at(self, channel: Channel, *, user: User | None = None, kind: Kind | None = None, **where: str) -> SlackAddress:
        """Return an address in a channel."""
        known: Kind = kind or ("dm" if channel.is_im else "channel")
        team = self.workspace.team.id
        return SlackAddress(user=(user or self.ada).id, team=team, channel=channel.id, kind=known, **where)

    def seen(self, channel: Channel, user: User | None = None) -> list[Message]:
        """Return what a person sees of the desk in a channel, the oldest first."""
        everything = self.workspace.seen_by(user or self.ada, channel)
        return [message for message in everything if message.user == self.workspace.bot.id]

    def message(self, reference: str) -> Message:
        """Return a posted message by its reference."""
        channel, _, ts = reference.partition(":")
        return self.workspace.messages[channel][ts]

    def called(self, method: str) -> list[Call]:
        """Return the calls of a method, the oldest first."""
        return [call for call in self.workspace.calls if call.method == method]


@asynccontextmanager
async def outgoing(clock: Clock | None = None, **config: Any) -> AsyncIterator[Outgoing]:
    """Yield a desk beside a local Slack; both live 60 times as fast unless a clock is given."""
    clock = clock or PacedClock()
    workspace = SlackWorkspace(clock)
    async with running(clock), SlackServer(workspace) as server:
        known: dict[str, Any] = {"bot_token": workspace.bot_token.value, "api_url": server.url}
        made = SlackConfig(**(known | {"email_domains": frozenset({"harbour.example"})} | config))
        desk = Outgoing(workspace, server, made, clock)
        try:
            yield desk
        finally:
            await desk.close()
