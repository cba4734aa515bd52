"""Forms as modals, and what comes back from them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, assert_never

from slack_sdk.models.blocks import (
    Block,
    InputBlock,
    Option,
    OptionGroup,
    PlainTextInputElement,
    PlainTextObject,
    SectionBlock,
    StaticSelectElement,
)
from slack_sdk.models.views import View

from adapters.cards import Field, Form
from adapters.events import Address
from adapters.markdown.splitting import split_words
from adapters.markdown.text import cleaned, fit, shorten, size
from adapters.slack.drawing.text import plain

FORM, FEEDBACK, NOTICE = "form:", "feedback", "notice"
#: The action id of every input.
VALUE = "value"
#: The input of the form behind a thumb down.
REASON = "reason"
TITLE_MAX, METADATA_MAX, INPUT_MAX, LABEL_MAX, ERROR_MAX = 24, 3_000, 3_000, 2_000, 500
OPTIONS_MAX, OPTION_TEXT_MAX, OPTION_VALUE_MAX, BLOCK_ID_MAX = 100, 75, 150, 255
#: Ends the block id of the second and later inputs of a long value, with the white space that it was cut at.
_NEXT = re.compile(r"\A(?P<name>.*)\+(?P<number>\d{1,3})(?P<gap>[nsx])\Z", re.DOTALL)
_GAPS = {"n": "\n", "s": " ", "x": ""}


@dataclass(frozen=True)
class FormPlace:
    """What a form needs to know again when it comes back; it travels in the view's private metadata."""

    id: str
    nonce: str = ""
    address: Address = field(default_factory=dict)
    message: str = ""  # the reference of the card with the button that opened the form
    language: str = "en"

    def to_metadata(self) -> str:
        """Return it as JSON; raise ValueError when Slack would not carry it."""
        written = json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))
        if size(written) >= METADATA_MAX:
            raise ValueError("a form's place is too long for Slack")
        return written

    @classmethod
    def of(cls, metadata: str) -> "FormPlace":
        """Read what `to_metadata` wrote; raise ValueError when it is anything else."""
        read: Any = json.loads(metadata)
        names = {"id": str, "nonce": str, "address": dict, "message": str, "language": str}
        if not isinstance(read, dict) or not all(isinstance(read.get(name), kind) for name, kind in names.items()):
            raise ValueError("not a form of ours")
        return cls(**{name: read[name] for name in names})


@dataclass(frozen=True)
class ViewWords:
    """The frame of a view: its title and its buttons."""

    title: str
    close: str
    submit: str = ""


def form_view(form: Form, place: FormPlace) -> View:
    """Return a form as a modal; it comes back with the callback id `form:<form>` and a block per field."""
    words = ViewWords(title=form.title, close=form.cancel, submit=form.submit or "…")
    blocks = [block for each in form.fields for block in _inputs(each)]
    return _view(words, [*_full_title(form.title), *blocks], callback_id=f"{FORM}{form.form}", place=place)


def reason_view(words: ViewWords, place: FormPlace, *, label: str) -> View:
    """Return the form behind a thumb down; `place.id` is the id of the rating."""
    element = PlainTextInputElement(action_id=VALUE, multiline=True, max_length=INPUT_MAX, focus_on_load=True)
    asked = InputBlock(block_id=REASON, label=_label(label), element=element)
    return _view(words, [*_full_title(words.title), asked], callback_id=FEEDBACK, place=place)


def notice_view(words: ViewWords, text: str) -> View:
    """Return a modal that only says something: that a form is on its way, or what stands in its place."""
    return _view(ViewWords(title=words.title, close=words.close), _said(text), callback_id=NOTICE)


