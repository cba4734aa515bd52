"""What a Web API method is: its arguments, the scopes and the tier that it needs, and what it does."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.fakes.slack.errors import Refused, invalid
from tests.fakes.slack.records import Channel, Json, Message, TokenKind
from tests.fakes.slack.tiers import Tier
from tests.fakes.slack.workspace import SlackWorkspace


@dataclass(frozen=True)
class Method:
    """One method; `run` gets decoded arguments and returns the answer without `ok`, or raises `Refused`."""

    name: str
    run: Callable[[SlackWorkspace, Json], Json]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    tier: Tier = "T3"
    token: TokenKind = "bot"

    def check_names(self, arguments: Json) -> None:
        """Refuse what the method does not know (stricter than Slack, to catch slips), and what is missing."""
        # The clients that slack_bolt lends its listeners add the team to every call; Slack takes it and looks away.
        known = {*self.required, *self.optional, "team_id"}
        unknown = sorted(set(arguments) - known)
        if unknown:
            raise invalid("invalid_arguments", *(f"unknown argument: {name}" for name in unknown))
        missing = [name for name in self.required if arguments.get(name) is None or arguments[name] == ""]
        if missing:
            raise invalid("invalid_arguments", *(f"missing required field: {name}" for name in missing))


def needs(granted: set[str], *scopes: str) -> None:
    """Refuse unless one of these scopes is among those that the token has."""
    if granted.isdisjoint(scopes):
        raise Refused("missing_scope", needed=",".join(scopes), provided=",".join(sorted(granted)))


def family(channel: Channel) -> str:
    """Return the family of scopes that a conversation falls under: `channels`, `groups` or `im`."""
    return "im" if channel.is_im else "groups" if channel.is_private else "channels"


def find_channel(workspace: SlackWorkspace, channel_id: str) -> Channel:
    """Return a conversation that the app can know of: any public one, others only as a member."""
    channel = workspace.channels.get(channel_id)
    if channel is None or (channel.is_private and workspace.bot.id not in channel.members):
        raise Refused("channel_not_found")
    return channel


def find_place(workspace: SlackWorkspace, channel_id: str) -> Channel:
    """Return the conversation to write into; a person's id means the direct one with them."""
    user = workspace.users.get(channel_id)
    channel = workspace.im(user) if user is not None else find_channel(workspace, channel_id)
    if channel.is_archived:
        raise Refused("is_archived")
    if workspace.bot.id not in channel.members and "chat:write.public" not in workspace.scopes:
        raise Refused("not_in_channel")
    return channel


def find_message(workspace: SlackWorkspace, channel: Channel, ts: str, *, error: str = "message_not_found") -> Message:
    """Return a message that stands in a conversation."""
    message = workspace.message(channel.id, ts)
    if message is None:
        raise Refused(error)
    return message


def flag(arguments: Json, name: str, *, default: bool = False) -> bool:
    """Return a yes or no that came as JSON or as the text of a form."""
    value = arguments.get(name)
    return default if value is None else value in {True, "1", "true", "True"}


def whole(arguments: Json, name: str, *, default: int, most: int) -> int:
    """Return a number between 1 and `most`."""
    try:
        value = int(arguments.get(name, default))
    except (TypeError, ValueError):
        raise invalid("invalid_arguments", f"{name} must be a number") from None
    if not 0 <= value <= most:
        raise Refused("invalid_limit")
    return value or default
