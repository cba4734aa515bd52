"""How fast a long piece of work goes, and how long it takes yet, in words."""

import pytest

from bot.cli.progress import Bars, pace, span
from search.sources.report import SyncStep


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (SyncStep(stage="embedding", done=0, total=50, seconds=3), ""),
        (SyncStep(stage="embedding", done=50, total=50, seconds=0), ""),
        (SyncStep(stage="embedding", done=240, total=4_560, seconds=10), "24/s, 3 min left"),
        (SyncStep(stage="indexing", done=3, total=50, seconds=10), "0.3/s, 3 min left"),
        (SyncStep(stage="indexing", done=3_000, total=3_200, seconds=2), "1,500/s, 0 s left"),
    ],
)
def test_the_pace_is_told_when_it_is_known(step: SyncStep, words: str) -> None:
    assert pace(step) == words


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (119, "119 s"), (121, "2 min"), (7_000, "117 min"), (8_100, "2 h 15 min")]
)
def test_spans_are_told_in_the_unit_that_fits(seconds: float, words: str) -> None:
    assert span(seconds) == words


def test_a_stage_that_took_long_leaves_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with Bars() as bars:
        bars.advance(SyncStep(stage="indexing", done=3, total=3, seconds=0.4))
        bars.advance(SyncStep(stage="embedding", done=900, total=1_929, seconds=8))
        bars.advance(SyncStep(stage="embedding", done=1_929, total=1_929, seconds=17.5))
    assert capsys.readouterr().err == "Making vectors: 1,929 in 18 s (110 a second)\n"
