"""Checks what a YAML file says against a model; what is wrong is told with file, line and what to do."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from storage.files.text import FileInvalid, Way, YamlText, first_told, shortened

M = TypeVar("M", bound=BaseModel)

#: Type of a validation error that tells several problems; its context holds ways and problems, as `found`.
LOOSE_ENDS = "loose_ends"
#: What to do, by the type of pydantic's error.
ADVICE = {
    "missing": "is missing. Write it.",
    "string_type": 'has to be text: write it in quotes, such as "no" or "2024".',
    "tuple_type": "has to be a list, such as [name, another name].",
    "dict_type": "has to hold names and values below it.",
    "model_type": "has to hold names and values below it.",
    "bool_type": "has to be true or false.",
    "bool_parsing": "has to be true or false.",
    "string_pattern_mismatch": "is no plain name: letters, digits and _ only, no digit first.",
}


def validated(model: type[M], text: YamlText) -> M:
    """Return what a text says, as the model has it; raise `FileInvalid`."""
    try:
        return model.model_validate({} if text.value is None else text.value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise FileInvalid(first_told(line for each in found for line in _told(each, model, text))) from error


def _told(error: ErrorDetails, model: type[BaseModel], text: YamlText) -> Iterator[str]:
    way = tuple(step for step in error["loc"] if step != "[key]")
    if error["type"] == LOOSE_ENDS:
        for at, problem in error["ctx"]["found"]:
            yield place(text, at, f"{problem}. Correct it.")
    elif error["type"] == "extra_forbidden":
        known = _fields(model, way[:-1])
        near = get_close_matches(shortened(way[-1]), known, n=1)
        advice = f"Do you mean {near[0]}?" if near else f"Use one of {', '.join(known)}."
        yield place(text, way, f"there is no such setting. {advice}")
    elif error["type"] == "literal_error":
        near = get_close_matches(shortened(_value(text.value, way)), _choices(error), n=1)
        yield place(text, way, f"has to be {error['ctx']['expected']}." + (f" Do you mean {near[0]}?" if near else ""))
    else:
        said = error["msg"].removeprefix("Value error, ").rstrip(".")
        yield place(text, way, ADVICE.get(error["type"], f"{said}. Correct it."))


def place(text: YamlText, way: Way, problem: str) -> str:
    """Return a problem with the file and the line of what it is about."""
    where = ".".join(shortened(step + 1 if isinstance(step, int) else step) for step in way)
    return f"{text.path}:{text.line(way)}: {where}: {problem}" if way else f"{text.path}:1: {problem}"


def _fields(model: type[BaseModel], way: Way) -> list[str]:
    """Return the settings that may stand at the end of a way; names of tables and numbers in lists are passed over."""
    here = model
    for step in way:
        field = next((each for name, each in here.model_fields.items() if step in {name, each.alias}), None)
        if field is not None:
            here = next(_models(field.annotation), here)
    return [field.alias or name for name, field in here.model_fields.items()]


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)


def _choices(error: ErrorDetails) -> list[str]:
    return [part.strip(" '") for part in error["ctx"]["expected"].replace(" or ", ",").split(",")]


def _value(value: object, way: Way) -> object:
    for step in way:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step] if step < len(value) else None
    return value
