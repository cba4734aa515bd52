"""The desk, Microsoft's client and the browser need nothing but each other: proven where there is no other network."""

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

from tests.browser.teams.playground import missing
from tests.processes import ROOT

pytestmark = pytest.mark.browser

ALONE = ("unshare", "--map-root-user", "--net")
STORY = "tests/browser/teams/test_main_job.py::test_the_main_job_in_teams[en]"


async def test_the_main_job_needs_no_internet(tmp_path: Path) -> None:
    if reason := missing():
        pytest.skip(reason)
    if shutil.which(ALONE[0]) is None or (await _run(*ALONE, "true"))[0] != 0:
        pytest.skip("no name space without a network can be made here, so this was not proven (make test-offline)")

    story = (sys.executable, "-m", "tests.browser.teams.offline", f"--basetemp={tmp_path / 'offline'}", STORY)
    code, output = await _run(*ALONE, *story)

    assert code == 0, output
    assert "1 passed" in output


async def _run(*command: str) -> tuple[int | None, str]:
    """Run a command to its end; return its exit code and all that it wrote."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()
