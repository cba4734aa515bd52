"""Grow the judge of evidence, and report how well it judges collections that it has not seen.

    python -m tests.calibration.training --data ../shared/data --pages UNPACKED_DOCS --keep FOLDER [--write]

`--keep` holds indexes and what was found, so that a second run only grows trees. scikit-learn is a development tool:
what is written is data that `agent/brains/rules/answering/certainty/forest.py` follows without it.
"""

import argparse
import asyncio
import itertools
import json
import math
import pickle
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from agent.brains.rules.answering.certainty.likelihood import WEIGHTS
from agent.brains.rules.answering.certainty.signs import NAMES, signs_of
from agent.brains.rules.answering.question import Question
from agent.brains.rules.answering.ranking import rank
from agent.grounding.citations import HIGH, MEDIUM
from evals.trial import HANDBOOK
from tests.calibration.collections import group_of
from tests.calibration.gathering import Seen, Variant, is_answered
from tests.calibration.trial import COLLECTIONS, seen_in

#: Where answers are parted from the rest in the report.
LEAST = 0.5
#: More of these speaks for an answer, whatever else is known (1), or against it (-1): what a few hundred questions show
#: the other way round is chance.
_MONOTONE = {
    **dict.fromkeys(("words", "headings", "heading", "asked", "piece", "rare", "least", "ahead", "ahead_rare"), 1),
    **dict.fromkeys(("cosine", "lead", "above", "margin", "names", "shape", "said"), 1),
    **dict.fromkeys(("lacking", "halves", "unsaid"), -1),
}


#: How often each is met on a desk, by which likelihoods are levelled: as many were gathered as there were pages.
_MET: Mapping[Variant, float] = {"present": 1.0, "taken": 0.35, "off": 0.1}
#: People's own words weigh as much more than questions that were made of a page's.
_PEOPLE = 4.0


@dataclass(frozen=True)
class Example:
    """One question as the judge sees it, and whether the passage that would answer does."""

    collection: str
    half: int  # of its pages: one is held back while the other teaches
    variant: Variant
    by_people: bool
    language: str
    has_vectors: bool
    signs: tuple[float, ...]
    right: bool
    navigation: bool


def examples(seen: Iterable[Seen]) -> list[Example]:
    """Return what the judge sees of each question for which anything was found."""
    found: list[Example] = []
    for each in seen:
        question = Question.of(each.asked.text, each.asked.language)
        ranked = rank(question, each.passages)
        if not ranked or question.weight <= 0:
            continue
        best = ranked[0].passage
        found.append(
            Example(
                collection=each.collection,
                half=group_of(each.asked.page or each.asked.text) % 2,
                variant=each.variant,
                by_people=each.asked.form == "people",
                language=each.asked.language,
                has_vectors=any(passage.cosine is not None for passage in each.passages),
                signs=astuple(signs_of(question, ranked)),
                right=is_answered(each, best),
                navigation=best.is_navigation,
            )
        )
    return found


def grown(of: Sequence[Example]) -> HistGradientBoostingClassifier:
    """Return a forest grown over examples; each collection weighs the square root of its number."""
    usable = [each for each in of if not each.navigation]
    sizes = {name: sum(each.collection == name for each in usable) for name in {each.collection for each in usable}}
    forest = HistGradientBoostingClassifier(
        max_iter=90,
        learning_rate=0.06,
        max_leaf_nodes=6,
        min_samples_leaf=25,
        l2_regularization=5.0,
        monotonic_cst=[_MONOTONE.get(name, 0) for name in NAMES],
        random_state=0,
    )
    weights = [1 / math.sqrt(sizes[each.collection]) for each in usable]
    scale = len(weights) / sum(weights)
    right = [each.right for each in usable]
    return forest.fit(_table(usable), right, sample_weight=[weight * scale for weight in weights])


def _table(of: Sequence[Example]) -> NDArray[np.float64]:
    return np.array([each.signs for each in of], dtype=np.float64)


def likelihoods(forest: HistGradientBoostingClassifier, of: Sequence[Example]) -> NDArray[np.float64]:
    """Return how likely each is answered; a page of links never is."""
    told: NDArray[np.float64] = forest.predict_proba(_table(of))[:, 1]
    return np.where([each.navigation for each in of], 0.0, told)


