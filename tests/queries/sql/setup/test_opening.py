"""Databases are opened without being asked anything; what can never be asked says why."""

from pathlib import Path

import pytest

from queries.sql.config import SqlConfig
from queries.sql.datasource import Guarded
from queries.sql.errors import SourceUnavailable
from queries.sql.setup.opening import open_sources

CONFIG = SqlConfig.model_validate(
    {
        "datasources": {
            "files": {"kind": "sqlite", "path": "nowhere.db"},
            "shop": {"kind": "postgresql", "url": "env:SHOP"},
            "other": {"kind": "postgresql", "url": "env:MISSING"},
            "wrong": {"kind": "postgresql", "url": "file:wrong"},
        }
    }
)
SECRETS = {
    "env:SHOP": "postgresql+psycopg://reader:secret@127.0.0.1:9/shop",
    "file:wrong": "postgresql://reader:se@cret@db/shop\n",
}


async def test_nothing_connects_before_the_first_question(tmp_path: Path) -> None:
    opened = open_sources(CONFIG, tmp_path, SECRETS.__getitem__)

    assert [opened[name].dialect for name in ("files", "shop", "other", "wrong")] == ["sqlite", *["postgres"] * 3]
    for source in opened.values():
        await source.close()


@pytest.mark.parametrize(
    ("name", "why"), [("files", "file"), ("shop", "does not"), ("other", "env:MISSING"), ("wrong", "%40")]
)
async def test_what_cannot_be_asked_says_why_and_no_secret(tmp_path: Path, name: str, why: str) -> None:
    source = open_sources(CONFIG, tmp_path, SECRETS.__getitem__)[name]

    with pytest.raises(SourceUnavailable, match=why) as found:
        await source.run(Guarded("SELECT 1", source.dialect, 1, {}))

    assert "cret" not in str(found.value)
    await source.close()


async def test_what_cannot_be_asked_is_found_by_looking(tmp_path: Path) -> None:
    opened = open_sources(CONFIG, tmp_path, SECRETS.__getitem__)

    for name in ("files", "other", "wrong"):
        (found,) = await opened[name].examine()
        assert (found.ok, found.needed) == (False, True)
    for source in opened.values():
        await source.close()
