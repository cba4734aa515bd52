"""Questions in one language whose answer stands only on pages in the other one, asked of seven desks."""

import asyncio
import shutil
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from storage.ids import new_id
from tests.evals.asking import ask, desk_over, share, verdict

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)

STAFF = Path(__file__).parent / "staff"
#: Least share that is shown, surely or not, most that is answered with something else, and least share of questions
#: that no page answers to which nothing is said surely.
SHOWN, WRONG, OFF = 0.48, 0.06, 0.9


def test_pages_in_the_other_language_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desks = yaml.safe_load(Path(__file__).with_name("other_language.yaml").read_text(encoding="utf-8"))

    asked, off, spent = asyncio.run(_play(tmp_path, desks))

    told = "\n".join([*asked, *off])
    with capsys.disabled():
        counted, median = dict(Counter(each.split()[0] for each in asked)), sorted(spent)[len(spent) // 2]
        print(f"\n{told}\n{counted} processor time p50 {median:.3f} s, most {max(spent):.3f} s")  # noqa: T201
    assert share(asked, "right") >= SHOWN, told
    assert share(asked, "wrong") <= WRONG, told
    assert sum(not each.startswith("wrong") for each in off) / len(off) >= OFF, told


async def _play(home: Path, desks: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[str], list[float]]:
    asked, off, spent = list[str](), list[str](), list[float]()
    for each in desks:
        own = home / each["desk"]
        for path in each["pages"]:
            _copy(STAFF / path, own / "pages")
        async with desk_over(own, own / "pages") as desk:
            for one in each["ask"]:
                since = time.process_time()
                answer = await ask(desk, one["q"], thread=new_id("thread"))
                spent.append(time.process_time() - since)
                (asked if "has" in one else off).append(verdict(one["q"], answer, [one["has"]] if "has" in one else []))
    return asked, off, spent


def _copy(path: Path, into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, into, dirs_exist_ok=True)
    else:
        shutil.copy(path, into)
