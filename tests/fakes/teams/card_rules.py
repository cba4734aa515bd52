"""What an Adaptive Card may hold: Microsoft's schema of the version that it says it has, and what Teams adds to it.

Stricter than Teams, which leaves out in silence what it does not know.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema_rs

from tests.fakes.teams.records import Json

#: The newest is the newest that Teams draws for bots.
VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5")
_SCHEMAS = files("adaptive_cards") / "schemas"
#: Version → what the schema calls a part of a card → what it says of it; read at once, since no loop waits for a file.
DEFINITIONS: dict[str, Json] = {
    version: json.loads((_SCHEMAS / f"schema-{version}.json").read_text(encoding="utf-8"))["definitions"]
    for version in VERSIONS
}
#: More than these are not seen as buttons.
MOST_PRIMARY = 6
#: Teams' own members, which the schema does not know: of a card and of an action.
TEAMS_OWN = "msteams"
#: Elements of Teams' own, which it draws in a card of any version; not all of its clients do.
OWN_ELEMENTS = frozenset(
    {"Chart.Line", "Chart.Pie", "Chart.VerticalBar", "Chart.VerticalBar.Grouped", "Chart.HorizontalBar", "CodeBlock"}
)
_LINK = re.compile(r"https?://[^\s/]+.*", re.DOTALL)
#: Under which no part of the card stands: `fallback` is judged with what it stands in for.
_NO_PARTS = frozenset({"data", "fallback", "metadata", TEAMS_OWN})


def card_problems(card: Any) -> list[str]:
    """Return what is wrong with a card, nothing when Teams draws it as it is meant."""
    if not isinstance(card, dict) or card.get("type") != "AdaptiveCard":
        return ["type must be AdaptiveCard"]
    if card.get("version") not in VERSIONS:
        return [f"version must be one of {', '.join(VERSIONS)}"]
    found = list(_against_schema(card, str(card["version"]), ""))
    return found or [problem for part, where in _parts(card, "") for problem in _beside_schema(part, where)]


def is_link(value: Any) -> bool:
    """Return whether something is an address of the web."""
    return isinstance(value, str) and _LINK.fullmatch(value) is not None


def _against_schema(part: Json, version: str, where: str) -> Iterator[str]:
    """Yield what the schema says of the innermost parts that it refuses."""
    if (kind := str(part["type"])) in OWN_ELEMENTS:
        stands_in = part.get("fallback")
        if not isinstance(stands_in, dict):
            yield f"{kind} needs a fallback for the clients that do not draw it [json-pointer:{where}]"
        else:
            yield from _against_schema(stands_in, version, f"{where}/fallback")
        return
    inner = [problem for each, place in _inside(part, where) for problem in _against_schema(each, version, place)]
    if inner:
        yield from inner
    elif kind not in DEFINITIONS[version]:
        yield f"unsupported type: {kind} [json-pointer:{where}]"
    else:
        own = {name: _without_own(value) for name, value in part.items() if name != TEAMS_OWN}
        for error in _validator(version, kind).iter_errors(own):
            path = "".join(f"/{each}" for each in error.instance_path)
            yield f"{error.message[:300]} [json-pointer:{where}{path}]"


def _without_own(value: Any) -> Any:
    """Return a part with what stands in for each element of Teams' own in it, which the schema does not know."""
    if isinstance(value, list):
        return [_without_own(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") in OWN_ELEMENTS and isinstance(value.get("fallback"), dict):
        return _without_own(value["fallback"])
    return {name: _without_own(each) for name, each in value.items()}


def _beside_schema(part: Json, where: str) -> Iterator[str]:
    """Yield what the schema takes and Teams does not."""
    kind, actions = str(part["type"]), part.get("actions") or []
    if sum(each.get("mode", "primary").casefold() == "primary" for each in actions) > MOST_PRIMARY:
        yield f"no more than {MOST_PRIMARY} primary actions are shown [json-pointer:{where}/actions]"
    if kind in {"Action.OpenUrl", "Image"} and not is_link(part.get("url")):
        yield f"must be an http or https address [json-pointer:{where}/url]"
    if kind in {"Action.Execute", "Action.Submit"}:
        yield from _action_problems(part, where)
    if part.get("isRequired") and not part.get("errorMessage"):
        yield f"isRequired needs an errorMessage [json-pointer:{where}]"
    if kind == "Input.ChoiceSet":
        yield from _choice_problems(part, where)
    if kind == "AdaptiveCard":
        ids = Counter(str(each["id"]) for each, _ in _parts(part, "") if str(each["type"]).startswith("Input."))
        yield from (f"two inputs are called {name}" for name, count in ids.items() if count > 1)
        if not set(part.get(TEAMS_OWN, {})) <= {"width", "entities"}:
            yield f"unknown members of {TEAMS_OWN} [json-pointer:/{TEAMS_OWN}]"


def _action_problems(action: Json, where: str) -> Iterator[str]:
    if not isinstance(action.get("data", {}), dict):
        yield f"must be an object [json-pointer:{where}/data]"
    fallback = action.get("fallback")
    if isinstance(fallback, dict):
        yield from card_problems({"type": "AdaptiveCard", "version": VERSIONS[-1], "actions": [fallback]})


def _choice_problems(element: Json, where: str) -> Iterator[str]:
    """Take choices of different values, and first values that are among them."""
    values = [each["value"] for each in element.get("choices") or ()]
    if not values or len(set(values)) < len(values):
        yield f"choices have to differ [json-pointer:{where}/choices]"
    first = [each for each in str(element.get("value", "")).split(",") if each]
    if not set(first) <= set(values) or (len(first) > 1 and not element.get("isMultiSelect")):
        yield f"value is none of the choices [json-pointer:{where}/value]"


def _parts(part: Json, where: str) -> Iterator[tuple[Json, str]]:
    """Yield every typed object in a card with where it stands, the card itself first."""
    yield part, where
    for each, place in _inside(part, where):
        yield from _parts(each, place)


def _inside(value: Any, where: str) -> Iterator[tuple[Json, str]]:
    """Yield the nearest typed objects below something."""
    if isinstance(value, list):
        held = list(enumerate(value))
    elif isinstance(value, dict):
        held = [(name, each) for name, each in value.items() if name not in _NO_PARTS]
    else:
        return
    for name, each in held:
        if isinstance(each, dict) and "type" in each:
            yield each, f"{where}/{name}"
        else:
            yield from _inside(each, f"{where}/{name}")


@cache
def _validator(version: str, kind: str) -> jsonschema_rs.Draft6Validator:
    schema = {"$ref": f"#/definitions/{kind}", "definitions": DEFINITIONS[version]}
    return jsonschema_rs.Draft6Validator(schema)
