"""The state of the local Slack: who and what is there, and how tests and the page learn of every change."""

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from storage.clock import Clock, SystemClock
from tests.fakes.changes import Changes
from tests.fakes.faults import Faults
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.records import (
    AssistantThread,
    Call,
    ChangeKind,
    Channel,
    Json,
    Message,
    ResponseUrl,
    Revocation,
    SharedFile,
    Team,
    Token,
    Trigger,
    User,
    View,
)

#: The scopes of the product's plan.
BOT_SCOPES = (
    "app_mentions:read", "assistant:write", "channels:history", "channels:read", "chat:write", "commands",
    "files:read", "groups:history", "groups:read", "im:history", "im:read", "im:write", "reactions:write", "users:read",
    "users:read.email",
)  # fmt: skip
APP_SCOPES = ("connections:write",)
TRIGGER_LIFE_S = 3.0
RESPONSE_URL_LIFE_S = 1800.0
RESPONSE_URL_USES = 5
STREAM_LIFE_S = 300.0
STATUS_LIFE_S = 120.0

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class SlackWorkspace(Changes[ChangeKind]):
    """One workspace with one app in it; everything takes its time from `clock`, one event loop owns it."""

    def __init__(
        self, clock: Clock | None = None, *, name: str = "Harbour", scopes: tuple[str, ...] = BOT_SCOPES
    ) -> None:
        super().__init__()
        self.clock = clock or SystemClock()
        self.team = Team(id="T0HARBOUR", name=name, domain=name.casefold())
        self.teams: dict[str, Team] = {self.team.id: self.team}
        self.app_id = "A0DESK"
        self.signing_secret = "8f742231b10e8888abcd99yyyzzz85a5"
        self.scopes: set[str] = set(scopes)
        self.app_scopes: set[str] = set(APP_SCOPES)
        self.bot_token = Token("xoxb-100-desk", "bot")
        self.app_token = Token("xapp-1-desk", "app")
        self.tokens: dict[str, Token] = {each.value: each for each in (self.bot_token, self.app_token)}
        self.users: dict[str, User] = {}
        self.channels: dict[str, Channel] = {}
        #: By channel and ts, oldest first; ephemeral and deleted ones among them.
        self.messages: dict[str, dict[str, Message]] = {}
        self.files: dict[str, SharedFile] = {}
        self.views: dict[str, View] = {}
        #: The open modals of a person, the topmost last.
        self.modals: dict[str, list[View]] = {}
        self.homes: dict[str, View] = {}
        self.threads: dict[tuple[str, str], AssistantThread] = {}
        self.triggers: dict[str, Trigger] = {}
        self.response_urls: dict[str, ResponseUrl] = {}
        self.calls: list[Call] = []
        self.faults = Faults(self.clock)
        #: Where the server listens (`http://127.0.0.1:PORT`), set by it; and what hands out a websocket's URL.
        self.base_url = ""
        self.open_socket: Callable[[], str] | None = None
        #: By channel and root, oldest first, so that a thread is found at once.
        self._rooted: dict[tuple[str, str], list[Message]] = {}
        self._numbers = itertools.count(1)
        self._last_ts = 0
        self.bot = self.add_user("desk", real_name="Duty Desk", is_bot=True, id="U0DESK", bot_id="B0DESK", email=None)

    # Time and names

    def epoch(self) -> float:
        """Return the workspace's time in epoch seconds."""
        return self.clock.now().timestamp()

    def new_ts(self) -> str:
        """Return a message ts: unique in the workspace and later than all before it."""
        now = self.clock.now()
        micros = (now - _EPOCH) // timedelta(microseconds=1)
        self._last_ts = max(micros, self._last_ts + 1)
        return f"{self._last_ts // 1_000_000}.{self._last_ts % 1_000_000:06d}"

    def new_id(self, prefix: str) -> str:
        """Return an id that nothing else has, such as `U0000001`."""
        return f"{prefix}{next(self._numbers):07d}"

    # People and conversations

    def add_team(self, name: str, *, enterprise_id: str | None = None) -> Team:
        """Add another company's workspace, for people who come in over Slack Connect."""
        team = Team(self.new_id("T"), name, name.casefold(), enterprise_id)
        self.teams[team.id] = team
        return team

    def add_user(self, name: str, **fields: Any) -> User:
        """Add a person; every field of `User` may be given, the email is made up otherwise."""
        known: Json = {"id": fields.get("id") or self.new_id("U"), "name": name, "real_name": name.title()}
        user = User(**(known | {"team_id": self.team.id, "email": f"{name}@{self.team.domain}.example"} | fields))
        self.users[user.id] = user
        self.changed("user", user)
        return user

    def add_channel(
        self, name: str, members: tuple[User, ...] = (), *, with_bot: bool = True, **fields: Any
    ) -> Channel:
        """Add a public or (`is_private`) private channel with these members and, unless told, the app's bot."""
        everybody = [*members, self.bot] if with_bot else [*members]
        prefix = "G" if fields.get("is_private") else "C"
        known: Json = {"id": fields.get("id") or self.new_id(prefix), "name": name, "created": int(self.epoch())}
        return self._keep(Channel(**(known | {"members": [each.id for each in everybody]} | fields)))

    def im(self, user: User) -> Channel:
        """Return the direct conversation of a person with the app, opened when there is none."""
        for channel in self.channels.values():
            if channel.is_im and channel.user == user.id:
                return channel
        members = [user.id, self.bot.id]
        made = Channel(self.new_id("D"), "", members, int(self.epoch()), is_private=True, is_im=True, user=user.id)
        return self._keep(made)

    def _keep(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        self.messages[channel.id] = {}
        self.changed("channel", channel)
        return channel

    # Messages

    def say(self, user: User, channel: Channel, text: str, *, thread_ts: str | None = None, **fields: Any) -> Message:
        """Let a person write; nothing is delivered to the app (that is the sender's part)."""
        known: Json = {"channel": channel.id, "ts": self.new_ts(), "user": user.id, "bot_id": user.bot_id}
        return self.keep(Message(**(known | {"text": text, "thread_ts": thread_ts} | fields)))

    def share(self, name: str, content: bytes, media_type: str) -> SharedFile:
        """Keep a file that somebody is about to share, and hand it out under an address of its own."""
        known_as = self.new_id("F")
        told: Json = {
            "id": known_as,
            "name": name,
            "title": name,
            "mimetype": media_type,
            "size": len(content),
            "mode": "hosted",
            "is_external": False,
            "url_private": f"{self.base_url}/files-pri/{self.team.id}-{known_as}/{name}",
            "url_private_download": f"{self.base_url}/files-pri/{self.team.id}-{known_as}/download/{name}",
        }
        self.files[known_as] = SharedFile(told, content)
        return self.files[known_as]

    def keep(self, message: Message) -> Message:
        """Store a new message and tell of it."""
        self.messages[message.channel][message.ts] = message
        self._rooted.setdefault((message.channel, message.root), []).append(message)
        self.changed("ephemeral" if message.ephemeral_to else "message", message)
        return message

    def message(self, channel: str, ts: str) -> Message | None:
        """Return a message that stands, ephemeral ones too; None when deleted or never there."""
        found = self.messages.get(channel, {}).get(ts)
        return None if found is None or found.deleted else found

    def standing(self, channel: str) -> Iterator[Message]:
        """Yield what everybody in a conversation sees, oldest first: no ephemeral, no deleted message."""
        for message in self.messages[channel].values():
            if not message.deleted and message.ephemeral_to is None:
                yield message

    def replies(self, channel: str, root: str) -> list[Message]:
        """Return a thread with its first message, oldest first."""
        rooted = self._rooted.get((channel, root), [])
        return [each for each in rooted if not each.deleted and each.ephemeral_to is None]

    def is_streaming(self, message: Message) -> bool:
        """Return whether a streamed message is open; five minutes after its start Slack has closed it."""
        stream = message.stream
        if stream is None or stream.ended is not None:
            return False
        if self.clock.monotonic() - stream.started < STREAM_LIFE_S:
            return True
        stream.ended, stream.ending = stream.started + STREAM_LIFE_S, "expired"
        self.changed("stream", message)
        return False

    def seen_by(self, user: User, channel: Channel) -> list[Message]:
        """Return what one person sees in a conversation, what is meant for them alone included."""
        everything = self.messages[channel.id].values()
        return [each for each in everything if not each.deleted and each.ephemeral_to in {None, user.id}]

    # What is lent for a short time

    def new_trigger(self, user: User, *, view_id: str | None = None) -> str:
        """Return a fresh trigger_id of a person who just did something."""
        trigger = Trigger(f"{self.new_id('')}.{self.team.id}.trigger", user.id, self.clock.monotonic(), view_id=view_id)
        self.triggers[trigger.id] = trigger
        return trigger.id

    def use_trigger(self, trigger_id: str) -> Trigger:
        """Return the trigger and spend it; refuse an unknown, a spent or an old one."""
        trigger = self.triggers.get(trigger_id)
        if trigger is None:
            raise Refused("invalid_trigger_id")
        if trigger.used:
            raise Refused("exchanged_trigger_id")
        if self.clock.monotonic() - trigger.made > TRIGGER_LIFE_S:
            raise Refused("expired_trigger_id")
        trigger.used = True
        return trigger

    def new_response_url(self, user: User, channel: Channel, *, message: Message | None = None) -> str:
        """Return a fresh response_url for a command (no message) or for a press on `message`."""
        lent = ResponseUrl(self.new_id("R"), channel.id, user.id, self.clock.monotonic())
        if message is not None:
            lent.message_ts, lent.thread_ts = message.ts, message.thread_ts
        self.response_urls[lent.id] = lent
        return f"{self.base_url}/actions/{self.team.id}/{lent.id}"

    def use_response_url(self, lent_id: str) -> ResponseUrl:
        """Return what the URL stands for and count the use; refuse an unknown, spent or old one."""
        lent = self.response_urls.get(lent_id)
        if lent is None:
            raise Refused("invalid_response_url")
        if self.clock.monotonic() - lent.made > RESPONSE_URL_LIFE_S:
            raise Refused("expired_url")
        if lent.uses >= RESPONSE_URL_USES:
            raise Refused("used_url")
        lent.uses += 1
        return lent

    # The agent surface

    def thread(self, channel: str, thread_ts: str) -> AssistantThread:
        """Return what stands beside a thread ("" for a whole direct message)."""
        return self.threads.setdefault((channel, thread_ts), AssistantThread(channel, thread_ts))

    def status_of(self, channel: str, thread_ts: str) -> str:
        """Return the status that people see now: it goes out after two minutes."""
        thread = self.thread(channel, thread_ts)
        fresh = self.clock.monotonic() - thread.status_at < STATUS_LIFE_S
        return thread.status if fresh else ""

    def clear_status(self, channel: str, thread_ts: str | None) -> None:
        """Put the status out, as Slack does when the app writes."""
        thread = self.threads.get((channel, thread_ts or ""))
        if thread is not None and thread.status:
            thread.status, thread.loading_messages = "", []
            self.changed("status", thread)

    # Credentials

    def revoke(self, *, error: Revocation = "token_revoked") -> None:
        """Take the bot's token away: every call with it is refused with `error`."""
        self.bot_token.refused = error

    def restore(self) -> None:
        """Give the bot's token back."""
        self.bot_token.refused = None
