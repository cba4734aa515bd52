"""Below a draft that waits, what is told of another thing is a matter of its own, and the rest belongs to the draft."""

import pytest

from agent.brains.rules.understanding.message import read
from agent.tools.context import Recollection, Turn
from features.tickets.understanding.reporting import is_another

_PRINTER = "the printer in reception is jammed, HV20417"
_CHAIR = "前台电话打不出去"


@pytest.mark.parametrize(
    ("reported", "missing", "said", "another"),
    [
        (_PRINTER, "", "my phone has no dial tone", True),
        (_PRINTER, "location", "our kettle has no lid", True),
        (_PRINTER, "device", "the heating in ash ward is broken", True),
        (_PRINTER, "device", "the label printer", False),
        (_PRINTER, "", "my number is 4411", False),
        (_PRINTER, "", "my desk lamp has no bulb", True),
        (_PRINTER, "", "our desk is the one by the window", False),
        (_PRINTER, "", "nobody waiting", False),
        (_CHAIR, "device", "我的椅子坏了", True),
        (_CHAIR, "device", "右边那台，从昨天开始", False),
        (_CHAIR, "", "我的分机是4411", False),
    ],
)
def test_a_thing_of_ones_own_is_a_matter_of_its_own(reported: str, missing: str, said: str, another: bool) -> None:
    turn = Turn(asked=reported, answered="", outcome="asked_back")
    memory = Recollection(turns=(turn,), last={"draft": "d1", "missing": missing})

    assert is_another(read(said, memory)) is another
