"""Slack as a `Chat`: what the desk says goes out here."""

import logging
from collections.abc import Iterable
from dataclasses import replace

from adapters.cards import Block, Button, Buttons, Card, Form
from adapters.events import Account, Address, File
from adapters.outbound.calling import Going
from adapters.outbound.errors import CallDenied
from adapters.outbound.pacing import PostPriority
from adapters.outbound.packing import Shortening
from adapters.outbound.posting import Posting
from adapters.outbound.streams import Unseen
from adapters.port import ANSWER, ChatClock, Limits, Members, Opened, Sending, Stream, Undeliverable
from adapters.slack.address import SlackAddress, place_of
from adapters.slack.config import SlackConfig
from adapters.slack.drawing.home import home_view
from adapters.slack.drawing.packing import MESSAGE
from adapters.slack.inbound.messages import is_direct
from adapters.slack.wire.client import SlackCalls
from adapters.slack.wire.files import SlackFiles
from adapters.slack.wire.people import SlackPeople
from adapters.slack.wire.wire import SlackPlace, SlackWire
from adapters.slack.words import WordsFor

log = logging.getLogger(__name__)

LIMITS = Limits(
    streams=True,
    forms=True,
    edits=True,
    home=True,
    private_replies=True,
    text_chars=MESSAGE.weight,
    blocks=MESSAGE.blocks,
    exactly_once=True,
    channels=True,
    guests=True,
    files=True,
    withdrawals=True,
    tables=True,
    charts=True,
    notes={
        "tables": "One for each message, of up to 99 rows and 20 columns; a longer one takes several messages.",
        "charts": "Two for each message, of up to 20 places and 6 series without gaps; else they stand in characters.",
        "pictures": "Their words are shown.",
        "streams": "20 a minute in a workspace; beyond that a text is a message that is edited, or comes whole.",
        "forms": "A form opens in answer to a press, within three seconds; it cannot be shown unasked.",
        "edits": "What is shown to one person alone in a channel cannot be edited.",
        "private_replies": "Gone when Slack is loaded again; in the direct messages where a channel forbids it.",
        "exactly_once": "What is shown to one person alone may come twice when Slack's answer is lost.",
        "files": "With the scope files:read, and where Slack itself keeps the file.",
        "text_chars": "A longer card becomes up to three messages, then it is shortened.",
    },
)


