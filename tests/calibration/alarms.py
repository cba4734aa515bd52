"""Fit the judge of what may be an alarm, and report what it adds to the patterns.

    python -m tests.calibration.alarms --data ../shared/data [--write]

A logistic regression for each language, over the vectors that the language's model makes of messages: those of our own
alarms, by group, against messages that raise none. scikit-learn is a development tool: what is written is data that
`features/alarms/maybe.py` follows without it. Nothing of `tests/evals/alarms`, which is held back, is learned from.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from evals.beir import load_corpus
from evals.cases import SHIPPED
from features.alarms.alarms import Alarms, asks_only, shipped, shipped_groups
from features.alarms.maybe import WEIGHTS, own_part
from language.scripts import is_chinese
from search.config import EmbeddingConfig
from search.embedding.choice import embedder_of
from tests.features import test_alarms

TESTS = Path(__file__).resolve().parent.parent
#: Likelihood of any alarm from which on it is told: of harmless messages of strangers three in a hundred are.
LEAST = 0.4
_FOREIGN = 600
#: How freely weights may grow.
_FREEDOM = 6.0


@dataclass(frozen=True)
class Labelled:
    """A message, and the alarm that it raises; "" for none."""

    text: str
    alarm: str


def group_of(alarm: str) -> str:
    """Return the group of an alarm; "" for none."""
    return next((name for name, group in shipped_groups().items() if alarm in group.kinds), "")


def messages(data: Path) -> Iterator[Labelled]:
    """Return our own alarms and what raises none; `data` as the project is given it."""
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
    files = [*TESTS.glob("evals/staff/*/conversations.yaml"), *TESTS.glob("evals/press/*.yaml")]
    files += [
        *TESTS.glob("evals/*/cases.yaml"),
        *(SHIPPED / name for name in ("messages.yaml", "held_out_messages.yaml")),
    ]
    for file in sorted(files):
        for each in _said(yaml.safe_load(file.read_text(encoding="utf-8"))):
            is_alarm = "alarm" in f"{each.get('kind')}{each.get('alarm')}{each.get('intent')}{each.get('expect')}"
            if not is_alarm or (alarm := patterns.of(each["say"])):
                yield Labelled(each["say"], alarm if is_alarm else "")
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


def fitted(vectors: NDArray[np.float32], groups: Sequence[str]) -> LogisticRegression:
    """Return the regression over vectors of one language."""
    return _fresh().fit(vectors, groups)


def _fresh() -> LogisticRegression:
    return LogisticRegression(C=_FREEDOM, max_iter=5_000)


def as_data(fit: LogisticRegression, model: str) -> Mapping[str, Any]:
    """Return a regression as what `maybe.weights` reads."""
    return {
        "model": model,
        "least": LEAST,
        "groups": list(fit.classes_),
        "base": [round(float(each), 3) for each in fit.intercept_],
        "rows": [[round(float(each), 3) for each in row] for row in fit.coef_],
    }


def report(name: str, of: Sequence[Labelled], likely: NDArray[np.float64], patterns: Alarms) -> None:
    """Print what the patterns find alone, and what is found where the judge is asked too."""
    alarms = [(each, told) for each, told in zip(of, likely, strict=True) if each.alarm]
    calm = [(each, told) for each, told in zip(of, likely, strict=True) if not each.alarm]

    def share(which: Iterable[bool]) -> str:
        told = list(which)
        return f"{sum(told)}/{len(told)}"

    known = {each.text: bool(patterns.of(each.text)) for each in of}
    sys.stdout.write(
        f"{name}: alarms by patterns {share(known[each.text] for each, _ in alarms)}, by the judge "
        f"{share(told >= LEAST for _, told in alarms)}, by either "
        f"{share(known[each.text] or told >= LEAST for each, told in alarms)}; calm ones told of "
        f"{share(not known[each.text] and told >= LEAST for each, told in calm)}\n"
    )


def main() -> None:
    """Fit, report on parts that were left out, and write the weights where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    every = list({each.text: each for each in messages(chosen.data)}.values())
    embedder = embedder_of(EmbeddingConfig())
    patterns, written = Alarms(shipped()), {}
    for language, model in zip(("en", "zh"), embedder.name.split("+"), strict=True):
        of = [each for each in every if is_chinese(each.text) is (language == "zh")]
        vectors = asyncio.run(embedder.embed([each.text for each in of], role="question"))
        own = np.array([own_part(each.tolist(), dimensions=embedder.dimensions - 1) for each in vectors])
        groups = [group_of(each.alarm) for each in of]
        sys.stdout.write(f"{language}: {dict(Counter(groups))}\n")
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        told = cross_val_predict(_fresh(), own, groups, cv=folds, method="predict_proba")
        asks = np.array([asks_only(each.text) for each in of])
        report(f"{language}, parts left out", of, np.where(asks, 0.0, 1 - told[:, 0]), patterns)
        written[language] = as_data(fitted(own, groups), model)
    if chosen.write:
        WEIGHTS.write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
