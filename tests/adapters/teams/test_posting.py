"""Cards in Teams: in their place, edited in their order, once as far as Teams lets it be known."""

import asyncio
from dataclasses import replace

import pytest

from adapters.cards import Button, Buttons, Card, Rating, Text
from adapters.outbound.calling import Going
from adapters.outbound.errors import OutcomeUnknown
from adapters.outbound.pacing import PostPriority
from adapters.port import Gone, Sending, Unavailable, Undeliverable
from adapters.teams.address import reference
from adapters.teams.wire.operations import TeamsPlace, post
from storage.clock import ManualClock, ScaledClock
from tests.adapters.teams.outgoing import Outgoing, outgoing, words
from tests.fakes.teams.records import Message

AGAIN = Sending(again=True)
NEWS = Sending(proactive=True)
POST, EDIT, CREATE, DELETE = "SendToConversation", "UpdateActivity", "CreateConversation", "DeleteActivity"


def card(text: str) -> Card:
    return Card(blocks=(Text(text),), fallback=text)


def answer(text: str) -> Card:
    rating = Rating(id="r1", up="Good", down="Bad", reason_label="Why?", thanks="Thanks")
    return Card(blocks=(Text(text), rating), fallback=text)


def long_card(parts: int) -> Card:
    return Card(blocks=tuple(Text(f"Part {number}. " + "word " * 3_000) for number in range(parts)), fallback="Long")


def say(message: Message) -> str:
    """Return the words of a card, or of a text without one."""
    cards = [str(each["content"]["body"][0]["text"]) for each in message.attachments]
    return "\n".join([text for text in [message.text, *cards] if text])


async def test_a_card_stands_in_the_thread_of_the_question() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        posted = await desk.chat.send(address.to_json(), card("**Hello**"), key="k1")

        (message,) = desk.seen(desk.general)
        assert (say(message), message.summary) == ("**Hello**", "Hello")
        assert message.root == address.activity
        assert posted == reference(address.conversation, message.id)


async def test_an_answer_is_text_with_its_label_and_can_be_judged() -> None:
    async with outgoing() as desk:
        await desk.chat.send(desk.ask().to_json(), answer("Because."), key="k1")

        (message,) = desk.seen()
        assert (message.text, message.channel_data) == ("Because.", {"feedbackLoop": {"type": "default"}})
        assert "AIGeneratedContent" in str(message.entities)


async def test_a_channel_without_a_thread_gets_a_new_post() -> None:
    async with outgoing() as desk:
        await desk.chat.send(desk.at(desk.general).to_json(), card("Welcome"), key="k1")

        (message,) = desk.seen(desk.general)
        assert message.root == message.id


async def test_a_chat_that_is_not_known_is_opened_first_and_only_once() -> None:
    async with outgoing() as desk:
        address = desk.unopened().to_json()
        await asyncio.gather(*(desk.chat.send(address, card(text), key=text) for text in ("One", "Two")))

        assert sorted(say(message) for message in desk.seen()) == ["One", "Two"]
        assert len(desk.called(CREATE)) == 1
        (created,) = desk.called(CREATE)
        assert created.body["tenantId"] == desk.organisation.tenant.id
        assert created.body["members"] == [{"id": desk.ada.id}]


async def test_an_opened_chat_is_the_one_that_there_is() -> None:
    async with outgoing() as desk:
        posted = await desk.chat.send(desk.unopened().to_json(), card("Hello"), key="k1")

        assert posted.startswith(desk.organisation.chat(desk.ada).id)


async def test_whoever_never_installed_the_desk_cannot_be_reached() -> None:
    async with outgoing() as desk:
        desk.organisation.chat(desk.ada).with_bot = False
        with pytest.raises(Gone):
            await desk.chat.send(desk.unopened().to_json(), card("Hello"), key="k1", sending=NEWS)


async def test_whoever_blocked_the_desk_cannot_be_reached() -> None:
    async with outgoing() as desk:
        desk.organisation.chat(desk.ada).barrier = "MessageWritesBlocked"
        with pytest.raises(Gone):
            await desk.chat.send(desk.ask().to_json(), card("Hello"), key="k1")


async def test_where_a_conversation_was_heard_from_last_is_where_it_is_answered() -> None:
    async with outgoing() as desk:
        address = desk.ask()
        desk.teams.server.move("amer")
        desk.chat.heard(desk.ask().to_json())
        await desk.chat.send(address.to_json(), card("Hello"), key="k1")

        assert "/emea/" in address.service_url
        assert desk.called(POST)[-1].path.startswith("/amer/")


async def test_the_same_key_is_posted_once() -> None:
    async with outgoing() as desk:
        address = desk.ask().to_json()
        first = await desk.chat.send(address, card("Once"), key="k1")
        again = await desk.chat.send(address, card("Once"), key="k1", sending=AGAIN)

        assert first == again
        assert len(desk.called(POST)) == 1


