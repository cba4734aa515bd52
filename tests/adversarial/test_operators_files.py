"""Files that those who run the desk write, made to harm: each reader says one plain thing, and nothing ends.

A catalogue that somebody sent, a list of people that a script wrote wrongly, settings that were cut off.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.settings import SettingsInvalid, load, secret
from evals.cases import CasesInvalid, load_questions
from features.alarms.alarms import AlarmsMisspelt, alarms_of
from identity.directory import Directory
from identity.errors import PeopleFileInvalid
from queries.observe.errors import ClustersInvalid
from queries.observe.setup.opening import open_clusters
from queries.observe.setup.reading import read_clusters
from queries.observe.sources.kubernetes.kubeconfig import read_kubeconfig
from queries.sql.errors import SourcesInvalid
from queries.sql.setup.reading import read_catalog, read_sources
from search.embedding.sentence_transformer import languages_of
from storage.clock import ManualClock
from storage.database import Database
from storage.files.text import MOST_TOLD, FileInvalid
from tests.processes import ROOT
from tests.suite.hostile_yaml import HOSTILE

Read = Callable[[Path], object]
#: By file: who reads it, and what is raised.
READERS: dict[str, tuple[Read, type[Exception]]] = {
    "datasources.yaml": (read_sources, SourcesInvalid),
    "catalog.yaml": (read_catalog, SourcesInvalid),
    "clusters.yaml": (read_clusters, ClustersInvalid),
    "alarms.yaml": (lambda path: alarms_of(path.parent), AlarmsMisspelt),
    "cases.yaml": (load_questions, CasesInvalid),
}
#: Settings that are no settings, and words of what is said of them.
SETTINGS = {
    "deep lists": (b"a = " + b"[" * 5_000, "nested too deeply"),
    "deep tables": (b"a = " + b"{a = " * 3_000, "nested too deeply"),
    "long number": (b"a = " + b"9" * 5_000, "cannot be read"),
    "no text": (b"a = \xff\xfe", "is not UTF-8"),
    "zero byte": (b'a = "\x00"', "is not valid TOML"),
    "long name": (b".".join([b"a"] * 5_000) + b" = 1", "there is no such setting"),
    "cut off": (b"[web\nport", "is not valid TOML"),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
@pytest.mark.parametrize("file", sorted(READERS))
def test_a_hostile_file_is_told_in_a_line_with_its_name(file: str, name: str, tmp_path: Path) -> None:
    path, (read, raised) = tmp_path / file, READERS[file]
    path.write_text(HOSTILE[name][0], encoding="utf-8")
    began = time.thread_time()
    with pytest.raises(raised, match=file) as told:
        read(path)
    assert len(str(told.value)) < 600
    assert time.thread_time() - began < 2


#: Files of thousands of mistakes, or of one that is long.
MISTAKES = {
    "settings": "".join(f"settng{number}: 1\n" for number in range(20_000)),
    "a long setting": f"? {'x' * 1_900_000}\n: 1\n",
    "twice": "a: 1\n" * 20_000,
    "twice and long": f"? {'x' * 900_000}\n: 1\n" * 2,
}


@pytest.mark.parametrize("name", sorted(MISTAKES))
@pytest.mark.parametrize("file", sorted(READERS))
def test_of_thousands_of_mistakes_the_first_are_told(file: str, name: str, tmp_path: Path) -> None:
    path, (read, raised) = tmp_path / file, READERS[file]
    path.write_text(MISTAKES[name], encoding="utf-8")
    began = time.thread_time()
    with pytest.raises(raised, match=file) as told:
        read(path)
    assert len(str(told.value)) < 300 * (MOST_TOLD + 1)
    assert time.thread_time() - began < 5


def test_columns_that_are_all_wrong_are_told_by_the_first(tmp_path: Path) -> None:
    path = tmp_path / "catalog.yaml"
    columns = "".join(f"      c{number}: {{type: nmber}}\n" for number in range(20_000))
    path.write_text(f"tables:\n  t:\n    public: true\n    columns:\n{columns}")
    began = time.thread_time()
    with pytest.raises(SourcesInvalid, match=r"(?s)catalog\.yaml:5.*Do you mean number.*There are more"):
        read_catalog(path)
    assert time.thread_time() - began < 5


def test_a_catalogue_of_a_long_chain_of_tables_is_read(tmp_path: Path) -> None:
    path, tables = tmp_path / "catalog.yaml", 2_000
    table = "{public: true, columns: {a: {type: number}}}"
    dimensions = ", ".join(f"t{number}.a" for number in range(tables - 80, tables))
    metric = f"{{called: {{en: [x]}}, table: t0, expression: count(*), dimensions: [{dimensions}]}}"
    path.write_text(
        "tables:\n" + "".join(f"  t{number}: {table}\n" for number in range(tables))
        + "joins:\n" + "".join(f"  - {{many: t{number}.a, one: t{number + 1}.a}}\n" for number in range(tables - 1))
        + "metrics:\n" + "".join(f"  m{number}: {metric}\n" for number in range(100))
    )  # fmt: skip
    began = time.thread_time()
    catalog = read_catalog(path)
    assert len(catalog.path("t0", f"t{tables - 1}") or ()) == tables - 1
    assert catalog.path("t1", "t0") is None
    assert time.thread_time() - began < 5


@pytest.fixture(params=["pipe", "device"])
def endless(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return what one waits at, or what has no end."""
    if request.param == "device":
        return Path("/dev/zero")
    if not hasattr(os, "mkfifo"):
        pytest.skip("pipes with names are of Unix")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.mark.parametrize("file", sorted(READERS))
