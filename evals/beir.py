"""A corpus in BEIR form: `corpus.jsonl`, `queries.jsonl`, and judgements in `qrels/*.tsv`; each may be packed."""

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_PACKED = ".gz"


class CorpusInvalid(Exception):
    """The folder is no corpus; the text says what is missing or wrong."""


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that hold something, with their numbers; a file that is missing may be there packed."""
    found = path if path.exists() else path.with_name(path.name + _PACKED)
    try:
        packed = found.suffix == _PACKED
        with gzip.open(found, "rt", encoding="utf-8-sig") if packed else found.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line
    except FileNotFoundError as error:
        raise CorpusInvalid(f"{path} is missing") from error
    except UnicodeDecodeError as error:
        raise CorpusInvalid(f"{found} is no UTF-8 text") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise CorpusInvalid(f"{found} cannot be unpacked: {error}") from error


def whole(text: str) -> str:
    """Return text as it comes out of a page that was read: lines end in one way, no half characters, no NUL."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return plain if plain.isascii() else plain.encode("utf-8", "replace").decode()


#: Document → grade; whole numbers mostly.
Grades = Mapping[str, float]

#: The judgements that are taken when nobody says which.
SPLIT = "test"
_FOLDER = "qrels"
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
#: TREC's second column, where blanks stand between it and the document.
_ITERATION = re.compile(r"Q?0\s+")


def file_of(folder: Path, split: str) -> Path:
    """Return the file of a split, as `qrels/dev.tsv`; without one that of `test`, or the only one there is."""
    there = {file.name.removesuffix(".gz"): file for file in sorted((folder / _FOLDER).glob("*.tsv*"))}
    for name in (f"{split or SPLIT}_beir.tsv", f"{split or SPLIT}.tsv"):
        if name in there:
            return there[name]
    if len(there) == 1 and not split:
        return next(iter(there.values()))
    wanted = folder / _FOLDER / f"{split or SPLIT}.tsv"
    others = f"; there are {', '.join(name.removesuffix('.tsv') for name in there)}" if there else ""
    raise CorpusInvalid(f"{wanted} is missing, the file of judgements{others}")


def judgements(path: Path) -> Mapping[str, Grades]:
    """Return the grades above 0 of every question; one without any is there with none.

    A line is `question document grade` under a heading (BEIR), or `question 0 document grade` without one (TREC).
    Where tabs stand between them, ids may hold spaces, as the paths of files do.
    """
    judged: dict[str, dict[str, float]] = {}
    headed: bool | None = None
    for number, line in lines(path):
        parts = [part.strip() for part in line.split("\t" if "\t" in line else None)]
        told = _NUMBER.fullmatch(parts[-1]) is not None
        if headed is None:
            headed = not told
            if headed:
                continue
        if len(parts) not in (3, 4) or not told:
            raise CorpusInvalid(f"{path.name}, line {number}: question, document and grade are wanted")
        grades = judged.setdefault(parts[0], {})
        if (grade := float(parts[-1])) > 0:
            grades[parts[-2] if headed else _ITERATION.sub("", parts[-2], count=1)] = grade
    return judged


DOCUMENTS, QUESTIONS = "corpus.jsonl", "queries.jsonl"


@dataclass(frozen=True)
class CorpusText:
    """One document or question; questions have no title."""

    id: str
    text: str
    title: str = ""


@dataclass(frozen=True)
class Corpus:
    """Documents, and those questions that have a relevant document."""

    name: str
    documents: tuple[CorpusText, ...]
    questions: tuple[CorpusText, ...]
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


def _texts(path: Path) -> tuple[dict[str, CorpusText], int]:
    """Return every text by its id, and how many were replaced by a later one."""
    found: dict[str, CorpusText] = {}
    number = again = 0
    for number, line in lines(path):
        try:
            read = json.loads(line)
            given = (read["_id"], read.get("text") or "", read.get("title") or "")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise CorpusInvalid(f"{path.name}, line {number}: an object with _id and text is wanted") from error
        name, text, title = (whole(str(each)) for each in given)
        again += name in found
        found[name] = CorpusText(id=name, text=text, title=title)
    if not number:
        raise CorpusInvalid(f"{path.name} is empty")
    return found, again


def _is_empty(document: CorpusText) -> bool:
    return not f"{document.title}{document.text}".strip()


def _meet(what: str, these: Iterable[str], name: str, those: Mapping[str, CorpusText]) -> None:
    """Raise `CorpusInvalid`, with an id of each side, when none of these is among those."""
    if not any(each in those for each in these):
        raise CorpusInvalid(f"no {what} is in {name}: {next(iter(these))!r} there, {next(iter(those))!r} here")
