"""Texts in the making: opened late, rolled over in time, ended exactly once, never left open by a crash."""

import asyncio
import itertools

import pytest

from adapters.cards import Button, Buttons, Card, Note, Text
from adapters.events import Address
from adapters.outbound.pacing import Spot
from adapters.port import Sending, Stream, Unavailable
from adapters.slack.wire.wire import LONGEST_TEXT, TEMPO
from tests.adapters.slack.outgoing import Outgoing, outgoing
from tests.adapters.waiting import until
from tests.desks.pace import PacedClock
from tests.fakes.faults import Faults
from tests.fakes.slack.records import Message
from tests.fakes.slack.workspace import STREAM_LIFE_S

AGAIN = Sending(again=True)
#: For tests that count calls: at full speed a busy machine lets minutes pass between two of them.
UNHURRIED = 5.0
STREAMS = ("chat.startStream", "chat.appendStream", "chat.stopStream")


def card(text: str) -> Card:
    return Card(blocks=(Text(text), Note("sure")), fallback=text)


def words(message: Message) -> str:
    """Return the Markdown that a reader sees."""
    blocks = "\n".join(str(block["text"]) for block in message.blocks if block["type"] == "markdown")
    return blocks or (message.text if message.stream is not None else "")


def finished(desk: Outgoing, text: str, key: str = "k1") -> Message:
    """Return the only message of the desk, which must be a whole answer."""
    (message,) = desk.seen(desk.general)
    assert words(message) == text
    assert not desk.workspace.is_streaming(message)
    assert message.metadata == {"event_type": "dutydesk_post", "event_payload": {"key": key}}
    assert "sure" in str(message.blocks)
    return message


async def streaming(desk: Outgoing, text: str = "First. ") -> tuple[Stream, Address, list[str]]:
    """Open a stream and wait until people see it; return it with its address and what `opened` was told."""
    address, told = desk.ask(desk.general).to_json(), list[str]()

    async def opened(reference: str) -> None:
        told.append(reference)

    stream = await desk.chat.stream(address, key="k1", opened=opened)
    await stream.status("Searching …")
    await stream.append(text)
    await until(lambda: told)
    return stream, address, told


def calls(desk: Outgoing) -> list[str]:
    names = (*STREAMS, "chat.postMessage", "chat.update")
    return [call.method for call in desk.workspace.calls if call.method in names]


async def test_an_answer_that_is_quick_is_posted_whole() -> None:
    async with outgoing(PacedClock(UNHURRIED)) as desk:
        address = desk.ask(desk.general).to_json()
        stream = await desk.chat.stream(address, key="k1")
        await stream.status("Searching …")
        await stream.append("Quick.")
        await desk.chat.send(address, card("Quick."), key="k1")

        finished(desk, "Quick.")
        assert calls(desk) == ["chat.postMessage"]


async def test_a_slow_answer_is_seen_while_it_is_made_and_gets_the_rest_at_its_end() -> None:
    async with outgoing(PacedClock(UNHURRIED)) as desk:
        stream, address, told = await streaming(desk)
        (seen,) = desk.seen(desk.general)
        assert told == [f"{desk.general.id}:{seen.ts}"]
        assert seen.stream is not None
        assert (seen.thread_ts, seen.stream.recipient_user_id) == (address["thread_ts"], desk.ada.id)
        await stream.append("Second. ")
        await until(lambda: "Second." in seen.text)
        await desk.chat.send(address, card("First. Second. Third."), key="k1")

        finished(desk, "First. Second. Third.")
        assert calls(desk) == ["chat.startStream", "chat.appendStream", "chat.stopStream"]


async def test_a_status_alone_opens_the_stream_and_is_done_at_its_end() -> None:
    async with outgoing(PacedClock(UNHURRIED)) as desk:
        address = desk.ask(desk.general).to_json()
        stream = await desk.chat.stream(address, key="k1")
        await stream.status("Searching …")
        (seen,) = await until(lambda: desk.seen(desk.general))
        await stream.status("Checking …")
        await until(lambda: "Checking" in str(seen.stream))
        await desk.chat.send(address, card("Answer"), key="k1")

        finished(desk, "Answer")
        assert seen.stream is not None
        assert seen.stream.chunks[-2:] == [
            {"type": "task_update", "id": "work", "title": "Checking …", "status": "complete"},
            {"type": "markdown_text", "text": "Answer"},
        ]


