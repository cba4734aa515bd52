"""One word, one meaning: what the field has a word for is called by it."""

from pathlib import Path

from tests.architecture.source import ROOT, made_up
from tests.architecture.vocabulary import RETIRED, retired_words

#: Where the words are gone already, in code and pages alike.
CLEAN = ("adapters", "docs", "evals", "identity", "language", "search", "storage", "tickets")
#: Lines about real doors, and a figure of speech.
MEANT = (
    "Open the window and close the door.", '"door",', "leaves the door open", "safe door without", "for a door that",
    "access|door|alarm", "doors?|gates", "open doors and windows only on your way out", "send somebody to the door",
)  # fmt: skip


def pages_and_modules() -> list[Path]:
    return [path for folder in CLEAN for ending in ("*.py", "*.md") for path in sorted((ROOT / folder).rglob(ending))]


def test_no_retired_word_is_in_use() -> None:
    scanned = pages_and_modules()

    assert len(scanned) > 300, scanned
    assert list(retired_words(scanned, root=ROOT, allowed=MEANT)) == []


def test_a_retired_word_is_found(tmp_path: Path) -> None:
    text = "def slips_of(term):\n    # a second look at payslips\n    doors = 1\n    indoors = shows\n"
    modules = made_up(tmp_path, {"bot/showing.py": text})

    assert list(retired_words([each.path for each in modules], root=tmp_path, allowed=["doors = 1"])) == [
        "bot/showing.py: showing",
        "bot/showing.py:1: slips",
        "bot/showing.py:2: second look",
    ]
    assert "slip" in RETIRED
