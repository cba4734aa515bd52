"""What Teams sends is read, stored and only then acknowledged; work begins after that."""

import logging
from collections.abc import Callable
from typing import assert_never

from adapters.events import Address, Event, Feedback, FormSubmit, HomeOpened, Inbound, Joined, Message, Press, Withdrawn
from adapters.inbound.tasks import within
from adapters.outbound.health import Health, Trouble
from adapters.port import ChatClock, Receipt, Receive, Shown
from adapters.teams.config import TeamsConfig
from adapters.teams.inbound import events as inbound
from adapters.teams.inbound import invokes
from adapters.teams.inbound.activities import Activity, Json, Malformed, read
from adapters.teams.inbound.answers import InvokeAnswer
from adapters.teams.inbound.events import MembersChanged, NotOurs, Uninstalled
from adapters.teams.inbound.origin import TeamsIgnored
from adapters.teams.inbound.presses import FormClosed, data_of
from adapters.teams.words import TeamsWords, WordsFor

log = logging.getLogger(__name__)

#: Seconds for storing: Teams waits for ten, and then tells the person that the app does not answer.
STORE_S = 5.0
_DONE = InvokeAnswer(200)


class TeamsApp:
    """Takes activities that somebody has vouched for (`webhook`)."""

    def __init__(
        self,
        config: TeamsConfig,
        clock: ChatClock,
        *,
        receive: Receive,
        words_for: WordsFor,
        health: Health,
        heard: Callable[[Address], None] = lambda _address: None,
        members_changed: Callable[[str], None] = lambda _conversation: None,
        answered_in_place: Callable[[str], None] = lambda _message: None,
        not_stored: tuple[type[Exception], ...] = (OSError,),
    ) -> None:
        """`heard` is told where every event comes from, `members_changed` a conversation whose readers are others now.

        `answered_in_place` is told the message that is answered by a card in its place; `not_stored` are the errors
        of `receive` that mean: try again later.
        """
        self._config = config
        self._clock = clock
        self._receive = receive
        self._words_for = words_for
        self._health = health
        self._heard = heard
        self._members_changed = members_changed
        self._answered_in_place = answered_in_place
        self._not_stored: tuple[type[Exception], ...] = (*not_stored, TimeoutError)

    async def handle(self, activity: Json) -> InvokeAnswer:
        """Answer one activity; an error of `receive` that nobody named is raised."""
        try:
            sent = read(activity)
        except Malformed:
            self._health.count("malformed")
            return InvokeAnswer(400)
        what = inbound.heard(sent, tenant=self._config.tenant_id.lower(), now=self._clock.now())
        if isinstance(what, MembersChanged):
            self._members_changed(what.conversation)
            return _DONE if what.joined is None else await self._take(what.joined, sent)
        if isinstance(what, Event):
            return await self._take(what, sent)
        return self._aside(what, sent)

    def _aside(self, what: FormClosed | Uninstalled | NotOurs | TeamsIgnored, activity: Activity) -> InvokeAnswer:
        """Answer what is nothing to the desk."""
        match what:
            case TeamsIgnored(reason=reason):
                self._health.count(f"ignored.{reason}")
                return invokes.not_understood(activity.name) if activity.type == "invoke" else _DONE
            case NotOurs():
                self._health.count("ignored.invoke")
                return invokes.NOT_FOUND
            case FormClosed(language=language):
                return invokes.closed(activity.name, self._words_of(language))
            case Uninstalled(conversation=conversation):
                log.info("Teams: the app was taken away from %s", conversation)
                return _DONE
            case _:
                assert_never(what)

    async def _take(self, event: Inbound, activity: Activity) -> InvokeAnswer:
        if not isinstance(event, Withdrawn):  # what was taken away stands nowhere
            self._heard(event.address)
        words = self._words_of(event.account.language)
        try:
            receipt = await within(self._clock, STORE_S, self._store(event))
        except self._not_stored:
            self._health.begins(Trouble.NOT_STORED, "what comes in cannot be stored; Teams is asked to send it again")
            return invokes.not_stored(activity.name, words)
        self._health.ends(Trouble.NOT_STORED)
        return self._answer(event, receipt, activity, words)

    def _words_of(self, language: str | None) -> TeamsWords:
        return self._words_for(language or self._config.language)

    async def _store(self, event: Inbound) -> Receipt:
        return await self._receive(event)

    def _answer(self, event: Inbound, receipt: Receipt, activity: Activity, words: TeamsWords) -> InvokeAnswer:
        match event:
            case Message() | Press() | FormSubmit() | Feedback() if activity.type == "invoke":
                data = data_of(activity)
                language = invokes.form_language(event, receipt, data)
                words = self._words_of(language) if language else words
                answer = invokes.answered(activity.name, event, receipt, data=data, words=words)
                if invokes.is_in_place(answer) and not isinstance(event, Message) and event.message:
                    self._answered_in_place(event.message)
                return answer
            case Press() | FormSubmit() if isinstance(receipt, Shown):
                log.warning('Teams: a client that has no dialogs was to show a form; set teams.forms to "cards"')
                return _DONE
            case Message() | Press() | FormSubmit() | Feedback() | HomeOpened() | Joined() | Withdrawn():
                return _DONE
            case _:
                assert_never(event)
