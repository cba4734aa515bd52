"""One person at one terminal: lines in, cards out. Start at `TerminalChat.run`."""

import asyncio
import itertools
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import assert_never
from uuid import uuid4

from adapters.cards import Button, Card, Field, Form
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
    Undeliverable,
)
from adapters.terminal.drawing import Choice, Say, TerminalRating, draw, printable, printed, typed
from adapters.terminal.form import LEAVE_FORM, Read, Write, ask, label_of


class TerminalChat:
    """A chat of one person. `answer_s` is how long it waits for an answer before it asks for the next line."""

    name = "terminal"
    limits = Limits(
        streams=True,
        forms=True,
        edits=False,
        home=False,
        private_replies=True,
        text_chars=1_000_000,
        blocks=1_000,
        exactly_once=True,
        notes={
            "tables": "In characters, in columns where they fit.",
            "charts": "In characters.",
            "pictures": "Their words are shown.",
            "channels": "One person sits at a terminal.",
            "edits": "A changed card is printed again.",
            "exactly_once": "Within one session. What happens after it ended is not shown later.",
            "files": "A terminal sends lines; `dutydesk knowledge upload` takes files in.",
            "withdrawals": "A line that was sent stays there.",
            "forms": "Asked field by field.",
            "guests": "Only people of people.yaml are let in.",
            "home": "`/desk status` prints it.",
        },
    )

    def __init__(
        self, account: Account, *, read: Read, write: Write, answer_s: float = 90.0, settle_s: float = 0.25
    ) -> None:
        self._account = account
        self._read = read
        self._write = write
        self._answer_s = answer_s
        self._settle_s = settle_s
        self._session = uuid4().hex
        self._events = itertools.count(1)
        self._choices: dict[str, Choice] = {}
        self._references: dict[str, str] = {}
        self._latest: dict[str, Card] = {}
        self._streamed: dict[str, str] = {}
        self._form: Form | None = None
        self._shown = asyncio.Event()
        self._status = ""

    @property
    def address(self) -> Address:
        """Return where answers and notices go: this session of this person."""
        return {"user": self._account.user, "session": self._session}

    @property
    def thread(self) -> str:
        """Return the thread of this session."""
        return f"terminal:{self._account.user}:{self._session}"

    # What the desk calls.

    async def identify(self, account: Account, address: Address) -> Account:
        """Return the account: whoever holds the terminal said who they are."""
        del address
        return account

    def privately(self, address: Address) -> Address:
        """Return the address: nobody else ever reads along."""
        return address

    def channel(self, address: Address) -> tuple[str, Address] | None:
        """Return None: there are no channels."""
        del address
        return None

    def typed_in(self, address: Address) -> tuple[str, Address] | None:
        """Return what `channel` does: commands are messages like any other."""
        return self.channel(address)

    async def whisper(self, address: Address, card: Card, *, key: str) -> None:
        """Print a card: nobody else reads this terminal."""
        await self.send(address, card, key=key)

    async def send(self, address: Address, card: Card, *, key: str, sending: Sending = ANSWER) -> str:
        """Print a card once per key; what was already streamed under this key is not printed again."""
        del sending
        if key not in self._references:
            self._references[key] = f"t{len(self._references) + 1}"
            self._latest[self._references[key]] = card
            self._print(address, card, streamed=self._streamed.pop(key, ""))
        return self._references[key]

    async def update(self, address: Address, reference: str, card: Card) -> None:
        """Print the card again, when anything in it has changed."""
        if self._latest.get(reference) != card:
            self._latest[reference] = card
            self._print(address, card)

    async def stream(self, address: Address, *, key: str, opened: Opened | None = None) -> "TerminalStream":
        """Open the message that `send` with the same key will end."""
        del address, opened  # a crash takes the screen with it
        return TerminalStream(self, key)

    async def open_form(self, address: Address, form: Form) -> None:
        """Ask this form before the next line is read."""
        del address
        self._form = form
        self._shown.set()

    async def publish_home(self, address: Address, card: Card) -> None:
        """Print the home, for there is no other place for it."""
        self._print(address, card)

    async def fetch(self, address: Address, file: File, *, at_most: int) -> bytes:
        """Raise `Undeliverable`: lines hold no files."""
        del address, at_most
        raise Undeliverable(f"nobody can send {file.name} through a terminal")

    async def members(self, address: Address) -> Members:
        """Return the one person who reads along."""
        del address
        return Members((self._account,))

    # The session.

    async def run(self, receive: Receive, *, prompt: str = "> ") -> None:
        """Hand in every line until the input ends, each after the answer to the one before."""
        await self._fill_waiting(receive)
        while (line := await self._read(prompt)) is not None:
            if line.strip():
                await self.enter(line.strip(), receive)

    async def enter(self, line: str, receive: Receive) -> Receipt:
        """Hand in one line: a number presses, anything else is said; then wait for what comes back."""
        choice = self._choices.get(line)
        match choice:
            case TerminalRating():
                receipt = await self._rate(choice, receive)
            case Button():
                receipt = await self._hand_in(self.press(choice), receive)
            case Say(text=text):
                receipt = await self._hand_in(self.message(text), receive)
            case None:
                receipt = await self._hand_in(self.message(_unquoted(line)), receive)
            case _:
                assert_never(choice)
        await self._fill_waiting(receive)
        return receipt

    def message(self, text: str) -> Message:
        """Return the event of saying something."""
        return Message(**vars(self._event()), text=text)

    def press(self, button: Button) -> Press:
        """Return the event of pressing a button."""
        return Press(**vars(self._event()), action=button.action, id=button.id, nonce=button.nonce)

    def show_status(self, text: str) -> None:
        """Print a status line, unless it is the one that was printed last."""
        if text != self._status:
            self._status = text
            self._write(printable(text), "status")

    def show_piece(self, key: str, markdown: str) -> None:
        """Keep a piece of a streamed text; whole lines are printed as soon as they are there."""
        before = self._streamed.get(key, "")
        self._streamed[key] = before + markdown
        for line in self._streamed[key][printed(before) :].split("\n")[:-1]:
            self._write(typed(printable(line)), "text")

    async def _hand_in(self, event: Inbound, receive: Receive) -> Receipt:
        self._shown.clear()
        self._status = ""
        receipt = await receive(event)
        match receipt:
            case Shown(form=form):
                self._form = form
            case Accepted():
                await self._wait_for_answer()
            case InvalidForm():
                pass
            case _:
                assert_never(receipt)
        return receipt

    async def _wait_for_answer(self) -> None:
        try:
            await asyncio.wait_for(self._shown.wait(), self._answer_s)
        except TimeoutError:
            return
        await asyncio.sleep(self._settle_s)  # a press is often answered by two cards

    async def _rate(self, choice: TerminalRating, receive: Receive) -> Receipt:
        reason = await self._read(f"{printable(choice.rating.reason_label)}: ") if choice.verdict == "down" else None
        event = self._event()
        receipt = await receive(
            Feedback(**vars(event), id=choice.rating.id, verdict=choice.verdict, reason=reason or None)
        )
        self._write(printable(choice.rating.thanks), "note")
        return receipt

    async def _fill_waiting(self, receive: Receive) -> None:
        while self._form is not None:
            form, self._form = self._form, None
            await self._fill(form, receive)

    async def _fill(self, form: Form, receive: Receive) -> None:
        self._write(printable(form.title), "heading")
        self._write(f"({LEAVE_FORM} = {printable(form.cancel)})", "note")
        values: dict[str, str] = {}
        asked: Sequence[Field] = form.fields
        while asked:
            answers = await ask(asked, values, read=self._read, write=self._write)
            if answers is None:
                return
            values.update(answers)
            event = self._event()
            receipt = await self._hand_in(
                FormSubmit(**vars(event), form=form.form, id=form.id, nonce=form.nonce, values=dict(values)), receive
            )
            errors = receipt.errors if isinstance(receipt, InvalidForm) else {}
            for name, words in errors.items():
                self._write(printable(f"{label_of(form, name)}: {words}"), "error")
            asked = [field for field in form.fields if field.name in errors]

    def _print(self, address: Address, card: Card, *, streamed: str = "") -> None:
        if address.get("session") != self._session:
            return  # somebody else's screen, or one that is gone
        self._write("", "text")
        for line in draw(card, self._offer, already=streamed[: printed(streamed)]):
            self._write(printable(line.text), line.style)
        self._shown.set()

    def _offer(self, choice: Choice) -> int:
        number = len(self._choices) + 1
        self._choices[str(number)] = choice
        return number

    def _event(self) -> Event:
        return Event(
            event_id=f"{self._session}-{next(self._events)}",
            account=self._account,
            address=self.address,
            thread=self.thread,
            received_at=datetime.now(UTC),
        )


class TerminalStream:
    """A message in the making, printed line by line."""

    def __init__(self, chat: TerminalChat, key: str) -> None:
        self._chat = chat
        self._key = key

    async def status(self, text: str) -> None:
        """Print the status line."""
        self._chat.show_status(text)

    async def append(self, markdown: str) -> None:
        """Print what has become whole lines."""
        self._chat.show_piece(self._key, markdown)

    async def close(self, *, keep: bool) -> None:
        """Leave what is printed."""


def _unquoted(line: str) -> str:
    """Return what stands between quotes, so that a bare number can be said: `"3"`."""
    return line[1:-1] if len(line) > 2 and line[0] == line[-1] == '"' else line
