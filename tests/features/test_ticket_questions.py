"""What is to be asked about a ticket is put as a question to who reported it."""

import pytest

from agent.brains.rules.understanding.message import read
from agent.tools.context import Recollection
from features.tickets.understanding.changing import as_question, asked_of_requester
from features.tickets.understanding.references import pointed_out

SPOKEN_OF = Recollection(last={"ticket": "TCK-2026-000007", "listed": "TCK-2026-000007,TCK-2026-000009"})


@pytest.mark.parametrize(
    ("what", "asked"),
    [
        ("which browser she uses", "Which browser do you use?"),
        ("if he has tried another cable", "Have you tried another cable?"),
        ("whether she restarted it", "You restarted it?"),
        ("to restart the laptop", "Please restart the laptop."),
        ("for his serial number", "What is your serial number?"),
        ("when they're in", "When are you in?"),
        ("what it says on the screen", "What does it say on the screen?"),
        ("where the printer is", "Where is the printer?"),
        ("what her number is", "What is your number?"),
        ("when she goes home", "When do you go home?"),
        ("since when", "Since when?"),
    ],
)
def test_it_is_put_to_them(what: str, asked: str) -> None:
    assert as_question(what) == asked


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("ask her which browser she uses", "Which browser do you use?"),
        ("please ask the requester: where is it?", "Where is it?"),
        ("问一下她重启了没有", "重启了没有？"),
        ("麻烦问报修人他用什么浏览器", "您用什么浏览器？"),
        ("ask HR when they are in", None),
        ("who can I ask?", None),
    ],
)
def test_it_is_a_comment_on_the_ticket_that_was_spoken_of(said: str, asked: str | None) -> None:
    matter = asked_of_requester(read(said, SPOKEN_OF))
    assert (matter and matter.detail) == asked
    assert asked_of_requester(read(said, Recollection())) is None


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("take the first one", "TCK-2026-000007"),
        ("resolve the second: new cable", "TCK-2026-000009"),
        ("show me the last ticket", "TCK-2026-000009"),
        ("认领第二单", "TCK-2026-000009"),
        ("take the third one", ""),
        ("the printer on the first floor is broken", ""),
        ("what happens on the first day?", ""),
    ],
)
def test_a_ticket_is_pointed_out_in_the_list_that_was_shown(said: str, meant: str) -> None:
    read_as = pointed_out(read(said, SPOKEN_OF))
    assert meant in read_as.text
    assert ("TCK-" in read_as.text) == bool(meant)
