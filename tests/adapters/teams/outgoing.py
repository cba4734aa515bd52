"""The outgoing half of the Teams adapter, wired to a local Teams."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.outbound.health import Health
from adapters.teams.address import Kind, TeamsAddress, place_of
from adapters.teams.chat import TeamsChat
from adapters.teams.config import TeamsConfig
from adapters.teams.wire.connector import Connector
from storage.clock import Clock
from tests.adapters.teams.hearing import WORDS
from tests.desks.pace import PacedClock, running
from tests.fakes.teams import organisation as fake
from tests.fakes.teams.local_teams import LocalTeams
from tests.fakes.teams.organisation import Organisation, thread_id
from tests.fakes.teams.records import Call, Conversation, Message, User

#: Real seconds that an answer may take in tests: the local Teams needs milliseconds.
ANSWER_WITHIN_S = 2.0
_KINDS: dict[str, Kind] = {"personal": "personal", "groupChat": "group", "channel": "channel"}


@dataclass
class Outgoing:
    """One desk, two people, a group chat and a channel; `clock` runs both sides."""

    teams: LocalTeams
    config: TeamsConfig
    clock: Clock
    chat: TeamsChat = field(init=False)
    ada: User = field(init=False)
    ben: User = field(init=False)
    general: Conversation = field(init=False)
    group: Conversation = field(init=False)

    def __post_init__(self) -> None:
        self._chats: list[TeamsChat] = []
        self.chat = self.restarted()
        self.ada = self.organisation.add_user("Ada Lind", locale="zh-CN")
        self.ben = self.organisation.add_user("Ben Okoro")
        self.general = self.organisation.add_channel("general", (self.ada, self.ben))
        self.group = self.organisation.add_group_chat((self.ada, self.ben))

    @property
    def organisation(self) -> Organisation:
        """Return the state of the local Teams."""
        return self.teams.organisation

    @property
    def connector(self) -> Connector:
        """Return the door of the chat."""
        return self.chat.connector

    def restarted(self) -> TeamsChat:
        """Return the chat of another process: it remembers nothing."""
        health = Health(self.clock, platform="Teams")
        connector = Connector(self.config, self.clock, health=health, answer_within_s=ANSWER_WITHIN_S)
        self._chats.append(TeamsChat(self.config, self.clock, connector=connector, words_for=lambda _: WORDS))
        return self._chats[-1]

    async def close(self) -> None:
        """Close every chat."""
        for chat in self._chats:
            await chat.close()

    def ask(self, where: Conversation | None = None, *, user: User | None = None) -> TeamsAddress:
        """Let a person write somewhere, in their chat with the desk unless said, and return where the answer goes."""
        who = user or self.ada
        place = where or self.organisation.chat(who)
        said = self.organisation.say(who.id, place, text="How?")
        return self.at(place, user=who, root=said.root, activity=said.id)

    def at(self, where: Conversation, *, user: User | None = None, root: str = "", activity: str = "") -> TeamsAddress:
        """Return an address in a conversation."""
        who = user or self.ada
        return TeamsAddress(
            service_url=self.organisation.service_url,
            tenant=where.tenant_id,
            user=who.id,
            person=who.aad_object_id.lower(),
            bot=self.organisation.bot.id,
            conversation=thread_id(where, root) if root else where.id,
            activity=activity,
            kind=_KINDS[where.kind],
            team=where.team.id if where.team else "",
            name=who.name,
        )

    def unopened(self, user: User | None = None) -> TeamsAddress:
        """Return the address of a person whose chat with the desk is not known."""
        chat = self.organisation.chat(user or self.ada)
        return replace(self.at(chat, user=user), conversation="")

    def seen(self, where: Conversation | None = None) -> list[Message]:
        """Return what stands of the desk in a conversation, in Ada's chat unless said, the oldest first."""
        place = where or self.organisation.chat(self.ada)
        return [each for each in self.organisation.standing(place.id) if each.sender == self.organisation.bot.id]

    def message(self, reference: str) -> Message:
        """Return a posted message by its reference."""
        conversation, message = place_of(reference)
        return self.organisation.messages[fake.place_of(conversation)[0]][message]

    def called(self, *operations: str) -> list[Call]:
        """Return the calls of operations, of all without any, the oldest first."""
        return [call for call in self.organisation.calls if not operations or call.operation in operations]


def words(message: Message) -> str:
    """Return everything that a message says."""
    return "\n".join([message.text, *(str(each["content"]) for each in message.attachments)])


@asynccontextmanager
async def outgoing(clock: Clock | None = None, *, signed: bool = True, **config: Any) -> AsyncIterator[Outgoing]:
    """Yield a desk beside a local Teams; both live 60 times as fast unless a clock is given."""
    clock = clock or PacedClock()
    async with running(clock), LocalTeams(clock, signed=signed) as teams:
        known: dict[str, Any] = {
            "app_id": teams.organisation.bot.app_id,
            "app_secret": teams.organisation.app_secret,
            "tenant_id": teams.organisation.tenant.id,
            "signed": signed,
            "email_domains": frozenset({"harbour.example"}),
            "login_url": teams.login_url,
            "keys_url": teams.keys_url,
            "service_hosts": frozenset({"127.0.0.1"}),
        }
        desk = Outgoing(teams, TeamsConfig(**(known | config)), clock)
        try:
            yield desk
        finally:
            await desk.close()
