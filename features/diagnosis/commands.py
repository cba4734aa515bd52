"""The verbs of diagnosis. Loads nothing heavy: `dutydesk --help` reads it."""

import re
from collections.abc import Mapping

from features.anatomy.verbs import Verb
from storage.ids import JsonValue

_OPTIONS = {"-n": "namespace", "--namespace": "namespace", "--pod": "pod", "--cluster": "cluster", "--app": "app"}
_WINDOW = re.compile(r"(\d{1,4})(m|h)")


def _inspect(line: str) -> Mapping[str, JsonValue]:
    """Return what `checkout -n shop --window 30m why is it slow?` names; the rest is the question."""
    said: dict[str, JsonValue] = {}
    rest: list[str] = []
    words = iter(line.split())
    for word in words:
        name, equals, value = word.partition("=")
        if name == "--window":
            said["minutes"] = _minutes(value if equals else next(words, ""))
        elif name in _OPTIONS:
            said[_OPTIONS[name]] = value if equals else next(words, "")
        else:
            rest.append(word)
    if rest and "app" not in said and not ({"namespace"} & said.keys() and len(rest) > 1):
        said["app"] = rest.pop(0)
    return {**said, "question": " ".join(rest) or line.strip()}


def _minutes(written: str) -> int:
    found = _WINDOW.fullmatch(written)
    return int(found[1]) * (60 if found[2] == "h" else 1) if found else 0


VERBS = (
    Verb("inspect", "diagnose", rest="question", read=_inspect),
    Verb("inspect apps", "list_apps"),
)
