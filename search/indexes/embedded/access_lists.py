"""Who may read which chunk, by its page's source and access list: pages share both, so there are few to look at."""

import json
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from search.access import Scope

Bools = NDArray[np.bool_]
Numbers = NDArray[np.int32]

_SCOPES_KEPT = 256
_NONE: Bools = np.zeros(0, dtype=np.bool_)


class AccessLists:
    """Every source with a list once. It only grows, so snapshots of one file share it; for one thread at a time."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._lists: list[tuple[str, Sequence[str]]] = []
        self._opened: dict[Scope, Bools] = {}

    def numbers(self, lists: Iterable[tuple[str, str]]) -> Numbers:
        """Return the number of each source with a list, given as it stands in the file."""
        return np.array([self._number(each) for each in lists], dtype=np.int32)

    def opened(self, scope: Scope) -> Bools:
        """Return for each list, by its number, whether the scope may read what has it."""
        known = self._opened.get(scope, _NONE)
        if len(known) < len(self._lists):
            new = np.array([scope.opens(*each) for each in self._lists[len(known) :]], dtype=np.bool_)
            if scope not in self._opened and len(self._opened) >= _SCOPES_KEPT:
                self._opened.clear()
            known = self._opened[scope] = np.concatenate([known, new])
        return known

    def _number(self, known: tuple[str, str]) -> int:
        number = self._numbers.setdefault(known, len(self._lists))
        if number == len(self._lists):
            source, allow = known
            self._lists.append((source, tuple(json.loads(allow))))
        return number
