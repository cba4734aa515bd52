"""An app that is well is told so, and with it which other app of its namespace is not, as far as one may know."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from adapters.cards import Suggestions
from agent.results import Records, plain_words
from bot.cli.running.demo import SAMPLE
from features.anatomy.reader import Reader
from features.diagnosis.drawing import REPORT, ReportDrawing
from features.diagnosis.results import beside_of, findings_of
from identity.actor import Actor, local_operator
from queries.observe.config import AppConfig, ObserveConfig, ScopeConfig
from queries.observe.errors import NoSuchReport
from queries.observe.report.kept import KeptReport
from queries.observe.report.report import Severity
from queries.observe.service import ObserveService, WantedDiagnosis
from queries.observe.setup.opening import open_clusters
from queries.observe.setup.reading import read_clusters
from storage.clock import SystemClock
from storage.database import Database

ADA = Actor(id="ada", name="Ada", groups=frozenset({"shop"}))


def service(database: Database, *scopes: ScopeConfig, apps: Mapping[str, AppConfig] | None = None) -> ObserveService:
    read = read_clusters(SAMPLE / "clusters.yaml")
    config = ObserveConfig(
        clusters=read.clusters, scopes=scopes or read.scopes, apps=read.apps if apps is None else apps
    )
    return ObserveService(
        config, open_clusters(config, SystemClock(), home=SAMPLE, resolve=str), SystemClock(), database
    )


async def reported(observe: ObserveService, actor: Actor, app: str, *, namespace: str = "") -> KeptReport:
    asked = observe.resolve(
        actor, WantedDiagnosis("can't pay on the site, what's going on", app=app, namespace=namespace)
    )
    return await observe.diagnose(actor, asked, door="question")


async def test_the_app_beside_it_is_named_with_its_evidence(database: Database) -> None:
    report = (await reported(service(database), local_operator(), "payment")).report
    found = findings_of(report)
    beside = next(each for each in report.issues if each.rule == "NEIGHBOUR_IN_TROUBLE")

    assert report.severity is Severity.S0
    assert found.summary.en == "payment: no problem found; not well in the same namespace: checkout"
    assert found.summary.zh == "payment：没有发现问题；同一命名空间里不正常的：checkout"
    assert beside_of(report) == ("checkout",)
    assert "OOMKilled" in beside.hypothesis.en
    cited = [each for each in report.evidence if each.id in beside.evidence]
    assert any("checkout" in each.object and each.value == "OOMKilled" for each in cited)
    assert found.advice[0].command.startswith("kubectl top ")
    assert sum(each.requests for each in report.calls) <= 30
    assert "checkout" in plain_words(found, "zh")


async def test_an_app_that_is_not_well_is_told_alone(database: Database) -> None:
    report = (await reported(service(database), local_operator(), "checkout")).report

    assert beside_of(report) == ()


@pytest.mark.parametrize("also", [False, True])
async def test_who_may_not_look_there_learns_nothing_of_it(database: Database, *, also: bool) -> None:
    own = ScopeConfig(to=("group:shop",), namespaces=("shop",), labels={"app": "payment"})
    more = ScopeConfig(to=("group:shop",), namespaces=("shop",), labels={"app": "checkout"})
    observe = service(database, own, *((more,) if also else ()))
    report = (await reported(observe, ADA, "payment")).report

    assert beside_of(report) == (("checkout",) if also else ())
    if not also:
        assert "checkout" not in str(report)


async def test_a_report_that_tells_of_it_is_for_nobody_who_may_not_look_there(database: Database) -> None:
    own = ScopeConfig(to=("group:shop",), namespaces=("shop",), labels={"app": "payment"})
    observe = service(database, own)
    wide = await reported(observe, local_operator(), "payment")
    narrow = await reported(observe, ADA, "payment")

    assert beside_of(wide.report) == ("checkout",)
    assert (await observe.report(ADA, narrow.id)).id == narrow.id
    with pytest.raises(NoSuchReport):
        await observe.report(ADA, wide.id)
    assert [each.id for each in await observe.reports(ADA)] == [narrow.id, wide.id]
    assert not any("checkout" in each.headline.en for each in await observe.reports(ADA))


async def test_below_the_report_stands_what_to_ask_next(database: Database) -> None:
    observe = service(database)
    shown = Records(REPORT, ("dgn_1",), tells={"beside": ["checkout"]})
    drawn = await ReportDrawing(observe).below(local_operator(), shown, Reader(language="en"))
    alone = await ReportDrawing(observe).below(local_operator(), replace(shown, tells={}), Reader(language="en"))

    assert [each.items for each in drawn if isinstance(each, Suggestions)] == [("What is wrong with checkout?",)]
    assert not any(isinstance(each, Suggestions) for each in alone)


async def test_without_a_directory_it_is_named_by_its_labels(database: Database) -> None:
    observe = service(database, apps={})
    report = (await reported(observe, local_operator(), "payment", namespace="shop")).report

    assert beside_of(report) == ("checkout",)
