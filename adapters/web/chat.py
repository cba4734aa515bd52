"""The browser chat as a `Chat`: what is sent goes into the transcript, and the open pages are woken."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from adapters.cards import Card, Form
from adapters.events import Account, Address, File
from adapters.port import ANSWER, Limits, Members, Opened, Sending
from adapters.web.files import WebFiles
from adapters.web.hub import Hub, LiveDraft
from adapters.web.transcript import HOME, Transcript, TranscriptPlace

#: Characters of one message, in and out.
TEXT_CHARS = 8_000

LIMITS = Limits(
    streams=True,
    forms=True,
    edits=True,
    home=True,
    private_replies=True,
    text_chars=TEXT_CHARS,
    blocks=200,
    exactly_once=True,
    files=True,
    withdrawals=True,
    tables=True,
    charts=True,
    pictures=True,
    notes={
        "forms": "A form is shown to the pages that are open; a press answers with it at once.",
        "channels": "One person reads a page.",
        "guests": "Only people of people.yaml are signed in.",
    },
)


@dataclass
class WebStream:
    """A message in the making; pieces reach the pages that this process serves."""

    place: TranscriptPlace
    hub: Hub
    draft: LiveDraft

    async def status(self, text: str) -> None:
        """Replace the status line."""
        self.draft.status = text
        self._changed()

    async def append(self, markdown: str) -> None:
        """Add to the text; what would exceed a message is left to the final send."""
        self.draft.text = (self.draft.text + markdown)[:TEXT_CHARS]
        self._changed()

    async def close(self, *, keep: bool) -> None:
        """Leave the pages as they are, or take the message from them."""
        if not keep:
            self.hub.end(self.place, self.draft.key)
            self.hub.wake(self.place)

    def _changed(self) -> None:
        self.draft.version += 1
        self.hub.wake(self.place)


class WebChat:
    """The chat of the console's own pages. `account_of` names who stands behind a user id."""

    name = "web"
    limits = LIMITS

    def __init__(
        self,
        transcript: Transcript,
        hub: Hub,
        *,
        account_of: Callable[[str], Awaitable[Account | None]],
        files: WebFiles,
    ) -> None:
        self.transcript = transcript
        self.hub = hub
        self.files = files
        self._account_of = account_of

    async def identify(self, account: Account, address: Address) -> Account:
        """Return the account: the session vouches for all of it."""
        del address
        return account

    def privately(self, address: Address) -> Address:
        """Return where what answers no message goes: nobody else ever reads along."""
        return TranscriptPlace.of(address).address()

    def channel(self, address: Address) -> tuple[str, Address] | None:
        """Return None: there are no channels."""
        del address
        return None

    def typed_in(self, address: Address) -> tuple[str, Address] | None:
        """Return what `channel` does: commands are messages like any other."""
        return self.channel(address)

    async def whisper(self, address: Address, card: Card, *, key: str) -> None:
        """Post a card: nobody else reads a person's page."""
        await self.send(address, card, key=key)

    async def send(self, address: Address, card: Card, *, key: str, sending: Sending = ANSWER) -> str:
        """Post a card once per key; it takes the place of the stream with the same key."""
        del sending
        place = TranscriptPlace.of(address)
        entry = await self.transcript.add(
            place, author="desk", content=card, key=key, asked=str(address.get("asked", ""))
        )
        self.hub.end(place, key)
        self.hub.wake(place)
        return entry.reference

    async def update(self, address: Address, reference: str, card: Card) -> None:
        """Replace a posted card on every open page."""
        place = TranscriptPlace.of(address)
        await self.transcript.replace(place, reference, card)
        self.hub.wake(place)

    async def stream(self, address: Address, *, key: str, opened: Opened | None = None) -> WebStream:
        """Open the message that a later `send` with the same key will end; a crash leaves nothing of it."""
        del opened
        place = TranscriptPlace.of(address)
        return WebStream(place, self.hub, self.hub.open(place, key))

    async def open_form(self, address: Address, form: Form) -> None:
        """Show a form on the pages that are open at the address."""
        self.hub.show_form(TranscriptPlace.of(address), form)

    async def publish_home(self, address: Address, card: Card) -> None:
        """Show a person their home card above an empty conversation."""
        place = TranscriptPlace(user=str(address["user"]), thread=HOME)
        entry = await self.transcript.add(place, author="desk", content=card, key=HOME)
        if entry.content != card:
            await self.transcript.replace(place, entry.reference, card)
        self.hub.wake(place)

    async def fetch(self, address: Address, file: File, *, at_most: int) -> bytes:
        """Return what the page sent before the message."""
        return await self.files.fetch(TranscriptPlace.of(address).user, str(file.reference["id"]), at_most=at_most)

    async def members(self, address: Address) -> Members:
        """Return the one person who reads here."""
        account = await self._account_of(TranscriptPlace.of(address).user)
        return Members(() if account is None else (account,))
