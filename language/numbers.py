"""Whole numbers in words, English and Chinese."""

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
#: Word → number, up to twenty.
SPELLED = {word: number for number, word in enumerate(_ENGLISH.split())}
_CHINESE = {character: number for number, character in enumerate("零一二三四五六七八九")} | {"两": 2}
_TENS = {"十": 10, "廿": 20, "卅": 30}


def whole(written: str) -> int:
    """Return the number of digits, an English word up to twenty, or Chinese up to the hundreds; raise ValueError."""
    if written.isdecimal():
        return int(written)
    if written in SPELLED:
        return SPELLED[written]
    total, digit = 0, 0
    for character in written:
        if character in _TENS:
            total += (digit or 1) * _TENS[character]
            digit = 0
        elif character == "百":
            total += (digit or 1) * 100
            digit = 0
        elif character in _CHINESE:
            digit = _CHINESE[character]
        else:
            raise ValueError(written)
    return total + digit
