"""Forms at a terminal: the fields one by one, and again those that were not right."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from adapters.cards import Field, Form
from adapters.terminal.drawing import Style, printable

#: Returns the next line without its end, or None when there are no more. The prompt is for keyboards.
Read = Callable[[str], Awaitable[str | None]]
Write = Callable[[str, Style], None]
#: Answered instead of a field's value, it leaves the form.
LEAVE_FORM = "q"


async def ask(fields: Sequence[Field], given: Mapping[str, str], *, read: Read, write: Write) -> dict[str, str] | None:
    """Return a value for each field, or None when the person leaves the form or the input ends."""
    answers: dict[str, str] = {}
    for field in fields:
        answer = await _ask_one(field, given.get(field.name, field.value), read, write)
        if answer is None:
            return None
        answers[field.name] = answer
    return answers


def label_of(form: Form, name: str) -> str:
    """Return the label of a field by its name."""
    return next((field.label for field in form.fields if field.name == name), name)


async def _ask_one(field: Field, before: str, read: Read, write: Write) -> str | None:
    if field.hint:
        write(printable(field.hint), "note")
    for number, (_, label) in enumerate(field.choices, start=1):
        write(f"  {number}) {printable(label)}", "choice")
    mark = "*" if field.required else ""
    kept = f" [{printable(dict(field.choices).get(before, before))}]" if before else ""
    while True:
        answer = await read(f"{printable(field.label)}{mark}{kept}: ")
        if answer is None or answer.strip() == LEAVE_FORM:
            return None
        value = _value_of(field, answer.strip() or before)
        if value is not None and (value or not field.required):
            return value


def _value_of(field: Field, answer: str) -> str | None:
    """Return the value that an answer stands for: a choice by number, label or value; None when it is none of them."""
    if not field.choices or not answer:
        return answer
    for number, (value, label) in enumerate(field.choices, start=1):
        if answer.casefold() in (str(number), value.casefold(), label.casefold()):
            return value
    return None
