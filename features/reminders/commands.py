"""The verbs of reminders. Loads nothing heavy: `dutydesk --help` reads it."""

import re
from collections.abc import Mapping

from features.anatomy.verbs import Verb
from storage.ids import JsonValue

_WHOM = re.compile(r"(?:me|us|everyone|everybody|here|this|the)\b", re.IGNORECASE)


def wish_of(line: str) -> str:
    """Return the wish of a line: `/desk remind me tomorrow …` and `/desk remind tomorrow …` say the same."""
    return f"remind {line}" if _WHOM.match(line) else line


def _wish(line: str) -> Mapping[str, JsonValue]:
    return {"when": wish_of(line)}


VERBS = (
    Verb("remind", "set_reminder", rest="when", needs_rest=True, prose=True, read=_wish),
    Verb("reminders", "list_reminders"),
)
