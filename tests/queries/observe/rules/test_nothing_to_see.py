"""What is told of an app that stands still without a word, of an address that is a service's, of a run that goes on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evals.diagnosis.folders import read_folder
from evals.diagnosis.incidents.incident import MadeUpIncident
from evals.diagnosis.incidents.world import Body, World, container, stamp
from evals.diagnosis.railway.track import forbidding
from evals.diagnosis.trial import report_on
from queries.observe.report.report import DiagnosisReport
from queries.observe.sources.recorded.prometheus import prometheus_installed
from tests.incidents.games.league import INCIDENTS

measured = pytest.mark.skipif(not prometheus_installed(), reason="prometheus is not installed")


async def report_of(incident: MadeUpIncident, folder: Path) -> DiagnosisReport:
    incident.world().write(folder)
    (folder / "expected.yaml").write_text(incident.expected(), encoding="utf-8")
    return await report_on(read_folder(folder))


def told(name: str) -> MadeUpIncident:
    return next(each for each in INCIDENTS if each.name == name)


@measured
async def test_an_app_that_stands_still_is_not_told_as_well(tmp_path: Path) -> None:
    report = await report_of(told("league-stands-still-without-a-word"), tmp_path / "made")

    assert report.headline.en == "trade-svc: no error found, but no request comes in"
    assert report.headline.zh == "trade-svc：没有发现错误，但没有请求进来"
    (issue,) = (each for each in report.issues if each.rule == "NO_PROBLEM_FOUND")
    assert issue.confidence == "low"
    assert "no request comes in now" in issue.hypothesis.en
    assert "logged nothing since 09:42 UTC" in issue.hypothesis.in_language("en", "UTC", report.asked.now)


async def test_an_address_is_told_as_the_service_that_has_it_and_its_lines_once(tmp_path: Path) -> None:
    report = await report_of(told("league-port-behind-the-service-moved"), tmp_path / "made")

    (issue,) = (each for each in report.issues if each.rule == "DEPENDENCY_TIMEOUT")
    assert issue.object == "app/gateway -> clans:80"
    assert [each.command for each in issue.recommendations][-1] == "kubectl get endpoints -n shop clans"
    assert "ERROR_BURST" not in {each.rule for each in report.ruled_out}  # "no burst" beside 80 such lines


@pytest.mark.parametrize(
    ("took", "since", "held"),
    [((), 50, False), ((), 70, True), ((4, 6), 17, False), ((4, 6), 19, True), ((40,), 110, False), ((1,), 9, False)],
    ids=str,
)
async def test_a_run_holds_the_next_ones_back_when_it_takes_far_longer_than_those_before(
    took: tuple[int, ...], since: int, held: bool, tmp_path: Path
) -> None:
    incident = MadeUpIncident("held", "why no export?", _running(took, since), "S2", (), app="export")
    report = await report_of(incident, tmp_path / "made")

    found = [each.hypothesis for each in report.issues if each.rule == "CRONJOB_NOT_STARTING"]
    assert bool(found) == held
    assert all(("took 6 min at most" in each.en) == ("最长 6 分钟" in each.zh) == bool(took) for each in found)


def _running(took: tuple[int, ...], since: int) -> Callable[[World], None]:
    def build(world: World) -> None:
        forbidding(world, "export", "*/5 * * * *", since=since, body=container("export", since=since))
        running: Body = world.lists["jobs"][-1]
        for number, minutes in enumerate(took):
            ended = {"type": "Complete", "status": "True", "lastTransitionTime": stamp(300 - minutes)}
            own = running["metadata"] | {"name": f"export-{number}", "creationTimestamp": stamp(300)}
            world.lists["jobs"].append({"metadata": own, "spec": {}, "status": {"succeeded": 1, "conditions": [ended]}})

    return build
