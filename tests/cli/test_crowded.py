"""Past what the embedded index is made for, the desk says so where operators look."""

import sqlite3
from pathlib import Path

import pytest

from bot.settings import load
from tests.cli.conftest import invoke

#: 200,001 passages that nobody can find, which is all that counting needs.
MANY = """
WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 200001)
INSERT INTO chunk (document_id, number, generation, section_path, anchor, text, tokens, kind, windows, words)
SELECT (SELECT min(id) FROM document), n + 1000, 1, '[]', '', '', 0, 'paragraph', '', '' FROM counted
"""
TERMS = "INSERT INTO posting (chunk_id, terms) SELECT id, x'' FROM chunk WHERE text = ''"


@pytest.mark.parametrize("words", [("knowledge", "status"), ("knowledge", "refresh"), ("doctor",)])
def test_too_many_passages_are_told(home: Path, words: tuple[str, ...]) -> None:
    assert "200000" not in invoke(*words, home=home).output
    connection = sqlite3.connect(load(home=home).index_path)
    with connection:
        connection.execute(MANY)
        connection.execute(TERMS)
    connection.close()
    told = invoke(*words, home=home).output
    assert "200000" in told
    assert "Elasticsearch" in told
