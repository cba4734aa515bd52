"""Messages that grow: in chats, in order, once a second, by adding, within two minutes, until somebody presses Stop."""

import httpx
import pytest

from tests.fakes.teams.operations import Asked
from tests.fakes.teams.records import Json, Message
from tests.fakes.teams.streams import LIFE_S, is_open
from tests.fakes.teams_api.conftest import House, attachment, block, refused

BRIEF = (403, "ContentStreamNotAllowed")


async def begun(house: House, text: str = "A brown", kind: str = "streaming") -> Message:
    """Begin a stream and return its message, a second later."""
    answer = await house.stream(text, 1, streamType=kind)
    assert answer.status_code == 201, answer.text
    house.clock.advance(1)
    return house.organisation.messages[house.chat.id][answer.json()["id"]]


def words(answer: httpx.Response) -> str:
    return str(answer.json()["error"]["message"])


async def test_a_stream_goes_from_status_to_text_to_a_message(house: House) -> None:
    said = await begun(house, "Searching", "informative")
    second = await house.stream("A brown", 2, streamId=said.id, streamType="streaming")
    house.clock.advance(1)
    third = await house.stream("A brown fox", 3, streamId=said.id)
    card = attachment(block("sources"))
    loop: Json = {"feedbackLoop": {"type": "default"}}
    info = {"type": "streaminfo", "streamId": said.id, "streamType": "final"}
    final = await house.send(text="A brown fox.", entities=[info], attachments=[card], channelData=loop)

    assert [each.status_code for each in (second, third, final)] == [202] * 3
    assert (final.json(), said.text, said.attachments, said.channel_data) == ({}, "A brown fox.", [card], loop)
    assert said.stream is not None
    assert [(each.kind, each.text) for each in said.stream.pieces] == [
        ("informative", "Searching"), ("streaming", "A brown"), ("streaming", "A brown fox")
    ]  # fmt: skip
    assert [each.sequence for each in said.stream.pieces] == [1, 2, 3]
    update = await house.call("PUT", f"/{house.chat.id}/activities/{said.id}", {"type": "message", "text": "new"})
    assert update.status_code == 200


async def test_only_chats_stream(house: House) -> None:
    info = {"type": "streaminfo", "streamSequence": 1}
    group = house.organisation.add_group_chat((house.ann, house.ben))

    for place in (house.help.id, group.id):
        assert refused(await house.send(place, type="typing", text="a", entities=[info])) == BRIEF


async def test_a_chat_streams_one_message_at_a_time(house: House) -> None:
    said = await begun(house)
    assert refused(await house.stream("Another", 1)) == BRIEF

    await house.stream("A brown fox", None, streamId=said.id, streamType="final")
    await begun(house)


async def test_a_piece_has_to_say_everything_so_far(house: House) -> None:
    said = await begun(house)
    for number, text in ((2, "A red"), (None, "A red fox")):
        kind = "final" if number is None else "streaming"
        answer = await house.stream(text, number, streamId=said.id, streamType=kind)
        assert refused(answer) == BRIEF
        assert words(answer) == "Request streamed content should contain the previously streamed content"

    assert is_open(house.organisation, said)


async def test_no_more_than_one_piece_a_second(house: House) -> None:
    said = await begun(house)
    house.clock.advance(-0.1)
    answer = await house.stream("A brown fox", 2, streamId=said.id)

    assert (answer.status_code, words(answer)) == (429, "API calls quota exceeded")
    assert house.organisation.rates.refused == 1
    house.clock.advance(0.1)
    assert (await house.stream("A brown fox", 2, streamId=said.id)).status_code == 202


async def test_a_piece_that_comes_too_late_is_dropped(house: House) -> None:
    said = await begun(house)
    await house.stream("A brown fox jumps", 3, streamId=said.id)
    house.clock.advance(1)
    answer = await house.stream("A brown fox", 2, streamId=said.id)

    assert refused(answer) == (202, "ContentStreamSequenceOrderPreConditionFailed")
    assert said.stream is not None
    assert said.stream.text == "A brown fox jumps"
    assert house.organisation.calls[-1].code == "ContentStreamSequenceOrderPreConditionFailed"