def test_a_pipe_or_a_device_is_no_file_and_nobody_waits_for_it(file: str, endless: Path, tmp_path: Path) -> None:
    path, (read, raised) = tmp_path / file, READERS[file]
    path.symlink_to(endless)
    with pytest.raises(raised, match="it is no file"):
        read(path)


async def test_nor_are_they_secrets_keys_or_lists_of_people(endless: Path, database: Database, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="it is no file"):
        secret(f"file:{endless}")
    clusters = tmp_path / "clusters.yaml"
    clusters.write_text(f"clusters: {{a: {{kubernetes: {{url: 'https://127.0.0.1:1', ca: {endless}}}}}}}")
    assert set(open_clusters(read_clusters(clusters), ManualClock(), home=tmp_path, resolve=secret)) == {"a"}
    with pytest.raises(FileInvalid, match="it is no file"):
        read_kubeconfig(endless, ManualClock())
    people = tmp_path / "people.yaml"
    people.symlink_to(endless)
    with pytest.raises(PeopleFileInvalid, match="it is no file"):
        await Directory(database, people, ManualClock()).people()


@pytest.mark.parametrize("name", sorted(HOSTILE))
async def test_people_are_served_from_the_last_good_list(name: str, database: Database, tmp_path: Path) -> None:
    path = tmp_path / "people.yaml"
    path.write_text("people: [{id: ada, name: Ada}]", encoding="utf-8")
    directory = Directory(database, path, ManualClock())
    assert [each.id for each in await directory.people()] == ["ada"]
    path.write_text(HOSTILE[name][0], encoding="utf-8")
    assert [each.id for each in await directory.people()] == ["ada"]
    assert "people.yaml" in str(directory.problem)
    with pytest.raises(PeopleFileInvalid, match=r"people\.yaml"):
        await Directory(database, path, ManualClock()).people()


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_models_card_that_means_harm_names_no_language(name: str, tmp_path: Path) -> None:
    card = tmp_path / "README.md"
    card.write_text(f"---\n{HOSTILE[name][0]}---\nA model.\n", encoding="utf-8")
    assert languages_of(card) == frozenset()


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_settings_that_are_none_are_told(name: str, tmp_path: Path) -> None:
    (tmp_path / "dutydesk.toml").write_bytes(SETTINGS[name][0])
    with pytest.raises(SettingsInvalid, match=SETTINGS[name][1]) as told:
        load(home=tmp_path)
    assert len(str(told.value)) < 600


def test_variables_that_are_no_settings_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("[" * 20_000, "{", '{"port": ' + "9" * 5_000 + "}"):
        monkeypatch.setenv("DUTYDESK_WEB", value)
        with pytest.raises(SettingsInvalid):
            load(home=tmp_path)


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("dutydesk.toml", ["doctor"]),
        ("people.yaml", ["doctor"]),
        ("alarms.yaml", ["ask", "How long does a session last?"]),
        ("clusters.yaml", ["observe", "check"]),
        ("datasources.yaml", ["sql", "check"]),
    ],
)
def test_a_command_says_it_without_a_trace(file: str, command: list[str], tmp_path: Path) -> None:
    (tmp_path / file).write_text("a = " + "[" * 32_000 if file.endswith("toml") else HOSTILE["flow list"][0])
    run = subprocess.run(
        [sys.executable, "-m", "bot", "--home", str(tmp_path), *command],
        cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=120, check=False,  # noqa: TID251 - as started
    )  # fmt: skip
    said = run.stdout + run.stderr
    assert run.returncode in (1, 2), said
    assert "nested" in said
    assert "Traceback" not in said
    assert "should not happen" not in said
