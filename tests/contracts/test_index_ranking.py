"""What every index's words leg makes of a term: its field, how often it stands there, how long the passage is.

And what it must not make of it: who may not read a page finds what they would if the page were not there.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.port import Index
from tests.contracts.test_index import INDEXES, ask, paths
from tests.search.making import STAFF, entry


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


SEEN = {"portal.md": "# Portal\n\nThe portal opens at nine.\n", "vpn.md": "# VPN\n\nThe client asks the portal.\n"}
HIDDEN = {f"h{number}.md": f"# Layoff {number}\n\na zephyr portal portal {'x ' * number}\n" for number in range(9)}


@pytest.mark.parametrize("question", ["portal", "portal zephyr", "portal zephir", "client portal PPR-9087", "layoff"])
async def test_hidden_pages_change_nothing_of_what_is_told(index: Index, question: str) -> None:
    await index.replace([entry(path, text) for path, text in SEEN.items()])
    without = await ask(index, question, STAFF, dense=False)
    await index.replace([entry(path, text, allow=["group:board"]) for path, text in HIDDEN.items()])
    await index.replace([entry("code.md", "# Code\n\nPPR-9087 is zephyr.\n", allow=["group:board"])])
    beside = await ask(index, question, STAFF, dense=False)

    assert (beside.total, beside.frequencies, beside.corrections) == (
        without.total,
        without.frequencies,
        without.corrections,
    )
    assert await paths(index, beside, STAFF) == await paths(index, without, STAFF)
    if isinstance(index, ElasticsearchIndex):
        return  # Lucene weighs words by the whole index: decision 0034
    assert [found.score for found in beside.legs["bm25"]] == pytest.approx(
        [found.score for found in without.legs["bm25"]], rel=1e-6
    )


async def test_a_slip_is_corrected_by_permitted_pages_alone(index: Index) -> None:
    await index.replace([entry("vpn.md", "# VPN\n\nStart the client.\n")])
    await index.replace([entry(f"{number}.md", "# Klient\n\nclienz\n", allow=["group:board"]) for number in range(3)])

    assert (await ask(index, "cliend", STAFF, dense=False)).corrections == {"cliend": "client"}
    corrected = {"clienz": "client"}
    if isinstance(index, ElasticsearchIndex):
        corrected = {}  # what stands on a hidden page is not taken for a slip there: decision 0034
    assert (await ask(index, "clienz", STAFF, dense=False)).corrections == corrected
    assert (await ask(index, "clienz", dense=False)).corrections == {}
