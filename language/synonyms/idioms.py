"""What staff say in everyday phrases, in the words of pages: "book my holidays" is asking for leave.

Words that mean the same stand in the tables beside this one; here (`idioms.txt`) are phrases of which no single word
says what is meant. They are for looking something up, never for deciding what a message wants.
"""

import re
from pathlib import Path

from language.scripts import holds_chinese

_LIST = Path(__file__).with_name("idioms.txt")
#: What stands within a Chinese verb and its object and says nothing: 换个班, 请一下假.
_WITHIN = re.compile(
    r"(?<=[换调请开打报订修改补办交签领退])(?:一个|一下|个|下|张)(?=班|假|票|卡|销|餐|证|密码|字|合同|房|款|发票)"
)


def in_words_of_pages(text: str) -> str:
    """Return a question with its everyday phrases in the words that pages use."""
    chinese = holds_chinese(text)
    said = _WITHIN.sub("", text) if chinese else text
    for pattern, meant in _PHRASES["zh" if chinese else "en"]:
        said = pattern.sub(meant, said)
    return said


def _phrases() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    read: dict[str, list[tuple[re.Pattern[str], str]]] = {"en": [], "zh": []}
    for line in _LIST.read_text(encoding="utf-8").splitlines():
        meant, _, said = line.partition(" <= ")
        if said and not line.startswith("#"):
            forms = "|".join(said.split("; "))
            chinese = holds_chinese(meant)
            pattern = f"(?:{forms})" if chinese else rf"(?<![\w'])(?:{forms})(?![\w'])"
            read["zh" if chinese else "en"].append((re.compile(pattern, re.IGNORECASE), meant))
    return read


_PHRASES = _phrases()  # before a message comes: an event loop waits for no file
