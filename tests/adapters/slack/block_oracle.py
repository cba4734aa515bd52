"""What slack_sdk and slackblocks say of our blocks: two descriptions of Slack's limits that are not ours."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import slackblocks as oracle
from slack_sdk.models.blocks import Block
from slack_sdk.models.views import View
from slackblocks.elements import FeedbackButton, FeedbackButtons

from adapters.slack.drawing.blocks import SlackDrawn
from adapters.slack.drawing.packing import weight

Json = dict[str, Any]


def accept_message(drawn: SlackDrawn) -> list[Json]:
    """Fail when Slack would refuse the message; return its blocks as JSON."""
    payload = drawn.payload()
    blocks: list[Json] = payload["blocks"]
    oracle.Message(channel="C1", text=payload["text"], blocks=[_accepted(block) for block in blocks])
    assert 1 <= len(blocks) <= 50
    assert sum(map(weight, drawn.blocks)) <= 10_000
    assert 1 <= len(payload["text"].encode("utf-16-le")) // 2 <= 4_000
    assert not set("<>") & set(payload["text"])
    kinds = Counter(block["type"] for block in blocks)
    assert kinds["table"] <= 1
    assert kinds["data_visualization"] <= 2
    _check_shared(blocks)
    return blocks


def accept_view(view: View) -> Json:
    """Fail when Slack would refuse the view; return it as JSON."""
    shown: Json = view.to_dict()  # validates
    blocks = [_accepted(block) for block in shown["blocks"]]
    frame: dict[str, Any] = {key: shown.get(key) for key in ("private_metadata", "callback_id")}
    if shown["type"] == "home":
        oracle.HomeTabView(blocks=blocks, **frame)
    else:
        named: dict[str, Any] = {key: shown[key]["text"] for key in ("title", "close", "submit") if key in shown}
        oracle.ModalView(blocks=blocks, **named, **frame)
    assert len(json.dumps(shown)) <= 250_000
    _check_shared(shown["blocks"])
    return shown


def _check_shared(blocks: list[Json]) -> None:
    """Fail when an id is used twice, or a text is empty."""
    for block in blocks:
        if block["type"] != "data_visualization":  # which slack_sdk does not know yet
            Block.parse(block).validate_json()  # type: ignore[union-attr]  # every other type of ours is known to it
    ids = [each["action_id"] for each in elements_of(blocks)]
    assert not [each for each, times in Counter(ids).items() if times > 1 and each != "value"]
    named = [block["block_id"] for block in blocks if "block_id" in block]
    assert len(set(named)) == len(named)
    assert all(text["text"].strip() for block in blocks for text in _texts(block))


def elements_of(blocks: list[Json]) -> Iterator[Json]:
    """Yield everything that can be pressed or filled in."""
    for block in blocks:
        each = [*block.get("elements", []), *([block["element"]] if "element" in block else [])]
        yield from (element for element in each if "action_id" in element)


def _texts(part: Any) -> Iterator[Json]:
    if isinstance(part, list):
        for each in part:
            yield from _texts(each)
    elif isinstance(part, dict):
        if part.get("type") in ("plain_text", "mrkdwn"):
            yield part
        for each in part.values():
            yield from _texts(each)


def _accepted(block: Json) -> Any:
    """Return the block as slackblocks builds it, which raises where Slack would refuse."""
    kind, block_id = block["type"], block.get("block_id")
    if kind == "actions":
        return oracle.ActionsBlock([_button(each) for each in block["elements"]], block_id=block_id)
    if kind == "context_actions":
        return oracle.ContextActionsBlock([_thumbs(each) for each in block["elements"]], block_id=block_id)
    if kind == "input":
        hint = oracle.Text.from_dict(block["hint"]) if "hint" in block else None
        return oracle.InputBlock(
            oracle.Text.from_dict(block["label"]),
            element=_input(block["element"]),
            hint=hint,
            block_id=block_id,
            optional=block.get("optional", False),
        )
    if kind == "table":
        rows: list[list[oracle.RawText | oracle.RichTextObject]] = [
            [oracle.RawText(cell["text"]) for cell in row] for row in block["rows"]
        ]
        assert len({len(row) for row in rows}) == 1
        settings = [oracle.ColumnSettings(**each) for each in block["column_settings"]]
        return oracle.TableBlock(rows, settings)
    if kind == "data_visualization":
        return oracle.DataVisualizationBlock(block["title"], _chart(block["chart"]))
    return oracle.Block.from_dict(block)


def _chart(chart: Json) -> Any:
    if chart["type"] == "pie":
        return oracle.PieChart([oracle.ChartSegment(each["label"], each["value"]) for each in chart["segments"]])
    series = [
        oracle.DataSeries(each["name"], [oracle.DataPoint(point["label"], point["value"]) for point in each["data"]])
        for each in chart["series"]
    ]
    made = {"bar": oracle.BarChart, "line": oracle.LineChart}[chart["type"]]
    return made(series, oracle.AxisConfig(**chart["axis_config"]))


def _button(element: Json) -> Any:
    return oracle.Button(
        text=oracle.Text.from_dict(element["text"]),
        action_id=element["action_id"],
        url=element.get("url"),
        value=element.get("value"),
        style=element.get("style"),
    )


def _thumbs(element: Json) -> Any:
    up, down = (
        FeedbackButton(text=oracle.Text.from_dict(each["text"]), value=each["value"])
        for each in (element["positive_button"], element["negative_button"])
    )
    return FeedbackButtons(positive_button=up, negative_button=down, action_id=element["action_id"])


def _input(element: Json) -> Any:
    if element["type"] == "plain_text_input":
        return oracle.PlainTextInput(
            action_id=element["action_id"],
            initial_value=element.get("initial_value"),
            multiline=element.get("multiline", False),
            max_length=element["max_length"],
        )
    groups = [
        oracle.OptionGroup(oracle.Text.from_dict(group["label"]), [_option(each) for each in group["options"]])
        for group in element.get("option_groups", [])
    ]
    options = [_option(each) for each in element.get("options", [])]
    # With groups slackblocks wants a group here, where Slack wants one option of a group.
    first = _option(element["initial_option"]) if "initial_option" in element and not groups else None
    return oracle.StaticSelectMenu(
        action_id=element["action_id"], options=options or None, option_groups=groups or None, initial_option=first
    )


def _option(option: Json) -> Any:
    return oracle.Option(text=oracle.Text.from_dict(option["text"]), value=option["value"])
