"""What every index's words leg makes of a term: its field, how often it stands there, how long the passage is."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from search.index import Index
from tests.contracts.test_index import INDEXES, ask, paths
from tests.search.making import entry


@pytest.fixture(params=INDEXES)
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    made = INDEXES[request.param](tmp_path, request)
    yield made
    await made.close()


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("# Tidegate\n\nConnect the client.\n", "# Client\n\nConnect the tidegate.\n"),  # in the title
        ("# Page\n\n## Tidegate\n\nConnect it.\n", "# Page\n\n## Connect\n\nThe tidegate.\n"),  # in the heading
        ("# Page\n\ntidegate tidegate\n", "# Page\n\ntidegate again\n"),  # more often
        ("# Page\n\ntidegate\n", "# Page\n\ntidegate" + " and something else" * 10 + "\n"),  # in a shorter passage
    ],
)
async def test_a_term_counts_by_field_frequency_and_length(index: Index, better: str, worse: str) -> None:
    await index.replace([entry("worse.md", worse), entry("better.md", better), entry("other.md", "# Other\n\nno\n")])
    findings = await ask(index, "tidegate", dense=False)
    assert (await paths(index, findings))["bm25"] == ["better.md", "worse.md"]
    first, second = findings.legs["bm25"]
    assert first.score > second.score > 0


async def test_a_rare_term_counts_for_more(index: Index) -> None:
    pages = [entry(f"{number}.md", "# Page\n\nportal\n") for number in range(5)]
    await index.replace([*pages, entry("rare.md", "# Page\n\ntidegate\n")])
    findings = await ask(index, "portal tidegate", dense=False)
    assert (await paths(index, findings))["bm25"][0] == "rare.md"
    assert findings.frequencies == {"portal": 5, "tideg": 1}
