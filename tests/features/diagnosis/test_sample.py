"""The incident of the demo: every question to it is answered from its recording, and names what is wrong."""

from dataclasses import replace
from datetime import datetime
from functools import partial

import pytest

from agent.results import Findings, Message, plain_words
from bot.cli.running.demo import SAMPLE
from features.diagnosis.results import findings_of, more_of, notes_of, series_of
from features.diagnosis.understanding.changes import changes_since
from identity.actor import Actor, local_operator
from queries.observe.errors import FailureKind, OutOfScope
from queries.observe.report.kept import KeptReport
from queries.observe.report.report import Severity
from queries.observe.service import ObserveService, WantedDiagnosis
from queries.observe.setup.opening import open_clusters
from queries.observe.setup.reading import read_clusters
from storage.clock import SystemClock
from storage.database import Database

PLACES = ({"app": "checkout"}, {"app": "payment"}, {"app": "catalog"}, {"namespace": "shop"})


@pytest.fixture
def observe(database: Database) -> ObserveService:
    config = read_clusters(SAMPLE / "clusters.yaml")
    clusters = open_clusters(config, SystemClock(), home=SAMPLE, resolve=str)
    return ObserveService(config, clusters, SystemClock(), database)


async def reported(observe: ObserveService, **place: str) -> KeptReport:
    operator = local_operator()
    asked = observe.resolve(operator, WantedDiagnosis("What is wrong?", **place))  # type: ignore[arg-type]
    return await observe.diagnose(operator, asked, door="command")


@pytest.mark.parametrize("place", PLACES, ids=str)
async def test_the_recording_holds_all_that_is_asked_of_it(observe: ObserveService, place: dict[str, str]) -> None:
    report = (await reported(observe, **place)).report
    assert [each.what for each in report.not_checked if each.kind is FailureKind.NOT_RECORDED] == []


async def test_what_is_wrong_is_named_with_what_changed_and_what_to_do(observe: ObserveService) -> None:
    found = findings_of((await reported(observe, app="checkout")).report)

    assert "OOMKilled" in plain_words(found, "en")
    assert any("checkout:4.12.0" in each.en for each in found.changed)
    assert found.advice[0].command.startswith("kubectl top ")
    assert found.advice[1].command == "kubectl rollout undo -n shop Deployment/checkout"  # it began with a rollout


async def changes(observe: ObserveService, question: str, **place: str) -> Findings:
    operator = local_operator()
    asked = observe.resolve(operator, WantedDiagnosis(question, **place))  # type: ignore[arg-type]
    since = partial(changes_since, question, "UTC")
    return findings_of((await observe.diagnose(operator, asked, door="question", changes_since=since)).report)


async def test_who_asks_what_changed_is_told_that_first(observe: ObserveService) -> None:
    for place in ({"app": "checkout"}, {"namespace": "shop"}):
        found = await changes(observe, "what changed today?", **place)
        assert found.summary.en.partition(": ")[0].endswith("last change at 09:40 UTC")
        assert "checkout:4.11.0" in found.summary.en
        assert "payment" not in plain_words(found, "en")
        assert found.summary.zh.partition("：")[0].endswith("最近一次变更在 09:40 UTC")

    found = await changes(observe, "who deployed payment today?", app="payment")
    assert "no change" in found.summary.en
    assert "since 00:00 UTC" in found.summary.en
    assert [each.en for each in found.changed] == ["who did it, the cluster does not tell"]

    found = await changes(observe, "who deployed payment in the last 20 days?", app="payment")
    assert found.summary.en.startswith("payment, last change at 2026-11-14 04:00 UTC")

    found = await changes(observe, "which image runs payment?", app="payment")
    assert found.summary.en == "payment runs registry.marenvold.example/payment:2.3.1"