async def test_a_piece_that_does_not_wait_for_an_answer_is_dropped(house: House) -> None:
    said, connector = await begun(house), house.server.connector
    token = house.headers["Authorization"].removeprefix("Bearer ")

    def piece(number: int) -> Asked:
        info = {"type": "streaminfo", "streamId": said.id, "streamSequence": number}
        text = " ".join(["A brown", *["fox"] * number])
        return Asked({"type": "typing", "text": text, "entities": [info]}, conversation=house.chat.id)

    first = piece(2)
    codes = [connector.answer("SendToConversation", first, token).code]
    house.clock.advance(1)
    codes.append(connector.answer("SendToConversation", piece(3), token).code)
    connector.answered(first)
    codes.append(connector.answer("SendToConversation", piece(4), token).code)

    assert codes == ["", "ContentStreamSequenceOrderPreConditionFailed", ""]


async def test_after_two_minutes_it_is_over(house: House) -> None:
    said = await begun(house)
    house.clock.advance(LIFE_S - 1)
    for number, kind in ((2, "streaming"), (None, "final")):
        answer = await house.stream("A brown fox", number, streamId=said.id, streamType=kind)
        assert refused(answer) == BRIEF
        assert words(answer) == "Content stream finished due to exceeded streaming time."

    assert said.stream is not None
    assert said.stream.ending == "expired"
    update = await house.call("PUT", f"/{house.chat.id}/activities/{said.id}", {"type": "message", "text": "new"})
    assert refused(update) == BRIEF


async def test_after_its_end_it_takes_nothing(house: House) -> None:
    said = await begun(house)
    await house.stream("A brown fox", None, streamId=said.id, streamType="final")
    answer = await house.stream("A brown fox jumps", 2, streamId=said.id)

    assert refused(answer) == BRIEF
    assert words(answer) == "Content stream is not allowed on an already completed streamed message"


async def test_a_message_that_grows_is_not_changed_from_outside(house: House) -> None:
    said = await begun(house)
    path = f"/{house.chat.id}/activities/{said.id}"

    assert refused(await house.call("PUT", path, {"type": "message", "text": "new"})) == BRIEF
    assert (await house.call("DELETE", path)).status_code == 200
    assert not said.deleted, "Teams says that it is gone and goes on showing it"


@pytest.mark.parametrize(
    ("activity", "info"),
    [
        ({"text": ""}, {"streamSequence": 1}),
        ({"type": "message"}, {"streamSequence": 1}),
        ({}, {"streamSequence": 2}),
        ({}, {"streamSequence": 0}),
        ({}, {}),
        ({}, {"streamSequence": 1, "streamType": "partial"}),
        ({}, {"streamSequence": 2, "streamId": "17"}),
        ({"text": "x" * 1001}, {"streamSequence": 1, "streamType": "informative"}),
        ({"attachments": [attachment(block("a"))]}, {"streamSequence": 1}),
        ({"channelData": {"feedbackLoop": {"type": "default"}}}, {"streamSequence": 1}),
        ({"type": "message"}, {"streamType": "final"}),
    ],
)
async def test_what_is_no_piece_of_a_stream_is_refused(house: House, activity: Json, info: Json) -> None:
    known: Json = {"type": "typing", "text": "A brown", "entities": [{"type": "streaminfo"} | info]}

    assert refused(await house.send(**(known | activity))) == (400, "BadArgument")


async def test_a_final_message_has_no_number_and_no_end_without_words(house: House) -> None:
    said = await begun(house)
    end: Json = {"type": "streaminfo", "streamId": said.id, "streamType": "final"}

    for text, info in (("A brown fox", end | {"streamSequence": 2}), ("", end)):
        assert refused(await house.send(text=text, entities=[info])) == (400, "BadArgument")
    assert is_open(house.organisation, said)


async def test_a_stream_that_is_too_large_is_refused_in_its_own_way(house: House) -> None:
    said = await begun(house)
    answer = await house.stream("A brown" + "x" * 60_000, 2, streamId=said.id)

    assert refused(answer) == BRIEF
    assert words(answer) == "Message size too large"
