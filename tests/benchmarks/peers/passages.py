"""What every pipeline is given: the same passages, questions and vectors, in one folder; and what each has to tell."""

import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.retrieval import ndcg, recall

Vectors = NDArray[np.float32]
#: Passages that each leg gives, and that come out of the fusion.
DEPTH = 100


@dataclass(frozen=True)
class Text:
    """One passage of a document, or one question (whose document is empty)."""

    id: str
    document: str
    text: str


@dataclass(frozen=True)
class Task:
    """A judged corpus, cut into passages and embedded; vectors are in the order of their texts."""

    passages: tuple[Text, ...]
    passage_vectors: Vectors
    questions: tuple[Text, ...]
    question_vectors: Vectors
    relevant: Mapping[str, Mapping[str, float]]

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, texts, vectors in (
            ("passages", self.passages, self.passage_vectors),
            ("questions", self.questions, self.question_vectors),
        ):
            np.save(folder / f"{name}.npy", vectors)
            (folder / f"{name}.json").write_text(json.dumps([asdict(text) for text in texts]), encoding="utf-8")
        (folder / "relevant.json").write_text(json.dumps(self.relevant), encoding="utf-8")


def load(folder: Path) -> Task:
    def texts(name: str) -> tuple[Text, ...]:
        return tuple(Text(**each) for each in json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))

    return Task(
        passages=texts("passages"),
        passage_vectors=np.load(folder / "passages.npy"),
        questions=texts("questions"),
        question_vectors=np.load(folder / "questions.npy"),
        relevant=json.loads((folder / "relevant.json").read_text(encoding="utf-8")),
    )


def run(name: str, task: Task, ask: Callable[[str, list[float]], Sequence[str]]) -> None:
    """Ask every question and print the figures; `ask` takes a text and its vector and returns documents, best first."""
    ask(task.questions[0].text, task.question_vectors[0].tolist())
    answers: dict[str, Sequence[str]] = {}
    seconds: list[float] = []
    for question, vector in zip(task.questions, task.question_vectors.tolist(), strict=True):
        started = time.perf_counter()
        found = ask(question.text, vector)
        seconds.append(time.perf_counter() - started)
        answers[question.id] = tuple(dict.fromkeys(found))
    tell(name, task, answers, seconds)


def tell(name: str, task: Task, answers: Mapping[str, Sequence[str]], seconds: Sequence[float]) -> None:
    """Print one pipeline's quality by documents, and how long a question took without its embedding."""
    gains = [ndcg(found, task.relevant[key], at=10) for key, found in answers.items()]
    recalls = [recall(found, task.relevant[key], at=10) for key, found in answers.items()]
    inside = sorted(value * 1_000 for value in seconds)
    print(  # noqa: T201 - the result
        f"{name}: nDCG@10 {statistics.fmean(gains):.3f}, recall@10 {statistics.fmean(recalls):.3f}, "
        f"p50 {statistics.median(inside):.1f} ms, p99 {inside[int(len(inside) * 0.99)]:.1f} ms"
    )
