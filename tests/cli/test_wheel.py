"""What `pip install` brings is whole: the demo and the evaluation run from a wheel, far from the checkout."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_serving import the_demo_page
from tests.processes import ROOT
from tests.scale import SCALE

LEFT = shutil.ignore_patterns(".*", "tests", "docs", "build", "*.egg-info", "__pycache__")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which the wheel of this checkout was installed."""
    work = tmp_path_factory.mktemp("wheel")
    source = Path(shutil.copytree(ROOT, work / "source", ignore=LEFT))
    for dotted in (ROOT / "sample").rglob(".*"):
        shutil.copyfile(dotted, source / dotted.relative_to(ROOT))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    apart = ["--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "wheel", *apart, "--wheel-dir", work, source], check=True)
    (wheel,) = work.glob("*.whl")
    subprocess.run([*pip, "install", *apart, "--target", work / "site", wheel], check=True)
    return work / "site"


def start(site: Path, folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": str(site)}  # noqa: TID251 - a child needs PATH and the like
    return subprocess.Popen(
        [sys.executable, "-m", "bot", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_installed_one_is_what_runs(site: Path, tmp_path: Path) -> None:
    code = "import bot, evals, migrations; print(bot.__file__, evals.__file__, migrations.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(site)}  # noqa: TID251 - as above
    told = subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path, env=environment, text=True)
    assert all(file.startswith(str(site)) for file in told.split())


def test_every_file_that_is_no_program_is_in_it(site: Path) -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"} | {"sample"}
    shipped = [
        path
        for package in packages
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc") and path.parent.name != "icons"
    ]
    assert len(shipped) > 100  # templates, texts, prompts, pictures, cases, and the sample handbook
    assert [str(path) for path in shipped if not (site / path.relative_to(ROOT)).is_file()] == []


def test_the_demo_runs(site: Path, tmp_path: Path) -> None:
    process = start(site, tmp_path, "demo", "--port", "0", "--no-browser", "--home", str(tmp_path / "home"))
    try:
        text = the_demo_page(process)
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)

    assert "Ada Verhoeven" in text
    assert process.returncode == 0, errors
    assert errors == ""


@pytest.mark.parametrize("what", ["rules", "routing"] if SCALE >= 1 else ["routing"])
def test_the_evaluation_runs(site: Path, tmp_path: Path, what: str) -> None:
    process = start(site, tmp_path, "eval", what, "--json")
    output, errors = process.communicate(timeout=280)

    assert process.returncode == 0, errors
    assert json.loads(output)
