"""A corpus in BEIR form: `corpus.jsonl`, `queries.jsonl`, and judgements in `qrels/*.tsv`; each may be packed."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from evals.beir_judgements import Grades, file_of, judgements
from evals.beir_lines import CorpusInvalid, lines, whole

DOCUMENTS, QUESTIONS = "corpus.jsonl", "queries.jsonl"


@dataclass(frozen=True)
class Text:
    """One document or question; questions have no title."""

    id: str
    text: str
    title: str = ""


@dataclass(frozen=True)
class Corpus:
    """Documents, and those questions that have a relevant document."""

    name: str
    documents: tuple[Text, ...]
    questions: tuple[Text, ...]
    relevant: Mapping[str, Grades]  # question → document → grade, above 0 only
    remarks: tuple[str, ...] = ()  # what does not fit together, and what is made of it


def load_corpus(folder: Path, *, split: str = "") -> Corpus:
    """Read a folder; raise `CorpusInvalid` with the file and line that is wrong.

    `split` names the file of judgements, such as `dev`; without it that is `test`, or the only one.
    """
    file = file_of(folder, split)
    judged = judgements(file)
    documents, documents_again = _texts(folder / DOCUMENTS)
    questions, questions_again = _texts(folder / QUESTIONS)
    relevant = {question: grades for question, grades in judged.items() if grades}
    if not relevant:
        raise CorpusInvalid(f"{file.name}: no grade is above 0")
    asked = tuple(each for each in questions.values() if each.id in relevant)
    _meet(f"question of {file.name}", relevant, QUESTIONS, questions)
    wanted = dict.fromkeys(document for each in asked for document in relevant[each.id])
    _meet(f"judged document of {file.name}", wanted, DOCUMENTS, documents)
    remarks = {
        f"documents passed over for a later one of the same id in {DOCUMENTS}": documents_again,
        f"questions passed over for a later one of the same id in {QUESTIONS}": questions_again,
        "documents without title and text, never found": sum(map(_is_empty, documents.values())),
        f"relevant documents that are not in {DOCUMENTS}, counted as not found": len(wanted.keys() - documents),
        f"judged questions that are not in {QUESTIONS}, not asked": len(relevant.keys() - questions),
        "judged questions without a relevant document, not asked": len(judged) - len(relevant),
    }
    return Corpus(
        name=folder.name,
        documents=tuple(documents.values()),
        questions=asked,
        relevant={each.id: relevant[each.id] for each in asked},
        remarks=tuple(f"{folder.name}: {what}: {count:,}" for what, count in remarks.items() if count),
    )


def _texts(path: Path) -> tuple[dict[str, Text], int]:
    """Return every text by its id, and how many were replaced by a later one."""
    found: dict[str, Text] = {}
    number = again = 0
    for number, line in lines(path):
        try:
            read = json.loads(line)
            given = (read["_id"], read.get("text") or "", read.get("title") or "")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise CorpusInvalid(f"{path.name}, line {number}: an object with _id and text is wanted") from error
        name, text, title = (whole(str(each)) for each in given)
        again += name in found
        found[name] = Text(id=name, text=text, title=title)
    if not number:
        raise CorpusInvalid(f"{path.name} is empty")
    return found, again


def _is_empty(document: Text) -> bool:
    return not f"{document.title}{document.text}".strip()


def _meet(what: str, these: Iterable[str], name: str, those: Mapping[str, Text]) -> None:
    """Raise `CorpusInvalid`, with an id of each side, when none of these is among those."""
    if not any(each in those for each in these):
        raise CorpusInvalid(f"no {what} is in {name}: {next(iter(these))!r} there, {next(iter(those))!r} here")
