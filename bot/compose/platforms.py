"""The chat platforms that settings turn on, besides our own."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from adapters.inbound.webhook import Refusals
from adapters.outbound.health import Health
from adapters.port import Chat, Overfull, Receive
from bot.rendering.texts.catalogue import say
from bot.settings import Settings
from storage.clock import Clock
from storage.database import AWAY

if TYPE_CHECKING:
    from adapters.slack.config import SlackConfig
    from adapters.slack.words import SlackWords
    from adapters.teams.config import TeamsConfig
    from adapters.teams.words import TeamsWords

#: Opens a connection for as long as the block lasts.
Listening = Callable[[], AbstractAsyncContextManager[None]]


@dataclass(frozen=True)
class Hearing:
    """How a platform's events come in: apps by path, and connections that are held while the desk runs."""

    webhooks: Mapping[str, ASGIApp] = field(default_factory=dict)
    listening: tuple[Listening, ...] = ()


@dataclass(frozen=True)
class PlatformState:
    """How a platform is doing: codes of the troubles that are not over, and how many requests were refused."""

    troubles: tuple[str, ...] = ()
    refused: int = 0


async def _nothing_to_close() -> None:
    """Close nothing."""


@dataclass(frozen=True)
class Platform:
    """A platform: what the desk says goes to `chat`, what it hears comes from `listen`, once there is an inbox."""

    chat: Chat
    listen: Callable[[Receive], Hearing]
    close: Callable[[], Awaitable[None]] = _nothing_to_close
    state: Callable[[], PlatformState] = PlatformState


def platforms(settings: Settings, clock: Clock, form_actions: frozenset[str]) -> tuple[Platform, ...]:
    """Return the platforms that are turned on; presses of `form_actions` open a form."""
    slack = () if settings.slack.mode == "off" else (_slack(settings, clock, form_actions),)
    teams = () if settings.teams.mode == "off" else (_teams(settings, clock, form_actions),)
    return (*slack, *teams)


def slack_config(settings: Settings, form_actions: frozenset[str] = frozenset()) -> "SlackConfig":
    """Return what the adapter is told of the settings."""
    from adapters.slack.config import SlackConfig  # noqa: PLC0415

    slack = settings.slack
    return SlackConfig(
        bot_token=slack.bot_token.get_secret_value(),
        signing_secret=slack.signing_secret.get_secret_value(),
        app_token=slack.app_token.get_secret_value(),
        api_url=slack.api_url,
        email_domains=frozenset(domain.lower() for domain in slack.email_domains),
        stream_after_s=slack.stream_after_s,
        form_actions=form_actions,
        language=settings.language,
    )


def _slack(settings: Settings, clock: Clock, form_actions: frozenset[str]) -> Platform:
    # Slack's libraries are an extra: only who turns Slack on needs them installed.
    from adapters.inbound.tasks import Afterwards  # noqa: PLC0415
    from adapters.slack.chat import SlackChat  # noqa: PLC0415
    from adapters.slack.inbound import app  # noqa: PLC0415
    from adapters.slack.inbound.signatures import Signatures  # noqa: PLC0415
    from adapters.slack.inbound.socket import SocketMode  # noqa: PLC0415
    from adapters.slack.inbound.webhook import SlackWebhook  # noqa: PLC0415
    from adapters.slack.setup.manifest import PATH  # noqa: PLC0415
    from adapters.slack.wire.client import SlackCalls  # noqa: PLC0415

    config = slack_config(settings, form_actions)
    calls = SlackCalls(config, clock, health=Health(clock, platform="Slack"))
    chat = SlackChat(config, clock, calls=calls, words_for=slack_words)

    refusals = Refusals(clock, platform="Slack")

    def state() -> PlatformState:
        troubles = tuple(episode.trouble.value for episode in calls.health.episodes)
        return PlatformState(troubles, sum(refusals.counts.values()))

    def listen(receive: Receive) -> Hearing:
        afterwards = Afterwards(clock)
        bolt = app.build(
            config,
            clock,
            receive=receive,
            words_for=slack_words,
            calls=calls,
            installation=calls.installation,
            health=calls.health,
            afterwards=afterwards,
            language_of=chat.people.language,
            readers_changed=chat.people.forget,
            not_stored=(*AWAY, Overfull),
        )

        if settings.slack.mode == "socket":
            return Hearing(listening=(afterwards.open, SocketMode(bolt, config, clock, calls=calls).listening))
        webhook = SlackWebhook(bolt, Signatures(config.signing_secret, clock), refusals)
        return Hearing(webhooks={PATH: webhook}, listening=(afterwards.open,))

    return Platform(chat, listen, close=chat.close, state=state)


