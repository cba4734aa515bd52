"""What may stand inside a block: buttons, menus, inputs, and their limits (the numbers of slackblocks)."""

from collections.abc import Iterator
from typing import Any

from slackblocks import _limits as limits

from tests.fakes.grammar import Rule, any_field, anything, boolean, by_type, items, one_of, shape, string, together
from tests.fakes.slack.text_objects import plain, text

ACTION_ID = string(limits.ACTION_ID_MAX_LENGTH, least=1)
STYLE = one_of("primary", "danger")
NUMBER = string(20)

CONFIRM = shape(
    {
        "title": plain(limits.CONFIRMATION_TITLE_MAX_LENGTH),
        "text": text(limits.CONFIRMATION_TEXT_MAX_LENGTH),
        "confirm": plain(limits.CONFIRMATION_CONFIRM_MAX_LENGTH),
        "deny": plain(limits.CONFIRMATION_DENY_MAX_LENGTH),
    },
    {"style": STYLE},
)


def option(words: Rule) -> Rule:
    """Take one choice of a menu or a group of boxes."""
    return shape(
        {"text": words, "value": string(limits.OPTION_VALUE_MAX_LENGTH, least=1)},
        {"description": words, "url": string(limits.OPTION_URL_MAX_LENGTH)},
    )


PLAIN_OPTION = option(plain(limits.OPTION_TEXT_MAX_LENGTH))
BOX_OPTION = option(text(limits.OPTION_TEXT_MAX_LENGTH))
GROUP = shape(
    {
        "label": plain(limits.OPTION_GROUP_LABEL_MAX_LENGTH),
        "options": items(PLAIN_OPTION, limits.OPTION_GROUP_OPTIONS_MAX_ITEMS),
    }
)
FOCUS = {"action_id": ACTION_ID, "focus_on_load": boolean}
CHOOSER = {**FOCUS, "placeholder": plain(limits.SELECT_PLACEHOLDER_MAX_LENGTH), "confirm": CONFIRM}
SEVERAL = {**CHOOSER, "max_selected_items": anything}
TYPED = {**FOCUS, "initial_value": string(3000), "dispatch_action_config": anything}
TYPED |= {"placeholder": plain(limits.PLAIN_TEXT_INPUT_PLACEHOLDER_MAX_LENGTH)}
CHOICES = {
    "options": items(PLAIN_OPTION, limits.SELECT_OPTIONS_MAX_ITEMS),
    "option_groups": items(GROUP, limits.SELECT_OPTION_GROUPS_MAX_ITEMS),
}


def initial_among_options(value: Any, where: str) -> Iterator[str]:
    """Take only initial choices that are, letter by letter, among the choices."""
    groups = value.get("option_groups") or []
    known = [*(value.get("options") or []), *(each for group in groups for each in group.get("options", []))]
    chosen = [*(value.get("initial_options") or []), *([value["initial_option"]] if "initial_option" in value else [])]
    if any(each not in known for each in chosen):
        yield f"must match one of the options [json-pointer:{where}/initial_option]"


def _menu(*, several: bool) -> Rule:
    initial = {"initial_options": items(PLAIN_OPTION, 100)} if several else {"initial_option": PLAIN_OPTION}
    inner = shape({}, {**(SEVERAL if several else CHOOSER), **CHOICES, **initial})
    return together(inner, any_field("options", "option_groups"), initial_among_options)


def _boxes(most: int, **initial: Rule) -> Rule:
    inner = shape({"options": items(BOX_OPTION, most)}, {**FOCUS, "confirm": CONFIRM, **initial})
    return together(inner, initial_among_options)


