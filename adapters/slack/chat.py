"""Slack as a `Chat`: what the desk says goes out here."""

from collections.abc import Iterable
from dataclasses import replace

from adapters.cards import Block, Button, Buttons, Card, Form
from adapters.events import Account, Address, File
from adapters.outbound.pacing import Priority
from adapters.outbound.packing import Shortening
from adapters.outbound.recent import Recent
from adapters.outbound.streams import LiveTexts, Unseen
from adapters.port import ANSWER, Clock, Limits, Members, Opened, Sending, Stream, Undeliverable
from adapters.slack.address import SlackAddress
from adapters.slack.calls import Calls
from adapters.slack.config import SlackConfig
from adapters.slack.files import Files
from adapters.slack.home import home_view
from adapters.slack.packing import MESSAGE
from adapters.slack.people import People
from adapters.slack.places import Place
from adapters.slack.posting import Posting
from adapters.slack.streams import SlackStream
from adapters.slack.words import WordsFor

#: Seconds for which a key is known without asking Slack.
POSTED_S = 3_600.0

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
    notes={
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
    """One workspace; `calls` is its door and `people` its members, both shared with what hears."""

    name = "slack"
    limits = LIMITS

    def __init__(self, config: SlackConfig, clock: Clock, *, calls: Calls, words_for: WordsFor) -> None:
        self.calls = calls
        self.people = People(calls, clock, config)
        self._config = config
        self._clock = clock
        self._words_for = words_for
        self._posting = Posting(calls, clock, words_for)
        self._streams: LiveTexts[SlackStream] = LiveTexts()
        self._posted: Recent[str, str] = Recent(clock, seconds=POSTED_S)
        self._files = Files(config, calls)

    async def close(self) -> None:
        """Stop showing texts in the making, and close the connections."""
        self._streams.drop()
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

    async def send(self, address: Address, card: Card, *, key: str, sending: Sending = ANSWER) -> str:
        """Post a card, or end the stream of that key with it; an attempt after the first looks before it posts."""
        posted = self._posted.known(key)
        if posted is None:
            posted = await self._send(SlackAddress.of(address), card, key=key, sending=sending)
            self._posted.keep(key, posted)
        return posted

    async def whisper(self, address: Address, card: Card, *, key: str) -> None:
        """Show a card to one person: in the channel for their eyes alone, else in their direct messages."""
        place = await self._place(SlackAddress.of(address))
        if place.direct:
            await self.send(address, card, key=key, sending=Sending(again=True))
        elif self._posted.known(key) is None:
            self._posted.keep(key, await self._posting.whisper(place, card, key=key))
            self._streams.forget(key)

    async def update(self, address: Address, reference: str, card: Card) -> None:
        """Replace a posted card; what is gone, or was for one person alone, raises `Undeliverable`."""
        del address
        await self._posting.update(reference, card)

    async def stream(self, address: Address, *, key: str, opened: Opened | None = None) -> Stream:
        """Open the message that a later `send` with the same key will end; nobody sees it before it lasts a while."""
        to = SlackAddress.of(address)
        if not (to.channel and to.thread_ts):
            return Unseen()
        if (known := self._streams.known(key)) is not None:
            return known
        after_s = self._config.stream_after_s
        stream = SlackStream(self.calls, self._clock, _place(to), key=key, after_s=after_s, opened=opened)
        self._streams.keep(key, stream)
        return stream

    async def open_form(self, address: Address, form: Form) -> None:
        """Raise `Undeliverable`: Slack shows a form only in answer to a press."""
        del address
        raise Undeliverable(f"the form {form.form} was not asked for by a press")

    async def publish_home(self, address: Address, card: Card) -> None:
        """Show a person their home; what is published later is shown later."""
        user = SlackAddress.of(address).user
        view = home_view(card, Shortening(self._words_for(card.language).shortened)).to_dict()
        arguments = {"user_id": user, "view": view}
        await self.calls.call("views.publish", arguments, priority=Priority.EDIT, thread=f"home:{user}")

    async def fetch(self, address: Address, file: File, *, at_most: int) -> bytes:
        """Return what a file of a message holds; `Undeliverable` where the app may not read files."""
        del address
        return await self._files.fetch(file, at_most=at_most)

    async def members(self, address: Address) -> Members:
        """Return who reads along; raise `Undeliverable` when nobody can tell."""
        return await self.people.members(SlackAddress.of(address))

    async def _send(self, to: SlackAddress, card: Card, *, key: str, sending: Sending) -> str:
        place = await self._place(to)
        if to.kind == "command":  # given anywhere, also in direct messages of other people
            alone = await self._posting.direct(place)
            if place.channel != alone.channel and not sending.proactive:
                return await self._answer_command(place, card, key=key, sending=sending)
            # What Slack shows to one person alone in a channel is lost on whoever is not there at that moment.
            place = alone
        stream = self._streams.known(key)
        begun = None if stream is None else await stream.end()
        others = frozenset(each.ts for each in self._streams.others(key))
        try:
            posted = await self._posting.post(place, card, key=key, sending=sending, begun=begun, others=others)
        except Undeliverable:
            self._streams.forget(key)
            raise
        self._streams.forget(key)
        return posted

    async def _answer_command(self, place: Place, card: Card, *, key: str, sending: Sending) -> str:
        """Answer for one person's eyes; what has to be edited later goes to their direct messages."""
        if not _changes_later(card.blocks):
            return await self._posting.whisper(place, card, key=key)
        posted = await self._posting.post(await self._posting.direct(place), card, key=key, sending=sending)
        if not sending.again:
            await self._posting.hint(place, self._words_for(card.language).see_direct_message)
        return posted

    async def _place(self, to: SlackAddress) -> Place:
        place = _place(to)
        return place if place.channel else await self._posting.direct(place)


def _place(to: SlackAddress) -> Place:
    return Place(
        channel=to.channel,
        thread_ts=to.thread_ts,
        asked_ts=to.message_ts,
        user=to.user,
        user_team=to.user_team or to.team,
    )


def _changes_later(blocks: Iterable[Block]) -> bool:
    """Return whether a card holds a decision: a button that works once."""
    rows = (block.items for block in blocks if isinstance(block, Buttons))
    return any(isinstance(item, Button) and item.nonce for row in rows for item in row)
