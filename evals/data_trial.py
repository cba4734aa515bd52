"""Questions about numbers put to the words-to-query reader, judged by the rows of the sample company's database.

Right and wrong are told by rows alone: hand-written SQL gives what is expected, so that any query that says the same
counts. Nothing of the desk runs: guard and rights are tested elsewhere, and would only hide a wrong query here.
"""

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from evals.cases import CasesInvalid
from evals.graders import Check, Grade, Score
from features.data.understanding.asked import AskedData, AskedParts, UnclearQuestion
from features.data.understanding.reading import read_all
from language.scripts import language_of
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.building import built
from queries.sql.setup.reading import read_catalog
from sample.company import make_company
from storage.files.text import FileInvalid, read_text

#: The day as of which the expected rows are written.
TODAY = date(2026, 11, 23)
CATALOG = Path(__file__).resolve().parent.parent / "sample" / "catalog" / "company.yaml"
_SOURCE = "company"
#: A tenth of the sample: enough to tell right rows from wrong ones.
_ORDERS = 20_000

Ending = Literal["right", "wrong", "asked", "none"]
_Rows = list[tuple[object, ...]]


class DataCase(BaseModel):
    """One question: what is right is said by SQL, or that no number is (`asks`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    text: str = Field(min_length=1)
    after: tuple[str, ...] = ()  # what was asked before it in the thread
    sql: str = ""
    asks: bool = False
    parts: tuple[str, ...] = ()  # SQL of each question for numbers, of a message that asks several things
    documents: str = ""  # what of such a message is left to the documents


class DataFile(BaseModel):
    """A file of questions, pieces of SQL that stand in them as `{name}`, and messages that are no questions."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    fragments: Mapping[str, str] = {}
    questions: tuple[DataCase, ...]
    others: tuple[str, ...] = ()


@dataclass
class CompanyTrial:
    """The sample's database with its catalogue."""

    database: sqlite3.Connection
    catalog: Catalog
    known: Mapping[str, Mapping[str, tuple[str, ...]]]

    def understood(self, text: str, before: AskedData | None = None) -> AskedData | AskedParts | UnclearQuestion | None:
        """Return what a message is read as."""
        return read_all(
            text,
            catalogs={_SOURCE: self.catalog},
            known=self.known,
            today=TODAY,
            language=language_of(text) or "en",
            before=before,
        )

    def ending(self, case: DataCase, fragments: Mapping[str, str]) -> tuple[Ending, str]:
        """Return how a question ends, and what was understood."""
        before: AskedData | None = None
        for text in case.after:
            earlier = self.understood(text, before)
            before = earlier if isinstance(earlier, AskedData) else None
        found = self.understood(case.text, before)
        if found is None or isinstance(found, UnclearQuestion):
            said = "nothing" if found is None else f"asks: {found.reason} {found.word}"
            return ("right" if case.asks else "none" if found is None else "asked"), said
        asked = [part.asked for part in found.asked] if isinstance(found, AskedParts) else [found]
        documents = found.documents if isinstance(found, AskedParts) else ""
        told = " + ".join(each.query.model_dump_json(exclude_defaults=True) for each in asked)
        wanted = [each.format(**fragments) for each in case.parts or (case.sql,)]
        if case.asks or len(wanted) != len(asked) or not all(map(self._gives, asked, wanted)):
            return "wrong", told
        return ("right" if documents == case.documents else "asked"), f"{told} documents: {documents}"

    def _gives(self, asked: AskedData, wanted: str) -> bool:
        statement = built(asked.query, self.catalog, dialect="sqlite", today=TODAY).statement
        return _same(self.database.execute(wanted).fetchall(), self.database.execute(statement).fetchall())


@contextmanager
def company_trial() -> Iterator[CompanyTrial]:
    """Make the sample's database in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="dutydesk-eval-") as folder:
        path = Path(folder) / "company.db"
        make_company(path, today=TODAY, orders=_ORDERS)
        with closing(sqlite3.connect(path)) as database:
            catalog = read_catalog(CATALOG)
            names = {
                f"{table}.{column}": tuple(
                    dict.fromkeys(str(name) for (name,) in database.execute(f"SELECT {column} FROM {table}"))  # noqa: S608 - of the catalogue
                )
                for table, column in catalog.named_columns
            }
            yield CompanyTrial(database, catalog, {_SOURCE: names})


def load_data(path: Path) -> DataFile:
    """Return the questions of a file."""
    try:
        return DataFile.model_validate(read_text(path).value)
    except FileInvalid as error:
        raise CasesInvalid(str(error)) from error
    except ValueError as error:
        raise CasesInvalid(f"{path}: {error}") from error


def run_data(file: DataFile) -> tuple[Grade, ...]:
    """Return a grade for each question and for each message that is none."""
    with company_trial() as trial:
        asked = [_grade(case, *trial.ending(case, file.fragments)) for case in file.questions]
        others = [_left_alone(number, text, trial) for number, text in enumerate(file.others, start=1)]
    return (*asked, *others)


def data_scores(grades: Sequence[Grade]) -> tuple[Score, ...]:
    """Return the shares of questions answered right, of those not answered wrong, and of messages left alone."""
    questions = [grade for grade in grades if grade.group == "question"]
    others = [grade for grade in grades if grade.group == "other"]
    return (
        Score("right", sum(grade.passed for grade in questions), len(questions)),
        Score("not_wrong", sum(_passed(grade, "not wrong") for grade in questions), len(questions)),
        Score("left_alone", sum(grade.passed for grade in others), len(others)),
    )


def _grade(case: DataCase, ending: Ending, told: str) -> Grade:
    said = f"{ending}: {case.text} → {told}"
    checks = (Check("not wrong", ending != "wrong", said), Check("right", ending == "right", said))
    return Grade(case_id=case.id, group="question", checks=checks)


def _left_alone(number: int, text: str, trial: CompanyTrial) -> Grade:
    found = trial.understood(text)
    return Grade(f"other-{number:02d}", "other", (Check("left alone", found is None, f"{text} → {found}"),))


def _passed(grade: Grade, name: str) -> bool:
    check = grade.check(name)
    return check is not None and check.passed


def _same(wanted: _Rows, given: _Rows) -> bool:
    """Tell whether the rows are those that are expected; a result may have columns after them."""
    width = len(wanted[0]) if wanted else 0
    return sorted(map(_plain, wanted), key=repr) == sorted((_plain(row[:width]) for row in given), key=repr)


def _plain(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(round(float(cell), 2) if isinstance(cell, int | float) else cell for cell in row)
