"""The judgements of a corpus: which document answers which question, and how well."""

import re
from collections.abc import Mapping
from pathlib import Path

from evals.beir_lines import CorpusInvalid, lines

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
