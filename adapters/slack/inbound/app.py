"""The bolt app: every request is verified, read, stored and only then acknowledged; work begins after that.

One middleware answers everything, so that nothing that Slack sends meets a missing listener (bolt answers 404 to it,
and Slack counts a failed delivery), and nothing runs between the acknowledgement and the answer to Slack.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, assert_never

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.middleware.async_middleware import AsyncMiddleware
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.events import Feedback, FormSubmit, HomeOpened, Inbound, Joined, Message, Press, Withdrawn
from adapters.inbound.tasks import Afterwards
from adapters.outbound.health import Health, Trouble
from adapters.port import Accepted, ChatClock, Receipt, Receive
from adapters.slack.address import SlackAddress
from adapters.slack.config import Installation, SlackConfig
from adapters.slack.drawing.elements import decode_rating
from adapters.slack.inbound.dialogs import Calls, Dialogs
from adapters.slack.inbound.events import PromptsWanted, ReadersChanged, SlackAlarm, heard
from adapters.slack.inbound.origin import Json, SlackIgnored, records, text
from adapters.slack.inbound.signatures import SignatureCheck, Signatures
from adapters.slack.words import WordsFor

log = logging.getLogger(__name__)

_ALARMS = {
    "uninstalled": "the app was removed from the workspace: install it again and set its new token; posts wait",
    "revoked": "the bot token was revoked: install the app again and set its new token; posts wait",
}


def build(
    config: SlackConfig,
    clock: ChatClock,
    *,
    receive: Receive,
    words_for: WordsFor,
    calls: Calls,
    installation: Installation,
    health: Health,
    afterwards: Afterwards,
    language_of: Callable[[str], str] | None = None,
    readers_changed: Callable[[str], None] = lambda _channel: None,
    not_stored: tuple[type[Exception], ...] = (OSError,),
) -> AsyncApp:
    """Return the app for `webhook` and `socket`.

    `readers_changed` is told a channel that somebody came into; `not_stored` are the errors of `receive` that mean:
    try again later.
    """
    app = AsyncApp(
        name="dutydesk",
        client=AsyncWebClient(base_url=config.api_url),
        authorize=_Installed(config, installation),
        before_authorize=SignatureCheck(Signatures(config.signing_secret, clock)),
        # Ours: bolt's look at the machine's clock, come before the signature, or hide what is ignored on purpose.
        request_verification_enabled=False,
        ssl_check_enabled=False,
        ignoring_self_events_enabled=False,
        attaching_function_token_enabled=False,
    )
    known = language_of or (lambda _: "")

    def tongue(user: str) -> str:
        return known(user) or config.language

    dialogs = Dialogs(calls, words_for=words_for, language_of=tongue, afterwards=afterwards)
    inbox_first = _InboxFirst(
        clock,
        receive,
        dialogs,
        installation,
        health,
        config=config,
        readers_changed=readers_changed,
        not_stored=not_stored,
    )
    app.use(inbox_first)
    app.error(inbox_first.refuse)
    return app


class _Installed(AsyncAuthorize):
    """Tells bolt who the desk is without asking Slack about every request."""

    def __init__(self, config: SlackConfig, installation: Installation) -> None:
        self._config = config
        self._installation = installation

    async def __call__(
        self,
        *,
        context: AsyncBoltContext,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        actor_enterprise_id: str | None = None,
        actor_team_id: str | None = None,
        actor_user_id: str | None = None,
    ) -> AuthorizeResult:
        del context, user_id, actor_enterprise_id, actor_team_id, actor_user_id
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_user_id=self._installation.bot_user,
            bot_id=self._installation.bot_id,
            bot_token=self._config.bot_token,
        )


class _InboxFirst(AsyncMiddleware):
    """Stores what is for the desk, then acknowledges; what is not costs no more than being read."""

    def __init__(
        self,
        clock: ChatClock,
        receive: Receive,
        dialogs: Dialogs,
        installation: Installation,
        health: Health,
        *,
        config: SlackConfig,
        readers_changed: Callable[[str], None],
        not_stored: tuple[type[Exception], ...],
    ) -> None:
        self._clock = clock
        self._receive = receive
        self._dialogs = dialogs
        self._installation = installation
        self._health = health
        self._config = config
        self._readers_changed = readers_changed
        self._not_stored = not_stored

    async def async_process(
        self,
        *,
        req: AsyncBoltRequest,
        resp: BoltResponse,
        next: Callable[[], Awaitable[BoltResponse]],  # noqa: A002 - bolt's name
    ) -> BoltResponse:
        """Answer for every listener; an exception in here means that Slack is to send it again."""
        del resp, next
        what = heard(req.body, known=self._installation, now=self._clock.now())
        match what:
            case SlackIgnored(reason=reason):
                self._health.count(f"ignored.{reason}")
            case ReadersChanged(channel=channel):
                self._readers_changed(channel)
            case PromptsWanted():
                self._dialogs.suggest(what.channel, user=what.user)
            case SlackAlarm():
                self._alarm(what)
            case _:
                return await req.context.ack(await self._answer(what, req.body))
        return await req.context.ack()

    async def refuse(self, error: Exception) -> BoltResponse:
        """Answer 503 for what is not stored: Slack sends events again, and tells people that theirs failed."""
        if isinstance(error, self._not_stored):
            self._not_kept()
        else:
            log.error("a request of Slack could not be worked on", exc_info=error)
        return BoltResponse(status=503)

    async def _answer(self, event: Inbound, body: Json) -> str | dict[str, Any]:
        """Store an event and return the body of the acknowledgement."""
        match event:
            case FormSubmit():
                return await self._submitted(event, body)
            case Feedback() if event.reason is not None:
                return await self._submitted(event, body)
            case Press() if event.action in self._config.form_actions:
                await self._dialogs.press(event, body, self._store)
            case Feedback(verdict="down"):
                await self._store(event)
                self._dialogs.ask_reason(event, body, language=self._language_of_rating(body))
            case Message() | Press() | Feedback() | HomeOpened() | Joined() | Withdrawn():
                await self._store(event)
            case _:
                assert_never(event)
        return ""

    def _language_of_rating(self, body: Json) -> str:
        try:
            language, _ = decode_rating(text(records(body, "actions")[0], "block_id"))
        except ValueError:
            return self._config.language
        return language

    async def _submitted(self, sent: FormSubmit | Feedback, body: Json) -> str | dict[str, Any]:
        try:
            receipt = await self._store(sent)
        except self._not_stored:
            # Slack would say no more than that there was trouble.
            self._not_kept()
            return self._dialogs.not_saved(body)
        return self._dialogs.after(sent, body, receipt)

    async def _store(self, event: Inbound) -> Receipt:
        receipt = await self._receive(event)
        self._health.ends(Trouble.NOT_STORED)
        if isinstance(event, Press | FormSubmit) and isinstance(receipt, Accepted):
            await self._show_home_again(event)
        return receipt

    async def _show_home_again(self, event: Press | FormSubmit) -> None:
        """Have the home drawn again after what was pressed on it: the thread of a home is worked off in order."""
        if SlackAddress.of(event.address).kind == "home":
            await self._receive(
                HomeOpened(
                    event_id=f"{event.event_id}:home",
                    account=event.account,
                    address=event.address,
                    thread=event.thread,
                    received_at=event.received_at,
                )
            )

    def _not_kept(self) -> None:
        self._health.begins(Trouble.NOT_STORED, "what comes in cannot be stored; Slack is asked to send it again")

    def _alarm(self, alarm: SlackAlarm) -> None:
        self._health.count(f"alarm.{alarm.kind}")
        match alarm.kind:
            case "uninstalled" | "revoked":
                self._health.begins(Trouble.CREDENTIALS, _ALARMS[alarm.kind])
            case "held_back":
                log.error("Slack: more than 30,000 events in an hour; it held some of the last minute back")
            case _:
                assert_never(alarm.kind)
