"""Fit the judge of sentences (`certainty/closely.py`), and report how well it judges companies that it has not seen.

    python -m tests.calibration.closely --keep FOLDER [--held NAME=FOLDER ...] [--write]

`--keep` holds indexes and what was found; `--held` are companies that are only judged: folders with `pages` and cases
or conversations as in `tests/evals`. scikit-learn is a development tool: what is written are weights.
"""

import argparse
import asyncio
import json
import pickle
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from agent.brains.rules.answering.certainty.closely import WEIGHTS, own_sections, signs_in_order, signs_of_first
from agent.brains.rules.answering.passages import pieces_of
from agent.brains.rules.answering.question import Question
from agent.brains.rules.answering.ranking import rank
from agent.brains.rules.answering.sufficiency import judge
from language.synonyms.idioms import in_words_of_pages
from search.config import SearchConfig
from search.embedding.choice import embedder_of
from search.embedding.likeness import Likeness
from search.sources.folder import FolderSource
from tests.calibration.collections import COMPANIES, EVALS, Grouped, opened
from tests.calibration.gathering import Seen, gathered, is_answered, of_company

#: Companies whose people's questions teach.
TAUGHT = {
    **COMPANIES,
    **{name: EVALS / "staff" / name for name in ("bakery", "brewery", "clinic", "driving", "inns", "pool", "ski")},
}
#: How much a question counts whose page may not be read, or that no page answers; and one that words answer.
_MET, _ANSWERED = 0.35, 0.3
#: Languages whose weights are used: English sentences of companies that nobody here had written told nothing more.
_WRITTEN = ("zh",)
#: Likelihoods from which answers are counted in the report.
_FROM = (0.5, 0.55, 0.6, 0.7)


@dataclass(frozen=True)
class CloseExample:
    """One question: of each section what speaks for it and whether it answers, in the order of words."""

    company: str
    present: bool
    enough: bool  # words alone answer it
    seen: Seen
    right: tuple[bool, ...]


async def seen_in(name: str, folder: Path, *, home: Path) -> list[Seen]:
    """Ask a company its people's questions, and compare the sentences of what is found with them."""
    embedder = embedder_of(SearchConfig().embedding)
    likeness = Likeness(embedder)
    source = Grouped(name, FolderSource(name, folder / "pages"))
    collection = await opened(name, source, home=home, embedder=embedder)
    asked = [replace(each, text=in_words_of_pages(each.text)) for each in of_company(folder)]
    return [each async for each in _likened(gathered(collection, asked, others=(), seed=3), likeness)]


async def _likened(found: AsyncIterator[Seen], likeness: Likeness) -> AsyncIterator[Seen]:
    async for each in found:
        pieces = [[f"{one.path[-1]}: {piece.said}" for piece in pieces_of(one.text)] for one in each.passages]
        texts = [*dict.fromkeys(text for of_one in pieces for text in of_one)]
        known = dict(zip(texts, await likeness.of((each.asked.text,), texts), strict=True))
        near = (tuple(known[text] for text in of_one) for of_one in pieces)
        passages = (replace(one, likeness=those) for one, those in zip(each.passages, near, strict=True))
        yield replace(each, passages=tuple(passages))


def examples(company: str, seen: Sequence[Seen]) -> list[CloseExample]:
    """Return what can be judged of what was found."""
    found = []
    for each in seen:
        question, passages = _question(each), each.passages
        ranked = rank(question, passages)
        if not own_sections(question, ranked) or question.weight <= 0:
            continue
        right = {one.evidence: is_answered(each, one) for one in passages}
        order = tuple(right[item.passage.evidence] for item in own_sections(question, ranked))
        enough = judge(question, ranked).enough
        found.append(CloseExample(company, each.variant == "present", enough, each, order))
    return found


def _question(seen: Seen) -> Question:
    return Question.of(seen.asked.text, seen.asked.language)


def ordering(of: Sequence[CloseExample]) -> NDArray[np.float64]:
    """Return what each sign is worth in the order: the best section that answers against each that does not."""
    differences: list[NDArray[np.float64]] = []
    for each in of:
        question = _question(each.seen)
        own = own_sections(question, rank(question, each.seen.passages))
        signs = np.array([signs_in_order(question, item) for item in own])
        if any(each.right):
            best = signs[each.right.index(True)]
            differences += [best - other for other, is_right in zip(signs, each.right, strict=True) if not is_right]
    table = np.array(differences)
    both = np.concatenate([table, -table])
    said = np.repeat([1, 0], len(table))
    worth: NDArray[np.float64] = LogisticRegression(C=0.3, fit_intercept=False).fit(both, said).coef_[0]
    return worth


