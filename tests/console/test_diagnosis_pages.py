"""The pages of diagnoses: a list, one report with its evidence, and nothing of what one may not look at."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from queries.observe.service import WantedDiagnosis
from tests.console.site import Site, site
from tests.scenarios.incident import write_incident


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[Site]:
    write_incident(tmp_path)
    async with site(tmp_path) as made:
        yield made


async def made(cluster: Site, person: str, app: str) -> str:
    """Return the id of a report that somebody asked for."""
    observe, actor = cluster.desk.observe, await cluster.desk.people.named(person)
    asked = observe.resolve(actor, WantedDiagnosis(f"Why is {app} down?", app=app))
    return (await observe.diagnose(actor, asked, door="question")).id


async def test_a_report_shows_what_was_found_and_on_which_evidence(cluster: Site) -> None:
    report = await made(cluster, "ada", "checkout")
    ada = await cluster.browser("ada")
    listed, seen = await ada.get("/diagnosis"), await ada.get(f"/diagnosis/{report}")

    assert f"/diagnosis/{report}" in listed.links
    assert "OOM_KILLED" in seen.text
    assert "checkout-7d9f5b-x2x4z" in seen.text
    assert "GET /api/v1/namespaces/shop/pods" in seen.text
    assert "Could not be read" in seen.text  # the recording holds no metrics


async def test_a_report_is_there_for_programs(cluster: Site) -> None:
    report = await made(cluster, "ada", "checkout")
    ada = await cluster.browser("ada")
    written = json.loads((await ada.get(f"/diagnosis/{report}/report.json")).html)

    assert written["summary"]["severity"] == "S1"
    assert "OOM_KILLED" in {issue["rule"] for issue in written["issues"]}


async def test_what_one_may_not_look_at_is_not_there(cluster: Site) -> None:
    report = await made(cluster, "ben", "ledger")
    ada, ben = await cluster.browser("ada"), await cluster.browser("ben")

    assert (await ben.get(f"/diagnosis/{report}")).status == 200
    hidden, missing = await ada.get(f"/diagnosis/{report}"), await ada.get("/diagnosis/dgn_nothing")
    assert hidden.status == missing.status == 404
    assert hidden.text == missing.text
    assert "ledger" not in (await ada.get("/diagnosis")).text


async def test_how_the_clusters_stand_is_for_who_looks_after_them(cluster: Site) -> None:
    ada, cleo = await cluster.browser("ada"), await cluster.browser("cleo")

    assert "ready" not in (await ada.get("/diagnosis")).text
    assert "ready" in (await cleo.get("/diagnosis")).text
