"""What a list of blocks must keep to, by our own rules and by the validators of slack_sdk."""

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slackblocks import _limits as limits

from tests.fakes.grammar import items
from tests.fakes.slack.block_rules import rules_for
from tests.fakes.slack.errors import Refused, invalid
from tests.fakes.slack.records import Json
from tests.fakes.slack.workspace import SlackWorkspace

#: Not documented; observed at about this many characters over all blocks.
MESSAGE_CHARACTERS_MAX = 13_200
_MESSAGE = items(rules_for("message"), limits.MESSAGE_BLOCKS_MAX_ITEMS, least=0)


def check_message_blocks(blocks: Any) -> None:
    """Refuse blocks that a message cannot hold."""
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise Refused("invalid_blocks_format")
    problems = [*_MESSAGE(blocks, "/blocks"), *list_problems(blocks, "/blocks")]
    if sum(len(block["text"]) for block in blocks if _is_markdown(block)) > limits.MARKDOWN_TOTAL_TEXT_MAX_LENGTH:
        problems.append(f"must be less than {limits.MARKDOWN_TOTAL_TEXT_MAX_LENGTH + 1} characters over all markdown")
    kinds = Counter(block.get("type") for block in blocks)
    if kinds["table"] > 1:
        raise Refused("only_one_table_allowed")
    if kinds["data_visualization"] > limits.MESSAGE_DATA_VISUALIZATIONS_MAX_ITEMS:
        problems.append(f"no more than {limits.MESSAGE_DATA_VISUALIZATIONS_MAX_ITEMS} charts in a message")
    problems = problems or list(sdk_problems(blocks, "/blocks"))
    if problems:
        raise invalid("invalid_blocks", *problems)
    if sum(map(len, texts_of(blocks))) > MESSAGE_CHARACTERS_MAX:
        raise Refused("msg_blocks_too_long")


def list_problems(blocks: list[Json], where: str) -> Iterator[str]:
    """Yield names that two blocks share, or two elements of one block."""
    names = Counter(block["block_id"] for block in blocks if block.get("block_id"))
    for name in (name for name, count in names.items() if count > 1):
        yield f'block_id "{name}" already exists [json-pointer:{where}]'
    for number, block in enumerate(blocks):
        actions = Counter(element["action_id"] for element in elements_of(block) if "action_id" in element)
        for name in (name for name, count in actions.items() if count > 1):
            yield f'action_id "{name}" already exists [json-pointer:{where}/{number}]'


def sdk_problems(blocks: list[Json], where: str) -> Iterator[str]:
    """Yield what the typed models of slack_sdk do not take."""
    for number, block in enumerate(blocks):
        try:
            parsed = Block.parse(copy.deepcopy(block))
            if parsed is not None:
                parsed.to_dict()
        except (SlackObjectFormationError, TypeError, ValueError, AttributeError, KeyError) as error:
            yield f"{error} [json-pointer:{where}/{number}]"


def elements_of(block: Json) -> list[Json]:
    """Return the things in a block that a person can press or fill in."""
    found = [*(block.get("elements") or []), block.get("accessory"), block.get("element")]
    return [each for each in found if isinstance(each, dict)]


def named(workspace: SlackWorkspace, blocks: list[Json]) -> list[Json]:
    """Return the blocks with the ids that Slack makes up where the app gave none."""
    made = copy.deepcopy(blocks)
    for block in made:
        block["block_id"] = block.get("block_id") or workspace.new_id("b")
        for element in elements_of(block):
            if element.get("type") not in {"image", "mrkdwn", "plain_text"} and block["type"] != "rich_text":
                element["action_id"] = element.get("action_id") or workspace.new_id("a")
    return made


def texts_of(part: Any) -> Iterator[str]:
    """Yield every text that a reader sees in blocks or in a part of them."""
    if isinstance(part, list):
        for each in part:
            yield from texts_of(each)
    elif isinstance(part, dict):
        text = part.get("text")
        if isinstance(text, str):
            yield text
        for key, each in part.items():
            if isinstance(each, dict | list) and key != "confirm":
                yield from texts_of(each)


def has_rich_text(blocks: list[Json]) -> bool:
    """Return whether a rich-text block is among them."""
    return any(block.get("type") == "rich_text" for block in blocks)


def _is_markdown(block: Json) -> bool:
    return block.get("type") == "markdown" and isinstance(block.get("text"), str)