FEEDBACK_BUTTON = shape(
    {
        "text": plain(limits.FEEDBACK_BUTTON_TEXT_MAX_LENGTH),
        "value": string(limits.FEEDBACK_BUTTON_VALUE_MAX_LENGTH, least=1),
    },
    {"accessibility_label": string(limits.FEEDBACK_BUTTON_ACCESSIBILITY_LABEL_MAX_LENGTH)},
)
BUTTON = shape(
    {"text": plain(limits.BUTTON_TEXT_MAX_LENGTH)},
    {
        "action_id": ACTION_ID,
        "url": string(limits.BUTTON_URL_MAX_LENGTH),
        "value": string(limits.BUTTON_VALUE_MAX_LENGTH),
        "style": STYLE,
        "confirm": CONFIRM,
        "accessibility_label": string(limits.BUTTON_ACCESSIBILITY_LABEL_MAX_LENGTH),
    },
)
FEEDBACK_BUTTONS = shape(
    {"positive_button": FEEDBACK_BUTTON, "negative_button": FEEDBACK_BUTTON}, {"action_id": ACTION_ID}
)
ICON_BUTTON = shape(
    {"icon": one_of("trash"), "text": plain(limits.BUTTON_TEXT_MAX_LENGTH)},
    {
        "action_id": ACTION_ID,
        "value": string(limits.ICON_BUTTON_VALUE_MAX_LENGTH),
        "confirm": CONFIRM,
        "accessibility_label": string(limits.ICON_BUTTON_ACCESSIBILITY_LABEL_MAX_LENGTH),
        "visible_to_user_ids": items(string(20), limits.ICON_BUTTON_VISIBLE_TO_USER_IDS_MAX_ITEMS),
    },
)
OVERFLOW = shape(
    {"options": items(PLAIN_OPTION, limits.OVERFLOW_OPTIONS_MAX_ITEMS)}, {"action_id": ACTION_ID, "confirm": CONFIRM}
)
IMAGE = together(
    shape(
        {"alt_text": string(limits.IMAGE_ELEMENT_ALT_TEXT_MAX_LENGTH, least=1)},
        {"image_url": string(limits.IMAGE_ELEMENT_IMAGE_URL_MAX_LENGTH), "slack_file": anything},
    ),
    any_field("image_url", "slack_file"),
)

MENUS: dict[str, Rule] = {
    "static_select": _menu(several=False),
    "multi_static_select": _menu(several=True),
    "external_select": shape({}, {**CHOOSER, "initial_option": PLAIN_OPTION, "min_query_length": anything}),
    "multi_external_select": shape({}, {**SEVERAL, "initial_options": anything, "min_query_length": anything}),
    "users_select": shape({}, {**CHOOSER, "initial_user": string(20)}),
    "multi_users_select": shape({}, {**SEVERAL, "initial_users": anything}),
    "conversations_select": shape(
        {},
        {
            **CHOOSER,
            "initial_conversation": string(20),
            "default_to_current_conversation": boolean,
            "response_url_enabled": boolean,
            "filter": anything,
        },
    ),
    "channels_select": shape({}, {**CHOOSER, "initial_channel": string(20), "response_url_enabled": boolean}),
    "checkboxes": _boxes(limits.CHECKBOXES_OPTIONS_MAX_ITEMS, initial_options=anything),
    "radio_buttons": _boxes(limits.RADIO_BUTTONS_OPTIONS_MAX_ITEMS, initial_option=anything),
    "datepicker": shape({}, {**CHOOSER, "initial_date": string(10)}),
    "timepicker": shape({}, {**CHOOSER, "initial_time": string(5), "timezone": string(60)}),
    "datetimepicker": shape({}, {**FOCUS, "confirm": CONFIRM, "initial_date_time": anything}),
}
INPUTS: dict[str, Rule] = {
    "plain_text_input": shape({}, {**TYPED, "multiline": boolean, "min_length": anything, "max_length": anything}),
    "email_text_input": shape({}, TYPED),
    "url_text_input": shape({}, TYPED),
    "number_input": shape(
        {"is_decimal_allowed": boolean}, {**TYPED, "min_value": NUMBER, "max_value": NUMBER, "initial_value": NUMBER}
    ),
    "rich_text_input": shape({}, {**TYPED, "initial_value": anything}),
    "file_input": shape({}, {"action_id": ACTION_ID, "filetypes": anything, "max_files": anything}),
}
ACCESSORY = by_type({**MENUS, "button": BUTTON, "image": IMAGE, "overflow": OVERFLOW})
ACTION = by_type({**MENUS, "button": BUTTON, "overflow": OVERFLOW})
CONTEXT = by_type({"image": IMAGE, "mrkdwn": text(limits.TEXT_MAX_LENGTH), "plain_text": text(limits.TEXT_MAX_LENGTH)})
CONTEXT_ACTION = by_type({"feedback_buttons": FEEDBACK_BUTTONS, "icon_button": ICON_BUTTON})
INPUT = by_type({**MENUS, **INPUTS})
