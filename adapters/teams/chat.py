"""Teams as a `Chat`: what the desk says goes out here."""

import itertools
import logging
from dataclasses import replace

from adapters.cards import Card, Form
from adapters.events import Account, Address, File
from adapters.outbound.errors import CallDenied
from adapters.outbound.posting import Posting
from adapters.outbound.recent import Recent
from adapters.outbound.streams import Unseen
from adapters.port import ANSWER, ChatClock, Gone, Limits, Members, Opened, Sending, Stream, Undeliverable
from adapters.teams.address import TeamsAddress, place_of
from adapters.teams.config import TeamsConfig
from adapters.teams.wire.connector import Connector
from adapters.teams.wire.files import TeamsFiles
from adapters.teams.wire.operations import TeamsPlace, without_thread
from adapters.teams.wire.people import TeamsPeople
from adapters.teams.wire.wire import TeamsWire
from adapters.teams.words import WordsFor

log = logging.getLogger(__name__)

#: Seconds for which a person's home is known.
HOME_S = 86_400.0

LIMITS = Limits(
    streams=True,
    forms=True,
    edits=True,
    home=True,
    private_replies=True,
    text_chars=25_000,
    blocks=100,
    exactly_once=False,
    channels=True,
    bare_commands=True,
    judged_by_message=True,
    guests=True,
    files=True,
    withdrawals=True,
    tables=True,
    charts=True,
    notes={
        "tables": "Up to 8 columns; a wider one stands in characters.",
        "charts": "Clients that do not know charts show the same numbers in characters.",
        "pictures": "Their words are shown.",
        "streams": "Only where the desk is alone with a person, and for two minutes; elsewhere, and then, a message "
        "that is edited.",
        "forms": "A form opens in answer to a press; it cannot be shown unasked.",
        "home": "A card in the person's chat with the desk; the last one is edited while nothing stands below it.",
        "private_replies": "They come in the person's chat with the desk; a line in the channel says so.",
        "exactly_once": "Teams cannot be asked what stands in a conversation: when the answer to a first post is lost, "
        "it is posted again. Everything after a first answer is exact: edits, streams, the same key in one process.",
        "files": "In the person's chat with the desk; of files in channels and group chats Teams tells bots nothing.",
        "text_chars": "A longer card becomes up to three messages, then it is shortened.",
        "channels": "Bots are not told whether a team is open to the whole company, so its channels are taken for "
        "open; a private channel and a group chat are closed.",
        "bare_commands": "`home`, `status`, `help`, `ticket …` and `ask …` are understood alone; `/desk …` is, too.",
        "judged_by_message": "Teams names the message that was judged; the desk knows which answer stands in it.",
        "guests": "Guests, people of other companies and people without an account get what is public.",
    },
)


