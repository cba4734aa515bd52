"""Rules for JSON: each takes a value and where it stands, and yields what is wrong with it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Rule = Callable[[Any, str], Iterator[str]]


def anything(_: Any, __: str) -> Iterator[str]:
    """Take whatever it is."""
    yield from ()


def boolean(value: Any, where: str) -> Iterator[str]:
    """Take true and false."""
    if not isinstance(value, bool):
        yield f"must be a boolean [json-pointer:{where}]"


def string(most: int, *, least: int = 0) -> Rule:
    """Take text of so many characters."""

    def check(value: Any, where: str) -> Iterator[str]:
        if not isinstance(value, str):
            yield f"must be a string [json-pointer:{where}]"
        elif len(value) < least:
            yield f"must be more than {least - 1} characters [json-pointer:{where}]"
        elif len(value) > most:
            yield f"must be less than {most + 1} characters [json-pointer:{where}]"

    return check


def one_of(*values: str) -> Rule:
    """Take one of these words."""

    def check(value: Any, where: str) -> Iterator[str]:
        if value not in values:
            yield f"must be one of {', '.join(values)} [json-pointer:{where}]"

    return check


def items(rule: Rule, most: int, *, least: int = 1) -> Rule:
    """Take a list of so many things, each by its rule."""

    def check(value: Any, where: str) -> Iterator[str]:
        if not isinstance(value, list):
            yield f"must be an array [json-pointer:{where}]"
            return
        if len(value) > most:
            yield f"no more than {most} items allowed [json-pointer:{where}]"
        if len(value) < least:
            yield f"no less than {least} items required [json-pointer:{where}]"
        for number, each in enumerate(value):
            yield from rule(each, f"{where}/{number}")

    return check


def shape(required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None) -> Rule:
    """Take an object with these fields and no others (`type` aside)."""
    known = {"type": anything, **required, **(optional or {})}

    def check(value: Any, where: str) -> Iterator[str]:
        if not isinstance(value, dict):
            yield f"must be an object [json-pointer:{where}]"
            return
        for name in required:
            if name not in value:
                yield f"missing required field: {name} [json-pointer:{where}]"
        for name, each in value.items():
            if name in known:
                yield from known[name](each, f"{where}/{name}")
            else:
                yield f"no such field: {name} [json-pointer:{where}]"

    return check


def by_type(table: Mapping[str, Rule]) -> Rule:
    """Take an object by the rule of its `type`."""

    def check(value: Any, where: str) -> Iterator[str]:
        kind = value.get("type") if isinstance(value, dict) else None
        rule = table.get(str(kind))
        if rule is None:
            yield f"unsupported type: {kind} [json-pointer:{where}/type]"
        else:
            yield from rule(value, where)

    return check


def together(*rules: Rule) -> Rule:
    """Take what every one of these rules takes."""

    def check(value: Any, where: str) -> Iterator[str]:
        for rule in rules:
            yield from rule(value, where)

    return check


def any_field(*names: str) -> Rule:
    """Take an object that has at least one of these fields."""

    def check(value: Any, where: str) -> Iterator[str]:
        if isinstance(value, dict) and not any(value.get(name) for name in names):
            yield f"missing required field: {' or '.join(names)} [json-pointer:{where}]"

    return check
