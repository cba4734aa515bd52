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

from bot.settings import SettingsInvalid, load
from evals.cases import CasesInvalid, load_questions
from features.alarms.alarms import AlarmsMisspelt, alarms_of
from identity.directory import Directory
from identity.errors import PeopleFileInvalid
from queries.observe.errors import ClustersInvalid
from queries.observe.setup.reading import read_clusters
from queries.sql.errors import SourcesInvalid
from queries.sql.setup.reading import read_catalog, read_sources
from search.embedding.sentence_transformer import languages_of
from storage.clock import ManualClock
from storage.database import Database
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
