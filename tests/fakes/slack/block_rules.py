"""Each kind of block and its limits (the numbers of slackblocks), and where it may stand."""

from slackblocks import _limits as limits
from slackblocks._surfaces import _BLOCK_TYPES_BY_SURFACE as SURFACES

from tests.fakes.grammar import Rule, any_field, anything, boolean, by_type, items, shape, string, together
from tests.fakes.slack.element_rules import ACCESSORY, ACTION, CONTEXT, CONTEXT_ACTION, INPUT
from tests.fakes.slack.text_objects import plain, text

LABEL = string(limits.DATA_VISUALIZATION_CATEGORY_LABEL_MAX_LENGTH, least=1)
AXIS_LABEL = string(limits.DATA_VISUALIZATION_AXIS_LABEL_MAX_LENGTH)
SERIES = shape(
    {
        "name": string(limits.DATA_VISUALIZATION_SERIES_NAME_MAX_LENGTH, least=1),
        "data": items(shape({"label": LABEL, "value": anything}), limits.DATA_VISUALIZATION_DATA_MAX_ITEMS),
    }
)
AXIS_CHART = shape(
    {
        "series": items(SERIES, limits.DATA_VISUALIZATION_SERIES_MAX_ITEMS),
        "axis_config": shape(
            {"categories": items(LABEL, limits.DATA_VISUALIZATION_CATEGORIES_MAX_ITEMS)},
            {"x_label": AXIS_LABEL, "y_label": AXIS_LABEL},
        ),
    }
)
SEGMENTS = items(shape({"label": LABEL, "value": anything}), limits.DATA_VISUALIZATION_SEGMENTS_MAX_ITEMS)
CHART = by_type({"bar": AXIS_CHART, "line": AXIS_CHART, "area": AXIS_CHART, "pie": shape({"segments": SEGMENTS})})
BLOCK_ID: dict[str, Rule] = {"block_id": string(limits.BLOCK_ID_MAX_LENGTH)}
CELL = by_type(
    {
        "raw_text": shape({"text": string(limits.TEXT_MAX_LENGTH)}),
        "raw_number": anything,
        "rich_text": shape({"elements": items(anything, 1000)}, BLOCK_ID),
    }
)
RULES: dict[str, Rule] = {
    "actions": shape({"elements": items(ACTION, limits.ACTIONS_ELEMENTS_MAX_ITEMS)}, BLOCK_ID),
    "context": shape({"elements": items(CONTEXT, limits.CONTEXT_ELEMENTS_MAX_ITEMS)}, BLOCK_ID),
    "context_actions": shape({"elements": items(CONTEXT_ACTION, limits.CONTEXT_ACTIONS_ELEMENTS_MAX_ITEMS)}, BLOCK_ID),
    "data_visualization": shape(
        {"title": string(limits.DATA_VISUALIZATION_TITLE_MAX_LENGTH, least=1), "chart": CHART}, BLOCK_ID
    ),
    "divider": shape({}, BLOCK_ID),
    "header": shape({"text": plain(limits.HEADER_TEXT_MAX_LENGTH)}, BLOCK_ID),
    "image": together(
        shape(
            {"alt_text": string(limits.IMAGE_ALT_TEXT_MAX_LENGTH, least=1)},
            {
                **BLOCK_ID,
                "image_url": string(limits.IMAGE_IMAGE_URL_MAX_LENGTH),
                "slack_file": anything,
                "title": plain(limits.IMAGE_TITLE_MAX_LENGTH),
            },
        ),
        any_field("image_url", "slack_file"),
    ),
    "input": shape(
        {"label": plain(limits.INPUT_LABEL_MAX_LENGTH), "element": INPUT},
        {**BLOCK_ID, "dispatch_action": boolean, "optional": boolean, "hint": plain(limits.INPUT_HINT_MAX_LENGTH)},
    ),
    "markdown": shape({"text": string(limits.MARKDOWN_TEXT_MAX_LENGTH, least=1)}, BLOCK_ID),
    "rich_text": shape({"elements": items(anything, 1000, least=0)}, BLOCK_ID),
    "section": together(
        shape(
            {},
            {
                **BLOCK_ID,
                "text": text(limits.SECTION_TEXT_MAX_LENGTH),
                "fields": items(text(limits.SECTION_FIELDS_ITEM_MAX_LENGTH), limits.SECTION_FIELDS_MAX_ITEMS),
                "accessory": ACCESSORY,
                "expand": boolean,
            },
        ),
        any_field("text", "fields"),
    ),
    "table": shape(
        {"rows": items(items(CELL, limits.TABLE_COLUMNS_MAX_ITEMS), limits.TABLE_ROWS_MAX_ITEMS)},
        {**BLOCK_ID, "column_settings": items(anything, limits.TABLE_COLUMN_SETTINGS_MAX_ITEMS)},
    ),
}


def rules_for(surface: str) -> Rule:
    """Return the rule for one block on a surface: `message`, `modal` or `home`.

    A kind without a rule of its own here is left to the validators of slack_sdk.
    """
    allowed = next(types for name, types in SURFACES.items() if name == surface)
    return by_type({kind: RULES.get(kind, anything) for kind in allowed})
