"""`dutydesk observe` over a cluster that answers, one that does not, and a file that is wrong."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import invoke
from tests.queries.observe.served import Answer, Question, Served, listening

#: What runs there.
WORKLOAD = {
    "metadata": {"name": "checkout", "namespace": "shop"}, "spec": {"selector": {"matchLabels": {"app": "checkout"}}}
}  # fmt: skip


def answers(asked: Question) -> Answer:
    if asked.headers.get("authorization") != "Bearer good":
        return Answer({"message": "no"}, 401)
    if asked.method == "POST":
        wanted = json.loads(asked.body)["spec"]["resourceAttributes"]
        return Answer({"status": {"allowed": wanted["verb"] != "delete" and wanted["resource"] != "events"}}, 201)
    return Answer({"metadata": {}, "items": [WORKLOAD] if asked.path.endswith("/deployments") else []})


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Return the address of a cluster that runs beside the command."""
    ready, over, found = threading.Event(), threading.Event(), list[str]()

    async def run() -> None:
        async with listening(Served(answers)) as address:
            found.append(address)
            ready.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert ready.wait(20)
    yield found[0]
    over.set()
    thread.join()


@pytest.fixture
def place(tmp_path: Path, url: str) -> Path:
    """Return a home whose clusters.yaml names the cluster."""
    (tmp_path / "token").write_text("good\n")
    (tmp_path / "clusters.yaml").write_text(yaml.safe_dump({
        "clusters": {"prod": {"kubernetes": {"url": url, "token": f"file:{tmp_path / 'token'}"}}},
        "scopes": [{"to": ["staff"], "namespaces": ["shop"]}],
    }))  # fmt: skip
    return tmp_path


def test_a_missing_right_is_told_with_what_mends_it(place: Path) -> None:
    done = invoke("observe", "check", home=place)

    assert done.exit_code == 1
    assert "NO   kubernetes may not list events in shop" in done.output
    assert done.output.count("kind: ClusterRole\n") == 2
    assert "delete" not in done.output


def test_programs_are_told_the_same(place: Path) -> None:
    found = json.loads(invoke("observe", "check", "prod", "--json", home=place).output)

    assert [each["what"] for each in found["prod"] if not each["ok"]] == ["may not list events in shop"]


def test_a_token_that_is_not_taken_is_told(place: Path) -> None:
    (place / "token").write_text("bad")
    done = invoke("observe", "check", home=place)

    assert (done.exit_code, "unauthorized: no" in done.output) == (1, True)
    assert "Check the token" in done.output


def test_the_least_rbac_is_printed_without_asking(place: Path) -> None:
    (place / "token").unlink()
    done = invoke("observe", "check", "prod", "--rbac", home=place)

    assert done.exit_code == 0
    assert {each["kind"] for each in yaml.safe_load_all(done.output)} == {
        "Namespace", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "RoleBinding"
    }  # fmt: skip


def test_the_app_directory_is_drafted(place: Path) -> None:
    done = invoke("observe", "apps", "draft", "prod", home=place)

    assert yaml.safe_load(done.output)["apps"]["checkout"]["labels"] == {"app": "checkout"}


def test_a_file_that_is_wrong_is_told_with_its_line(place: Path) -> None:
    (place / "clusters.yaml").write_text("clusters:\n  prod:\n    kubernets: {}\n")
    done = invoke("observe", "check", home=place)

    assert done.exit_code != 0
    assert "clusters.yaml:3: clusters.prod.kubernets: there is no such setting. Do you mean kubernetes?" in str(
        done.exception
    )


def test_without_clusters_it_says_so(tmp_path: Path) -> None:
    done = invoke("observe", "check", home=tmp_path)

    assert "names no cluster" in str(done.exception)
