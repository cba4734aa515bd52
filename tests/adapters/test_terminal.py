"""A terminal session, typed line by line."""

from collections import deque
from collections.abc import Iterable

import pytest

from adapters.cards import (
    Button,
    Buttons,
    Card,
    Facts,
    Field,
    Form,
    Heading,
    Link,
    Note,
    Rating,
    Source,
    Sources,
    Suggestions,
    Text,
)
from adapters.events import Account, Feedback, FormSubmit, Inbound, Message, Press
from adapters.port import Accepted, InvalidForm, Receipt, Shown
from adapters.terminal.chat import TerminalChat
from adapters.terminal.drawing import Style

ADA = Account(platform="terminal", tenant="home", user="ada", name="Ada")
CONFIRM = Button("Confirm", action="draft.file", id="d1", nonce="n1", style="primary")
FORM = Form(
    form="draft",
    id="d1",
    nonce="n1",
    title="Your report",
    submit="Send",
    cancel="Leave",
    fields=(
        Field("title", "Title", value="Printer"),
        Field("floor", "Floor", kind="choice", choices=(("1", "Ground"), ("2", "Upper"))),
        Field("more", "More", required=False, hint="Anything else?"),
    ),
)


class Session:
    """A terminal whose keyboard is a list, with a desk that answers from a list."""

    def __init__(self, typed: Iterable[str], receipts: Iterable[Receipt] = (), *, answer: Card | None = None) -> None:
        self.typed = deque(typed)
        self.receipts = deque(receipts)
        self.answer = answer
        self.screen: list[str] = []
        self.heard: list[Inbound] = []
        self.chat = TerminalChat(ADA, read=self.read, write=self.write, answer_s=0.01, settle_s=0)

    async def read(self, prompt: str) -> str | None:
        self.screen.append(prompt)
        return self.typed.popleft() if self.typed else None

    def write(self, text: str, _style: Style) -> None:
        self.screen.append(text)

    async def receive(self, event: Inbound) -> Receipt:
        self.heard.append(event)
        if self.answer is not None:
            await self.chat.send(event.address, self.answer, key=event.event_id)
        return self.receipts.popleft() if self.receipts else Accepted()

    async def run(self) -> list[Inbound]:
        await self.chat.run(self.receive)
        return self.heard


def offer(*items: Button | Link) -> Card:
    return Card(blocks=(Text("Shall I?"), Buttons(items)), fallback="Shall I?")


async def test_each_line_is_a_message_of_one_thread_with_an_event_id_of_its_own() -> None:
    heard = await Session(["hello", "", "  again "]).run()

    assert [event.text for event in heard if isinstance(event, Message)] == ["hello", "again"]
    assert len({event.event_id for event in heard}) == 2
    assert len({event.thread for event in heard}) == 1


async def test_a_number_presses_its_button() -> None:
    session = Session(["1"])
    await session.chat.send(session.chat.address, offer(CONFIRM), key="k")

    (press,) = await session.run()

    assert isinstance(press, Press)
    assert (press.action, press.id, press.nonce) == ("draft.file", "d1", "n1")
    assert "  1) Confirm" in session.screen


async def test_a_later_card_never_moves_what_a_number_presses() -> None:
    session = Session(["1", "2"])
    await session.chat.send(session.chat.address, offer(CONFIRM), key="k")
    await session.chat.send(session.chat.address, offer(Button("Reopen", "ticket.reopen", "t1")), key="l")

    heard = await session.run()

    assert [event.action for event in heard if isinstance(event, Press)] == ["draft.file", "ticket.reopen"]


async def test_a_quoted_number_is_said_not_pressed() -> None:
    session = Session(['"1"'])
    await session.chat.send(session.chat.address, offer(CONFIRM), key="k")

    (message,) = await session.run()

    assert isinstance(message, Message)
    assert message.text == "1"


async def test_choosing_a_suggestion_says_it() -> None:
    session = Session(["1"])
    card = Card(blocks=(Suggestions("You may ask", ("How long is a lease?",)),), fallback="")
    await session.chat.send(session.chat.address, card, key="k")

    (message,) = await session.run()

    assert isinstance(message, Message)
    assert message.text == "How long is a lease?"