def judged(each: CloseExample, worth: NDArray[np.float64]) -> tuple[tuple[float, ...], bool]:
    """Return what speaks for the section that the order puts first, and whether it answers."""
    question = _question(each.seen)
    ranked = rank(question, each.seen.passages)
    own = own_sections(question, ranked)
    scores = [float(np.dot(worth, signs_in_order(question, item))) for item in own]
    places = sorted(range(len(own)), key=lambda at: -scores[at])
    signs = signs_of_first(question, ranked, [own[at] for at in places], tuple(worth))
    return signs, each.right[places[0]]


def fitted(of: Sequence[CloseExample]) -> tuple[NDArray[np.float64], float, NDArray[np.float64]]:
    """Return the worth of the signs in the order, and the base and the worth of those of the first section."""
    worth = ordering(of)
    pairs = [judged(each, worth) for each in of]
    table, right = np.array([signs for signs, _ in pairs]), np.array([is_right for _, is_right in pairs])
    weights = [(1.0 if each.present else _MET) * (_ANSWERED if each.enough else 1.0) for each in of]
    scaler = StandardScaler().fit(table)
    model = LogisticRegression(C=0.3, max_iter=500).fit(scaler.transform(table), right, sample_weight=weights)
    first = model.coef_[0] / scaler.scale_
    return worth, float(model.intercept_[0] - np.dot(first, scaler.mean_)), first


def report(name: str, taught: Sequence[CloseExample], held: Sequence[CloseExample]) -> list[tuple[float, bool, bool]]:
    """Print how what words do not answer is judged by what others taught; return likelihood, right, present of each."""
    worth, base, first = fitted(taught)
    told = []
    for each in held:
        if not each.enough:
            signs, right = judged(each, worth)
            told.append((float(1 / (1 + np.exp(-base - np.dot(first, signs)))), right, each.present))
    _row(name, told)
    return told


def _row(name: str, told: Sequence[tuple[float, bool, bool]]) -> None:
    cells = []
    for least in _FROM:
        given = [(right, present) for likely, right, present in told if likely >= least]
        right, wrong = sum(each for each, _ in given), sum(present and not each for each, present in given)
        cells.append(f"{right} / {wrong} / {len(given) - right - wrong}")
    sys.stdout.write(f"| {name} | {sum(right for _, right, _ in told)} of {len(told)} | {' | '.join(cells)} |\n")


def main() -> None:
    """Gather what is missing, report, and write the weights where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--held", nargs="*", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    held = {name: Path(folder) for name, _, folder in (each.partition("=") for each in chosen.held)}
    known: dict[str, list[CloseExample]] = {}
    for name, folder in (TAUGHT | held).items():
        file = chosen.keep / f"closely-{name}.pkl"
        if not file.exists():
            file.write_bytes(pickle.dumps(asyncio.run(seen_in(name, folder, home=chosen.keep))))
        known[name] = examples(name, pickle.loads(file.read_bytes()))
    written = {}
    for language in ("en", "zh"):
        said = {name: [one for one in of if one.seen.asked.language == language] for name, of in known.items()}
        taught = {name: of for name, of in said.items() if name in TAUGHT and of}
        every = [one for of in taught.values() for one in of]
        columns = " | ".join(f"from {least}: right / wrong / page away" for least in _FROM)
        sys.stdout.write(f"| {language} | first section right | {columns} |\n{'| --- ' * (2 + len(_FROM))}|\n")
        told = []
        for name, of in taught.items():
            told += report(name, [one for one in every if one.company != name], of)
        _row("all", told)
        for name in held:
            report(f"{name}, never taught", every, said[name])
        if language not in _WRITTEN:
            continue
        worth, base, first = fitted(every)
        rounded = {"order": [*np.round(worth, 4)], "base": round(base, 4), "first": [*np.round(first, 4)]}
        written[language] = rounded
    if chosen.write:
        WEIGHTS.write_text(json.dumps(written) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
