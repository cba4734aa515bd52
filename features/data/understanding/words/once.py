"""What is made of a catalogue is made once: catalogues cannot be hashed, so each is known by being the same one."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")
_MOST_KEPT = 16


def once(make: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """Keep what a function makes of the last things that it was given."""
    kept: list[tuple[tuple[object, ...], _Made]] = []

    @wraps(make)
    def made(*given: _Given.args, **named: _Given.kwargs) -> _Made:
        for of, found in kept:
            if all(one is other for one, other in zip(of, given, strict=True)):
                return found
        found = make(*given, **named)
        kept[:] = [*kept[-_MOST_KEPT + 1 :], (given, found)]
        return found

    return made