async def test_in_a_direct_message_the_status_shows_at_once() -> None:
    async with outgoing(stream_after_s=600.0) as desk:
        im = desk.workspace.im(desk.ada)
        address = desk.ask(im)
        stream = await desk.chat.stream(address.to_json(), key="k1")
        await stream.status("Searching …")
        await until(lambda: desk.workspace.status_of(im.id, address.thread_ts) == "Searching …")
        await desk.chat.send(address.to_json(), card("Answer"), key="k1")

        assert desk.workspace.status_of(im.id, address.thread_ts) == ""
        assert [words(message) for message in desk.seen(im)] == ["Answer"]


async def test_another_text_than_the_one_shown_takes_its_place() -> None:
    async with outgoing() as desk:
        _, address, _ = await streaming(desk, "Half a")
        await desk.chat.send(address, card("Something else"), key="k1")

        finished(desk, "Something else")


async def test_an_answer_with_buttons_and_without_text_takes_the_place_of_what_was_shown() -> None:
    async with outgoing() as desk:
        _, address, _ = await streaming(desk)
        ask = Card(blocks=(Note("sure"), Buttons((Button("Go", "go", "1", "n"),))), fallback="Go?")
        await desk.chat.send(address, ask, key="k1")

        assert "'text': 'Go'" in str(finished(desk, "Go?").blocks)
        assert "First" not in str(desk.seen(desk.general)[0].blocks)


async def test_an_answer_of_several_messages_begins_with_the_one_that_was_shown() -> None:
    async with outgoing() as desk:
        _, address, _ = await streaming(desk, "Part 0. ")
        text = "\n\n".join(f"Part {number}. " + "word " * 1_700 for number in range(2))
        await desk.chat.send(address, card(text), key="k1")

        assert [words(message)[:7] for message in desk.seen(desk.general)] == ["Part 0.", "Part 1."]
        assert not any(desk.workspace.is_streaming(message) for message in desk.seen(desk.general))


async def test_a_stream_is_rolled_over_before_slack_closes_it() -> None:
    async with outgoing(PacedClock(300)) as desk:
        stream, address, _ = await streaming(desk)
        (seen,) = desk.seen(desk.general)
        await until(lambda: seen.stream is not None and seen.stream.ended)
        await stream.append("Second. ")
        await until(lambda: "Second." in words(seen))
        await desk.clock.sleep(STREAM_LIFE_S)
        await desk.chat.send(address, card("First. Second. Third."), key="k1")

        finished(desk, "First. Second. Third.")
        assert seen.stream is not None
        assert seen.stream.ending == "stopped"
        assert seen.stream.ended is not None
        assert TEMPO.stream_s - 5 <= seen.stream.ended - seen.stream.started < STREAM_LIFE_S


async def test_a_stream_that_slack_closed_all_the_same_becomes_a_whole_answer() -> None:
    async with outgoing() as desk:
        stream, address, _ = await streaming(desk)
        (seen,) = desk.seen(desk.general)
        assert seen.stream is not None
        seen.stream.ended, seen.stream.ending = desk.clock.monotonic(), "expired"
        await stream.append("Second.")
        await until(lambda: desk.called("chat.appendStream"))
        await desk.chat.send(address, card("First. Second."), key="k1")

        finished(desk, "First. Second.")


@pytest.mark.parametrize("edited", [False, True])
async def test_what_another_process_finished_is_not_written_over(edited: bool) -> None:
    async with outgoing() as desk:
        if edited:
            for _ in range(18):
                await desk.calls.pacing.take(Spot("chat.startStream"), patience_s=0)
        stream, address, references = await streaming(desk)
        left_open = Sending(unfinished=references[0])
        await desk.restarted().send(address, card("Whole."), key="k1", sending=left_open)
        await stream.append("Second. ")
        await desk.clock.sleep(10)

        finished(desk, "Whole.")


async def test_beyond_the_budget_of_streams_texts_are_edited_and_never_too_often() -> None:
    async with outgoing() as desk:
        room = 18
        for number in range(room):
            await desk.calls.call("chat.startStream", desk_stream(desk, number))
        stream, address, _ = await streaming(desk)
        (shown,) = [message for message in desk.seen(desk.general) if message.stream is None]
        assert shown.metadata is not None
        assert shown.metadata["event_payload"] == {"key": "k1", "unfinished": True}
        for number in range(30):
            await stream.append(f"{number}. ")
            await desk.clock.sleep(0.5)
        await desk.chat.send(address, card("Whole."), key="k1")

        assert words(shown) == "Whole."
        assert shown.metadata["event_payload"] == {"key": "k1"}
        edits = [call.at for call in desk.called("chat.update")]
        assert 3 <= len(edits) <= 8
        assert all(later - first >= 2.9 for first, later in itertools.pairwise(edits[:-1]))