def values_of(state: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of a view's `state` by field; what was left empty is an empty string."""
    given = {block_id: _value(inputs.get(VALUE, {})) for block_id, inputs in state.get("values", {}).items()}
    values = {block_id: value for block_id, value in given.items() if _NEXT.match(block_id) is None}
    later = sorted(filter(None, map(_NEXT.match, given)), key=lambda found: int(found["number"]))
    for found in later:
        if given[found[0]]:
            values[found["name"]] = values.get(found["name"], "") + _GAPS[found["gap"]] + given[found[0]]
    return values


def errors_of(errors: Mapping[str, str], view: Mapping[str, Any]) -> dict[str, str]:
    """Return errors by the blocks of a view that comes back; those of fields that it has not stand on its first."""
    blocks = [block["block_id"] for block in view.get("blocks", []) if block.get("type") == "input"]
    placed: dict[str, str] = {}
    for name, words in errors.items() if blocks else ():
        block_id = name if name in blocks else blocks[0]
        placed[block_id] = " ".join(filter(None, (placed.get(block_id, ""), words)))
    return {block_id: shorten(plain(words), ERROR_MAX) for block_id, words in placed.items()}


def _view(words: ViewWords, blocks: Sequence[Block], *, callback_id: str, place: FormPlace | None = None) -> View:
    return View(
        type="modal",
        callback_id=callback_id,
        title=_short(words.title),
        close=_short(words.close),
        submit=_short(words.submit) if words.submit else None,
        private_metadata=None if place is None else place.to_metadata(),
        blocks=list(blocks),
    )


def _full_title(title: str) -> list[Block]:
    return _said(title) if size(plain(title)) > TITLE_MAX else []


def _said(text: str) -> list[Block]:
    pieces = split_words(plain(text), INPUT_MAX) or ["…"]
    return [SectionBlock(text=PlainTextObject(text=piece)) for piece in pieces]


def _inputs(each: Field) -> Iterator[Block]:
    match each.kind:
        case "choice" if _choices(each):
            yield _input(each.name, each, _select(each))
        case "text" | "choice":
            yield from _typed(each, multiline="\n" in cleaned(each.value))
        case "paragraph":
            yield from _typed(each, multiline=True)
        case _:
            assert_never(each.kind)


def _typed(each: Field, *, multiline: bool) -> Iterator[Block]:
    """Yield one input, or several for a value that is longer than what Slack lets an input hold."""
    for number, (gap, value) in enumerate(_portions(cleaned(each.value)), start=1):
        element = PlainTextInputElement(
            action_id=VALUE, initial_value=value or None, multiline=multiline or number > 1, max_length=INPUT_MAX
        )
        if number == 1:
            yield _input(each.name, each, element)
        else:
            label = PlainTextObject(text=f"{shorten(plain(each.label), LABEL_MAX - 10)} ({number})")
            yield InputBlock(block_id=f"{each.name}+{number}{gap}", label=label, element=element, optional=True)


def _portions(value: str) -> Iterator[tuple[str, str]]:
    gap = "x"
    while size(value) > INPUT_MAX:
        end = fit(value, INPUT_MAX)
        at, following = next(
            ((at, name) for name in "ns" if (at := value.rfind(_GAPS[name], end // 2, end)) > 0), (end, "x")
        )
        yield gap, value[:at]
        value, gap = value[at + len(_GAPS[following]) :], following
    yield gap, value


def _input(block_id: str, each: Field, element: PlainTextInputElement | StaticSelectElement) -> InputBlock:
    hint = _label(each.hint) if plain(each.hint).strip() else None
    return InputBlock(
        block_id=block_id, label=_label(each.label), element=element, hint=hint, optional=not each.required
    )


def _choices(each: Field) -> list[Option]:
    """Return the options of a choice; none when Slack cannot carry them, and it has to be typed."""
    labels = {value: label for value, label in each.choices if value}
    if len(labels) > OPTIONS_MAX**2 or any(size(value) > OPTION_VALUE_MAX for value in labels):
        return []
    return [
        Option(value=value, text=_label(label or value, longest=OPTION_TEXT_MAX)) for value, label in labels.items()
    ]


def _select(each: Field) -> StaticSelectElement:
    options = _choices(each)
    chosen = next((option for option in options if option.value == each.value), None)
    if len(options) <= OPTIONS_MAX:
        return StaticSelectElement(action_id=VALUE, options=options, initial_option=chosen)
    groups = [
        OptionGroup(label=f"{start + 1}–{start + len(part)}", options=part)
        for start in range(0, len(options), OPTIONS_MAX)
        for part in (options[start : start + OPTIONS_MAX],)
    ]
    return StaticSelectElement(action_id=VALUE, option_groups=groups, initial_option=chosen)


def _value(given: Mapping[str, Any]) -> str:
    if given.get("type") == "static_select":
        return str((given.get("selected_option") or {}).get("value") or "")
    return str(given.get("value") or "")


def _label(words: str, *, longest: int = LABEL_MAX) -> PlainTextObject:
    return PlainTextObject(text=shorten(plain(words).strip(), longest) or "…")


def _short(words: str) -> PlainTextObject:
    return PlainTextObject(text=shorten(" ".join(plain(words).split()), TITLE_MAX) or "…")