def slack_words(language: str) -> "SlackWords":
    """Return the words that the adapter itself says."""
    from adapters.slack.words import SlackWords  # noqa: PLC0415

    tongue = "zh" if language.startswith("zh") else "en"
    examples = tuple(say(tongue, f"welcome.examples.{name}") for name in ("ask", "report", "follow"))
    return SlackWords(
        **{name: say(tongue, f"slack.{name}") for name in SlackWords.__dataclass_fields__ if name != "prompts"},
        prompts=tuple((example, example) for example in examples),
    )


def teams_config(settings: Settings, form_actions: frozenset[str] = frozenset()) -> "TeamsConfig":
    """Return what the adapter is told of the settings."""
    from adapters.teams.config import TeamsConfig  # noqa: PLC0415

    teams = settings.teams
    return TeamsConfig(
        app_id=teams.app_id,
        app_secret=teams.app_secret.get_secret_value(),
        tenant_id=teams.tenant_id,
        allowed_tenants=frozenset(teams.allowed_tenants),
        signed=teams.mode == "on",
        email_domains=frozenset(domain.lower() for domain in teams.email_domains),
        forms=teams.forms,
        form_actions=form_actions,
        stream_after_s=teams.stream_after_s,
        login_url=teams.login_url,
        keys_url=teams.keys_url,
        service_hosts=frozenset(teams.service_hosts),
        language=settings.language,
    )


def _teams(settings: Settings, clock: Clock, form_actions: frozenset[str]) -> Platform:
    # An extra, like Slack's.
    from adapters.teams.chat import TeamsChat  # noqa: PLC0415
    from adapters.teams.inbound.app import TeamsApp  # noqa: PLC0415
    from adapters.teams.inbound.keys import Keys  # noqa: PLC0415
    from adapters.teams.inbound.tokens import Tokens  # noqa: PLC0415
    from adapters.teams.inbound.webhook import PATH, TeamsWebhook  # noqa: PLC0415
    from adapters.teams.wire.connector import Connector  # noqa: PLC0415

    config = teams_config(settings, form_actions)
    health = Health(clock, platform="Teams")
    connector = Connector(config, clock, health=health)
    chat = TeamsChat(config, clock, connector=connector, words_for=teams_words)
    keys = Keys(config.keys_url, clock, health=health)
    refusals = Refusals(clock, platform="Teams")

    def state() -> PlatformState:
        return PlatformState(tuple(each.trouble.value for each in health.episodes), sum(refusals.counts.values()))

    def listen(receive: Receive) -> Hearing:
        app = TeamsApp(
            config,
            clock,
            receive=receive,
            words_for=teams_words,
            heard=chat.heard,
            members_changed=chat.people.forget,
            answered_in_place=chat.answered_in_place,
            not_stored=(*AWAY, Overfull),
            health=health,
        )
        webhook = TeamsWebhook(app, Tokens(config, clock, keys=keys), refusals)
        return Hearing(webhooks={PATH: webhook}, listening=(keys.open,) if config.signed else ())

    return Platform(chat, listen, close=chat.close, state=state)


def teams_words(language: str) -> "TeamsWords":
    """Return the words that the adapter itself says."""
    from adapters.teams.words import TeamsWords  # noqa: PLC0415

    tongue = "zh" if language.startswith("zh") else "en"
    return TeamsWords(**{name: say(tongue, f"teams.{name}") for name in TeamsWords.__dataclass_fields__})
