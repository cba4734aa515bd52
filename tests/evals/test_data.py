"""Questions about numbers, read without a language model: the score is printed and checked."""

from datetime import date
from pathlib import Path

import pytest
import yaml

from evals.cases import SHIPPED, load_questions, load_routing
from evals.command import run_numbers
from evals.data_trial import CATALOG, TODAY, company_trial, load_data
from evals.report import HEADINGS, rows, summary
from features.data.understanding.asked import AskedData, UnclearQuestion
from features.data.understanding.reading import read
from identity.actor import local_operator
from language.scripts import is_chinese
from queries.sql.catalog.catalog import Catalog
from queries.sql.guard.guard import guard
from queries.sql.metrics.building import built
from sample.company import make_company

FILES = ("data", "held_out_data")


@pytest.mark.parametrize("name", [*FILES, "staff_data", "fresh_data", "hasty_data", "leads_data", "strangers_data"])
def test_the_score_reaches_every_threshold(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = run_numbers(SHIPPED / f"{name}.yaml")
    told = "\n".join([" | ".join(HEADINGS), *(" | ".join(row) for row in rows(report, every=False)), *summary(report)])
    with capsys.disabled():
        print(f"\n{told}")  # noqa: T201 - the score belongs into the log of every build

    assert report.thresholds
    assert report.passed, told


def test_a_third_is_held_back_and_half_is_chinese() -> None:
    tuned, held = (load_data(SHIPPED / f"{name}.yaml").questions for name in FILES)
    chinese = sum(is_chinese(case.text) for case in (*tuned, *held))

    assert len(tuned) + len(held) >= 120
    assert len(held) * 3 >= len(tuned) + len(held)
    assert chinese >= 0.45 * (len(tuned) + len(held))
    assert not {case.text for case in tuned if not case.after} & {case.text for case in held if not case.after}


def test_the_guard_lets_every_statement_through_and_changes_no_row() -> None:
    file = load_data(SHIPPED / "data.yaml")
    compared = 0
    with company_trial() as trial:
        for case in file.questions:
            asked = trial.understood(case.text)
            if isinstance(asked, AskedData):
                statement = built(asked.query, trial.catalog, dialect="sqlite", today=TODAY).statement
                guarded = guard(statement, trial.catalog, local_operator(), dialect="sqlite", rows=1_000)
                plain = trial.database.execute(statement).fetchmany(1_000)
                assert trial.database.execute(guarded.statement).fetchmany(1_000) == plain, statement
                compared += 1

    assert compared >= 60


def test_the_sample_is_the_same_each_time_and_ends_today(tmp_path: Path) -> None:
    for name in ("one.db", "two.db"):
        make_company(tmp_path / name, today=date(2026, 2, 28), orders=2_000)

    assert (tmp_path / "one.db").read_bytes() == (tmp_path / "two.db").read_bytes()
    assert CATALOG.exists()


@pytest.mark.parametrize("earlier", ["", "orders by region last month", "list the environments of Trackline"])
def test_what_other_evaluations_ask_is_left_alone_in_a_thread_about_numbers_too(earlier: str) -> None:
    questions = [
        case.question for name in ("rules", "held_out") for case in load_questions(SHIPPED / f"{name}.yaml").cases
    ]
    spoken = [
        case.text for name in ("routing", "held_out_routing") for case in load_routing(SHIPPED / f"{name}.yaml").cases
    ]
    catalogs = {"company": Catalog.model_validate(yaml.safe_load(CATALOG.read_text(encoding="utf-8")))}

    def understood(text: str, before: AskedData | None = None) -> AskedData | UnclearQuestion | None:
        return read(text, catalogs=catalogs, known={}, today=TODAY, language="en", before=before)

    before = understood(earlier) if earlier else None
    assert not isinstance(before, UnclearQuestion)
    assert (before is None) == (not earlier)
    assert [text for text in (*questions, *spoken) if understood(text, before) is not None] == []
