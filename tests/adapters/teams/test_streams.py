"""Texts in the making: opened late, within Teams' rules, rolled over in time, ended exactly once."""

import asyncio
from itertools import pairwise

import pytest

from adapters.cards import Button, Buttons, Card, Rating, Text
from adapters.events import Address
from adapters.port import Sending, Stream, Unavailable
from adapters.teams.wire.wire import TEMPO
from tests.adapters.teams.outgoing import Outgoing, outgoing, words
from tests.adapters.waiting import until
from tests.desks.pace import PacedClock
from tests.fakes.teams.records import Conversation, Message
from tests.fakes.teams.streams import LIFE_S

AGAIN = Sending(again=True)
POST, EDIT, DELETE = "SendToConversation", "UpdateActivity", "DeleteActivity"
SENTENCES = ("First of all, ", "hold the button. ", "Then wait for a minute. ", "At last, ", "let go. ")
WHOLE = "".join(SENTENCES)


def answer(text: str) -> Card:
    rating = Rating(id="r1", up="Good", down="Bad", reason_label="Why?", thanks="Thanks")
    return Card(blocks=(Text(text), rating), fallback=text)


def question(text: str) -> Card:
    return Card(blocks=(Text(text), Buttons((Button("Yes", "draft.file", "d1", "n1"),))), fallback=text)


def pieces(desk: Outgoing) -> list[str]:
    """Return what was streamed, in the order of its sending."""
    return [call.body["text"] for call in desk.called(POST) if call.body["type"] == "typing" and "text" in call.body]


def only(desk: Outgoing, where: Conversation | None = None) -> Message:
    """Return the one message of the desk, which must not stream any more."""
    (message,) = desk.seen(where)
    assert message.stream is None or message.stream.ending == "final"
    return message


class Opened:
    """What `opened` was told."""

    def __init__(self) -> None:
        self.references: list[str] = []

    async def __call__(self, reference: str) -> None:
        self.references.append(reference)


async def streaming(
    desk: Outgoing, where: Conversation | None = None, *, text: str = "First of all, hold "
) -> tuple[Stream, Address, Opened]:
    """Open a text and wait until people see it."""
    address, opened = desk.ask(where).to_json(), Opened()
    stream = await desk.chat.stream(address, key="k1", opened=opened)
    await stream.status("Searching …")
    await stream.append(text)
    await until(lambda: opened.references)
    return stream, address, opened


async def test_an_answer_that_is_there_at_once_is_posted_whole() -> None:
    async with outgoing(stream_after_s=60.0) as desk:
        address, opened = desk.ask().to_json(), Opened()
        stream = await desk.chat.stream(address, key="k1", opened=opened)
        await stream.status("Searching …")
        await stream.append(WHOLE)
        await desk.chat.send(address, answer(WHOLE), key="k1")

        assert (len(desk.called(POST)), opened.references) == (1, [])
        assert only(desk).text == WHOLE.strip()


async def test_a_text_is_streamed_within_teams_rules_and_ended_with_its_card() -> None:
    async with outgoing(PacedClock(20)) as desk:
        address, opened = desk.ask().to_json(), Opened()
        stream = await desk.chat.stream(address, key="k1", opened=opened)
        await stream.status("Searching …")
        await until(lambda: opened.references)
        for sentence in SENTENCES:
            await stream.append(sentence)
            await desk.clock.sleep(TEMPO.pieces_s)
        posted = await desk.chat.send(address, answer(WHOLE), key="k1")

        message = only(desk)
        assert (message.text, desk.message(posted)) == (WHOLE.strip(), message)
        assert opened.references == [posted]
        assert message.channel_data == {"feedbackLoop": {"type": "default"}}
        shown = pieces(desk)
        assert shown[0] == "Searching …"
        assert len(shown) >= 4
        assert all(later.startswith(earlier) for earlier, later in pairwise(shown[1:]))
        calls = [call for call in desk.called(POST) if call.body["type"] == "typing"]
        assert all(later.at - earlier.at >= TEMPO.pieces_s for earlier, later in pairwise(calls))
        assert {call.status for call in desk.called(POST)} == {201, 202}
        assert [call.code for call in desk.called()] == [""] * len(desk.called())
        numbers = [call.body["entities"][0]["streamSequence"] for call in calls]
        assert numbers == list(range(1, len(calls) + 1))


async def test_nothing_is_sent_while_there_is_nothing_new() -> None:
    async with outgoing() as desk:
        stream, address, _ = await streaming(desk)
        await desk.clock.sleep(30)
        before = len(pieces(desk))
        await desk.clock.sleep(30)
        await stream.append("the button. ")
        await desk.organisation.until(lambda: len(pieces(desk)) > before)

        assert before <= 2
        await desk.chat.send(address, answer("First of all, hold the button."), key="k1")
        assert only(desk).text == "First of all, hold the button."


async def test_a_card_without_text_takes_the_place_of_what_was_streamed() -> None:
    async with outgoing() as desk:
        _, address, _ = await streaming(desk)
        posted = await desk.chat.send(address, question("File this draft?"), key="k1")

        message = only(desk)
        assert desk.message(posted) is message
        assert (message.text, "File this draft?" in words(message)) == ("", True)


