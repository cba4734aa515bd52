"""The commands over an index on a real Elasticsearch."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.settings import FILE_NAME
from search.config import ElasticsearchConfig
from tests.cli.conftest import PEOPLE, invoke
from tests.desks.process import free_port
from tests.elasticsearch import Cluster


def settle(folder: Path, settings: Mapping[str, str]) -> Path:
    """Return a home whose settings name a cluster."""
    home = folder / "home"
    home.mkdir()
    (home / "people.yaml").write_text(PEOPLE, encoding="utf-8")
    lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in settings.items())
    (home / FILE_NAME).write_text(f"[search.elasticsearch]\n{lines}\n", encoding="utf-8")
    return home


@pytest.fixture
def home(tmp_path: Path, elasticsearch_config: ElasticsearchConfig) -> Path:
    shown = elasticsearch_config.model_dump(include={"url", "prefix", "username"})
    return settle(tmp_path, {**shown, "password": elasticsearch_config.password.get_secret_value()})


def test_documents_are_indexed_asked_rebuilt_and_rolled_back(home: Path, handbook: Path) -> None:
    assert "3 added" in invoke("index", str(handbook), "--allow", "staff", home=home).output
    assert "open the Tidegate client" in invoke("ask", "How do I connect to the VPN?", home=home).output
    assert not (home / "index.db").exists()
    rebuilt = invoke("knowledge", "rebuild", home=home)
    assert rebuilt.exit_code == 0, rebuilt.output
    assert "3 added" in rebuilt.output
    removed = invoke("knowledge", "remove", "handbook", home=home)
    assert "3 pages" in removed.output
    rolled = invoke("knowledge", "rollback", home=home)
    assert "serves again: 0 pages, 0 passages" in rolled.output, "what was removed stays removed"
    assert invoke("knowledge", "verify", home=home).exit_code == 0


def test_the_doctor_looks_at_the_cluster(home: Path, handbook: Path) -> None:
    invoke("index", str(handbook), "--allow", "staff", home=home)
    done = invoke("doctor", home=home)
    assert done.exit_code == 0, done.output
    assert "handbook: 3 pages" in done.output


def test_an_index_that_is_not_whole_is_told_and_built_anew(
    home: Path, handbook: Path, cluster: Cluster, elasticsearch_config: ElasticsearchConfig
) -> None:
    invoke("index", str(handbook), "--allow", "staff", home=home)
    with cluster.asking() as client:
        (index,) = client.get(f"/{elasticsearch_config.prefix}*").json()
        client.delete(f"/{index}/_doc/1.0", params={"refresh": "true"}).raise_for_status()
    for command in (("knowledge", "verify"), ("doctor",)):
        done = invoke(*command, home=home)
        assert done.exit_code == 1
        assert "chunks: pages have 3, 2 are there" in done.output
    assert invoke("knowledge", "rebuild", home=home).exit_code == 0
    assert "The index is whole." in invoke("knowledge", "verify", home=home).output


def test_a_cluster_that_is_away_is_one_line_for_every_command(tmp_path: Path, handbook: Path) -> None:
    home = settle(tmp_path, {"url": f"http://127.0.0.1:{free_port()}"})
    for command in (("index", str(handbook)), ("knowledge", "status"), ("knowledge", "verify")):
        done = invoke(*command, home=home)
        assert "does not answer" in str(done.exception or done.output)
    done = invoke("doctor", home=home)
    assert done.exit_code == 1
    assert "does not answer" in done.output
    assert "docs/how-to/use-elasticsearch.md" in done.output


def test_the_embedded_index_has_nothing_to_roll_back_to(made_home: Path) -> None:
    done = invoke("knowledge", "rollback", home=made_home)
    assert "keeps no earlier one" in str(done.exception)
    assert invoke("knowledge", "verify", home=made_home).output == "The index is whole.\n"
