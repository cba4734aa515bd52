"""Messages of the staff of invented companies, put to a whole desk through its inbox, and what they read."""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.evals.staff.cases import Conversation, Turn, load_conversations
from tests.evals.staff.grading import Verdict, verdicts
from tests.evals.staff.playing import stage

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)

HERE = Path(__file__).parent
FREIGHT = HERE.parents[3] / "shared" / "data" / "desk-freight"
_ROW = re.compile(r"\| (\d+) \| \w \| (.+?) \| [RBWAS] \|")
#: Of each file the least share that is acceptable. At first sight: laundry 58 of 88, ferry 32 of 55, dental 44 of 56,
#: wind 45 of 60, kitchen (held back while those were tuned) 47 of 59. The brewery's are about the
#: flow of a conversation: 78 of 109, and 79 of 109 of `more`, which was held back while the first were mended. The ski
#: resort's are about follow-ups: 87 of 137; `held`, played once when those were mended, 61 of 69. `talk` is about what
#: goes on with a page, an alarm or a draft, mishaps and several matters: 23 of 33 and 17 of 33. The inns were written
#: and judged by somebody who did not know the code: 42 of 90; `held`, played once when those were mended, 27 of 60. The
#: driving school at first sight: 30 of 40; `held`, before anything was mended, 20 of 33 (follow-ups 9 of 15, what no
#: page holds 3 of 7).
ACCEPTABLE = {
    "freight": 0.9,
    "laundry": 0.7,
    "ferry": 0.6,
    "dental": 0.85,
    "wind": 0.85,
    "kitchen": 0.75,
    "museum": 0.85,
    "brewery": 0.8,
    "brewery/more": 0.75,
    "brewery/words": 0.85,
    "ski": 0.75,
    "ski/held": 0.8,
    "wind/talk": 0.85,
    "museum/talk": 0.72,
    "clinic": 0.7,
    "driving": 0.75,
    "driving/held": 0.6,
    "clinic/held": 0.7,
    "inns": 0.8,
    "inns/held": 0.65,
    "kennels": 0.8,
    "kennels/more": 0.75,
    "removals": 0.74,
}


def test_a_freight_company_is_served(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not FREIGHT.exists():
        pytest.skip("the shared data with the freight company's messages is not here")
    said = _freight_messages((FREIGHT / "messages.md").read_text(encoding="utf-8"))
    file = load_conversations(HERE / "freight.yaml")
    conversations = [_worded(each, said) for each in file.conversations]

    _hold(file.name, conversations, FREIGHT / file.pages, FREIGHT / file.people, home=tmp_path, capsys=capsys)


@pytest.mark.few(5)
@pytest.mark.parametrize("name", [name for name in ACCEPTABLE if name != "freight"])
def test_a_company_is_served(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    company, _, others = name.partition("/")
    folder = HERE / company
    file = load_conversations(folder / f"{others or 'conversations'}.yaml")

    _hold(name, file.conversations, folder / file.pages, folder / file.people, home=tmp_path, capsys=capsys)


def _hold(
    name: str,
    conversations: Sequence[Conversation],
    pages: Path,
    people: Path,
    *,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Play the conversations, print what came of them, and hold them against the thresholds."""
    judged = asyncio.run(_play(conversations, pages, people, home))
    told = "\n".join(f"{each.missed:40} {each.turn.say or each.turn.press}" for each in judged if each.missed)
    counted = Counter(each.turn.kind for each in judged)
    right = Counter(each.turn.kind for each in judged if not each.missed)
    figures = ", ".join(f"{kind} {right[kind]}/{count}" for kind, count in counted.items())
    with capsys.disabled():
        print(f"\n{name}: {figures}\n{told}")  # noqa: T201 - the score belongs into the log of every build
    assert right["alarm"] == counted["alarm"], told
    assert right.total() / len(judged) >= ACCEPTABLE[name], told


async def _play(conversations: Sequence[Conversation], pages: Path, people: Path, home: Path) -> tuple[Verdict, ...]:
    async with stage(home, pages=[pages], people=people) as staged:
        played = [
            verdicts(each, await staged.play(each, thread=f"thread-{number}"))
            for number, each in enumerate(conversations)
        ]
    return tuple(verdict for each in played for verdict in each)


def _freight_messages(table: str) -> Mapping[str, str]:
    """Return the messages of the table by their number: `#12`, and `#12.2` for the second of several."""
    messages: dict[str, str] = {}
    for number, cell in _ROW.findall(table):
        parts = [re.sub(r"\s*\([^)]*\)\s*$", "", part).strip() for part in cell.split("↳")]
        for at, part in enumerate(filter(None, parts), start=1):
            messages[f"#{number}.{at}"] = part
            messages.setdefault(f"#{number}", part)
    return messages


def _worded(conversation: Conversation, said: Mapping[str, str]) -> Conversation:
    """Return a conversation with the words of its messages in place of their numbers."""

    def worded(turn: Turn) -> Turn:
        return turn.model_copy(update={"say": said[turn.say]}) if turn.say.startswith("#") else turn

    return conversation.model_copy(update={"turns": tuple(map(worded, conversation.turns))})
