"""What staff say in everyday phrases, in the words of pages: "book my holidays" is asking for leave.

Words that mean the same stand in the tables beside this one; here (`idioms.txt`) are phrases of which no single word
says what is meant. They are for looking something up, never for deciding what a message wants.
"""

import re
from functools import cache
from pathlib import Path

from language.scripts import holds_chinese

_LIST = Path(__file__).with_name("idioms.txt")
#: What stands within a Chinese verb and its object and says nothing: 换个班, 请一下假.
_WITHIN = re.compile(
    r"(?<=[换调请开打报订修改补办交签领退])(?:一个|一下|个|下|张)(?=班|假|票|卡|销|餐|证|密码|字|合同|房|款|发票)"
)


#: The lines of the list, read with the module: an event loop waits for no file.
_LINES = tuple(each.partition(" <= ") for each in _LIST.read_text(encoding="utf-8").splitlines() if each[:1] != "#")


def in_words_of_pages(text: str) -> str:
    """Return a question with its everyday phrases in the words that pages use."""
    chinese = holds_chinese(text)
    said = _WITHIN.sub("", text) if chinese else text
    for pattern, meant in _phrases(chinese=chinese):
        said = pattern.sub(meant, said)
    return said


@cache
def _phrases(*, chinese: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the phrases of one script, made into patterns when the first question comes."""
    before, behind = ("", "") if chinese else (r"(?<![\w'])", r"(?![\w'])")
    return tuple(
        (re.compile(f"{before}(?:{said.replace('; ', '|')}){behind}", re.IGNORECASE), meant)
        for meant, _, said in _LINES
        if said and holds_chinese(meant) == chinese
    )
