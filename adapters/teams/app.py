"""What Teams sends is read, stored and only then acknowledged; work begins after that."""

import logging
from collections.abc import Callable
from typing import assert_never

from adapters.cards import Form
from adapters.events import Address, Feedback, FormSubmit, HomeOpened, Inbound, Joined, Message, Press
from adapters.health import Health, Trouble
from adapters.port import Clock, Receipt, Receive, Shown
from adapters.tasks import within
from adapters.teams import invokes
from adapters.teams.activities import Activity, Json, Malformed, read
from adapters.teams.answers import Answer
from adapters.teams.config import TeamsConfig
from adapters.teams.inbound import MembersChanged, NotOurs, Uninstalled, heard
from adapters.teams.inbound_origin import Ignored
from adapters.teams.inbound_presses import data_of
from adapters.teams.words import TeamsWords, WordsFor

log = logging.getLogger(__name__)

#: Seconds for storing: Teams waits for ten, and then tells the person that the app does not answer.
STORE_S = 5.0
_DONE = Answer(200)


class TeamsApp:
    """Takes activities that somebody has vouched for (`doors`)."""

    def __init__(
        self,
        config: TeamsConfig,
        clock: Clock,
        *,
        receive: Receive,
        words_for: WordsFor,
        health: Health,
        members_changed: Callable[[str], None] = lambda _conversation: None,
        show_form: Callable[[Address, Form], None] = lambda _address, _form: None,
        not_stored: tuple[type[Exception], ...] = (OSError,),
    ) -> None:
        """`members_changed` is told a conversation whose readers are others now.

        `show_form` posts a form to a client that has no way to be answered with one; `not_stored` are the errors of
        `receive` that mean: try again later.
        """
        self._config = config
        self._clock = clock
        self._receive = receive
        self._words_for = words_for
        self._health = health
        self._members_changed = members_changed
        self._show_form = show_form
        self._not_stored: tuple[type[Exception], ...] = (*not_stored, TimeoutError)

    async def handle(self, activity: Json) -> Answer:
        """Answer one activity; an error of `receive` that nobody named is raised."""
        try:
            sent = read(activity)
        except Malformed:
            self._health.count("malformed")
            return Answer(400)
        what = heard(sent, tenant=self._config.tenant_id, now=self._clock.now())
        match what:
            case Ignored(reason=reason):
                self._health.count(f"ignored.{reason}")
                return invokes.not_understood(sent.name) if sent.type == "invoke" else _DONE
            case NotOurs():
                self._health.count("ignored.invoke")
                return invokes.NOT_FOUND
            case Uninstalled():
                log.info("Teams: the app was taken away from %s", what.conversation)
                return _DONE
            case MembersChanged(conversation=conversation, joined=joined):
                self._members_changed(conversation)
                return _DONE if joined is None else await self._take(joined, sent)
            case _:
                return await self._take(what, sent)

    async def _take(self, event: Inbound, activity: Activity) -> Answer:
        words = self._words_for(event.account.language or self._config.language)
        try:
            receipt = await within(self._clock, STORE_S, self._store(event))
        except self._not_stored:
            self._health.begins(Trouble.NOT_STORED, "what comes in cannot be stored; Teams is asked to send it again")
            return invokes.not_stored(activity.name, words)
        self._health.ends(Trouble.NOT_STORED)
        return self._answer(event, receipt, activity, words)

    async def _store(self, event: Inbound) -> Receipt:
        return await self._receive(event)

    def _answer(self, event: Inbound, receipt: Receipt, activity: Activity, words: TeamsWords) -> Answer:
        match event:
            case Message() | Press() | FormSubmit() | Feedback() if activity.type == "invoke":
                return invokes.answered(activity.name, event, receipt, data=data_of(activity), words=words)
            case Press() | FormSubmit() if isinstance(receipt, Shown):
                self._show_form(event.address, receipt.form)
                return _DONE
            case Message() | Press() | FormSubmit() | Feedback() | HomeOpened() | Joined():
                return _DONE
            case _:
                assert_never(event)