async def test_a_first_post_whose_answer_got_lost_is_posted_again_which_is_documented_and_counted() -> None:
    async with outgoing() as desk:
        address = desk.ask().to_json()
        desk.organisation.faults.lose_answer(POST)
        with pytest.raises(OutcomeUnknown):
            await desk.chat.send(address, card("Twice"), key="k1")
        posted = await desk.chat.send(address, card("Twice"), key="k1", sending=AGAIN)

        assert [say(message) for message in desk.seen()] == ["Twice", "Twice"]
        assert desk.message(posted) is desk.seen()[-1]
        assert desk.connector.health.counts["unsure_posts"] == 1
        assert not desk.chat.limits.exactly_once
        assert "posted again" in desk.chat.limits.notes["exactly_once"]


async def test_a_refused_post_is_nothing_to_be_unsure_of() -> None:
    async with outgoing() as desk:
        desk.organisation.faults.refuse(POST, 429, retry_after_s=30)
        with pytest.raises(Unavailable):
            await desk.chat.send(desk.ask().to_json(), card("Hello"), key="k1")

        assert desk.connector.health.counts["unsure_posts"] == 0


async def test_a_long_card_becomes_messages_in_order_whose_last_is_its_reference() -> None:
    async with outgoing() as desk:
        posted = await desk.chat.send(desk.ask(desk.general).to_json(), long_card(2), key="k1")

        assert [message.summary for message in desk.seen(desk.general)] == ["Long", "Long (2/2)"]
        assert desk.message(posted) is desk.seen(desk.general)[-1]


async def test_a_long_card_that_broke_off_goes_on_where_it_stopped() -> None:
    async with outgoing() as desk:
        address = desk.ask().to_json()
        desk.organisation.faults.refuse(POST, 429, retry_after_s=30)
        with pytest.raises(Unavailable):
            await desk.chat.send(address, long_card(3), key="k1")
        await desk.clock.sleep(30)
        sending = asyncio.create_task(desk.chat.send(address, long_card(3), key="k1", sending=AGAIN))
        await desk.organisation.until(desk.seen)
        desk.organisation.faults.refuse(POST, 429, retry_after_s=30)
        with pytest.raises(Unavailable):
            await sending
        stood = len(desk.seen())
        await desk.clock.sleep(30)
        await desk.chat.send(address, long_card(3), key="k1", sending=AGAIN)

        assert 1 <= stood < 3
        assert [message.summary for message in desk.seen()] == ["Long", "Long (2/3)", "Long (3/3)"]


async def test_an_update_takes_the_place_of_a_message_for_everybody() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general).to_json()
        buttons = Buttons((Button("Approve", "approval.approve", "a1", "n1", style="primary"),))
        posted = await desk.chat.send(address, Card((Text("Draft"), buttons), "Draft"), key="k1")
        assert "Approve" in words(desk.message(posted))
        await desk.chat.update(address, posted, card("Filed"))

        (message,) = desk.seen(desk.general)
        assert (say(message), message.summary) == ("Filed", "Filed")
        assert "Approve" not in words(message)


async def test_another_process_edits_by_the_reference_and_an_old_address() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        posted = await desk.chat.send(address.to_json(), card("Draft"), key="k1")
        stored = replace(address, conversation="", kind="personal", activity="")
        await desk.restarted().update(stored.to_json(), posted, card("Filed"))

        assert [say(message) for message in desk.seen(desk.general)] == ["Filed"]


async def test_edits_of_one_message_end_with_the_last_and_those_between_are_not_sent() -> None:
    async with outgoing() as desk:
        address = desk.ask().to_json()
        posted = await desk.chat.send(address, card("0"), key="k1")
        desk.organisation.faults.slow(EDIT, 1.0)
        await asyncio.gather(*(desk.chat.update(address, posted, card(str(number))) for number in range(1, 20)))

        assert [say(message) for message in desk.seen()] == ["19"]
        assert len(desk.called(EDIT)) == 2


async def test_edits_of_different_messages_are_all_sent() -> None:
    async with outgoing() as desk:
        address = desk.ask().to_json()
        posted = [await desk.chat.send(address, card(str(number)), key=str(number)) for number in range(4)]
        await asyncio.gather(*(desk.chat.update(address, each, card(f"{each[-1]}!")) for each in posted))

        assert len(desk.called(EDIT)) == 4
        assert [say(message)[-1] for message in desk.seen()] == ["!"] * 4


async def test_an_edit_that_fails_is_nobody_elses_failure() -> None:
    async with outgoing() as desk:
        address = desk.ask().to_json()
        posted = await desk.chat.send(address, card("0"), key="k1")
        desk.organisation.faults.refuse(EDIT, 429, retry_after_s=30)
        with pytest.raises(Unavailable):
            await desk.chat.update(address, posted, card("1"))
        await desk.clock.sleep(30)
        await desk.chat.update(address, posted, card("2"))

        assert [say(message) for message in desk.seen()] == ["2"]


