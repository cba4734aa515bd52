"""Fit the judge of what may be an alarm, and report what it adds to the patterns.

    python -m tests.calibration.alarms --data ../shared/data [--write]

A logistic regression for each language, over the vectors that the language's model makes of messages and over their
words: those of our own alarms, by group, against messages that raise none (`alarm_messages.tsv` and the tests).
scikit-learn is a development tool: what is written is data that `features/alarms/maybe.py` follows without it.
Nothing of `tests/evals/alarms`, which is held back, is learned from.
"""

import argparse
import asyncio
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from evals.beir import load_corpus
from evals.cases import SHIPPED
from features.alarms.alarms import Alarms, shipped, shipped_groups
from features.alarms.maybe import WEIGHTS, WORDS, own_part, terms
from language.scripts import is_chinese
from search.config import EmbeddingConfig
from search.embedding.choice import embedder_of
from tests.features import test_alarms

TESTS = Path(__file__).resolve().parent.parent
#: Shares of harmless messages, parts left out, that may be told beside their reply, and that may raise an alarm.
TOLD, RAISED = 0.03, 0.003
#: Messages that have a word from which on it counts.
_SEEN = 2
MESSAGES = Path(__file__).with_name("alarm_messages.tsv")
_FOREIGN = 600
#: How freely weights may grow.
_FREEDOM = 6.0
#: The least weight of a word that is kept.
_LEAST_WEIGHT = 0.15


@dataclass(frozen=True)
class Labelled:
    """A message, and the alarm that it raises; "" for none."""

    text: str
    alarm: str  # or a group of alarms


def group_of(alarm: str) -> str:
    """Return the group of an alarm, or the group that is named; "" for none."""
    return (
        alarm
        if alarm in shipped_groups()
        else next((name for name, group in shipped_groups().items() if alarm in group.kinds), "")
    )


def messages(data: Path) -> Iterator[Labelled]:
    """Return our own alarms and what raises none; `data` as the project is given it."""
    for line in MESSAGES.read_text(encoding="utf-8").splitlines()[1:]:
        group, _, text = line.partition("\t")
        yield Labelled(text, "" if group == "calm" else group)
    listed: Mapping[str, Any] = yaml.safe_load((TESTS / "features" / "alarms.yaml").read_text(encoding="utf-8"))
    yield from (Labelled(text, alarm) for alarm, texts in listed["raised"].items() for text in texts)
    yield from (Labelled(text, "") for text in listed["calm"])
    for line in test_alarms.RAISED.strip().splitlines():
        alarm, _, text = line.partition("|")
        yield Labelled(text, alarm)
    yield from (Labelled(text, "") for text in test_alarms.CALM.strip().splitlines())
    for half in ("a", "b"):
        told = yaml.safe_load((TESTS / "evals" / "depot" / f"{half}.yaml").read_text(encoding="utf-8"))
        yield from (Labelled(each["say"], str(each.get("alarm") or "").split(" | ")[0]) for each in _said(told))
    patterns = Alarms(shipped())
    files = [*TESTS.glob("evals/staff/*/conversations.yaml"), TESTS / "evals" / "press" / "first.yaml"]
    files += [
        *TESTS.glob("evals/*/cases.yaml"),
        *(SHIPPED / name for name in ("messages.yaml", "held_out_messages.yaml")),
    ]
    for file in sorted(files):
        for each in _said(yaml.safe_load(file.read_text(encoding="utf-8"))):
            named = str(each.get("alarm") or "").split(" | ")[0]
            alarm = named if named in shipped() else patterns.of(each["say"])
            is_alarm = "alarm" in f"{each.get('kind')}{each.get('alarm')}{each.get('intent')}{each.get('expect')}"
            if alarm or not is_alarm:
                yield Labelled(each["say"], alarm)
    questions = load_corpus(data / "retrieval" / "stackfaq").questions[:_FOREIGN]
    yield from (Labelled(each.text, "") for each in questions)


