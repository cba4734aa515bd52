"""What a person finds, and why, on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.cli.documents.search import ABSENCES, CAUSES
from search.ranking.choosing import Cause
from search.ranking.explanation import Absence
from tests.cli.conftest import invoke

KEYS = "rotate vault key"


def search(home: Path, *arguments: str) -> dict[str, Any]:
    done = invoke("search", *arguments, "--json", home=home)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_people_read_where_each_leg_had_a_passage_and_which_words_it_has(home: Path) -> None:
    done = invoke("search", "rotate the vault key on the bastoin", "--as", "dora", "--explain", home=home)
    lines = done.output.splitlines()

    assert "bastoin → bastion" in lines[0]
    assert [line.split()[0] for line in lines[:3]] == ["question", "bm25", "dense"]
    assert any(
        line.split() == ["#", "passage", "bm25", "dense", "words", "heading", "score", "read", "by"] for line in lines
    )
    first = next(line for line in lines if line.startswith("1 "))
    assert "Vault keys > Rotate a vault key  [handbook/it/keys.md]" in first
    assert first.split()[-1] == "group:it"
    assert "rotate ✓  vault ✓  key ✓  bastoin → bastion ✓" in done.output


def test_without_explain_it_is_passages_alone(home: Path) -> None:
    done = invoke("search", KEYS, "--limit", "1", home=home)

    assert "[handbook/it/keys.md]" in done.output
    assert "Run the rotation script on the bastion host." in done.output
    assert "bm25" not in done.output


def test_the_json_has_the_documented_form(home: Path) -> None:
    found = search(home, KEYS, "--as", "dora@example.org", "--limit", "2")

    assert list(found) == [
        "question", "person", "language", "words", "legs", "vectors_share", "hidden", "timings_ms", "hits", "left_out"
    ]  # fmt: skip
    assert found["person"] == "dora"
    assert [word["text"] for word in found["words"]] == ["rotate", "vault", "key"]
    assert [(leg["name"], leg["absence"]) for leg in found["legs"]] == [("bm25", None), ("dense", None)]
    assert len(found["hits"]) == 2
    first = found["hits"][0]
    assert (first["source"], first["page"], first["title"]) == ("handbook", "it/keys.md", "Vault keys")
    assert first["section"][-1] == "Rotate a vault key"
    assert first["legs"]["bm25"]["rank"] == first["legs"]["dense"]["rank"] == 1
    assert (first["meets"], first["read_by"]) == ([1.0, 1.0, 1.0], "group:it")


def test_whose_eyes_they_are_decides_what_is_found_and_is_recorded(home: Path) -> None:
    theirs = search(home, KEYS, "--as", "ada")
    own = search(home, KEYS)

    assert "it/keys.md" not in [hit["page"] for hit in theirs["hits"]]
    assert theirs["hidden"] == 2  # the keys, and the note that nobody may read
    assert own["hits"][0]["page"] == "it/keys.md"
    assert (own["person"], own["hits"][0]["read_by"]) == (None, "operator")
    noted = invoke("audit", "list", "--action", "knowledge.search_as", home=home).output.splitlines()
    assert len(noted) == 2  # the headings and Ada; the operator's own search is nobody else's
    assert "person:ada" in noted[1]
    assert "Kept back by access lists: 2" in invoke("search", KEYS, "--as", "ada", home=home).output


def test_a_question_without_words_and_an_empty_desk_say_so(home: Path, tmp_path: Path) -> None:
    assert "no word in it" in invoke("search", "?!", home=home).output
    assert "dutydesk index PATH" in invoke("search", "vpn", home=tmp_path / "empty").stderr


@pytest.mark.parametrize("arguments", [[" "], ["vpn", "--as", "zoe"], ["vpn", "--limit", "0"]])
def test_wrong_use_ends_with_two(home: Path, arguments: list[str]) -> None:
    assert invoke("search", *arguments, home=home).exit_code == 2


def test_every_code_has_its_words() -> None:
    assert set(ABSENCES) == {each.value for each in Absence}
    assert set(CAUSES) == {each.value for each in Cause}