def desk_stream(desk: Outgoing, number: int) -> dict[str, object]:
    address = desk.ask(desk.secret, f"question {number}")
    return {
        "channel": desk.secret.id,
        "thread_ts": address.thread_ts,
        "recipient_user_id": desk.ada.id,
        "recipient_team_id": desk.workspace.team.id,
    }


async def test_when_every_budget_is_spent_nothing_is_shown_before_the_answer() -> None:
    async with outgoing() as desk:
        for method, room in (("chat.startStream", 18), ("chat.update", 45)):
            for _ in range(room):
                await desk.calls.pacing.take(Spot(method), patience_s=0)
        address = desk.ask(desk.general).to_json()
        stream = await desk.chat.stream(address, key="k1")
        await stream.append("Text")
        await desk.clock.sleep(5)
        await desk.chat.send(address, card("Text"), key="k1")

        finished(desk, "Text")
        assert calls(desk) == ["chat.postMessage"]


@pytest.mark.parametrize("lost", ["chat.startStream", "chat.appendStream", "chat.stopStream"])
async def test_an_answer_comes_once_and_whole_whatever_answer_of_slack_got_lost(lost: str) -> None:
    async with outgoing() as desk:
        desk.workspace.faults.lose_answer(lost)
        address = desk.ask(desk.general).to_json()
        stream = await desk.chat.stream(address, key="k1")
        await stream.append("First. ")
        (seen,) = await until(lambda: desk.seen(desk.general))
        await stream.append("Second. ")
        if lost != "chat.startStream":
            await until(lambda: "Second." in seen.text)
        await patiently(desk, address, "First. Second. Third.")

        finished(desk, "First. Second. Third.")


async def patiently(desk: Outgoing, address: Address, text: str) -> None:
    sending = Sending()
    while True:
        try:
            await desk.chat.send(address, card(text), key="k1", sending=sending)
        except Unavailable as later:
            await desk.clock.sleep(later.retry_after_s)
            sending = AGAIN
        else:
            return


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("late", [False, True])
async def test_a_stream_orphaned_by_a_crash_is_adopted_by_an_edit(told: bool, late: bool) -> None:
    async with outgoing(PacedClock(300)) as desk:
        _, address, references = await streaming(desk)
        await kill(desk)
        if late:
            await desk.clock.sleep(STREAM_LIFE_S + 10)
        sending = Sending(again=True, unfinished=references[0] if told else "")
        reference = await desk.restarted().send(address, card("Whole."), key="k1", sending=sending)

        finished(desk, "Whole.")
        assert reference == references[0]


async def kill(desk: Outgoing) -> None:
    """Stop the process as `kill -9` does: it ends nothing."""
    await desk.chat.close()


async def test_a_text_that_was_being_edited_when_the_process_died_is_adopted_too() -> None:
    async with outgoing() as desk:
        for _ in range(18):
            await desk.calls.pacing.take(Spot("chat.startStream"), patience_s=10_000)
        _, address, references = await streaming(desk)
        await kill(desk)
        reference = await desk.restarted().send(address, card("Whole."), key="k1", sending=AGAIN)

        finished(desk, "Whole.")
        assert reference == references[0]


async def test_an_orphan_is_adopted_whoever_has_written_since() -> None:
    async with outgoing() as desk:
        _, address, references = await streaming(desk)
        await kill(desk)
        thread_ts = str(address["thread_ts"])
        desk.workspace.say(desk.ben, desk.general, "and then?", thread_ts=thread_ts)
        reference = await desk.restarted().send(address, card("Whole."), key="k1", sending=AGAIN)

        finished(desk, "Whole.")
        assert reference == references[0]


async def test_news_take_no_answer_in_the_making_for_their_orphan() -> None:
    async with outgoing() as desk:
        _, address, _ = await streaming(desk)
        news = Sending(again=True, proactive=True)
        await desk.restarted().send(address, card("News."), key="k2", sending=news)
        await desk.chat.send(address, card("Whole."), key="k1")

        assert [words(message) for message in desk.seen(desk.general)] == ["Whole.", "News."]


async def test_the_stream_of_another_question_is_not_taken_for_an_orphan_by_its_own_process() -> None:
    async with outgoing() as desk:
        first, (stream, second, _) = desk.ask(desk.general).to_json(), await streaming(desk)
        first = {**first, "thread_ts": second["thread_ts"]}
        await desk.chat.send(first, card("First."), key="k0", sending=AGAIN)
        await stream.append("Then. ")
        await desk.chat.send(second, card("First. Then. "), key="k1")

        assert [words(message) for message in desk.seen(desk.general)] == ["First. Then. ", "First."]