def _said(told: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(told, Mapping):
        if isinstance(told.get("say"), str):
            yield told
        told = list(told.values())
    if isinstance(told, list):
        for each in told:
            yield from _said(each)


@dataclass(frozen=True)
class Known:
    """What is known of messages of one language: their vectors, their words, and the groups of their alarms."""

    vectors: NDArray[np.float32]
    words: Sequence[frozenset[str]]
    groups: Sequence[str]

    def part(self, at: Iterable[int]) -> "Known":
        """Return some of the messages."""
        kept = list(at)
        return Known(self.vectors[kept], [self.words[each] for each in kept], [self.groups[each] for each in kept])


@dataclass(frozen=True)
class Fit:
    """A regression, and the words that its last columns are of."""

    regression: LogisticRegression
    words: Sequence[str]

    def likely(self, of: Known) -> NDArray[np.float64]:
        """Return of each message how likely any alarm is."""
        likely: NDArray[np.float64] = 1 - self.regression.predict_proba(_columns(of, self.words))[:, 0]
        return likely


def fitted(known: Known) -> Fit:
    """Return the regression over the messages of one language."""
    seen = Counter(word for words in known.words for word in words)
    words = sorted(word for word, times in seen.items() if times >= _SEEN)
    regression = LogisticRegression(C=_FREEDOM, max_iter=600, tol=1e-3)
    return Fit(regression.fit(_columns(known, words), known.groups), words)


def _columns(known: Known, words: Sequence[str]) -> csr_matrix:
    place = {word: at for at, word in enumerate(words)}
    rows, columns, values = [], [], []
    for row, said in enumerate(known.words):
        for word in said & place.keys():
            rows.append(row)
            columns.append(place[word])
            values.append(WORDS / math.sqrt(len(said)))
    counted = csr_matrix((values, (rows, columns)), shape=(len(known.words), len(words)))
    return csr_matrix(hstack([csr_matrix(known.vectors), counted]))


def left_out(known: Known) -> NDArray[np.float64]:
    """Return of each message how likely an alarm is to a fit that did not see its part."""
    likely = np.zeros(len(known.groups))
    for seen, rest in StratifiedKFold(5, shuffle=True, random_state=0).split(known.vectors, known.groups):
        likely[rest] = fitted(known.part(seen)).likely(known.part(rest))
    return likely


def as_data(fit: Fit, model: str, *, least: float, sure: float) -> Mapping[str, Any]:
    """Return a regression as what `maybe.JUDGES` reads; a word that hardly weighs is left out."""
    dimensions = fit.regression.coef_.shape[1] - len(fit.words)
    weights = fit.regression.coef_[:, dimensions:].T
    return {
        "model": model,
        "least": round(least, 2),
        "sure": round(sure, 2),
        "groups": list(fit.regression.classes_),
        "base": [round(float(each), 3) for each in fit.regression.intercept_],
        "rows": [[round(float(each), 2) for each in row[:dimensions]] for row in fit.regression.coef_],
        "words": {
            word: [round(float(each), 1) for each in row]
            for word, row in zip(fit.words, weights, strict=True)
            if max(abs(row)) >= _LEAST_WEIGHT
        },
    }


def report(name: str, of: Sequence[Labelled], likely: NDArray[np.float64], *, least: float, sure: float) -> None:
    """Print what the patterns find alone, what the judge raises too, and what it tells beside a reply."""
    patterns = Alarms(shipped())
    known = np.array([bool(patterns.of(each.text)) for each in of])
    is_alarm = np.array([bool(each.alarm) for each in of])
    for kind, which in (("alarms", is_alarm), ("calm", ~is_alarm)):
        by_patterns, raised = known[which].mean(), (known | (likely >= sure))[which].mean()
        told = (known | (likely >= least))[which].mean()
        sys.stdout.write(
            f"{name}, {which.sum()} {kind}: patterns {by_patterns:.3f}, raised {raised:.3f}, told {told:.3f}\n"
        )


def main() -> None:
    """Fit, report on parts that were left out, and write the weights where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    every = list({each.text: each for each in reversed(list(messages(chosen.data)))}.values())
    embedder = embedder_of(EmbeddingConfig())
    written = {}
    for language, model in zip(("en", "zh"), embedder.name.split("+"), strict=True):
        of = [each for each in every if is_chinese(each.text) is (language == "zh")]
        vectors = asyncio.run(embedder.embed([each.text for each in of], role="question"))
        own = np.array([own_part(each.tolist(), dimensions=embedder.dimensions - 1) for each in vectors])
        known = Known(own, [terms(each.text) for each in of], [group_of(each.alarm) for each in of])
        sys.stdout.write(f"{language}: {dict(Counter(known.groups))}\n")
        likely = left_out(known)
        calm = likely[[not group for group in known.groups]]
        least, sure = (float(np.quantile(calm, 1 - share)) for share in (TOLD, RAISED))
        report(f"{language}, parts left out, bars {least:.2f} and {sure:.2f}", of, likely, least=least, sure=sure)
        written[language] = as_data(fitted(known), model, least=least, sure=sure)
    if chosen.write:
        WEIGHTS.write_text(json.dumps(written, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
