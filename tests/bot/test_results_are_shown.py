"""Whatever a made-up tool returns, on every platform and with every ending of a brain, the person sees its content."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.cards import Card
from adapters.terminal.drawing import draw
from agent.brains.assistant import Call
from agent.brains.output import Abstain, Act, AskBack, Claim, Output, Refuse, Reply
from agent.gate.outcomes import Done
from agent.results import Result
from agent.runner.endings import answer_of, conclude
from agent.tools.evidence import Found
from agent.tools.registry import ToolResult
from bot.delivery.showing import results_in
from bot.rendering.cards import answer_blocks, card_of
from bot.rendering.results import result_blocks
from features.anatomy.reader import Reader
from tests.adapters.slack import test_data as slack
from tests.adapters.teams import test_data as teams
from tests.adapters.test_web_render import RENDERER, seen
from tests.agent.any_result import any_result, content_of

SEEN: dict[str, Callable[[Card], str]] = {
    "browser": lambda card: seen(RENDERER.card(card)).text,
    "slack": lambda card: json.dumps(slack.all_of(card), ensure_ascii=False),
    "teams": lambda card: json.dumps(teams.all_of(card), ensure_ascii=False),
    "terminal": lambda card: "\n".join(line.text for line in draw(card, lambda _: 1)),
    "memory": repr,
}
ENDINGS: dict[str, Output] = {
    "cites it": Reply(claims=[Claim(text="Here it is, as one can see.", evidence=["E1"])]),
    "cites nothing": Reply(claims=[Claim(text="All is well, it is 99.", evidence=[])]),
    "act": Act(),
    "abstain": Abstain(),
    "ask back": AskBack(question="Which one?"),
    "ask back by code": AskBack(code="which_ticket"),
    "refuse": Refuse(),
}


def card(result: Result, ending: Output, language: str, *, trusted: bool) -> Card:
    """Return what a person is sent when a tool returned this and the brain ended like that."""
    found = Found()
    evidence, content = found.take([result])
    call = Call("made_up", Done(ToolResult((result,)), content=content, evidence=evidence))
    answer = answer_of(
        conclude(ending, [call], grounds=found.grounds, language=language, asked="?", hosts=(), trusted=trusted)
    )
    reader = Reader(language="zh" if language == "zh" else "en")
    shown = [block for each in results_in(answer) for block in result_blocks(each, reader)]
    return card_of(answer_blocks(answer, reader, run_id="run_1", shown=shown), reader)


@pytest.mark.parametrize("platform", SEEN)
@settings(max_examples=60)
@given(any_result(), st.sampled_from(sorted(ENDINGS)), st.sampled_from(["en", "zh"]), st.booleans())
def test_the_person_sees_what_the_tool_returned(
    platform: str, result: Result, ending: str, language: str, trusted: bool
) -> None:
    text = SEEN[platform](card(result, ENDINGS[ending], language, trusted=trusted))
    text = text.replace("\\u2060", "").replace("\u2060", "")
    assert [words for words in content_of(result) if words not in text] == []
