"""Cards on Slack: in their thread, once whatever gets lost, edited in place, near the person when a door is shut."""

import asyncio
from dataclasses import replace

import pytest

from adapters.cards import Button, Buttons, Card, Facts, Text
from adapters.events import Address
from adapters.port import Sending, Unavailable, Undeliverable
from adapters.slack.address import SlackAddress
from tests.adapters.slack.outgoing import Outgoing, outgoing
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.records import Json, Message, User
from tests.fakes.slack.workspace import SlackWorkspace

AGAIN = Sending(again=True)


def card(text: str) -> Card:
    return Card(blocks=(Text(text),), fallback=text)


def long_card(parts: int) -> Card:
    return Card(blocks=tuple(Text(f"Part {number}. " + "word " * 1_700) for number in range(parts)), fallback="Long")


def words(message: Message) -> str:
    return "\n".join(str(block.get("text", "")) for block in message.blocks if block["type"] == "markdown")


def key_of(message: Message) -> str:
    return str((message.metadata or {})["event_payload"]["key"])


def at_home(desk: Outgoing, user: User) -> Address:
    """Return an address without a channel, as a shortcut or the home tab has it."""
    return SlackAddress(user=user.id, team=desk.workspace.team.id, kind="home").to_json()


async def test_an_answer_stands_in_the_thread_of_the_question_without_unfurling_and_with_its_mark() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        posted = desk.message(await desk.chat.send(address.to_json(), card("**Hello**"), key="k1"))

        assert (words(posted), posted.text, posted.thread_ts) == ("**Hello**", "Hello", address.thread_ts)
        assert (posted.unfurl_links, posted.unfurl_media) == (False, False)
        assert posted.metadata == {"event_type": "dutydesk_post", "event_payload": {"key": "k1"}}
        arguments = desk.called("chat.postMessage")[0].arguments
        assert (arguments["parse"], arguments["link_names"]) == ("none", False)


async def test_a_direct_message_without_a_channel_is_opened_first_and_only_once() -> None:
    async with outgoing() as desk:
        address = at_home(desk, desk.ada)
        first = await desk.chat.send(address, card("One"), key="k1")
        second = await desk.chat.send(address, card("Two"), key="k2")

        im = desk.workspace.im(desk.ada).id
        assert [each.partition(":")[0] for each in (first, second)] == [im, im]
        assert len(desk.called("conversations.open")) == 1


@pytest.mark.parametrize("place", ["thread", "direct message", "command"])
@pytest.mark.parametrize("restart", [False, True])
async def test_a_post_whose_answer_got_lost_is_found_again(place: str, restart: bool) -> None:
    async with outgoing() as desk:
        im = desk.workspace.im(desk.ada)
        channel = desk.general if place == "thread" else im
        address = desk.at(im, kind="command") if place == "command" else desk.ask(channel)
        desk.workspace.faults.lose_answer("chat.postMessage")
        with pytest.raises(Unavailable):
            await desk.chat.send(address.to_json(), card("Once"), key="k1")
        chat = desk.restarted() if restart else desk.chat
        reference = await chat.send(address.to_json(), card("Once"), key="k1", sending=AGAIN)

        assert [words(message) for message in desk.seen(channel)] == ["Once"]
        assert reference == f"{channel.id}:{desk.seen(channel)[0].ts}"


async def test_a_post_that_never_arrived_is_posted_by_the_second_attempt_also_in_a_long_thread() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        for number in range(450):
            desk.workspace.say(desk.ben, desk.general, str(number), thread_ts=address.thread_ts)
        await desk.chat.send(address.to_json(), card("Other"), key="k0")
        await desk.chat.send(address.to_json(), card("New"), key="k1", sending=AGAIN)
        again = await desk.restarted().send(address.to_json(), card("New"), key="k1", sending=AGAIN)

        assert [words(message) for message in desk.seen(desk.general)] == ["Other", "New"]
        assert desk.message(again).ts == desk.seen(desk.general)[1].ts


