"""Which script a text is written in, and so which language: English and Chinese are told apart by it."""

from typing import Literal

import regex

#: Classes of characters for patterns of the `regex` library.
HAN = r"\p{Han}"
CJK = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\u30fb-\u30fe"

Language = Literal["en", "zh"]
_HAN = regex.compile(HAN)


def language_of(text: str) -> Language | Literal[""]:
    """Return "zh" when a tenth of the letters are Chinese, "en" when fewer are, "" when there are none.

    One Chinese character says as much as half a word, and a word has about five letters.
    """
    letters = sum(map(str.isalpha, text))
    if letters == 0:
        return ""
    chinese = 0 if text.isascii() else len(_HAN.findall(text))
    return "zh" if chinese * 10 >= letters else "en"


def holds_chinese(text: str) -> bool:
    """Tell whether a text holds a Chinese character."""
    return not text.isascii() and _HAN.search(text) is not None


def is_chinese(text: str) -> bool:
    """Tell whether Chinese carries a text."""
    return language_of(text) == "zh"
