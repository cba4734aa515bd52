"""The state of the local Teams: who and what is there; everything takes its time from one clock."""

import itertools
import uuid
from collections.abc import Iterator
from random import Random
from typing import Any

from storage.clock import Clock, SystemClock
from tests.fakes.changes import Changes
from tests.fakes.teams.faults import TeamsFaults
from tests.fakes.teams.rates import Rates
from tests.fakes.teams.records import (
    Bot,
    Call,
    ChangeKind,
    ChannelType,
    Conversation,
    Json,
    Message,
    Team,
    Tenant,
    User,
)


class Organisation(Changes[ChangeKind]):
    """A company with one bot in it, and people of other companies; one event loop owns it."""

    def __init__(self, clock: Clock | None = None, *, seed: int = 4) -> None:
        super().__init__()
        self.clock = clock or SystemClock()
        self.random = Random(seed)
        self.tenant = Tenant(self.new_guid(), "Harbour")
        self.tenants: dict[str, Tenant] = {self.tenant.id: self.tenant}
        app_id = self.new_guid()
        self.bot = Bot(app_id, f"28:{app_id}", "Duty Desk")
        self.app_secret = "a~Secret-of.the_local-Teams"
        self.users: dict[str, User] = {}
        self.teams: dict[str, Team] = {}
        self.conversations: dict[str, Conversation] = {}
        #: By conversation and message id, oldest first; deleted ones among them.
        self.messages: dict[str, dict[str, Message]] = {}
        #: By the key that opens each: what was sent to the bot.
        self.files: dict[str, bytes] = {}
        self.calls: list[Call] = []
        self.faults = TeamsFaults(self.clock)
        self.rates = Rates(self.clock)
        #: By conversation id (with its thread): when the bot was last seen typing there, in epoch seconds.
        self.typing: dict[str, float] = {}
        #: The most people on one page of members, and where each page begins that was announced.
        self.largest_page = 500
        self.pages: dict[str, int] = {}
        #: Where the connector listens, with a slash at the end; set by the server.
        self.service_url = ""
        self._numbers = itertools.count(1)
        self._last_id = 0

    # Time and names

    def epoch(self) -> float:
        """Return the time in epoch seconds."""
        return self.clock.now().timestamp()

    def new_id(self) -> str:
        """Return a message id: milliseconds of the epoch, unique and later than all before it."""
        self._last_id = max(int(self.epoch() * 1000), self._last_id + 1)
        return str(self._last_id)

    def new_guid(self) -> str:
        """Return a GUID that nothing else has, the same ones for the same seed."""
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    # People and conversations

    def add_tenant(self, name: str) -> Tenant:
        """Add another company, for guests' homes and shared channels."""
        tenant = Tenant(self.new_guid(), name)
        self.tenants[tenant.id] = tenant
        return tenant

    def add_user(self, name: str, **fields: Any) -> User:
        """Add a person; every field of `User` may be given, the address is made up otherwise."""
        guid, number = self.new_guid(), next(self._numbers)
        mail = f"{name.casefold().replace(' ', '.')}@harbour.example"
        known: Json = {"id": f"29:1{guid.replace('-', '')}{number:04d}", "name": name, "tenant_id": self.tenant.id}
        known |= {"aad_object_id": guid, "email": mail, "upn": mail}
        user = User(**(known | fields))
        self.users[user.id] = user
        self.changed("user", user)
        return user

    def add_team(self, name: str, members: tuple[User, ...] = ()) -> Team:
        """Add a team with these members; its channels are added with `add_channel`."""
        team = Team(f"19:{self._hex()}@thread.tacv2", name, self.new_guid(), [each.id for each in members])
        self.teams[team.id] = team
        return team

    def add_channel(
        self, name: str, members: tuple[User, ...] = (), *, team: Team | None = None,
        channel_type: ChannelType = "standard", with_bot: bool = True, listens: bool = False,
    ) -> Conversation:  # fmt: skip
        """Add a channel; without a team it gets one of its own, with the same people."""
        team = team or self.add_team(name, members)
        ids = team.members if channel_type == "standard" else [each.id for each in members]
        made = Conversation(f"19:{self._hex()}@thread.tacv2", "channel", self.tenant.id, ids, name, team)
        made.channel_type, made.with_bot, made.listens = channel_type, with_bot, listens
        return self._keep(made)

    def add_group_chat(
        self, members: tuple[User, ...], *, name: str = "", with_bot: bool = True, listens: bool = False
    ) -> Conversation:
        """Add a group chat."""
        made = Conversation(f"19:{self._hex()}@thread.v2", "groupChat", self.tenant.id, [each.id for each in members])
        made.name, made.with_bot, made.listens = name, with_bot, listens
        return self._keep(made)

    def chat(self, user: User, *, with_bot: bool = True) -> Conversation:
        """Return the chat of a person with the bot, made when there is none (then with the app installed or not)."""
        for conversation in self.conversations.values():
            if conversation.kind == "personal" and conversation.members == [user.id]:
                return conversation
        made = Conversation(f"a:1{self._hex()}{self._hex()}", "personal", user.tenant_id, [user.id])
        made.with_bot = with_bot
        return self._keep(made)

    def _keep(self, conversation: Conversation) -> Conversation:
        self.conversations[conversation.id] = conversation
        self.messages[conversation.id] = {}
        self.changed("conversation", conversation)
        return conversation

    def _hex(self) -> str:
        return f"{self.random.getrandbits(128):032x}"

    # Messages

    def say(self, sender: str, conversation: Conversation, *, root: str = "", **fields: Any) -> Message:
        """Let somebody write; nothing is delivered to the app (that is the sender's part)."""
        made = self.new_id()
        if conversation.kind == "channel":
            root = root or made
        return self.keep(Message(conversation.id, made, sender, self.epoch(), root=root, **fields))

    def keep(self, message: Message) -> Message:
        """Store a new message and tell of it."""
        self.messages[message.conversation][message.id] = message
        self.changed("message", message)
        return message

    def message(self, conversation: str, message_id: str) -> Message | None:
        """Return a message that stands; None when deleted or never there."""
        found = self.messages.get(conversation, {}).get(message_id)
        return None if found is None or found.deleted else found

    def standing(self, conversation: str) -> Iterator[Message]:
        """Yield what stands in a conversation, oldest first; of an unfinished stream nothing stands yet."""
        for message in self.messages[conversation].values():
            if not message.deleted:
                yield message

    def replies(self, conversation: str, root: str) -> list[Message]:
        """Return a channel's thread with its first message, oldest first."""
        return [each for each in self.standing(conversation) if each.root == root]


def thread_id(conversation: Conversation, root: str) -> str:
    """Return the conversation id that activities of a place carry: a channel's has its thread in it."""
    return f"{conversation.id};messageid={root}" if conversation.kind == "channel" else conversation.id


def place_of(conversation_id: str) -> tuple[str, str]:
    """Return (conversation, root) of a conversation id; `root` is "" without a thread."""
    conversation, _, root = conversation_id.partition(";messageid=")
    return conversation, root
