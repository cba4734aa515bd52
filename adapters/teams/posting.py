"""Cards become messages: once for each key as far as Teams lets it be known, in their place, edited in their order."""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from html import escape
from http import HTTPStatus
from typing import Any

from adapters.cards import Card
from adapters.inbound.tasks import UnderWay
from adapters.markdown.text import shorten
from adapters.outbound.gates import Ambiguous
from adapters.outbound.pacing import Priority
from adapters.outbound.packing import Shortening
from adapters.outbound.recent import Recent
from adapters.port import ANSWER, Clock, Sending, Unavailable, Undeliverable
from adapters.teams.address import TeamsAddress, place_of
from adapters.teams.config import TeamsConfig
from adapters.teams.connector import PATIENCE_S, Connector, Going
from adapters.teams.drawing import MESSAGES, Drawn, draw
from adapters.teams.errors import Denied, TooBig
from adapters.teams.operations import Place, create, delete, edit, post
from adapters.teams.streams import Begun, ended, said
from adapters.teams.words import WordsFor

log = logging.getLogger(__name__)

#: Seconds after which Teams ends a stream by itself: before that, nobody can take it away.
STREAM_LIFE_S = 120.0
#: Seconds for which the chat with a person, and a part of a card that was posted, are known.
CHAT_S, PARTS_S = 86_400.0, 3_600.0
#: Real seconds that Teams may take for a new message, and those after which nobody waits for it: an answer that comes
#: between them is found by the next attempt, which would post it twice otherwise.
POSTED_WITHIN_S, NOBODY_WAITS_S = 30.0, 5.0
#: Seconds after which the answer to a press has surely come to its client: an edit that overtook it would be hidden
#: from the person who pressed.
ANSWERED_S = 1.0
#: Of somebody who is mentioned.
NAME_MAX = 40

Json = Mapping[str, Any]


@dataclass(frozen=True)
class _Job:
    """One card on its way to a conversation."""

    to: TeamsAddress
    card: Card
    key: str
    sending: Sending

    @property
    def place(self) -> Place:
        return Place.of(self.to)

    @property
    def going(self) -> Going:
        if self.sending.proactive:
            return Going(Priority.PROACTIVE, patience_s=0.0)
        return Going(Priority.ANSWER, PATIENCE_S)

    @property
    def left_open(self) -> Begun | None:
        """What another process left to be ended here; nobody knows whether it still streams."""
        if not self.sending.unfinished:
            return None
        conversation, message = place_of(self.sending.unfinished)
        return Begun(message, streaming=not self.to.others_read) if conversation == self.to.conversation else None


