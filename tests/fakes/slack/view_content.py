"""What a modal or a home may hold."""

import copy
from collections.abc import Iterator

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.views import View as SdkView
from slackblocks import _limits as limits

from tests.fakes.grammar import Rule, boolean, items, shape, string
from tests.fakes.slack.block_rules import rules_for
from tests.fakes.slack.blocks import list_problems, sdk_problems
from tests.fakes.slack.errors import invalid
from tests.fakes.slack.records import Json
from tests.fakes.slack.text_objects import plain

_ANY_VIEW: dict[str, Rule] = {
    "callback_id": string(limits.VIEW_CALLBACK_ID_MAX_LENGTH),
    "external_id": string(limits.VIEW_EXTERNAL_ID_MAX_LENGTH),
    "private_metadata": string(limits.VIEW_PRIVATE_METADATA_MAX_LENGTH),
}
_RULES: dict[str, Rule] = {
    "modal": shape(
        {
            "title": plain(limits.VIEW_TITLE_MAX_LENGTH),
            "blocks": items(rules_for("modal"), limits.VIEW_BLOCKS_MAX_ITEMS),
        },
        {
            **_ANY_VIEW,
            "submit": plain(limits.VIEW_SUBMIT_MAX_LENGTH),
            "close": plain(limits.VIEW_CLOSE_MAX_LENGTH),
            "clear_on_close": boolean,
            "notify_on_close": boolean,
            "submit_disabled": boolean,
        },
    ),
    "home": shape({"blocks": items(rules_for("home"), limits.VIEW_BLOCKS_MAX_ITEMS)}, _ANY_VIEW),
}


def check_view(content: Json) -> None:
    """Refuse a view that Slack would not show; its `type` is known to be right."""
    problems = list(_RULES[content["type"]](content, "/view"))
    problems = problems or [*list_problems(content["blocks"], "/view/blocks"), *_sdk_problems(content)]
    if any(block.get("type") == "input" for block in content.get("blocks", [])) and _lacks_submit(content):
        problems.append("submit is required when an input block is within the blocks array [json-pointer:/view]")
    if problems:
        raise invalid("invalid_arguments", *problems)


def _lacks_submit(content: Json) -> bool:
    return content["type"] == "modal" and "submit" not in content


def _sdk_problems(content: Json) -> Iterator[str]:
    yield from sdk_problems(content["blocks"], "/view/blocks")
    try:
        SdkView(**copy.deepcopy(content | {"blocks": [{"type": "divider"}]})).to_dict()
    except (SlackObjectFormationError, TypeError, ValueError, AttributeError, KeyError) as error:
        yield f"{error} [json-pointer:/view]"
