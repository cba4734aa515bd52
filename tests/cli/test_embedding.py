"""Another embedding model in the settings: what the doctor and the status say, and the way there."""

from pathlib import Path

from search.config import EmbeddingConfig
from search.embedding.choice import embedder_of
from tests.cli.conftest import invoke
from tests.search.packaged import minilm_folder

DEFAULT = embedder_of(EmbeddingConfig()).name


def choose(home: Path, model: str | Path) -> None:
    (home / "dutydesk.toml").write_text(f'[search.embedding]\nmodel = "{model}"\n')


def _said(output: str) -> str:
    return " ".join(output.split())


def test_a_change_of_model_is_told_and_made_good_by_a_rebuild(home: Path) -> None:
    assert invoke("knowledge", "refresh", home=home).exit_code == 0
    assert "not of" not in invoke("knowledge", "status", home=home).output
    assert f"by {DEFAULT}" in _said(invoke("doctor", home=home).output)

    choose(home, minilm_folder())
    assert f"those of {DEFAULT}, not of model@" in _said(invoke("knowledge", "status", home=home).output)
    doctor = invoke("doctor", home=home)
    assert doctor.exit_code == 0, doctor.output
    assert f"the index holds those of {DEFAULT}" in _said(doctor.output)

    done = invoke("knowledge", "rebuild", home=home)
    assert done.exit_code == 0, done.output
    assert "not of" not in invoke("knowledge", "status", home=home).output
    assert "the index holds those of" not in invoke("doctor", home=home).output


def test_a_folder_without_a_model_is_told_by_the_doctor(home: Path, tmp_path: Path) -> None:
    choose(home, tmp_path / "nothing-here")

    done = invoke("doctor", home=home)

    assert done.exit_code == 1
    assert "holds no model that sentence-transformers can load" in " ".join(done.output.split())


def test_without_its_model_nothing_is_indexed_and_one_line_says_why(home: Path, tmp_path: Path) -> None:
    choose(home, tmp_path / "nothing-here")

    done = invoke("knowledge", "refresh", home=home)

    assert done.exit_code == 1
    assert "holds no model that sentence-transformers can load" in str(done.exception)
