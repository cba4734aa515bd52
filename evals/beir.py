"""A corpus in BEIR form: `corpus.jsonl`, `queries.jsonl`, and judgements in `qrels/*.tsv`."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

#: Files of judgements, in the order in which one is looked for; any other is taken when there is only one.
QRELS = ("test_beir.tsv", "test.tsv")


class CorpusInvalid(Exception):
    """The folder is no corpus; the text says what is missing or wrong."""


@dataclass(frozen=True)
class Text:
    """One document or question; questions have no title."""

    id: str
    text: str
    title: str = ""


@dataclass(frozen=True)
class Corpus:
    """Documents, and those questions that have a judged document."""

    name: str
    documents: tuple[Text, ...]
    questions: tuple[Text, ...]
    relevant: Mapping[str, Mapping[str, int]]  # question → document → grade, above 0 only


def load_corpus(folder: Path) -> Corpus:
    """Read a folder; raise `CorpusInvalid` with the file and line that is wrong."""
    relevant = _judgements(_judged_file(folder))
    documents = tuple(_texts(folder / "corpus.jsonl"))
    questions = tuple(each for each in _texts(folder / "queries.jsonl") if each.id in relevant)
    known = {each.id for each in documents}
    if not questions or not any(known.intersection(found) for found in relevant.values()):
        raise CorpusInvalid(f"{folder}: no question has a judged document that is in corpus.jsonl")
    return Corpus(folder.name, documents, questions, relevant)


def _texts(path: Path) -> Iterator[Text]:
    for number, line in _lines(path):
        try:
            read = json.loads(line)
            yield Text(id=str(read["_id"]), text=str(read.get("text") or ""), title=str(read.get("title") or ""))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CorpusInvalid(f"{path.name}, line {number}: an object with _id and text is wanted") from error


def _judged_file(folder: Path) -> Path:
    found = sorted((folder / "qrels").glob("*.tsv"))
    named = [file for name in QRELS for file in found if file.name == name]
    if not named and len(found) != 1:
        raise CorpusInvalid(f"{folder}: one file of judgements is wanted, qrels/test.tsv")
    return (named or found)[0]


def _judgements(path: Path) -> Mapping[str, Mapping[str, int]]:
    """Read `question document grade` with a heading (BEIR), or `question 0 document grade` without (TREC).

    Where tabs stand between them, ids may hold spaces, as the paths of files do.
    """
    relevant: dict[str, dict[str, int]] = {}
    for number, line in _lines(path):
        parts = [part.strip() for part in line.split("\t" if "\t" in line else None)]
        if number == 1 and not parts[-1].lstrip("-").isdigit():
            continue
        if len(parts) not in (3, 4) or not parts[-1].lstrip("-").isdigit():
            raise CorpusInvalid(f"{path.name}, line {number}: question, document and grade are wanted")
        if int(parts[-1]) > 0:
            relevant.setdefault(parts[0], {})[parts[-2]] = int(parts[-1])
    return relevant


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line
    except FileNotFoundError as error:
        raise CorpusInvalid(f"{path} is missing") from error
    except UnicodeDecodeError as error:
        raise CorpusInvalid(f"{path} is no UTF-8 text") from error
