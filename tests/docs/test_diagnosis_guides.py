"""The guides to a diagnosis as somebody follows them, up to what is said in the end."""

import asyncio
import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import yaml

from evals.diagnosis.composed.scene import replicas
from evals.diagnosis.incidents.world import NOW, World, container
from identity.actor import local_operator
from queries.observe.setup.reading import parse_clusters
from queries.observe.sources.recorded.api import RecordedApi
from queries.observe.sources.recorded.prometheus import prometheus_installed, serving
from storage.database import Database
from tests.architecture.source import ROOT
from tests.cli.conftest import invoke
from tests.docs.pages import Page
from tests.fixtures.sample_home import SAMPLE
from tests.queries.observe.served import Answer, Question, Served, listening
from tests.scenarios.driver_memory import open_memory
from tests.scenarios.incident import SECRET, alert, write_incident
from tests.scenarios.stage import MovableClock, Setting

GUIDES = ROOT / "docs" / "how-to"


def page(name: str) -> Page:
    return Page(GUIDES / name, (GUIDES / name).read_text(encoding="utf-8"))


def commands(of: Page) -> list[list[str]]:
    """Return the words of each command of the desk that a page shows, without its name."""
    lines = [line for body in of.blocks("console") for line in body.splitlines() if line.startswith("$ dutydesk ")]
    return [shlex.split(line)[2:] for line in lines]


async def test_alertmanager_posts_as_the_page_says_and_the_channel_is_told(database: Database, tmp_path: Path) -> None:
    told = page("take-alerts.md")
    settings, manager = (yaml.safe_load(body) for body in told.blocks("yaml"))
    (hook,) = manager["receivers"][0]["webhook_configs"]
    scheme = hook["http_config"]["authorization"]["type"]
    write_incident(tmp_path)
    written = yaml.safe_load((tmp_path / "clusters.yaml").read_text(encoding="utf-8"))
    written["alerts"] = {**settings["alerts"], "secret": written["alerts"]["secret"]}
    (tmp_path / "clusters.yaml").write_text(yaml.safe_dump(written), encoding="utf-8")
    async with open_memory(Setting(tmp_path, database, MovableClock(), {})) as stage:
        assert stage.desk.observe.config.alerts.channel == "slack:C0123456"
        place = await stage.channels.channel("ada", "bao")
        await stage.say("ada", "why is checkout down?", place)
        (here,) = await stage.desk.job_control.channels(local_operator())
        config = stage.desk.observe.config
        alerts = config.alerts.model_copy(update={"channel": here.name})
        stage.desk.observe.config = config.model_copy(update={"alerts": alerts})
        seen = []
        transport = httpx.ASGITransport(stage.desk.webhooks[urlsplit(hook["url"]).path])
        async with httpx.AsyncClient(transport=transport, base_url="http://desk.invalid") as sender:
            for state, secret in (("firing", "wrong"), ("firing", SECRET), ("firing", SECRET), ("resolved", SECRET)):
                headers = {"authorization": f"{scheme} {secret}"}
                answer = await sender.post(urlsplit(hook["url"]).path, json=alert(state), headers=headers)
                await stage.settle()
                cards = [each.text for each in await stage.channels.begun("ada", place)]
                seen.append((answer.status_code, [each for each in cards if "KubePodCrashLooping" in each]))

    assert [(status, len(cards)) for status, cards in seen] == [(401, 0), (200, 1), (200, 1), (200, 1)]
    assert "OOMKilled" in seen[1][1][0]
    assert hook["send_resolved"]
    assert seen[3][1] != seen[2][1], "the same message is edited"


def test_an_incident_is_kept_graded_and_stands_in_for_its_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = page("record-an-incident.md")
    record, run = commands(told)
    (wanted,) = told.blocks("yaml")
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(SAMPLE / "clusters.yaml", home)
    shutil.copytree(SAMPLE / "incident", home / "incident")
    monkeypatch.chdir(tmp_path)
    Path("incidents").mkdir()
    folder = Path(record[record.index("--record") + 1])

    assert invoke(*record, "--home", str(home)).exit_code == 0
    expected = yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8")) | yaml.safe_load(wanted)
    (folder / "expected.yaml").write_text(yaml.safe_dump(expected), encoding="utf-8")
    graded = invoke(*run)
    assert graded.exit_code == 0, graded.output
    report = json.loads(Path("reports", f"{folder.name}.json").read_text(encoding="utf-8"))
    assert {"CRASH_LOOP", "OOM_KILLED"} <= {each["rule"] for each in report["issues"]}

    clusters = yaml.safe_load((home / "clusters.yaml").read_text(encoding="utf-8"))
    clusters["clusters"]["prod"]["recording"] = str(folder)
    shutil.copytree(folder, home / folder)
    shutil.rmtree(home / "incident")
    (home / "clusters.yaml").write_text(yaml.safe_dump(clusters, allow_unicode=True), encoding="utf-8")
    again = invoke("inspect", "--home", str(home), "--app", "checkout", "why is it down?")
    assert "OOMKilled" in again.output