async def test_an_answer_that_turned_out_otherwise_takes_the_place_of_what_was_streamed() -> None:
    async with outgoing() as desk:
        _, address, _ = await streaming(desk)
        await desk.chat.send(address, answer("Nobody knows."), key="k1")

        assert only(desk).text == "Nobody knows."


async def test_in_a_channel_a_message_stands_for_the_answer_and_is_edited() -> None:
    async with outgoing(PacedClock(20)) as desk:
        stream, address, opened = await streaming(desk, desk.general)
        for sentence in SENTENCES:
            await stream.append(sentence)
            await desk.clock.sleep(TEMPO.edits_s)
        posted = await desk.chat.send(address, answer(WHOLE), key="k1")

        message = only(desk, desk.general)
        assert (message.text, message.stream) == (WHOLE.strip(), None)
        assert opened.references == [posted]
        assert pieces(desk) == []
        assert [call.body["type"] for call in desk.called(POST)][:2] == ["typing", "message"]
        edits = desk.called(EDIT)
        assert 2 <= len(edits) <= 7
        assert all(later.at - earlier.at >= TEMPO.edits_s for earlier, later in pairwise(edits[:-1]))
        assert "Searching …" in message.earlier[0]["text"]


async def test_before_there_is_a_word_a_line_says_that_something_is_coming() -> None:
    async with outgoing() as desk:
        address, opened = desk.ask(desk.group).to_json(), Opened()
        stream = await desk.chat.stream(address, key="k1", opened=opened)
        await stream.append("*")
        await until(lambda: opened.references)
        assert only(desk, desk.group).text == "One moment…"
        await desk.chat.send(address, answer("*Yes*"), key="k1")

        assert only(desk, desk.group).text == "*Yes*"


async def test_before_its_two_minutes_are_over_a_stream_goes_on_as_a_message_that_is_edited() -> None:
    async with outgoing() as desk:
        stream, address, _ = await streaming(desk)
        began = desk.clock.monotonic()
        while desk.clock.monotonic() - began < LIFE_S + 40:
            await stream.append("and hold ")
            await desk.clock.sleep(4)
        message = only(desk)
        assert message.stream is not None
        assert message.stream.ended is not None
        assert message.stream.ended - message.stream.started < LIFE_S
        seen = message.text
        await stream.append("until then. ")
        await desk.organisation.until(lambda: message.text != seen)
        await desk.chat.send(address, answer("Done."), key="k1")

        assert only(desk).text == "Done."
        assert {call.code for call in desk.called()} == {""}


async def test_a_person_who_stops_a_stream_is_shown_no_more_of_it_and_the_whole_in_the_end() -> None:
    async with outgoing() as desk:
        stream, address, opened = await streaming(desk)
        message = desk.message(opened.references[0])
        assert message.stream is not None
        message.stream.ended, message.stream.ending = desk.clock.monotonic(), "stopped"
        await stream.append("the button. ")
        await desk.organisation.until(lambda: any(call.status == 403 for call in desk.called(POST)))
        await stream.append("Then wait. ")
        await desk.clock.sleep(30)
        stopped = len(pieces(desk))
        await desk.chat.send(address, answer(WHOLE), key="k1")

        assert stopped <= 3
        await desk.organisation.until(lambda: [each.text for each in desk.seen()] == [WHOLE.strip()])


async def test_where_streams_are_not_allowed_the_text_is_a_message_that_is_edited() -> None:
    async with outgoing() as desk:
        desk.organisation.faults.refuse(POST, 403, "ContentStreamNotAllowed")
        _, address, opened = await streaming(desk)
        assert desk.message(opened.references[0]).stream is None
        await desk.chat.send(address, answer(WHOLE), key="k1")

        assert only(desk).text == WHOLE.strip()


async def test_two_answers_in_one_chat_do_not_stream_into_each_other() -> None:
    async with outgoing() as desk:
        _, address, _ = await streaming(desk)
        opened = Opened()
        other = await desk.chat.stream(address, key="k2", opened=opened)
        await other.append("Something else altogether ")
        await until(lambda: opened.references)
        await desk.chat.send(address, answer(WHOLE), key="k1")
        await desk.chat.send(address, answer("Something else altogether!"), key="k2")

        assert [message.text for message in desk.seen()] == [WHOLE.strip(), "Something else altogether!"]


async def test_a_lost_answer_to_a_piece_stops_nothing() -> None:
    async with outgoing() as desk:
        stream, address, _ = await streaming(desk)
        desk.organisation.faults.lose_answer(POST)
        await stream.append("the button. ")
        await desk.organisation.until(lambda: any(call.lost for call in desk.called(POST)))
        await stream.append("Then wait for a minute. ")
        await desk.organisation.until(lambda: any("Then wait" in text for text in pieces(desk)))
        await desk.chat.send(address, answer(WHOLE), key="k1")

        assert only(desk).text == WHOLE.strip()


