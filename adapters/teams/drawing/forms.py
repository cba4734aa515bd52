"""Forms as cards with inputs, in a dialog or in the place of a card, and what comes back from them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, assert_never

from microsoft_teams.cards.core import (
    Action,
    AdaptiveCard,
    CardElement,
    Choice,
    ChoiceSetInput,
    RichTextBlock,
    SubmitAction,
    TextBlock,
    TextInput,
    TextRun,
)
from pydantic import TypeAdapter

from adapters.cards import Field, Form
from adapters.markdown.text import cleaned, shorten, size
from adapters.teams.drawing.elements import CANCEL, DESK, FORM, Json, as_json, executed, label
from adapters.teams.drawing.text import exact, line, plain

#: A longer value is taken when it was there before.
INPUT_MAX = 8_000
LABEL_MAX, HINT_MAX, ERROR_MAX, CHOICE_MAX = 300, 1_000, 500, 200
FIELDS_MAX = 40
#: What stands in an action's data beside the inputs.
_RESERVED = frozenset({DESK, "msteams"})
_SPEC = "spec"
_FORM = TypeAdapter(Form)
_NOTHING: Mapping[str, str] = MappingProxyType({})


def form_card(
    form: Form,
    *,
    mode: Literal["dialogs", "cards"],
    message: str = "",
    errors: Mapping[str, str] = _NOTHING,
    values: Mapping[str, str] | None = None,
    required: str = "",
) -> Json:
    """Return a form as a card; what is typed comes back with all that is needed to draw it again.

    `message` is the reference of the card with the button, `required` the words at a field that was left empty.
    `values` are what was typed already; without them the form's own.
    """
    body: list[CardElement] = [] if mode == "dialogs" else [_title(form.title)]
    names = {each.name for each in form.fields}
    body += [_error(words) for name, words in errors.items() if name not in names]
    for each in form.fields:
        value = each.value if values is None else values.get(each.name, "")
        body += _input(replace(each, value=cleaned(value)), errors.get(each.name, ""), required)
    card = AdaptiveCard(version="1.5", lang=form.language, body=body, actions=_buttons(form, mode, message))
    return as_json(card)


def form_of(data: Mapping[str, Any]) -> Form:
    """Return the form whose inputs came back, its fields empty; raise ValueError when it is not one of ours."""
    desk = data.get(DESK)
    spec = desk.get(_SPEC) if isinstance(desk, Mapping) else None
    if not isinstance(desk, Mapping) or not isinstance(spec, Mapping):
        raise ValueError("not a form of ours")  # noqa: TRY004 - a forged value, not a wrong call
    form = _FORM.validate_python({**spec, **{name: desk.get(name) for name in ("form", "id", "nonce")}})
    if len(form.fields) > FIELDS_MAX or len({each.name for each in form.fields}) < len(form.fields):
        raise ValueError("not a form of ours")
    return form


def values_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Return what was typed, by field; what was left empty is an empty string. Raise ValueError like `form_of`."""
    return {each.name: str(data.get(_id(each.name)) or "") for each in form_of(data).fields}


def _buttons(form: Form, mode: Literal["dialogs", "cards"], message: str) -> list[Action]:
    empty = replace(form, fields=tuple(replace(each, value="") for each in form.fields))
    spec = _cleaned(_FORM.dump_python(empty, mode="json", exclude_defaults=True))
    named = {"form": form.form, "id": form.id, "nonce": form.nonce, "message": message}
    desk = {"do": FORM, **named, _SPEC: {name: spec[name] for name in spec if name not in named}}
    match mode:
        case "dialogs":
            title, tooltip = label(form.submit)
            return [SubmitAction(title=title, tooltip=tooltip, style="positive", data={DESK: desk})]
        case "cards":
            sent = executed(form.submit, desk, style="positive")
            cancel = [executed(form.cancel, {"do": CANCEL, "message": message}, inputs=False)] if form.cancel else []
            return [sent, *cancel]
        case _:
            assert_never(mode)


def _cleaned(value: Any) -> Any:
    """Return JSON in which every text can be sent."""
    match value:
        case str():
            return cleaned(value)
        case dict():
            return {name: _cleaned(each) for name, each in value.items()}
        case list() | tuple():
            return [_cleaned(each) for each in value]
        case _:
            return value


def _input(each: Field, error: str, required: str) -> Iterator[CardElement]:
    """Yield an input, what helps to fill it in, and what was wrong with it."""
    said = shorten(plain(each.label).strip(), LABEL_MAX) or "…"
    asked: Json = {"id": _id(each.name), "label": said, "value": each.value or None}
    if each.required:
        asked |= {"is_required": True, "error_message": required or None}
    match each.kind:
        case "choice" if each.choices:
            yield _choice(each, asked)
        case "text" | "choice":
            yield TextInput(**asked, max_length=_room(each), is_multiline="\n" in each.value or None)
        case "paragraph":
            yield TextInput(**asked, max_length=_room(each), is_multiline=True)
        case _:
            assert_never(each.kind)
    hint = shorten(plain(each.hint).strip(), HINT_MAX)
    if hint:
        run = TextRun(text=hint, size="Small", is_subtle=True)
        yield RichTextBlock(inlines=[run], spacing="Small")
    if error:
        yield _error(error)


def _choice(each: Field, asked: Json) -> ChoiceSetInput:
    labels = {value: line(words) or value for value, words in each.choices if value}
    choices = [Choice(title=shorten(words, CHOICE_MAX), value=value) for value, words in labels.items()]
    asked |= {"value": each.value if each.value in labels else None}
    return ChoiceSetInput(**asked, choices=choices, style="compact")


def _room(each: Field) -> int:
    return max(INPUT_MAX, size(each.value))


def _title(words: str) -> TextBlock:
    said = exact(shorten(line(words), LABEL_MAX)) or "…"
    return TextBlock(text=said, wrap=True, size="Medium", weight="Bolder", style="heading")


def _error(words: str) -> RichTextBlock:
    run = TextRun(text=shorten(plain(words).strip(), ERROR_MAX) or "…", color="Attention", weight="Bolder")
    return RichTextBlock(inlines=[run], spacing="Small")


def _id(name: str) -> str:
    return f"field.{name}" if name in _RESERVED else name
