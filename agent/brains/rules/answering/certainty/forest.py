"""Boosted decision trees as data: how likely something is, by what is known of it.

The trees are grown elsewhere (`tests/calibration`) and read from a file; following them takes no library.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

#: A branch: the sign that is looked at, the value up to which it is the left one's, which side the unknown takes, and
#: the places of the two that follow. A leaf: what it adds.
Branch = tuple[int, float, bool, int, int]
Node = Branch | float


@dataclass(frozen=True)
class Forest:
    """Trees whose leaves are added up to the logarithm of the odds."""

    signs: tuple[str, ...]  # names of the values, in their order
    base: float
    trees: tuple[tuple[Node, ...], ...]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the forest of a file."""
        raw = json.loads(path.read_text(encoding="utf-8"))
        trees = tuple(tuple(_node(node) for node in tree) for tree in raw["trees"])
        return cls(signs=tuple(raw["signs"]), base=float(raw["base"]), trees=trees)

    def likelihood(self, values: Sequence[float]) -> float:
        """Return how likely (0..1) it is; `nan` stands for what is not known."""
        total = self.base + sum(_leaf(tree, values) for tree in self.trees)
        return 1 / (1 + math.exp(-total))


def _node(raw: float | Sequence[float]) -> Node:
    if isinstance(raw, int | float):
        return float(raw)
    sign, most, unknown_left, left, right = raw
    return int(sign), float(most), bool(unknown_left), int(left), int(right)


def _leaf(tree: Sequence[Node], values: Sequence[float]) -> float:
    node = tree[0]
    while isinstance(node, tuple):
        sign, most, unknown_left, left, right = node
        value = values[sign]
        goes_left = unknown_left if math.isnan(value) else value <= most
        node = tree[left if goes_left else right]
    return node