class SlackChat:
    """One workspace; `calls` are those to its Web API and `people` its members, both shared with what hears."""

    name = "slack"
    limits = LIMITS

    def __init__(self, config: SlackConfig, clock: ChatClock, *, calls: SlackCalls, words_for: WordsFor) -> None:
        self.calls = calls
        self.people = SlackPeople(calls, clock, config)
        self._config = config
        self._words_for = words_for
        self._wire = SlackWire(calls, clock, config, words_for)
        self._posting = Posting(self._wire, clock)
        self._files = SlackFiles(config, calls)

    async def close(self) -> None:
        """Stop streaming, and close the connections."""
        self._posting.close()
        await self._files.close()
        await self.calls.close()

    async def identify(self, account: Account, address: Address) -> Account:
        """Return the account with what Slack knows of it now, at most ten minutes old."""
        del address
        return await self.people.identify(account)

    def privately(self, address: Address) -> Address:
        """Return the person's direct messages with the desk."""
        place = SlackAddress.of(address)
        return replace(place, channel="", thread_ts="", kind="dm").to_json() if place.others_read else address

    def channel(self, address: Address) -> tuple[str, Address] | None:
        """Return the channel without the thread; None for a direct message, a command, a home."""
        place = SlackAddress.of(address)
        if not (place.others_read and place.channel):
            return None
        return place.channel, replace(place, thread_ts="", message_ts="").to_json()

    def typed_in(self, address: Address) -> tuple[str, Address] | None:
        """Return the channel without the thread, also of a command; None in a direct message."""
        place = SlackAddress.of(address)
        if place.kind == "command" and place.channel and not is_direct(place.channel):
            place = replace(place, kind="channel")
        return self.channel(place.to_json())

    async def send(self, address: Address, card: Card, *, key: str, sending: Sending = ANSWER) -> str:
        """Post a card, or end the stream of that key with it; an attempt after the first looks before it posts."""
        if (posted := self._posting.posted(key)) is not None:
            return posted
        to = SlackAddress.of(address)
        place = await self._place(to)
        if to.kind == "command":  # given anywhere, also in direct messages of other people
            alone = await self._wire.direct(place)
            if place.channel != alone.channel and not sending.proactive:
                return await self._answer_command(place, card, key=key, sending=sending)
            # What Slack shows to one person alone in a channel is lost on whoever is not there at that moment.
            place = alone
        return await self._posting.send(place, card, key=key, sending=sending)

    async def whisper(self, address: Address, card: Card, *, key: str) -> None:
        """Show a card to one person: in the channel for their eyes alone, else in their direct messages."""
        place = await self._place(SlackAddress.of(address))
        if place.direct:
            await self.send(address, card, key=key, sending=Sending(again=True))
        elif self._posting.posted(key) is None:
            await self._whisper(place, card, key=key)

    async def update(self, address: Address, reference: str, card: Card) -> None:
        """Replace a posted card; what is gone, or was for one person alone, raises `Undeliverable`."""
        del address
        await self._posting.update(SlackPlace(place_of(reference)[0]), reference, card)

    async def stream(self, address: Address, *, key: str, opened: Opened | None = None) -> Stream:
        """Open the message that a later `send` with the same key will end; nobody sees it before it lasts a while."""
        to = SlackAddress.of(address)
        if not (to.channel and to.thread_ts):
            return Unseen()
        place = SlackPlace.of(to)
        return self._posting.stream(place, key=key, after_s=self._config.stream_after_s, opened=opened)

    async def open_form(self, address: Address, form: Form) -> None:
        """Raise `Undeliverable`: Slack shows a form only in answer to a press."""
        del address
        raise Undeliverable(f"the form {form.form} was not asked for by a press")

    async def publish_home(self, address: Address, card: Card) -> None:
        """Show a person their home; what is published later is shown later."""
        user = SlackAddress.of(address).user
        view = home_view(card, Shortening(self._words_for(card.language).shortened)).to_dict()
        arguments = {"user_id": user, "view": view}
        await self.calls.call("views.publish", arguments, going=Going(PostPriority.EDIT), line=f"home:{user}")

    async def fetch(self, address: Address, file: File, *, at_most: int) -> bytes:
        """Return what a file of a message holds; `Undeliverable` where the app may not read files."""
        del address
        return await self._files.fetch(file, at_most=at_most)

    async def members(self, address: Address) -> Members:
        """Return who reads along; raise `Undeliverable` when nobody can tell."""
        return await self.people.members(SlackAddress.of(address))

    async def _answer_command(self, place: SlackPlace, card: Card, *, key: str, sending: Sending) -> str:
        """Answer for one person's eyes; what has to be edited later goes to their direct messages."""
        if not _changes_later(card.blocks):
            return await self._whisper(place, card, key=key)
        posted = await self._posting.send(await self._wire.direct(place), card, key=key, sending=sending)
        if not sending.again:
            try:
                await self._wire.whisper(place, {"text": self._words_for(card.language).see_direct_message})
            except CallDenied as denied:
                log.info("Slack: %s; a hint is not shown", denied)
        return posted

    async def _whisper(self, place: SlackPlace, card: Card, *, key: str) -> str:
        """Show a card to the person of a place alone; where Slack does not allow it, in their direct messages."""
        ts = ""
        try:
            for drawn in self._wire.draw(card):
                ts = await self._wire.whisper(place, drawn.payload())
        except CallDenied as denied:
            log.info("Slack: %s; what is for one person goes to their direct messages", denied)
            return await self._posting.send(await self._wire.direct(place), card, key=key, sending=Sending(again=True))
        self._posting.keep(key, place.reference(ts))
        return place.reference(ts)

    async def _place(self, to: SlackAddress) -> SlackPlace:
        place = SlackPlace.of(to)
        return place if place.channel else await self._wire.direct(place)


def _changes_later(blocks: Iterable[Block]) -> bool:
    """Return whether a card holds a decision: a button that works once."""
    rows = (block.items for block in blocks if isinstance(block, Buttons))
    return any(isinstance(item, Button) and item.nonce for row in rows for item in row)