async def test_without_the_right_to_read_a_second_attempt_posts_rather_than_keeps_silent() -> None:
    async with outgoing() as desk:
        desk.workspace.scopes.discard("channels:history")
        await desk.chat.send(desk.ask(desk.general).to_json(), card("Answer"), key="k1", sending=AGAIN)

        assert [words(message) for message in desk.seen(desk.general)] == ["Answer"]


async def test_a_long_card_becomes_messages_in_order_whose_last_is_its_reference() -> None:
    async with outgoing() as desk:
        reference = await desk.chat.send(desk.ask(desk.general).to_json(), long_card(2), key="k1")
        seen = desk.seen(desk.general)

        assert [words(message)[:7] for message in seen] == ["Part 0.", "Part 1."]
        assert [key_of(message) for message in seen] == ["k1/1", "k1"]
        assert desk.message(reference) is seen[-1]


async def test_a_long_card_that_broke_off_goes_on_where_it_stopped() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general).to_json()
        desk.workspace.faults.lose_answer("chat.postMessage")
        with pytest.raises(Unavailable):
            await desk.chat.send(address, long_card(3), key="k1")
        await desk.restarted().send(address, long_card(3), key="k1", sending=AGAIN)

        assert [key_of(message) for message in desk.seen(desk.general)] == ["k1/1", "k1/2", "k1"]


async def test_a_card_beyond_three_messages_is_shortened_and_says_so() -> None:
    async with outgoing() as desk:
        await desk.chat.send(desk.ask(desk.general).to_json(), long_card(8), key="k1")
        seen = desk.seen(desk.general)

        assert len(seen) == 3
        assert "Shortened." in str(seen[-1].blocks)


async def test_an_edit_keeps_one_message_and_its_mark_however_long_the_card_became() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general).to_json()
        reference = await desk.chat.send(address, card("Draft"), key="k1")
        await desk.chat.update(address, reference, card("Filed"))
        assert words(desk.message(reference)) == "Filed"
        await desk.chat.update(address, reference, long_card(4))

        assert len(desk.seen(desk.general)) == 1
        assert key_of(desk.message(reference)) == "k1"
        assert "Shortened." in str(desk.message(reference).blocks)


@pytest.mark.parametrize("fate", ["deleted", "archived", "ephemeral", "another's"])
async def test_what_cannot_be_edited_is_undeliverable(fate: str) -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        reference = await desk.chat.send(address.to_json(), card("Draft"), key="k1")
        match fate:
            case "deleted":
                desk.message(reference).deleted = True
            case "archived":
                desk.secret.members.clear()
                reference = f"{desk.secret.id}:1.000001"
            case "ephemeral":
                desk.message(reference).ephemeral_to = desk.ada.id
            case _:
                reference = f"{desk.general.id}:{address.message_ts}"
        with pytest.raises(Undeliverable):
            await desk.chat.update(address.to_json(), reference, card("Filed"))


@pytest.mark.parametrize("shut", ["archived", "left", "root gone"])
async def test_an_answer_reaches_the_person_when_the_channel_is_shut(shut: str) -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        match shut:
            case "archived":
                desk.general.is_archived = True
            case "left":
                desk.general.members.remove(desk.workspace.bot.id)
            case _:
                desk.workspace.messages[desk.general.id].pop(address.thread_ts)
        reference = await desk.chat.send(address.to_json(), card("Answer"), key="k1")
        again = await desk.restarted().send(address.to_json(), card("Answer"), key="k1", sending=AGAIN)

        im = desk.workspace.im(desk.ada)
        assert [words(message) for message in desk.seen(im)] == ["Answer"]
        assert again == reference == f"{im.id}:{desk.seen(im)[0].ts}"


async def test_news_for_a_channel_that_is_shut_bothers_nobody_in_private() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        desk.general.is_archived = True
        with pytest.raises(Undeliverable):
            await desk.chat.send(address.to_json(), card("News"), key="k1", sending=Sending(proactive=True))


