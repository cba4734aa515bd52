"""Blocks that Slack takes and blocks that it does not, with the words in which it says so."""

from collections.abc import Iterator

import pytest
from slack_sdk.models import blocks as sdk

from tests.fakes.slack.records import Json
from tests.fakes.slack_api.conftest import House, error, refusal

OPTION = sdk.Option(text="Low", value="low")


def text(words: str, kind: str = "plain_text") -> Json:
    return {"type": kind, "text": words}


def button(**fields: object) -> Json:
    return {"type": "button", "text": text("Go"), "action_id": "go"} | fields


def actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


def menu(**fields: object) -> Json:
    options = [{"text": text(f"{number}"), "value": f"{number}"} for number in range(3)]
    return {"type": "static_select", "action_id": "pick", "options": options} | fields


def typed_by_slack_sdk() -> Iterator[sdk.Block]:
    yes, no = (sdk.FeedbackButtonObject(text=word, value=word) for word in ("Good", "Bad"))
    sure = sdk.ConfirmObject(title="Sure?", text="Really?")
    yield sdk.SectionBlock(text="*hello*", fields=["a", "b"], accessory=sdk.ButtonElement(text="Go", action_id="go"))
    yield sdk.SectionBlock(text="pick", accessory=sdk.OverflowMenuElement(action_id="more", options=[OPTION, OPTION]))
    yield sdk.HeaderBlock(text="Head")
    yield sdk.DividerBlock()
    yield sdk.ContextBlock(elements=[sdk.MarkdownTextObject(text="small"), sdk.PlainTextObject(text="print")])
    yield sdk.ActionsBlock(elements=[sdk.ButtonElement(text="Go", action_id="go", style="danger", confirm=sure)])
    yield sdk.ActionsBlock(elements=[sdk.LinkButtonElement(text="See", url="https://a.example", action_id="see")])
    yield sdk.ContextActionsBlock(
        elements=[sdk.FeedbackButtonsElement(action_id="f", positive_button=yes, negative_button=no)]
    )
    yield sdk.MarkdownBlock(text="# Head\n\n| a | b |\n| - | - |\n| 1 | 2 |")
    yield sdk.ImageBlock(image_url="https://a.example/a.png", alt_text="a")
    yield sdk.InputBlock(label="What", element=sdk.PlainTextInputElement(action_id="value", multiline=True))
    yield sdk.InputBlock(label="How", element=sdk.StaticSelectElement(options=[OPTION], initial_option=OPTION))
    yield sdk.InputBlock(label="Who", element=sdk.UserSelectElement(action_id="value"), optional=True)
    yield sdk.InputBlock(label="When", element=sdk.DatePickerElement(action_id="value"))
    yield sdk.RichTextBlock(elements=[sdk.RichTextSectionElement(elements=[{"type": "text", "text": "a"}])])
    yield sdk.TableBlock(rows=[[{"type": "raw_text", "text": "a"}], [{"type": "raw_text", "text": "b"}]])