class Posting:
    """Posts and edits messages."""

    def __init__(self, connector: Connector, clock: Clock, config: TeamsConfig, words_for: WordsFor) -> None:
        self._connector = connector
        self._clock = clock
        self._config = config
        self._words_for = words_for
        self._chats: Recent[tuple[str, str], str] = Recent(clock, seconds=CHAT_S)
        self._parts: Recent[str, str] = Recent(clock, seconds=PARTS_S)
        self._last: Recent[str, str] = Recent(clock, seconds=CHAT_S)  # message of a conversation
        self._in_place: Recent[str, float] = Recent(clock, seconds=ANSWERED_S)  # messages answered by a card
        self._newest: dict[str, int] = {}  # which edit of a message is the last one
        self._numbers = itertools.count()
        self._posts: UnderWay[str] = UnderWay()
        self._sweeping: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Leave what is not posted or taken away yet."""
        self._posts.close()
        for task in self._sweeping:
            task.cancel()

    async def reached(self, to: TeamsAddress) -> TeamsAddress:
        """Return the address with its conversation: the chat with the person is opened where there is none."""
        if to.conversation:
            return to

        async def open_it() -> str:
            return _id_of(await self._connector.call(create(to)), "create")

        return replace(to, conversation=await self._chats.get((to.tenant, to.user), open_it))

    async def post(
        self, to: TeamsAddress, card: Card, *, key: str, sending: Sending = ANSWER, begun: Begun | None = None
    ) -> str:
        """Return the reference of the card's last message; what is known to be there is not posted again."""
        job = _Job(to, card, key, sending)
        carrier = begun or job.left_open
        messages = self._drawn(card)
        names = [f"{key}/{number}" for number in range(1, len(messages))] + [key]
        known = [self._parts.known(name) for name in names]
        if any(known):
            carrier = None
        last = ""
        for name, drawn, there in zip(names, messages, known, strict=True):
            last = there or (await self._take_over(job, carrier, drawn) if carrier else "")
            carrier = None
            posted = "" if last else await self._message(job, drawn, name)
            last = last or posted
            self._parts.keep(name, last)
            if posted and name == names[0] != key and sending.opened is not None:
                await sending.opened(job.place.reference(posted))
        return job.place.reference(last)

    async def hint(self, to: TeamsAddress, text: str) -> None:
        """Post a line of ours to the person behind an address; where many read, it says whom it is for."""
        await self._connector.call(post(Place.of(to), _to(to, text)))

    async def update(self, to: TeamsAddress, posted: str, card: Card) -> None:
        """Show another card in the place of a posted one; of several that wait, only the last is sent.

        What stood in messages before the posted one, such as the text of an answer, stays.
        """
        conversation, message = place_of(posted)
        place = Place(to.service_url, conversation)
        number = self._newest[posted] = next(self._numbers)
        going = Going(Priority.EDIT, PATIENCE_S, wanted=lambda: self._newest.get(posted) == number)

        async def change(activity: Json) -> Json:
            return await self._connector.call(edit(place, message, activity), going)

        try:
            await self._behind_the_answer(posted)
            await _shown(self._drawn(card, messages=1)[-1], change)
        finally:
            if self._newest.get(posted) == number:
                del self._newest[posted]

    def answered_in_place(self, posted: str) -> None:
        """Note that a press is just being answered by a card in the place of a posted one."""
        self._in_place.keep(posted, self._clock.monotonic())

    async def _behind_the_answer(self, posted: str) -> None:
        if (answered := self._in_place.known(posted)) is not None:
            await self._clock.sleep(max(0.0, answered + ANSWERED_S - self._clock.monotonic()))

    def heard(self, conversation: str, message: str) -> None:
        """Note the message that stands last in a conversation."""
        self._last.keep(conversation, message)

    async def renewed(self, to: TeamsAddress, posted: str, card: Card) -> bool:
        """Show another card in the place of a posted one; False when something stands below it, or it is gone."""
        conversation, message = place_of(posted)
        if self._last.known(conversation) != message:
            return False
        try:
            await self.update(to, posted, card)
        except Denied as denied:
            log.info("Teams: %s; a card is posted anew", denied)
            return False
        return True

    async def _take_over(self, job: _Job, carrier: Begun, drawn: Drawn) -> str:
        """Turn what was begun into a message of the card; return its id, "" when it has to be posted anew."""

        async def change(activity: Json) -> Json:
            return await self._connector.call(edit(job.place, carrier.message, activity), job.going)

        if carrier.streaming and await self._end(job, carrier, drawn):
            return carrier.message
        try:
            await _shown(drawn, change)
        except Denied as denied:
            log.info("Teams: %s; an answer is posted anew", denied)
            if denied.status != HTTPStatus.NOT_FOUND:
                self._sweep(job.place, carrier.message)
            return ""
        return carrier.message

    async def _end(self, job: _Job, carrier: Begun, drawn: Drawn) -> bool:
        """End a stream, with the card where that goes on from what was streamed; return whether it shows the card."""
        whole = drawn.payload()
        text = str(whole.get("text") or "")
        goes_on = bool(text.strip()) and text.startswith(carrier.shown)
        as_it_is = said(carrier.shown or self._words_for(job.card.language).working)
        for activity in (whole, as_it_is) if goes_on else (as_it_is,):
            try:
                await self._connector.call(post(job.place, ended(activity, carrier.message)), job.going)
            except Denied as denied:  # ended before by time, by the person, by an attempt whose answer was lost
                log.info("Teams: %s; a stream is ended in another way", denied)
            else:
                return activity is whole
        return False

    def _sweep(self, place: Place, message: str) -> None:
        """Take away a part of an answer that can neither be ended nor edited, as soon as Teams allows it."""

        async def take_away() -> None:
            for wait_s in (0.0, STREAM_LIFE_S):
                await self._clock.sleep(wait_s)
                try:
                    await self._connector.call(delete(place, message), Going(Priority.PROACTIVE, patience_s=0.0))
                except (Unavailable, Undeliverable) as why:
                    log.info("Teams: a part of an answer may still be seen: %s", why)

        task = asyncio.create_task(take_away())
        self._sweeping.add(task)
        task.add_done_callback(self._sweeping.discard)

    async def _message(self, job: _Job, drawn: Drawn, name: str) -> str:
        """Return the id of a new message. A slow answer is waited for by whoever comes back: posted is posted."""
        try:
            return await self._posts.result(name, lambda: self._posted(job, drawn, name), within_s=NOBODY_WAITS_S)
        except TimeoutError as error:
            raise Ambiguous("post: no answer yet", retry_after_s=1.0) from error

    async def _posted(self, job: _Job, drawn: Drawn, name: str) -> str:
        going = replace(job.going, answer_within_s=POSTED_WITHIN_S)

        async def say(activity: Json) -> Json:
            return await self._connector.call(post(job.place, activity), going)

        try:
            message = _id_of(await _shown(drawn, say), "post")
        except Ambiguous:
            self._connector.health.count("unsure_posts")  # it may stand there twice in the end
            raise
        self._parts.keep(name, message)
        self.heard(job.to.conversation, message)
        return message

    def _drawn(self, card: Card, *, messages: int = MESSAGES) -> tuple[Drawn, ...]:
        shortening = Shortening(self._words_for(card.language).shortened)
        return draw(card, shortening, config=self._config, messages=messages)


async def _shown(drawn: Drawn, attempt: Callable[[Json], Awaitable[Json]]) -> Json:
    """Return the answer to a message; its plain text is tried where Teams does not take the card."""
    try:
        return await attempt(drawn.payload())
    except Denied as denied:
        if not _refused_content(denied):
            raise
    return await attempt(said(drawn.text or drawn.summary))


def _refused_content(denied: Denied) -> bool:
    """Return whether plain text may get through where the card did not."""
    refused = denied.status == HTTPStatus.BAD_REQUEST or isinstance(denied, TooBig)
    if refused:
        log.error("Teams does not take a card: %s; its plain text is sent", denied)
    return refused


def _to(person: TeamsAddress, text: str) -> Json:
    """Return a message that begins with the name of somebody, who is told of it by Teams."""
    name = shorten(" ".join(person.name.split()), NAME_MAX)
    if not name:
        return {"type": "message", "text": text}
    named = f"<at>{escape(name)}</at>"
    mention = {"type": "mention", "text": named, "mentioned": {"id": person.user, "name": name}}
    return {"type": "message", "text": f"{named} {text}", "entities": [mention]}


def _id_of(told: Json, what: str) -> str:
    if not told.get("id"):
        raise Denied(what, HTTPStatus.OK, "no id")
    return str(told["id"])