@pytest.mark.parametrize("whole", [WHOLE, "Something else."])
@pytest.mark.parametrize("times", [1, 2])
async def test_a_lost_answer_to_the_end_shows_nothing_twice(whole: str, times: int) -> None:
    async with outgoing() as desk:
        _, address, opened = await streaming(desk)
        desk.organisation.faults.lose_answer(POST, times)
        desk.organisation.faults.lose_answer(EDIT, times - 1)
        sending, posted = Sending(), ""
        while not posted:
            try:
                posted = await desk.chat.send(address, answer(whole), key="k1", sending=sending)
            except Unavailable as later:
                await desk.clock.sleep(later.retry_after_s)
                sending = AGAIN

        assert only(desk).text == whole.strip()
        assert [posted] == opened.references


@pytest.mark.parametrize("where", ["chat", "channel"])
async def test_what_a_crash_left_open_is_ended_by_another_process(where: str) -> None:
    async with outgoing() as desk:
        place = desk.general if where == "channel" else None
        _, address, opened = await streaming(desk, place)
        left = Sending(again=True, unfinished=opened.references[0])
        posted = await desk.restarted().send(address, answer(WHOLE), key="k1", sending=left)

        assert only(desk, place).text == WHOLE.strip()
        assert [posted] == opened.references


async def test_what_a_crash_left_open_with_other_words_is_taken_away_when_teams_allows_it() -> None:
    async with outgoing() as desk:
        _, address, opened = await streaming(desk)
        left = Sending(again=True, unfinished=opened.references[0])
        await desk.restarted().send(address, answer("Something else."), key="k1", sending=left)

        assert "Something else." in [message.text for message in desk.seen()]
        await until(lambda: [message.text for message in desk.seen()] == ["Something else."])


async def test_what_expired_after_a_crash_is_no_second_answer() -> None:
    async with outgoing() as desk:
        address, opened = desk.ask().to_json(), Opened()
        chat = desk.restarted()
        stream = await chat.stream(address, key="k1", opened=opened)
        await stream.append("First of all, hold ")
        await until(lambda: opened.references)
        await chat.close()
        await desk.clock.sleep(LIFE_S + 10)
        left = Sending(again=True, unfinished=opened.references[0])
        await desk.chat.send(address, answer(WHOLE), key="k1", sending=left)

        await until(lambda: [message.text for message in desk.seen()] == [WHOLE.strip()])


async def test_of_an_answer_for_other_eyes_nothing_stays() -> None:
    async with outgoing() as desk:
        for place in (desk.general, desk.group, None):
            stream, _, _ = await streaming(desk, place)
            await stream.close(keep=False)
            desk.chat = desk.restarted()

            assert desk.seen(place) == []


async def test_where_nothing_can_be_taken_away_it_is_replaced() -> None:
    async with outgoing() as desk:
        stream, _, _ = await streaming(desk, desk.general)
        desk.organisation.faults.refuse(DELETE, 501)
        await stream.close(keep=False)

        assert only(desk, desk.general).text == "See our chat."


async def test_a_stream_that_was_closed_is_ended_by_the_post_all_the_same() -> None:
    async with outgoing() as desk:
        stream, address, _ = await streaming(desk)
        await stream.close(keep=True)
        await desk.chat.send(address, answer(WHOLE), key="k1")

        assert only(desk).text == WHOLE.strip()


async def test_while_teams_is_away_nothing_is_shown_and_nothing_breaks() -> None:
    async with outgoing() as desk:
        address = desk.ask().to_json()
        desk.organisation.faults.down(120, kind="unreachable")
        stream = await desk.chat.stream(address, key="k1")
        await stream.append("First of all, hold ")
        await desk.clock.sleep(10)
        with pytest.raises(Unavailable):
            await desk.chat.send(address, answer(WHOLE), key="k1")
        await desk.clock.sleep(150)
        await desk.chat.send(address, answer(WHOLE), key="k1", sending=AGAIN)

        assert only(desk).text == WHOLE.strip()


async def test_pieces_never_take_the_place_of_answers() -> None:
    async with outgoing(PacedClock(20)) as desk:
        chats = [desk.ask(desk.organisation.chat(desk.organisation.add_user(f"Person {n}"))) for n in range(40)]
        streams = [await desk.chat.stream(each.to_json(), key=f"k{n}") for n, each in enumerate(chats)]

        async def talk(stream: Stream) -> None:
            for sentence in SENTENCES:
                await stream.append(sentence)
                await desk.clock.sleep(1)

        await asyncio.gather(*(talk(stream) for stream in streams))
        addresses = [each.to_json() for each in chats]
        sends = [desk.chat.send(each, answer(WHOLE), key=f"k{n}") for n, each in enumerate(addresses)]
        results = await asyncio.gather(*sends, return_exceptions=True)

        assert sum(isinstance(each, str) for each in results) >= 20
        for number, result in enumerate(results):
            if not isinstance(result, str):
                assert isinstance(result, Unavailable)
                await desk.clock.sleep(result.retry_after_s)
                await desk.chat.send(addresses[number], answer(WHOLE), key=f"k{number}", sending=AGAIN)
        for each in chats:
            said = [m.text for m in desk.organisation.standing(each.conversation) if m.sender != each.user]
            assert WHOLE.strip() in said
