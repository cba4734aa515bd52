"""Secrets told in two messages: "my password is", and in the next one only "hunter2!".

A message is looked at together with what was announced before it, in memory: nothing of this is stored. Another
process of the same desk does not know what this one heard.
"""

import re
from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from storage.clock import Clock
from storage.redaction import names
from storage.redaction.said import redact_beside

#: How long one waits for what was announced.
WAITS = timedelta(minutes=10)
#: Places of which it is kept that something was announced there; the oldest gives way.
_MOST_PLACES = 4_096
#: How far the name of the secret stands from the end, in characters, at most.
_TAIL = 120
#: What may follow the name where the secret itself is still to come.
_STILL_TO_COME = re.compile(r"[^.!?。！？\n\[]{0,40}[.:：=?？… \t\n]{0,8}")
#: Ends of an announcement after which the next words belong to it: "my password is", "密码是", "the PIN:".
_OPEN = re.compile(r"(?:(?i:\b(?:is|was|are|to|now))|[是为成?？:：=])[\s.…]{0,4}$")


@dataclass(frozen=True)
class _Awaited:
    words: str
    until: datetime
    said_in: str
    follows: str  # what that message was looked at with itself
    taken_by: str = ""  # the message that was looked at with it, and is again when it is delivered again


class Announcements:
    """What people said last that announces a secret, by place."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._places: OrderedDict[str, _Awaited] = OrderedDict()

    async def freed(self, place: str, message: str, text: str) -> str:
        """Return a text, from which secrets were taken, without what the message before it announces.

        `place` is where one person speaks, `message` the name of what was said, the same wherever it is kept and at
        each delivery.
        """
        before = self._places.get(place)
        if before is not None and before.said_in == message:
            return await _after(before.follows, text)
        follows = ""
        if before is not None and before.until > self._clock.now() and before.taken_by in ("", message):
            follows = before.words
            text = await _after(follows, text)
            self._places[place] = replace(before, taken_by=message)
        words = _announcement(text)
        if words:
            self._places[place] = _Awaited(words, self._clock.now() + WAITS, message, follows)
            self._places.move_to_end(place)
            if len(self._places) > _MOST_PLACES:
                self._places.popitem(last=False)
        return text


async def _after(announced: str, text: str) -> str:
    if not announced:
        return text
    both = await redact_beside(announced + text)
    return both.removeprefix(announced) if both.startswith(announced) else text


def _announcement(text: str) -> str:
    """Return the end of a text that announces a secret and does not tell it, ready to be followed; empty when none."""
    tail = text[-_TAIL:].rstrip()
    name = next(reversed(list(names.NAME.finditer(tail))), None)
    if name is None or names.OTHER_AFTER.match(tail, name.end()) or not _STILL_TO_COME.fullmatch(tail, name.end()):
        return ""
    return tail + (" " if _OPEN.search(tail, name.end()) else "\n")
