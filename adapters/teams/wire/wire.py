"""Teams behind the pipeline: streamed where the desk is alone with a person, elsewhere a message that is edited.

Teams cannot be asked what stands in a conversation: when the answer to a first post is lost, it is posted again.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from http import HTTPStatus
from typing import Any

from adapters.cards import Card
from adapters.markdown.text import shorten
from adapters.outbound.calling import NOW, PIECE, Going
from adapters.outbound.errors import CallDenied, OutcomeUnknown, StreamOver
from adapters.outbound.packing import Shortening
from adapters.outbound.recent import Recent
from adapters.outbound.wire import Begun, FoundParts, Payload, Tempo
from adapters.port import ChatClock
from adapters.teams.address import TeamsAddress
from adapters.teams.config import TeamsConfig
from adapters.teams.drawing.messages import MESSAGES, TeamsDrawn, draw, growing, said
from adapters.teams.drawing.text import line
from adapters.teams.wire.connector import Connector, Json
from adapters.teams.wire.operations import TeamsOperation, TeamsPlace, create, delete, edit, post
from adapters.teams.words import WordsFor

log = logging.getLogger(__name__)

#: Teams ends a stream after 120 seconds.
TEMPO = Tempo(stream_s=110.0, pieces_s=1.5, edits_s=3.0)
STATUS_MAX = 200
#: Seconds for which the chat with a person, and the last message of a conversation, are known.
CHAT_S = 86_400.0
#: Real seconds that Teams may take for a new message.
POSTED_WITHIN_S = 30.0
#: Of somebody who is mentioned.
NAME_MAX = 40


class TeamsWire:
    """Posts, edits and streams messages through the connector."""

    platform = "Teams"
    tempo = TEMPO
    cumulative = True

    def __init__(self, connector: Connector, clock: ChatClock, config: TeamsConfig, words_for: WordsFor) -> None:
        words = words_for(config.language)
        self.elsewhere = words.see_chat
        self._working = words.working
        self._connector = connector
        self._config = config
        self._words_for = words_for
        self._chats: Recent[tuple[str, str], str] = Recent(clock, seconds=CHAT_S)
        self._last: Recent[str, str] = Recent(clock, seconds=CHAT_S)  # message of a conversation

    def draw(self, card: Card, *, messages: int = MESSAGES) -> Sequence[TeamsDrawn]:
        """Return a card as one to so many messages, one more where text comes before a card."""
        shortening = Shortening(self._words_for(card.language).shortened)
        return draw(card, shortening, config=self._config, messages=messages)

    def growing(self, markdown: str) -> str:
        """Return the beginning of the text that `draw` gives its first message."""
        return growing(markdown)

    def unfinished(self, text: str, status: str) -> Payload:
        """Return a message that shows what there is so far."""
        shown = _status(status) or ("" if text else self._working)
        return said("\n\n".join(part for part in (text, shown) if part))

    async def post(
        self, place: TeamsPlace, payload: Payload, *, key: str, going: Going = NOW, unfinished: bool = False
    ) -> str:
        """Return the id of a new message; nothing finds it by its key."""
        del key
        if not unfinished:
            going = replace(going, answer_within_s=POSTED_WITHIN_S)
        try:
            message = await self._message(post(place, payload), going)
        except OutcomeUnknown:
            if not unfinished:
                self._connector.health.count("unsure_posts")  # it may stand there twice in the end
            raise
        self.heard(place.conversation, message)
        return message

    async def edit(
        self,
        place: TeamsPlace,
        message: str,
        payload: Payload,
        *,
        key: str = "",
        going: Going = NOW,
        unfinished: bool = False,
    ) -> None:
        """Put another message in the place of one."""
        del key, unfinished
        await self._connector.call(edit(place, message, payload), going)

    async def stream(self, place: TeamsPlace, begun: Begun, text: str, status: str) -> str:
        """Show the next part of a stream: the whole text so far, or the status line while there is none."""
        if not place.direct:
            raise StreamOver("stream", "not alone")
        kind, shown = ("streaming", text) if text else ("informative", _status(status))
        info = _stream_info(kind, begun.message, sequence=begun.pieces + 1)
        piece = {"type": "typing", "text": shown or self._working, "entities": [info]}
        if not begun.message:
            return await self._message(post(place, piece), PIECE)
        await self._connector.call(post(place, piece), PIECE)
        return begun.message

    async def end(
        self, place: TeamsPlace, begun: Begun, card: Card | None = None, *, key: str, going: Going = NOW
    ) -> bool:
        """End a stream, with the card where that goes on from what was streamed; its text is never empty."""
        del key
        if begun.streaming is None and not place.direct:
            return False
        working = self._working if card is None else self._words_for(card.language).working
        as_it_is = said(begun.shown or _status(begun.status) or working)
        if card is None:
            await self._connector.call(post(place, _ended(as_it_is, begun.message)), going)
            return False
        whole = self.draw(card)[0].payload()
        text = str(whole.get("text") or "")
        goes_on = bool(text.strip()) and text.startswith(begun.shown)
        for activity in (whole, as_it_is) if goes_on else (as_it_is,):
            try:
                await self._connector.call(post(place, _ended(activity, begun.message)), going)
            except CallDenied as denied:  # ended before by time, by the person, by an attempt whose answer was lost
                log.info("Teams: %s; a stream is ended in another way", denied)
            else:
                return activity is whole
        return False

    async def delete(self, place: TeamsPlace, message: str, *, going: Going = NOW) -> None:
        """Take a message away."""
        await self._connector.call(delete(place, message), going)

    async def find(self, place: TeamsPlace, key: str, *, adopts: bool, others: frozenset[str]) -> FoundParts:
        """Return nothing: Teams cannot be asked what stands in a conversation."""
        del place, key, adopts, others
        return FoundParts()

    async def direct(self, place: TeamsPlace) -> TeamsPlace:
        """Return the chat with the person of a place, opened where it is not known."""
        return place if place.to is None else TeamsPlace.of(await self.reached(place.to.alone()))

    async def signal(self, place: TeamsPlace, status: str) -> None:
        """Show that the desk types; where the parts of a stream are, they say so themselves."""
        del status
        if not place.direct:
            await self._connector.call(post(place, {"type": "typing"}), PIECE)

    async def reached(self, to: TeamsAddress) -> TeamsAddress:
        """Return the address with its conversation: the chat with the person is opened where there is none."""
        if to.conversation:
            return to
        chat = await self._chats.get((to.tenant, to.user), lambda: self._message(create(to), NOW))
        return replace(to, conversation=chat)

    async def hint(self, to: TeamsAddress, text: str) -> None:
        """Post a line of ours to the person behind an address; where many read, it says whom it is for."""
        await self._connector.call(post(TeamsPlace.of(to), _to(to, text)))

    def heard(self, conversation: str, message: str) -> None:
        """Note the message that stands last in a conversation."""
        self._last.keep(conversation, message)

    def stands_last(self, conversation: str, message: str) -> bool:
        """Return whether nothing is known to stand below a message."""
        return self._last.known(conversation) == message

    async def _message(self, operation: TeamsOperation, going: Going) -> str:
        told = await self._connector.call(operation, going)
        if not told.get("id"):
            raise CallDenied(operation.name, f"{HTTPStatus.OK.value} no id")
        return str(told["id"])


def _status(text: str) -> str:
    return shorten(line(text), STATUS_MAX)


def _stream_info(kind: str, stream: str, *, sequence: int = 0) -> Json:
    """Return the entity that makes an activity a part of a stream; the first part has no stream yet."""
    numbered = {"streamSequence": sequence} if sequence else {}
    return {"type": "streaminfo", "streamType": kind} | numbered | ({"streamId": stream} if stream else {})


def _ended(activity: Payload, stream: str) -> Payload:
    """Return an activity as the end of a stream; its text is never empty, and begins with what was streamed."""
    return activity | {"entities": [*activity.get("entities", ()), _stream_info("final", stream)]}


def _to(person: TeamsAddress, text: str) -> dict[str, Any]:
    """Return a message that begins with the name of somebody, who is told of it by Teams."""
    name = shorten(" ".join(person.name.split()), NAME_MAX)
    if not name:
        return {"type": "message", "text": text}
    named = f"<at>{escape(name)}</at>"
    mention = {"type": "mention", "text": named, "mentioned": {"id": person.user, "name": name}}
    return {"type": "message", "text": f"{named} {text}", "entities": [mention]}