@pytest.mark.skipif(not prometheus_installed(), reason="prometheus and promtool are not installed")
async def test_a_cluster_and_a_real_prometheus_are_named_as_the_page_says(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = page("diagnose-a-cluster.md")
    made = yaml.safe_load(told.blocks("yaml")[0])
    home, folder = tmp_path / "home", tmp_path / "recorded"
    home.mkdir()
    slow_world().write(folder, whole=True)
    rbac, check, draft, *_ = commands(told)
    async with listening(Served(cluster_of(folder))) as api, serving(folder / "metrics.om") as prometheus:
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("PROMETHEUS_TOKEN", "made-up")
        write_kubeconfig(tmp_path / ".kube" / "config", api)
        made["clusters"]["prod"]["prometheus"]["url"] = prometheus
        made["scopes"] = [{"to": ["unit:sales"], "namespaces": ["shop"]}]
        (home / "clusters.yaml").write_text(yaml.safe_dump(made, allow_unicode=True), encoding="utf-8")

        rights = await asyncio.to_thread(invoke, *rbac[: rbac.index("|")], "--home", str(home))
        assert {each["kind"] for each in yaml.safe_load_all(rights.stdout)} >= {"ServiceAccount", "ClusterRole"}
        checked = await asyncio.to_thread(invoke, *check, "--home", str(home))
        assert "may read all that a diagnosis looks at" in checked.output
        assert "metrics" in checked.output
        drafted = await asyncio.to_thread(invoke, *draft[: draft.index(">>")], "--home", str(home))
        assert yaml.safe_load(drafted.stdout)["apps"]["checkout"]["labels"] == {"app": "checkout"}

        clock = MovableClock()
        clock.skip((NOW - clock.now()).total_seconds())
        async with open_memory(Setting(home, database, clock, {})) as stage:
            slow = await stage.say("ada", "why is checkout slow?")

    assert "is throttled in 71 % of its CPU periods" in slow.text
    assert "Could not be read" not in slow.text


def cluster_of(folder: Path) -> Callable[[Question], Answer]:
    """Return the answers of an API server that holds a recording, and lets everything be read."""
    recorded = RecordedApi(folder)

    def answer(asked: Question) -> Answer:
        if asked.method == "POST":
            verb = json.loads(asked.body)["spec"]["resourceAttributes"]["verb"]
            return Answer({"status": {"allowed": verb in {"get", "list"}}}, 201)
        found = recorded.answer(asked.method, asked.path, asked.query)
        return Answer(found.body, found.status)

    return answer


def slow_world() -> World:
    """Return a namespace in which nothing but the metrics tells what is wrong."""
    world = World("shop", "checkout")
    for pod in replicas(world, container("checkout", limits={"cpu": "250m"})):
        world.every(pod, "checkout", "INFO served {n}", since=50)
        world.usage(pod, "checkout", cpu=0.25, throttled=0.71)
    return world


def write_kubeconfig(file: Path, server: str) -> None:
    """Write what `kubectl` is set up with: one context, of the name on the page."""
    file.parent.mkdir()
    context = {"name": "prod", "context": {"cluster": "prod", "user": "me"}}
    users = [{"name": "me", "user": {"token": "made-up"}}]
    clusters = [{"name": "prod", "cluster": {"server": server}}]
    file.write_text(yaml.safe_dump({"contexts": [context], "clusters": clusters, "users": users}), encoding="utf-8")


async def test_several_clusters_are_asked_by_their_names_and_each_person_sees_what_is_granted(
    database: Database, tmp_path: Path
) -> None:
    told = next(body for body in page("diagnose-a-cluster.md").blocks("yaml"))
    assert parse_clusters(told, Path("clusters.yaml")).clusters["prod"].prometheus is not None
    made = yaml.safe_load(told)
    shutil.copytree(SAMPLE / "incident", tmp_path / "incident")
    prod = {key: value for key, value in made["clusters"]["prod"].items() if key == "title"} | {"recording": "incident"}
    made["clusters"] = {"prod": prod, "edge": {"title": {"en": "Edge", "zh": "边缘"}, "recording": "incident"}}
    made["scopes"] = [{"to": ["unit:sales"], "namespaces": ["shop"]}]
    (tmp_path / "clusters.yaml").write_text(yaml.safe_dump(made, allow_unicode=True), encoding="utf-8")
    async with open_memory(Setting(tmp_path, database, MovableClock(), {})) as stage:
        named = await stage.say("ada", "is anything wrong in shop on edge?")
        which = await stage.say("ada", "is anything wrong in shop?")
        strange = await stage.say("ben", "why is the checkout service down?")

    assert "OOMKilled" in named.text
    assert "OOMKilled" not in which.text, "two clusters have a namespace of that name"
    assert "OOMKilled" not in strange.text