@pytest.mark.parametrize(("typed", "verdict", "reason"), [(["1"], "up", None), (["2", "Too old"], "down", "Too old")])
async def test_an_answer_is_judged_with_a_reason_when_it_was_bad(
    typed: list[str], verdict: str, reason: str | None
) -> None:
    session = Session(typed)
    rating = Rating(id="run_1", up="Helpful", down="Not helpful", reason_label="What was wrong?", thanks="Thank you.")
    await session.chat.send(session.chat.address, Card(blocks=(rating,), fallback=""), key="k")

    (feedback,) = await session.run()

    assert isinstance(feedback, Feedback)
    assert (feedback.id, feedback.verdict, feedback.reason) == ("run_1", verdict, reason)
    assert "Thank you." in session.screen


async def test_a_form_is_asked_field_by_field_and_keeps_what_was_there() -> None:
    session = Session(["1", "", "Upper", ""], [Shown(FORM)])
    await session.chat.send(session.chat.address, offer(CONFIRM), key="k")

    _, submit = await session.run()

    assert isinstance(submit, FormSubmit)
    assert dict(submit.values) == {"title": "Printer", "floor": "2", "more": ""}
    assert "Title* [Printer]: " in session.screen


async def test_a_required_field_is_asked_until_it_has_a_value_that_fits() -> None:
    session = Session(["1", "Lamp", "", "Cellar", "1", ""], [Shown(FORM)])
    await session.chat.send(session.chat.address, offer(CONFIRM), key="k")

    _, submit = await session.run()

    assert isinstance(submit, FormSubmit)
    assert submit.values["floor"] == "1"


async def test_only_the_fields_that_were_not_right_are_asked_again() -> None:
    receipts: list[Receipt] = [Shown(FORM), InvalidForm({"title": "too short"}), Accepted()]
    session = Session(["1", "x", "1", "", "Printer on fire"], receipts)
    await session.chat.send(session.chat.address, offer(CONFIRM), key="k")

    *_, last = await session.run()

    assert isinstance(last, FormSubmit)
    assert dict(last.values) == {"title": "Printer on fire", "floor": "1", "more": ""}
    assert "Title: too short" in session.screen


async def test_q_leaves_a_form_without_sending_it() -> None:
    session = Session(["1", "q", "hello"], [Shown(FORM)])
    await session.chat.send(session.chat.address, offer(CONFIRM), key="k")

    heard = await session.run()

    assert [type(event) for event in heard] == [Press, Message]


async def test_every_block_is_drawn_as_text() -> None:
    session = Session([])
    source = Source(1, "VPN", "Set up > Windows", "http://127.0.0.1/d#w", "Use the\nclient.", age="2 days old")
    blocks = (
        Heading("TCK-1", badge="open"),
        Facts((("Place", "Room 4"),)),
        Sources("Sources", (source,)),
        Note("high confidence"),
        Buttons((Link("Open", "http://127.0.0.1/t"),)),
    )
    await session.chat.send(session.chat.address, Card(blocks=blocks, fallback=""), key="k")

    assert session.screen == [
        "",
        "TCK-1 [open]",
        "  Place: Room 4",
        "Sources",
        "  [1] VPN > Set up > Windows (2 days old)",
        "      “Use the client.”",
        "      http://127.0.0.1/d#w",
        "high confidence",
        "  Open: http://127.0.0.1/t",
    ]


async def test_what_others_wrote_cannot_steer_the_terminal() -> None:
    session = Session([])
    await session.chat.send(session.chat.address, Card(blocks=(Text("\x1b[2Jgone\x07"),), fallback=""), key="k")

    assert session.screen[-1] == "[2Jgone"


async def test_a_card_for_another_session_stays_off_this_screen() -> None:
    session = Session([])
    await session.chat.send({"user": "ben", "session": "other"}, offer(CONFIRM), key="k")

    assert session.screen == []


async def test_a_card_is_printed_again_only_when_it_has_changed() -> None:
    session = Session([])
    reference = await session.chat.send(session.chat.address, offer(CONFIRM), key="k")
    filed = Card(blocks=(Text("Filed."),), fallback="")

    for card in (offer(CONFIRM), filed, filed):
        await session.chat.update(session.chat.address, reference, card)

    assert session.screen == ["", "Shall I?", "  1) Confirm", "", "Filed."]


async def test_the_next_line_is_read_after_the_answer() -> None:
    session = Session(["hello"], answer=Card(blocks=(Text("Hi."),), fallback="Hi."))
    await session.run()

    assert session.screen == ["> ", "", "Hi.", "> "]