@pytest.mark.parametrize("block", list(typed_by_slack_sdk()), ids=lambda block: str(block.type))
async def test_what_the_typed_models_write_is_taken(house: House, block: sdk.Block) -> None:
    answer = await house.client.chat_postMessage(channel=house.help.id, text="a", blocks=[block])

    assert answer["message"]["blocks"][0]["block_id"]


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({"type": "section"}, "missing required field: text or fields [json-pointer:/blocks/0]"),
        ({"type": "section", "text": text("")}, "must be more than 0 characters [json-pointer:/blocks/0/text/text]"),
        ({"type": "section", "text": text("x" * 3001)}, "must be less than 3001 characters"),
        ({"type": "section", "text": text("a"), "colour": "red"}, "no such field: colour"),
        ({"type": "section", "text": {"text": "a"}}, "missing required field: type"),
        ({"type": "section", "text": "a"}, "must be an object"),
        ({"type": "section", "fields": [text("a")] * 11}, "no more than 10 items allowed"),
        ({"type": "section", "fields": [text("x" * 2001)]}, "must be less than 2001 characters"),
        ({"type": "header", "text": text("x" * 151)}, "must be less than 151 characters"),
        ({"type": "header", "text": text("a", "mrkdwn")}, "must be one of plain_text"),
        ({"type": "context", "elements": [text("a")] * 11}, "no more than 10 items allowed"),
        ({"type": "context", "elements": []}, "no less than 1 items required"),
        ({"type": "divider", "block_id": "x" * 256}, "must be less than 256 characters"),
        ({"type": "markdown", "text": "x" * 12_001}, "must be less than 12001 characters"),
        ({"type": "table", "rows": [[{"type": "raw_text", "text": "a"}]] * 101}, "no more than 100 items allowed"),
        ({"type": "table", "rows": [[{"type": "raw_text", "text": "a"}] * 21]}, "no more than 20 items allowed"),
        ({"type": "video"}, "alt_text attribute must be specified [json-pointer:/blocks/0]"),
        ({"type": "paragraph"}, "unsupported type: paragraph [json-pointer:/blocks/0/type]"),
        (actions(*(button(action_id=f"{number}") for number in range(26))), "no more than 25 items allowed"),
        (actions(button(), button()), 'action_id "go" already exists [json-pointer:/blocks/0]'),
        (actions(button(text=text("x" * 76))), "must be less than 76 characters"),
        (actions(button(text=text("a", "mrkdwn"))), "must be one of plain_text"),
        (actions(button(value="x" * 2001)), "must be less than 2001 characters"),
        (actions(button(url="x" * 3001)), "must be less than 3001 characters"),
        (actions(button(style="default")), "must be one of primary, danger"),
        (actions(button(action_id="x" * 256)), "must be less than 256 characters"),
        (actions(button(confirm={"title": text("a"), "text": text("b")})), "missing required field: confirm"),
        (actions({"type": "plain_text_input", "action_id": "a"}), "unsupported type: plain_text_input"),
        (actions(menu(options=[])), "no less than 1 items required"),
        (actions(menu(options=[{"text": text("a"), "value": "x" * 151}])), "must be less than 151 characters"),
        (actions(menu(initial_option={"text": text("9"), "value": "9"})), "must match one of the options"),
        (actions(menu(placeholder=text("x" * 151))), "must be less than 151 characters"),
        (actions({"type": "static_select", "action_id": "a"}), "missing required field: options or option_groups"),
        ({"type": "input", "label": text("a"), "element": button()}, "unsupported type: button"),
        ({"type": "input", "label": text("x" * 2001), "element": menu()}, "must be less than 2001 characters"),
        ({"type": "context_actions", "elements": [button()]}, "unsupported type: button"),
    ],
)
async def test_what_slack_would_not_draw_is_refused(house: House, block: Json, words: str) -> None:
    answer = await refusal(house.client.chat_postMessage(channel=house.help.id, text="a", blocks=[block]))

    assert answer["error"] == "invalid_blocks"
    assert any(words in message for message in answer["response_metadata"]["messages"]), answer


async def test_the_whole_of_the_blocks_has_limits(house: House) -> None:
    async def code(*blocks: Json) -> str:
        return await error(house.client.chat_postMessage(channel=house.help.id, text="a", blocks=blocks))

    assert await code(*[{"type": "divider"}] * 51) == "invalid_blocks"
    assert await code(*[{"type": "divider", "block_id": "same"}] * 2) == "invalid_blocks"
    assert await code(*[{"type": "markdown", "text": "x" * 6_001}] * 2) == "invalid_blocks"
    assert await code(*[{"type": "section", "text": text("x" * 2_700)}] * 5) == "msg_blocks_too_long"


async def test_a_message_at_its_limits_is_taken(house: House) -> None:
    sections = [{"type": "section", "text": text("x" * 3_000)}] * 4
    rest: list[Json] = [{"type": "divider"}] * 46
    posted = await house.post(blocks=[*sections, *rest])

    assert len(posted.blocks) == 50
    assert len({block["block_id"] for block in posted.blocks}) == 50


async def test_ids_are_made_up_where_the_app_gave_none(house: House) -> None:
    posted = await house.post(blocks=[actions(button(), {"type": "button", "text": text("b")})])

    first, second = posted.blocks[0]["elements"]
    assert first["action_id"] == "go"
    assert second["action_id"]