async def test_somebody_who_cannot_be_written_to_is_undeliverable() -> None:
    async with outgoing() as desk:
        gone = desk.workspace.add_user("gone", deleted=True)
        with pytest.raises(Undeliverable):
            await desk.chat.send(at_home(desk, gone), card("Hi"), key="k")


async def test_news_never_wait_and_answers_go_first() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general).to_json()
        for number in range(3):
            await desk.chat.send(address, card(str(number)), key=str(number))
        started = desk.clock.monotonic()
        with pytest.raises(Unavailable) as later:
            await desk.chat.send(address, card("News"), key="news", sending=Sending(proactive=True))
        assert desk.clock.monotonic() - started < 2
        await desk.chat.send(address, card("Answer"), key="answer")
        await desk.clock.sleep(later.value.retry_after_s + 5)
        await desk.chat.send(address, card("News"), key="news", sending=Sending(proactive=True))

        assert [words(message) for message in desk.seen(desk.general)] == ["0", "1", "2", "Answer", "News"]


async def test_a_card_that_slack_does_not_take_is_sent_as_plain_text(caplog: pytest.LogCaptureFixture) -> None:
    async with outgoing() as desk:
        rows = tuple((f"Label {number}", "value") for number in range(3))
        broken = Card(blocks=(Facts(rows),), fallback="The plain text")
        method = desk.server.api.methods["chat.postMessage"]

        def picky(workspace: SlackWorkspace, arguments: Json) -> Json:
            if arguments.get("blocks"):
                raise Refused("invalid_blocks")
            return method.run(workspace, arguments)

        desk.server.api.methods["chat.postMessage"] = replace(method, run=picky)
        posted = desk.message(await desk.chat.send(desk.ask(desk.general).to_json(), broken, key="k1"))

        assert (posted.blocks, posted.text) == ([], "The plain text")
    assert "plain text is sent" in caplog.text


async def test_in_a_channel_a_whisper_is_for_one_pair_of_eyes() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        for _ in range(2):
            await desk.chat.whisper(address.to_json(), card("For Ada"), key="k1")

        (whispered,) = desk.seen(desk.general, desk.ada)
        assert (words(whispered), whispered.ephemeral_to) == ("For Ada", desk.ada.id)
        assert whispered.thread_ts is None, "Slack shows none in a thread that nobody has replied in"
        assert desk.seen(desk.general, desk.ben) == []


async def test_below_a_reply_a_whisper_stands_in_the_thread() -> None:
    async with outgoing() as desk:
        root = desk.ask(desk.general)
        reply = desk.at(desk.general, thread_ts=root.thread_ts, message_ts=desk.workspace.new_ts())
        await desk.chat.whisper(reply.to_json(), card("For Ada"), key="k1")

        (whispered,) = desk.seen(desk.general, desk.ada)
        assert (whispered.thread_ts, whispered.ephemeral_to) == (root.thread_ts, desk.ada.id)


async def test_where_nobody_can_be_whispered_to_it_goes_to_their_direct_messages() -> None:
    async with outgoing() as desk:
        address = desk.ask(desk.general)
        desk.general.members.remove(desk.ada.id)
        await desk.chat.whisper(address.to_json(), card("For Ada"), key="k1")

        assert [words(message) for message in desk.seen(desk.workspace.im(desk.ada))] == ["For Ada"]


async def test_in_a_direct_message_a_whisper_is_a_message_and_comes_once() -> None:
    async with outgoing() as desk:
        im = desk.workspace.im(desk.ada)
        address = desk.ask(im).to_json()
        desk.workspace.faults.lose_answer("chat.postMessage")
        with pytest.raises(Unavailable):
            await desk.chat.whisper(address, card("For Ada"), key="k1")
        await desk.restarted().whisper(address, card("For Ada"), key="k1")

        assert [(words(message), message.ephemeral_to) for message in desk.seen(im)] == [("For Ada", None)]


