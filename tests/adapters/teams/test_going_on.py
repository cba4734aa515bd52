"""An answer of two messages, and a process that dies between them: the next one goes on from the first."""

import pytest

from adapters.cards import Card, Rating, Sources, Text
from adapters.port import Sending, Unavailable
from tests.adapters.teams.outgoing import outgoing

ANSWER = Card(
    (
        Text("Because it is so."),
        Sources("Sources", ()),
        Rating(id="r1", up="Good", down="Bad", reason_label="Why?", thanks="Thanks"),
        Text("And more."),
    ),
    "Because",
)


@pytest.mark.parametrize("place", ["chat", "channel"])
async def test_what_was_said_first_is_not_said_again(place: str) -> None:
    noted: list[str] = []

    async def opened(reference: str) -> None:
        noted.append(reference)
        desk.organisation.faults.down(3_600)

    async with outgoing() as desk:
        where = desk.general if place == "channel" else None
        address = desk.ask(where).to_json()
        with pytest.raises(Unavailable):
            await desk.chat.send(address, ANSWER, key="k1", sending=Sending(opened=opened))
        desk.organisation.faults.calm()
        again = Sending(again=True, unfinished=noted[0], opened=opened)
        await desk.restarted().send(address, ANSWER, key="k1", sending=again)

        text, card = desk.seen(where)
        assert (bool(text.text), bool(text.attachments)) == (True, False)
        assert card.attachments
        assert len(noted) == 1
