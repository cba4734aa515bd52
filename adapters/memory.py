"""The recording fake: a chat platform that lives in memory. Ships for tests, and for whoever writes an adapter."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from adapters.cards import Button, Card, Form
from adapters.events import Account, Address, Event, Feedback, File, FormSubmit, Inbound, Message, Press
from adapters.port import (
    ANSWER,
    Accepted,
    InvalidForm,
    Limits,
    Members,
    Opened,
    Receipt,
    Receive,
    Sending,
    Shown,
    TooLarge,
    Undeliverable,
)


@dataclass
class RecordedPost:
    """One message as its readers see it: `revisions` holds every card it has shown, the newest last."""

    reference: str
    address: Address
    key: str
    revisions: list[Card] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)

    @property
    def card(self) -> Card:
        """Return what is shown now; raise IndexError while only a stream has begun."""
        return self.revisions[-1]


class MemoryStream:
    """Records the pieces of a message in the making."""

    def __init__(self, posted: RecordedPost, withdraw: Callable[[], None]) -> None:
        self._posted = posted
        self._withdraw = withdraw

    async def status(self, text: str) -> None:
        """Record a status line."""
        self._posted.statuses.append(text)

    async def append(self, markdown: str) -> None:
        """Record a piece of text."""
        self._posted.pieces.append(markdown)

    async def close(self, *, keep: bool) -> None:
        """Forget the message unless it is kept."""
        if not keep:
            self._withdraw()


class MemoryChat:
    """Keeps what was sent where a test can read it, and hands in what a test says."""

    limits = Limits(
        streams=True,
        forms=True,
        edits=True,
        home=True,
        private_replies=True,
        text_chars=100_000,
        blocks=100,
        exactly_once=True,
        channels=True,
        guests=True,
        files=True,
        withdrawals=True,
        tables=True,
        charts=True,
        pictures=True,
    )

    def __init__(self, *, name: str = "memory", people: Sequence[Account] = ()) -> None:
        self.name = name
        self.people: dict[str, Account] = {person.user: person for person in people}
        self.forms: list[tuple[Address, Form]] = []
        self.homes: dict[str, Card] = {}
        self.whispers: list[tuple[Address, Card]] = []
        self.owners: set[str] = set()  # people who own the channels that they are in
        self.refuse: Exception | None = None
        self.files: dict[str, bytes] = {}  # what `File.reference` names
        self.left: set[str] = set()  # who is in no channel any more
        self._posted: dict[str, RecordedPost] = {}
        self._receive: Receive | None = None
        self._events = itertools.count(1)

    # What the desk calls.

    async def identify(self, account: Account, address: Address) -> Account:
        """Return the account: events of this chat carry all there is to know."""
        del address
        return account

    def privately(self, address: Address) -> Address:
        """Return the person's own thread of the same name."""
        return self.address(str(address["user"]), thread=str(address["thread"]))

    def channel(self, address: Address) -> tuple[str, Address] | None:
        """Return the address without its thread; None where nobody else reads along."""
        if not address.get("members"):
            return None
        return str(address["thread"]).partition("/")[0], {**address, "thread": f"{address['thread']}#new"}

    def typed_in(self, address: Address) -> tuple[str, Address] | None:
        """Return what `channel` does: commands are messages like any other."""
        return self.channel(address)

    async def whisper(self, address: Address, card: Card, *, key: str) -> None:
        """Keep what one person alone was shown."""
        del key
        self._refuse_once()
        self.whispers.append((address, card))

    async def send(self, address: Address, card: Card, *, key: str, sending: Sending = ANSWER) -> str:
        """Keep the card under its key; raise `refuse` once when a test has set it."""
        del sending
        self._refuse_once()
        posted = self._open(address, key)
        if not posted.revisions:
            posted.revisions.append(card)
        return posted.reference

    async def update(self, address: Address, reference: str, card: Card) -> None:
        """Show another card in the place of a posted one; raise KeyError when there is none."""
        del address
        self._refuse_once()
        found = next((posted for posted in self._posted.values() if posted.reference == reference), None)
        if found is None:
            raise KeyError(reference)
        found.revisions.append(card)

    async def stream(self, address: Address, *, key: str, opened: Opened | None = None) -> MemoryStream:
        """Open the message that `send` with the same key will end."""
        posted = self._open(address, key)
        if opened is not None:
            await opened(posted.reference)
        return MemoryStream(posted, lambda: self._withdraw(key))

    async def open_form(self, address: Address, form: Form) -> None:
        """Keep the form."""
        self.forms.append((address, form))

    async def publish_home(self, address: Address, card: Card) -> None:
        """Keep the home of the person behind the address."""
        self.homes[str(address.get("user", ""))] = card

    async def fetch(self, address: Address, file: File, *, at_most: int) -> bytes:
        """Return what a test put under the file's name; raise `refuse` once when it has set it."""
        del address
        self._refuse_once()
        content = self.files.get(str(file.reference.get("id")))
        if content is None:
            raise Undeliverable(f"{file.name} is gone")
        if len(content) > at_most:
            raise TooLarge(f"{file.name} has more than {at_most} bytes")
        return content

    async def members(self, address: Address) -> Members:
        """Return the named members of a channel, or the one person of a private thread."""
        named = address.get("members")
        if isinstance(named, Sequence) and not isinstance(named, str):
            owners = tuple(self.people[user] for user in named if user in self.owners)
            every = tuple(self.people[str(user)] for user in named if user not in self.left)
            return Members(every, open=bool(address.get("open")), owners=owners)
        return Members((self.people[str(address["user"])],))

    # What a test calls.

    def connect(self, receive: Receive) -> None:
        """Hand every event from now on to `receive`."""
        self._receive = receive

    def address(self, user: str, *, thread: str = "main", members: Sequence[str] = ()) -> Address:
        """Return where a person's thread is, or a channel's when `members` read along."""
        private: Address = {"user": user, "thread": thread}
        return {**private, "members": list(members)} if members else private

    def posted(self, address: Address | None = None) -> tuple[RecordedPost, ...]:
        """Return the messages that have a card, in the order of posting; those of one address when it is given."""
        shown = (posted for posted in self._posted.values() if posted.revisions)
        return tuple(posted for posted in shown if address is None or posted.address == address)

    def unfinished(self) -> tuple[RecordedPost, ...]:
        """Return the streams that no `send` has ended yet."""
        return tuple(posted for posted in self._posted.values() if not posted.revisions)

    async def say(self, user: str, text: str, *, thread: str = "main", event_id: str = "") -> Receipt:
        """Hand in a message; the same `event_id` again is a redelivery."""
        event = self._event(user, thread, event_id)
        return await self.deliver(Message(**vars(event), text=text))

    async def send_file(self, user: str, name: str, known_as: str, *, text: str = "", thread: str = "main") -> Receipt:
        """Hand in a message with one of `files`."""
        event = self._event(user, thread, "")
        file = File(name=name, reference={"id": known_as}, size=len(self.files[known_as]))
        return await self.deliver(Message(**vars(event), text=text, files=(file,)))

    async def press(self, user: str, button: Button, *, thread: str = "main", event_id: str = "") -> Receipt:
        """Hand in the press of a button that some card shows."""
        event = self._event(user, thread, event_id)
        return await self.deliver(Press(**vars(event), action=button.action, id=button.id, nonce=button.nonce))

    async def submit(
        self, user: str, form: Form, values: Mapping[str, str], *, thread: str = "main", event_id: str = ""
    ) -> Receipt:
        """Hand in a filled form."""
        event = self._event(user, thread, event_id)
        return await self.deliver(
            FormSubmit(**vars(event), form=form.form, id=form.id, nonce=form.nonce, values=dict(values))
        )

    async def rate(
        self, user: str, answer: str, *, verdict: Literal["up", "down"], reason: str | None = None, thread: str = "main"
    ) -> Receipt:
        """Hand in a judgement of the answer with that rating id."""
        event = self._event(user, thread, "")
        return await self.deliver(Feedback(**vars(event), id=answer, verdict=verdict, reason=reason))

    async def deliver(self, event: Inbound) -> Receipt:
        """Hand in any event; a form that comes back with the receipt is kept as if it was shown."""
        if self._receive is None:
            message = "connect() first: nobody listens"
            raise RuntimeError(message)
        receipt = await self._receive(event)
        match receipt:
            case Shown(form=form):
                self.forms.append((event.address, form))
            case Accepted() | InvalidForm():
                pass
        return receipt

    def _event(self, user: str, thread: str, event_id: str) -> Event:
        return Event(
            event_id=event_id or f"memory-{next(self._events)}",
            account=self.people[user],
            address=self.address(user, thread=thread),
            thread=f"{self.name}:{user}:{thread}",
            received_at=datetime.now(UTC),
        )

    def _open(self, address: Address, key: str) -> RecordedPost:
        if key not in self._posted:
            self._posted[key] = RecordedPost(reference=f"m{len(self._posted) + 1}", address=address, key=key)
        return self._posted[key]

    def _withdraw(self, key: str) -> None:
        if not self._posted[key].revisions:
            del self._posted[key]

    def _refuse_once(self) -> None:
        if self.refuse is not None:
            error, self.refuse = self.refuse, None
            raise error