async def test_who_wants_something_done_is_told_that_the_desk_reads_and_that_this_is_a_recording(
    observe: ObserveService,
) -> None:
    operator = local_operator()
    for question, first in (("restart checkout", ["I only read"]), ("is checkout ok?", [])):
        asked = observe.resolve(operator, WantedDiagnosis(question, app="checkout"))
        kept = await observe.diagnose(operator, asked, door="question")
        told = [each.text.en for each in notes_of(kept)]
        assert told[0] == "This is a recording of 2026-11-20 10:00 UTC, not what runs now."
        assert [each.partition(":")[0] for each in told[1:]] == first
        assert [each.text.en for each in notes_of(replace(kept, made_at=asked_at(kept)))] == told[1:]


def asked_at(kept: KeptReport) -> datetime:
    return kept.report.asked.now


async def test_a_chart_shows_the_telling_metric_in_percent(observe: ObserveService) -> None:
    series = series_of((await reported(observe, app="checkout")).report)

    assert series is not None
    assert series.unit == "%"
    assert max(float(str(point.value)) for point in series.points) > 90


@pytest.mark.parametrize(
    ("question", "title", "most"),
    [
        ("does payment have enough memory?", "memory", 45),
        ("payment 内存够吗", "memory", 45),
        ("is payment slow?", "failing", 1),  # how long requests take is not measured
        ("is payment ok?", "failing", 1),
    ],
)
async def test_a_chart_shows_what_was_asked_about(
    observe: ObserveService, question: str, title: str, most: int
) -> None:
    operator = local_operator()
    asked = observe.resolve(operator, WantedDiagnosis(question, app="payment"))
    report = (await observe.diagnose(operator, asked, door="command")).report
    series = series_of(report)

    assert series is not None
    assert series.title is not None
    assert title in series.title.en.lower()
    assert max(float(str(point.value)) for point in series.points) < most
    assert [each.what for each in report.not_checked if each.kind is FailureKind.NOT_RECORDED] == []


async def test_what_is_well_is_said_to_be(observe: ObserveService) -> None:
    report = (await reported(observe, app="payment")).report
    assert report.severity is Severity.S0
    assert findings_of(report).changed == ()


def test_who_is_granted_nothing_sees_nothing(observe: ObserveService) -> None:
    ada = Actor("ada", "Ada", units=frozenset({"sales"}))
    with pytest.raises(OutOfScope):
        observe.resolve(ada, WantedDiagnosis("?", app="checkout"))
    assert observe.apps(ada) == {}


@pytest.mark.parametrize(
    ("timezone", "time"),
    [("UTC", "09:40 UTC"), ("Asia/Shanghai", "17:40 UTC+8"), ("Asia/Kolkata", "15:10 UTC+5:30"), ("?", "09:40 UTC")],
)
async def test_times_are_told_in_the_zone_of_whoever_reads(observe: ObserveService, timezone: str, time: str) -> None:
    report = (await reported(observe, app="checkout")).report
    for language in ("en", "zh"):
        lines = [each.in_language(language) for each in findings_of(report, timezone).changed]
        zone = time.partition(" ")[2]
        assert [each.split(" ")[1] for each in lines] == [zone] * 2  # what was changed, and when trouble began
        assert lines[0].startswith(f"{time} ")


async def test_a_report_tells_what_it_rests_on_and_since_when(observe: ObserveService) -> None:
    report = (await reported(observe, app="checkout")).report
    proof = more_of(report, "evidence")
    assert isinstance(proof, Findings)
    assert len(proof.observations) > len(findings_of(report).observations)
    logs = more_of(report, "logs")
    assert isinstance(logs, Findings)
    assert "price list" in logs.findings[0].text.en
    assert logs.advice[0].command.startswith("kubectl logs ")
    compared = more_of(report, "compared")
    assert isinstance(compared, Message)
    assert "41 %" in compared.text.en
    assert "98 %" in compared.text.zh
    since = more_of(report, "onset")
    assert isinstance(since, Findings)
    assert "began at" in since.summary.en