class TeamsChat:
    """One company's Teams; `connector` makes its calls, `people` who they are, both shared with what hears."""

    name = "teams"
    limits = LIMITS

    def __init__(self, config: TeamsConfig, clock: ChatClock, *, connector: Connector, words_for: WordsFor) -> None:
        self.connector = connector
        self.people = TeamsPeople(connector, clock, config)
        self._config = config
        self._clock = clock
        self._words_for = words_for
        self._wire = TeamsWire(connector, clock, config, words_for)
        self._posting = Posting(self._wire, clock)
        self._homes: Recent[tuple[str, str], str] = Recent(clock, seconds=HOME_S)
        self._numbers = itertools.count(1)
        self._files = TeamsFiles(config)

    async def close(self) -> None:
        """Stop streaming, and close the connections."""
        self._posting.close()
        await self._files.close()
        await self.connector.close()

    def heard(self, address: Address) -> None:
        """Note where a conversation was just heard from: what is sent there goes the same way."""
        heard = TeamsAddress.of(address)
        self.connector.services.saw(without_thread(heard.conversation), heard.service_url)
        self._wire.heard(heard.conversation, heard.activity)

    def answered_in_place(self, posted: str) -> None:
        """Note that a press on a message is answered by a card in its place: an edit of it comes behind that."""
        self._posting.answered_in_place(posted)

    async def identify(self, account: Account, address: Address) -> Account:
        """Return the account with what Teams knows of it now, at most ten minutes old."""
        self.heard(address)
        return await self.people.identify(account, TeamsAddress.of(address))

    def privately(self, address: Address) -> Address:
        """Return the person's chat with the desk."""
        to = TeamsAddress.of(address)
        return to.alone().to_json() if to.others_read else address

    def channel(self, address: Address) -> tuple[str, Address] | None:
        """Return the channel without the thread, or the group; None for a person's own chat."""
        to = TeamsAddress.of(address)
        if not (to.others_read and to.conversation):
            return None
        whole = to.conversation.partition(";")[0]
        return whole, replace(to, conversation=whole, activity="").to_json()

    def typed_in(self, address: Address) -> tuple[str, Address] | None:
        """Return what `channel` does: commands are messages like any other."""
        return self.channel(address)

    async def send(self, address: Address, card: Card, *, key: str, sending: Sending = ANSWER) -> str:
        """Post a card, or end the stream of that key with it; a lost answer to a first post may show it twice."""
        if (posted := self._posting.posted(key)) is not None:
            return posted
        to = await self._wire.reached(TeamsAddress.of(address))
        return await self._posting.send(TeamsPlace.of(to), card, key=key, sending=sending)

    async def whisper(self, address: Address, card: Card, *, key: str) -> None:
        """Show a card to one person, in their chat with the desk; where they asked, a line says where it stands."""
        to = TeamsAddress.of(address)
        if not to.others_read:
            await self.send(address, card, key=key, sending=Sending(again=True))
            return
        try:
            await self.send(to.alone().to_json(), card, key=key)
        except Gone:
            await self._point(to, self._words_for(card.language).no_chat)
            raise
        pointer = f"{key}/see_chat"
        if self._posting.posted(pointer) is None:
            await self._point(to, self._words_for(card.language).see_chat)
            self._posting.keep(pointer, pointer)

    async def update(self, address: Address, reference: str, card: Card) -> None:
        """Replace a posted card; what is gone raises `Undeliverable`."""
        place = TeamsPlace(TeamsAddress.of(address).service_url, place_of(reference)[0])
        await self._posting.update(place, reference, card)

    async def stream(self, address: Address, *, key: str, opened: Opened | None = None) -> Stream:
        """Open the message that a later `send` with the same key will end; nobody sees it before it lasts a while."""
        to = TeamsAddress.of(address)
        if not to.conversation:
            return Unseen()
        after_s = self._config.stream_after_s
        return self._posting.stream(TeamsPlace.of(to), key=key, after_s=after_s, opened=opened)

    async def open_form(self, address: Address, form: Form) -> None:
        """Raise `Undeliverable`: Teams shows a form only in answer to a press."""
        del address
        raise Undeliverable(f"the form {form.form} was not asked for by a press")

    async def publish_home(self, address: Address, card: Card) -> None:
        """Show a person their home in their chat; the last one is edited while nothing stands below it."""
        to = TeamsAddress.of(address)
        to = await self._wire.reached(to.alone() if to.others_read else to)
        person = (to.tenant, to.user)
        async with self.connector.pacing.in_order(f"home {to.tenant} {to.user}"):
            home = self._homes.known(person)
            if home is None or not await self._renewed(to, home, card):
                key = f"home/{to.user}/{next(self._numbers)}"
                self._homes.keep(person, await self._posting.send(TeamsPlace.of(to), card, key=key))

    async def fetch(self, address: Address, file: File, *, at_most: int) -> bytes:
        """Return what a file of a message holds; its address opens it for some minutes only."""
        del address
        return await self._files.fetch(file, at_most=at_most)

    async def members(self, address: Address) -> Members:
        """Return who reads along; raise `Undeliverable` when nobody can tell."""
        return await self.people.members(TeamsAddress.of(address))

    async def _renewed(self, to: TeamsAddress, posted: str, card: Card) -> bool:
        """Show another card in the place of a posted one; False when something stands below it, or it is gone."""
        if not self._wire.stands_last(*place_of(posted)):
            return False
        try:
            await self.update(to.to_json(), posted, card)
        except CallDenied as denied:
            log.info("Teams: %s; a card is posted anew", denied)
            return False
        return True

    async def _point(self, to: TeamsAddress, words: str) -> None:
        """Say where somebody asked what became of the answer to them alone."""
        try:
            await self._wire.hint(to, words)
        except Undeliverable as closed:
            log.info("Teams: %s; nothing says there where the answer stands", closed)
