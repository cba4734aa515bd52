"""The doctor looks at the clusters that people ask about, and names the command that mends what is wrong with one."""

import socket
from pathlib import Path

from tests.cli.conftest import invoke
from tests.scenarios.incident import write_incident


def test_a_desk_without_clusters_says_nothing_of_them(home: Path) -> None:
    assert "clusters " not in invoke("doctor", home=home).output


def test_a_recording_is_said_to_be_one(home: Path) -> None:
    write_incident(home)
    done = invoke("doctor", home=home)

    assert done.exit_code == 0, done.output
    assert "prod is a recording" in done.output


def test_a_cluster_that_does_not_answer_is_named(home: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        (home / "clusters.yaml").write_text(f"clusters:\n  prod: {{kubernetes: {{url: '{url}'}}}}\n", encoding="utf-8")
        done = invoke("doctor", home=home)

    assert done.exit_code == 1
    assert "wrong  clusters" in done.output
    assert "dutydesk observe check prod" in done.output


def test_a_file_that_cannot_be_read_is_named(home: Path) -> None:
    (home / "clusters.yaml").write_text("clusters: {prod: {kubernets: {}}}\n", encoding="utf-8")
    done = invoke("doctor", home=home)

    assert done.exit_code == 1
    assert "clusters.yaml" in done.output