@dataclass(frozen=True)
class Level:
    """What turns a forest's odds into those of a desk, where most questions have their page: slope and intercept."""

    slope: float = 1.0
    shift: float = 0.0

    @classmethod
    def of(cls, held_back: Sequence[Example], told: NDArray[np.float64]) -> "Level":
        """Fit the level to what forests said of examples that they had not seen (Platt's scaling)."""
        usable = np.array([not each.navigation for each in held_back])
        weights = np.array([_MET[each.variant] * (_PEOPLE if each.by_people else 1.0) for each in held_back])
        right = np.array([each.right for each in held_back])
        odds = np.log(told[usable] / (1 - told[usable]))
        fitted = LogisticRegression(C=1e6).fit(odds[:, None], right[usable], sample_weight=weights[usable])
        return cls(float(fitted.coef_[0, 0]), float(fitted.intercept_[0]))

    def levelled(self, told: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return likelihoods as a desk tells them; what never answers stays so."""
        sure = np.clip(told, 1e-9, 1 - 1e-9)
        return np.where(told > 0, 1 / (1 + np.exp(-(self.slope * np.log(sure / (1 - sure)) + self.shift))), 0.0)


def as_data(forest: HistGradientBoostingClassifier, level: Level) -> Mapping[str, Any]:
    """Return a forest as what `Forest.read` reads; scikit-learn shows its trees in private fields only."""
    trees = [
        [
            round(level.slope * float(node["value"]), 5)
            if node["is_leaf"]
            else [
                int(node["feature_idx"]),
                round(float(node["num_threshold"]), 6),
                int(node["missing_go_to_left"]),
                int(node["left"]),
                int(node["right"]),
            ]
            for node in predictors[0].nodes
        ]
        for predictors in forest._predictors
    ]
    base = level.slope * float(forest._baseline_prediction.ravel()[0]) + level.shift
    return {"signs": list(NAMES), "base": base, "trees": trees}


def expected_error(told: NDArray[np.float64], right: NDArray[np.bool_], *, bins: int = 10) -> float:
    """Return how far likelihoods and shares of right ones lie apart, over bins of a tenth (ECE)."""
    places = np.minimum((told * bins).astype(int), bins - 1)
    return sum(
        float(np.mean(places == place)) * abs(float(told[places == place].mean() - right[places == place].mean()))
        for place in range(bins)
        if np.any(places == place)
    )


def row(name: str, of: Sequence[Example], told: NDArray[np.float64]) -> str:
    """Return the figures of one set as a row of a table."""
    right = np.array([each.right for each in of])
    variant = np.array([each.variant for each in of])
    answered, present = told >= LEAST, variant == "present"
    shares = (
        _share((answered & right)[present]),
        _share((answered & ~right)[present]),
        _share((told < MEDIUM)[variant == "taken"]),
        _share(~answered[variant == "off"]),
        f"{expected_error(told, right):.3f}",
        _share((told >= HIGH)[present]),
        _share(~right[told >= HIGH]),
    )
    return " | ".join(("", name, str(len(of)), *shares, "")).strip()


def _share(of: NDArray[np.bool_]) -> str:
    return f"{of.mean():.3f}" if len(of) else "–"


def bins(of: Sequence[Example], told: NDArray[np.float64]) -> str:
    """Return by bins of the likelihood how many there were, and how many were right."""
    right = np.array([each.right for each in of])
    edges = (0.0, 0.1, 0.3, LEAST, MEDIUM, 0.8, HIGH, 1.001)
    lines = []
    for low, high in itertools.pairwise(edges):
        inside = (told >= low) & (told < high)
        if inside.any():
            lines.append(f"| {low:.2f}–{min(high, 1):.2f} | {inside.sum()} | {_share(right[inside])} |")
    return "\n".join(lines)


def by_pages(known: Mapping[str, Sequence[Example]], level: Level) -> None:
    """Print each collection as it is judged by the others and by the other half of its own pages."""
    every: list[Example] = []
    judged: list[NDArray[np.float64]] = []
    for name, of in known.items():
        for half in (0, 1):
            held = [each for each in of if each.half == half]
            taught = [each for rest in known.values() for each in rest if each.collection != name or each.half != half]
            every += held
            judged.append(level.levelled(likelihoods(grown(taught), held)))
    told = np.concatenate(judged)
    for name in known:
        for language in ("en", "zh"):
            inside = np.array([each.collection == name and each.language == language for each in every])
            if inside.sum() >= 20:
                part = [each for each, within in zip(every, inside, strict=True) if within]
                _say(row(f"{name} {language}, other pages", part, told[inside]))
    _say(row("all, other pages", every, told))
    _say(f"\n| likelihood | questions | right |\n| --- | --- | --- |\n{bins(every, told)}")


def report(known: Mapping[str, Sequence[Example]]) -> Level:
    """Print each collection as it is judged by what the others teach; return the level that this shows."""
    _say("| held back | n | right | wrong | taken away: abstains or low | off: abstains | ECE | high | high wrong |")
    _say("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    every = [each for of in known.values() for each in of]
    judged = [
        likelihoods(grown([each for other, rest in known.items() if other != name for each in rest]), of)
        for name, of in known.items()
    ]
    level = Level.of(every, np.concatenate(judged))
    judged = [level.levelled(told) for told in judged]
    for (name, of), told in zip(known.items(), judged, strict=True):
        for language in ("en", "zh"):
            for vectors in (True, False):
                inside = [each.language == language and each.has_vectors is vectors for each in of]
                if sum(inside) >= 20:
                    part = [each for each, within in zip(of, inside, strict=True) if within]
                    _say(row(f"{name} {language}{'' if vectors else ', words alone'}", part, told[inside]))
    told = np.concatenate(judged)
    _say(row("all", every, told))
    _say(f"\n| likelihood | questions | right |\n| --- | --- | --- |\n{bins(every, told)}")
    return level


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Gather what is missing, report, and write the weights where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pages", type=Path, required=True, help="Kubernetes documentation, unpacked")
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("names", nargs="*", default=list(COLLECTIONS))
    chosen = parser.parse_args()
    known: dict[str, list[Example]] = {}
    for name in chosen.names:
        file = chosen.keep / f"{name}.pkl"
        if not file.exists():
            seen = asyncio.run(seen_in(name, data=chosen.data, pages=chosen.pages, sample=HANDBOOK, home=chosen.keep))
            file.write_bytes(pickle.dumps(seen))
        known[name] = examples(pickle.loads(file.read_bytes()))
    level = report(known)
    by_pages(known, level)
    if chosen.write:
        forest = grown([each for of in known.values() for each in of])
        WEIGHTS.write_text(json.dumps(as_data(forest, level), separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
