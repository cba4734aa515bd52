"""What a question back offers is of tables that the asker may ask for, in whatever way a choice counts."""

from pathlib import Path

import pytest
import yaml

from features.data.understanding.asked import AskedData, ReadingChoice, UnclearQuestion
from features.data.understanding.thread import Questions
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import DataQuery, MetricQuery, RowQuery

SHOPS = Catalog.model_validate(
    yaml.safe_load(Path(__file__).with_name("repair_shops.yaml").read_text(encoding="utf-8"))
)
METRIC, OWN = next((name, metric.table) for name, metric in SHOPS.metrics.items())


@pytest.mark.parametrize(
    "query",
    [
        MetricQuery(metric=METRIC),
        MetricQuery(metric=OWN, aggregate="count"),
        MetricQuery(metric=f"{OWN}.anything", aggregate="sum"),
        RowQuery(table=OWN),
    ],
    ids=["metric", "count of rows", "sum of a column", "rows"],
)
def test_a_choice_is_kept_by_its_table(query: DataQuery) -> None:
    back = UnclearQuestion("ambiguous", "", (ReadingChoice("this", AskedData("shops", query)),))
    questions = Questions({"shops": SHOPS})

    assert questions.among(back.choices, {f"shops.{OWN}"}) == back.choices
    assert questions.among(back.choices, {f"other.{OWN}", "shops.nothing"}) == ()