def decision() -> Card:
    press = Button("Confirm", "draft.confirm", "d1", nonce="n1")
    return Card(blocks=(Text("A draft"), Buttons((press,))), fallback="A draft")


async def test_a_command_in_a_channel_is_answered_for_one_person_alone() -> None:
    async with outgoing() as desk:
        await desk.chat.send(desk.at(desk.general, kind="command").to_json(), card("Your tickets"), key="k1")

        (answer,) = desk.seen(desk.general)
        assert (words(answer), answer.ephemeral_to) == ("Your tickets", desk.ada.id)


async def test_a_decision_after_a_command_waits_in_the_direct_messages_and_the_channel_points_there() -> None:
    async with outgoing() as desk:
        address = desk.at(desk.general, kind="command").to_json()
        reference = await desk.chat.send(address, decision(), key="k1")
        await desk.chat.update(address, reference, card("Filed"))

        im = desk.workspace.im(desk.ada)
        assert [words(message) for message in desk.seen(im)] == ["Filed"]
        (pointer,) = desk.seen(desk.general)
        assert (pointer.text, pointer.ephemeral_to) == ("See your direct messages.", desk.ada.id)


@pytest.mark.parametrize("what", ["words", "decision"])
async def test_a_command_where_the_desk_is_no_member_is_answered_in_the_direct_messages(what: str) -> None:
    async with outgoing() as desk:
        desk.general.members.remove(desk.workspace.bot.id)
        address = desk.at(desk.general, kind="command").to_json()
        await desk.chat.send(address, decision() if what == "decision" else card("Words"), key="k1")

        assert len(desk.seen(desk.workspace.im(desk.ada))) == 1


@pytest.mark.parametrize("proactive", [False, True])
async def test_a_command_in_direct_messages_of_others_is_answered_in_ones_own(proactive: bool) -> None:
    async with outgoing() as desk:
        theirs = SlackAddress(user=desk.ada.id, team=desk.workspace.team.id, channel="D0THEIRS", kind="command")
        await desk.chat.send(theirs.to_json(), card("Words"), key="k1", sending=Sending(proactive=proactive))

        assert [words(message) for message in desk.seen(desk.workspace.im(desk.ada))] == ["Words"]


async def test_a_command_in_the_direct_messages_is_answered_there_even_with_a_decision() -> None:
    async with outgoing() as desk:
        im = desk.workspace.im(desk.ada)
        await desk.chat.send(desk.at(im, kind="command").to_json(), decision(), key="k1")

        assert [message.ephemeral_to for message in desk.seen(im)] == [None]


@pytest.mark.parametrize("trouble", ["storm", "down", "revoked"])
async def test_through_a_minute_of_trouble_every_card_comes_once_and_threads_keep_their_order(trouble: str) -> None:
    async with outgoing() as desk:
        addresses = [desk.ask(desk.general) for _ in range(3)]
        match trouble:
            case "storm":
                desk.workspace.faults.storm(60)
            case "down":
                desk.workspace.faults.down(60)
            case _:
                desk.workspace.revoke()

        async def thread(number: int) -> None:
            for text in ("first", "second"):
                attempt = 0
                while True:
                    attempt += 1
                    try:
                        sending = Sending(again=attempt > 1)
                        await desk.chat.send(
                            addresses[number].to_json(), card(text), key=f"{number}.{text}", sending=sending
                        )
                        break
                    except Unavailable as later:
                        await desk.clock.sleep(later.retry_after_s)

        async def restore() -> None:
            await desk.clock.sleep(60)
            desk.workspace.restore()

        await asyncio.wait_for(asyncio.gather(restore(), *(thread(number) for number in range(3))), 30)

        for address in addresses:
            replies = [each for each in desk.seen(desk.general) if each.thread_ts == address.thread_ts]
            assert [words(message) for message in replies] == ["first", "second"]
        assert not desk.calls.health.episodes