async def test_an_answer_whose_stream_was_taken_for_an_orphan_elsewhere_is_posted_anew() -> None:
    async with outgoing() as desk:
        _, second, _ = await streaming(desk)
        await desk.restarted().send(second, card("First."), key="k0", sending=AGAIN)
        await desk.chat.send(second, card("First. Then. "), key="k1")
        again = Sending(again=True, unfinished=f"{desk.general.id}:{desk.seen(desk.general)[0].ts}")
        await desk.restarted().send(second, card("First. Then. "), key="k1", sending=again)

        assert [words(message) for message in desk.seen(desk.general)] == ["First.", "First. Then. "]


async def test_what_is_closed_opens_nothing_any_more() -> None:
    async with outgoing() as desk:
        stream = await desk.chat.stream(desk.ask(desk.general).to_json(), key="k1")
        await stream.append("Elsewhere this is posted by now.")
        await stream.close(keep=True)
        await desk.clock.sleep(60)

        assert calls(desk) == []


@pytest.mark.parametrize("budget", ["streamed", "edited"])
async def test_nothing_stays_of_an_answer_that_goes_somewhere_else(budget: str) -> None:
    async with outgoing() as desk:
        if budget == "edited":
            desk.calls.pacing.refused(Spot("chat.startStream"), retry_after_s=600)
        stream, address, _ = await streaming(desk)
        await stream.close(keep=False)
        await desk.chat.whisper(address, card("For you alone"), key="k1")

        (whispered,) = desk.seen(desk.general)
        assert (words(whispered), whispered.ephemeral_to) == ("For you alone", desk.ada.id)


async def test_what_somebody_deleted_before_is_taken_away_without_a_word() -> None:
    async with outgoing() as desk:
        stream, _, _ = await streaming(desk)
        desk.seen(desk.general)[0].deleted = True
        await stream.close(keep=False)

        assert desk.seen(desk.general) == []


async def test_a_stream_that_somebody_deleted_is_answered_by_a_new_message() -> None:
    async with outgoing() as desk:
        _, address, _ = await streaming(desk)
        desk.seen(desk.general)[0].deleted = True
        await desk.chat.send(address, card("Whole."), key="k1")

        finished(desk, "Whole.")


async def test_the_final_card_is_not_lost_when_nothing_can_be_shown_before() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general).to_json()
        desk.workspace.faults.storm(5)
        stream = await desk.chat.stream(address, key="k1")
        await stream.append("First. ")
        await desk.clock.sleep(3)
        await patiently(desk, address, "First. Second.")

        finished(desk, "First. Second.")


async def test_reports_never_wait_for_slack() -> None:
    async with outgoing() as desk:
        slow(desk.workspace.faults)
        address = desk.ask(desk.general).to_json()
        stream = await desk.chat.stream(address, key="k1")
        started = asyncio.get_running_loop().time()
        for number in range(100):
            await stream.append(f"{number} ")
            await stream.status(f"step {number}")

        assert asyncio.get_running_loop().time() - started < 0.1


def slow(faults: Faults) -> None:
    faults.slow("*", 30)


async def test_a_mention_that_the_text_tries_to_make_is_disarmed_while_it_streams_and_at_the_end() -> None:
    async with outgoing(PacedClock(UNHURRIED)) as desk:
        stream, address, _ = await streaming(desk, "Hear <!channel> and <")
        await stream.append("@U0000001> now. ")
        await desk.chat.send(address, card("Hear <!channel> and <@U0000001> now. "), key="k1")

        (seen,) = desk.seen(desk.general)
        assert "<!channel>" not in str(seen)
        assert "<@U0000001>" not in str(seen)
        assert calls(desk)[-1] == "chat.stopStream"


async def test_a_text_beyond_one_message_is_shown_in_part_and_then_whole() -> None:
    async with outgoing() as desk:
        stream, address, _ = await streaming(desk, "Start. ")
        await stream.append("word " * (LONGEST_TEXT // 4))
        await desk.clock.sleep(5)
        (seen,) = desk.seen(desk.general)
        assert len(seen.text) <= LONGEST_TEXT
        whole = "Start. " + "word " * (LONGEST_TEXT // 4)
        await desk.chat.send(address, card(whole), key="k1")

        assert sum(words(message).count("word") for message in desk.seen(desk.general)) == LONGEST_TEXT // 4


async def test_the_same_stream_is_handed_out_for_the_same_key_and_none_where_there_is_no_thread() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general).to_json()
        first = await desk.chat.stream(address, key="k1")
        command = await desk.chat.stream(desk.at(desk.general, kind="command").to_json(), key="k2")
        await command.status("Searching …")
        await command.append("Nobody sees this.")
        await desk.clock.sleep(5)

        assert await desk.chat.stream(address, key="k1") is first
        assert desk.seen(desk.general) == []
