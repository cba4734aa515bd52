"""A language model over a stranger's catalogue: what it is told, its statement, one correction, and the result."""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from agent.results import Table
from agent.runner.requests import Request
from bot.compose.compose import compose
from bot.settings import load
from identity.actor import local_operator
from storage.ids import new_id
from tests.fixtures.openai_server import Answer, OpenAIServer, call

SOURCES = "datasources:\n  surgery: {kind: sqlite, path: surgery.db}\n"
#: No rule reads it: it is left to the model.
QUESTION = "For every vet, tell me how far apart their best and their worst star ratings lie, please"
WRONG = (
    "SELECT s.name, max(v.stars) - min(v.stars) AS span FROM visits v JOIN staff s ON s.id = v.vet_id GROUP BY s.name"
)
RIGHT = WRONG.replace("v.stars", "v.rating")


def _made(home: Path) -> None:
    (home / "catalog").mkdir()
    catalog = Path(__file__).with_name("surgery.yaml").read_text(encoding="utf-8")
    (home / "catalog" / "surgery.yaml").write_text(catalog, encoding="utf-8")
    (home / "datasources.yaml").write_text(SOURCES, encoding="utf-8")
    with closing(sqlite3.connect(home / "surgery.db")) as database:
        database.executescript("""
            CREATE TABLE staff (id INTEGER, name TEXT, job TEXT);
            CREATE TABLE owners (id INTEGER, name TEXT);
            CREATE TABLE visits (id INTEGER, vet_id INTEGER, kind TEXT, status TEXT, visit_at TEXT, rating INTEGER);
            CREATE TABLE bills (id INTEGER, owner_id INTEGER, issued_on TEXT, due_on TEXT, paid_on TEXT,
                amount_pence INTEGER, method TEXT, status TEXT);
            INSERT INTO staff VALUES (1, 'Mina', 'vet'), (2, 'Owen', 'vet');
            INSERT INTO visits VALUES (1, 1, 'checkup', 'kept', '2026-10-01 09:00:00', 5),
                (2, 1, 'checkup', 'kept', '2026-10-02 09:00:00', 2),
                (3, 2, 'surgery', 'kept', '2026-10-03 09:00:00', 4);
        """)


def _writes(messages: Sequence[Mapping[str, Any]]) -> Answer:
    """Look at the catalogue, write a statement with a column that is none, mend it by the reason, and end."""
    told = [str(message["content"]) for message in messages if message["role"] == "tool"]
    if not told:
        return call("describe_data")
    if len(told) == 1:
        return call("run_sql", statement=WRONG)
    if len(told) == 2:
        return call("run_sql", statement=RIGHT if "stars" in told[-1] else "SELECT 1")
    return call("act")


async def test_a_model_is_told_the_catalogue_and_corrects_its_statement_once(
    tmp_path: Path, openai_server: OpenAIServer
) -> None:
    await asyncio.to_thread(_made, tmp_path)
    openai_server.script = _writes
    model = {"base_url": openai_server.base_url, "api_key": "k", "timeout_s": 20.0, "retries": 0}
    async with (
        await compose(load(home=tmp_path, model="openai:test", agent={"model": model})) as desk,
        desk.runner.running(),
    ):
        asked = Request(
            actor=local_operator(), event_id=new_id("event"), thread=new_id("thread"), text=QUESTION, language="en",
            now=desk.clock.now(),
        )  # fmt: skip
        result = await desk.runner.run(asked)

    told = [message["content"] for message in openai_server.requests[-1]["messages"] if message["role"] == "tool"]
    assert "table visits" in told[0]
    assert "metric revenue = sum(amount_pence) / 100.0 of bills where status <> 'written_off'" in told[0]
    assert "There is no column" in told[1] or "no_such_column" in told[1]
    assert len(told) == 3
    assert result.brain == "openai:test"
    tables = [each for each in getattr(result.answer, "results", ()) if isinstance(each, Table)]
    assert [each.rows for each in tables] == [(("Mina", 3), ("Owen", 0))]
