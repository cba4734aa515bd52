"""Tells the app what happens in the workspace: only what it subscribed to, may read, and is there for."""

from dataclasses import dataclass, field

from tests.fakes.slack import event_payloads as events
from tests.fakes.slack.app_settings import EVENT_SCOPES, AppSettings
from tests.fakes.slack.deliveries import Deliveries
from tests.fakes.slack.records import Change, Channel, Json, Message, User
from tests.fakes.slack.workspace import SlackWorkspace

#: What the event of a new message says besides the message.
_PLACE = ("channel", "channel_type", "event_ts", "root")


@dataclass
class EventFeed:
    """Listens to the workspace and hands events to the deliveries."""

    workspace: SlackWorkspace
    app: AppSettings
    deliveries: Deliveries
    #: By channel and ts: each message as the last event told it, for `previous_message`.
    _told: dict[tuple[str, str], Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.workspace.on_change(self._changed)

    def tell(self, event: Json, subscription: str, *, channel: Channel | None = None) -> None:
        """Deliver one event, if the app is to have it."""
        if self.wanted(subscription) and (channel is None or self.workspace.bot.id in channel.members):
            self.deliveries.send(events.envelope(self.workspace, event, channel=channel))

    def wanted(self, subscription: str) -> bool:
        """Return whether the manifest subscribes to an event and the app's scopes allow it."""
        scope = EVENT_SCOPES.get(subscription)
        return subscription in self.app.events and (scope is None or scope in self.workspace.scopes)

    # What Slack does by itself or people do besides talking

    def joined(self, user: User, channel: Channel, *, inviter: User | None = None) -> None:
        """Let somebody, perhaps the app itself, come into a conversation."""
        if user.id not in channel.members:
            channel.members.append(user.id)
        event = events.member_joined_channel(self.workspace, user, channel, inviter=inviter)
        self.tell(event, "member_joined_channel", channel=channel)

    def webhook(self, channel: Channel, text: str) -> None:
        """Let somebody else's incoming webhook post."""
        event = events.bot_message(self.workspace, channel, text)
        self.tell(event, events.MESSAGE_EVENTS[events.channel_type(channel)], channel=channel)

    def uninstalled(self) -> None:
        """Take the app out of the workspace: its token dies, and it is told."""
        self.workspace.revoke(error="account_inactive")
        self.tell(events.tokens_revoked(self.workspace), "tokens_revoked")
        self.tell(events.app_uninstalled(self.workspace), "app_uninstalled")

    def token_revoked(self) -> None:
        """Take the bot's token away, and tell."""
        self.workspace.revoke()
        self.tell(events.tokens_revoked(self.workspace), "tokens_revoked")

    def rate_limited(self) -> None:
        """Tell the app that too many events came for it; this one needs no subscription."""
        self.deliveries.send(events.app_rate_limited(self.workspace))

    # What happens to messages

    def _changed(self, change: Change) -> None:
        said = change.subject
        if not isinstance(said, Message) or said.ephemeral_to is not None:
            return
        match change.kind:
            case "message":
                self._posted(said)
            case "message_changed":
                self._edited(said)
            case "message_deleted":
                self._deleted(said)
            case "stream" if said.stream is not None and said.stream.ended is not None:
                self._edited(said)
            case _:
                pass

    def _posted(self, said: Message) -> None:
        event = events.message_posted(self.workspace, said)
        self._send(said, event)
        self._mentioned(said)
        self._told[said.channel, said.ts] = {name: event[name] for name in event if name not in _PLACE}

    def _edited(self, said: Message) -> None:
        previous = self._told.get((said.channel, said.ts)) or events.message(self.workspace, said)
        event = events.message_changed(self.workspace, said, previous)
        self._send(said, event)
        if not self._names_app(str(previous.get("text", ""))):
            self._mentioned(said)
        self._told[said.channel, said.ts] = event["message"]

    def _deleted(self, said: Message) -> None:
        previous = self._told.pop((said.channel, said.ts), None) or events.message(self.workspace, said)
        has_replies = any(each.ts != said.ts for each in self.workspace.replies(said.channel, said.ts))
        make = events.message_buried if has_replies else events.message_deleted
        self._send(said, make(self.workspace, said, previous))

    def _mentioned(self, said: Message) -> None:
        channel = self.workspace.channels[said.channel]
        if not channel.is_im and said.user != self.workspace.bot.id and self._names_app(said.text):
            self.tell(events.app_mention(self.workspace, said), "app_mention", channel=channel)

    def _names_app(self, text: str) -> bool:
        return f"<@{self.workspace.bot.id}>" in text

    def _send(self, said: Message, event: Json) -> None:
        channel = self.workspace.channels[said.channel]
        self.tell(event, events.MESSAGE_EVENTS[events.channel_type(channel)], channel=channel)