async def test_an_edit_whose_answer_got_lost_may_be_repeated() -> None:
    async with outgoing() as desk:
        address = desk.ask().to_json()
        posted = await desk.chat.send(address, card("0"), key="k1")
        desk.organisation.faults.lose_answer(EDIT)
        with pytest.raises(OutcomeUnknown):
            await desk.chat.update(address, posted, card("1"))
        await desk.chat.update(address, posted, card("1"))

        assert [say(message) for message in desk.seen()] == ["1"]


async def test_what_is_gone_cannot_be_edited() -> None:
    async with outgoing() as desk:
        address = desk.ask().to_json()
        posted = await desk.chat.send(address, card("0"), key="k1")
        desk.message(posted).deleted = True
        with pytest.raises(Undeliverable):
            await desk.chat.update(address, posted, card("1"))


@pytest.mark.parametrize(("status", "code"), [(400, "BadArgument"), (413, "MessageSizeTooBig")])
async def test_where_a_card_is_refused_its_plain_text_is_sent(
    status: int, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with outgoing() as desk:
        address = desk.ask().to_json()
        desk.organisation.faults.refuse(POST, status, code)
        posted = await desk.chat.send(address, card("Plain words"), key="k1")
        assert (desk.message(posted).text, desk.message(posted).attachments) == ("Plain words", [])
        desk.organisation.faults.refuse(EDIT, status, code)
        await desk.chat.update(address, posted, card("Other words"))

        assert desk.message(posted).text == "Other words"
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]


async def test_content_that_is_refused_in_every_form_is_given_up() -> None:
    async with outgoing() as desk:
        desk.organisation.faults.refuse(POST, 400, "BadArgument", times=2)
        with pytest.raises(Undeliverable):
            await desk.chat.send(desk.ask().to_json(), card("Hello"), key="k1")


async def spent(desk: Outgoing) -> None:
    """Use up what news may use of Ada's chat in a second, and no more."""
    place = TeamsPlace.of(desk.at(desk.organisation.chat(desk.ada)))
    for number in range(5):
        await desk.connector.call(post(place, {"type": "message", "text": str(number)}), Going(PostPriority.ANSWER))


async def test_news_wait_in_the_outbox_where_an_answer_still_goes() -> None:
    async with outgoing(ManualClock()) as desk:
        address = desk.ask().to_json()
        await spent(desk)
        with pytest.raises(Unavailable) as later:
            await desk.chat.send(address, card("News"), key="k1", sending=NEWS)
        await desk.chat.send(address, card("Answer"), key="k2")

        assert later.value.retry_after_s > 0
        assert say(desk.seen()[-1]) == "Answer"


async def test_posts_of_one_thread_keep_their_order_whatever_they_have_to_wait_for() -> None:
    async with outgoing(ScaledClock(10)) as desk:
        address = desk.ask().to_json()
        await desk.chat.members(address)  # logs in
        desk.organisation.faults.refuse(POST, 502)
        desk.organisation.faults.slow(POST, 0.1)
        await asyncio.gather(*(desk.chat.send(address, card(str(number)), key=str(number)) for number in range(6)))

        assert [say(message) for message in desk.seen()] == ["0", "1", "2", "3", "4", "5"]


async def test_a_slow_answer_is_found_by_the_next_attempt_and_nothing_is_posted_twice() -> None:
    async with outgoing(ScaledClock(1)) as desk:
        address = desk.ask().to_json()
        await desk.chat.members(address)  # logs in
        desk.organisation.faults.slow(POST, 1.0)
        first = asyncio.create_task(desk.chat.send(address, card("Slow"), key="k1"))
        await desk.organisation.until(lambda: desk.called(POST))
        first.cancel()  # whoever waits has their own patience
        posted = await desk.chat.send(address, card("Slow"), key="k1", sending=AGAIN)

        assert [say(message) for message in desk.seen()] == ["Slow"]
        assert desk.message(posted) is desk.seen()[0]
        assert desk.connector.health.counts["unsure_posts"] == 0


async def test_an_answer_that_came_while_nobody_waited_is_not_lost() -> None:
    async with outgoing(ScaledClock(1)) as desk:
        address = desk.ask().to_json()
        await desk.chat.members(address)
        desk.organisation.faults.slow(POST, 0.2)
        first = asyncio.create_task(desk.chat.send(address, card("Slow"), key="k1"))
        await desk.organisation.until(lambda: desk.called(POST))
        first.cancel()
        await asyncio.sleep(0.5)
        await desk.chat.send(address, card("Slow"), key="k1", sending=AGAIN)

        assert len(desk.seen()) == 1
