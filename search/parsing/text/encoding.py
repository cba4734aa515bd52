"""Bytes to text. What is neither UTF-8 nor marked is guessed only where the guess is a good one, and then told."""

import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from search.errors import FileUnreadable, Reason

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_DAMAGED = "damaged UTF-8"
_NAMES = {"gb18030": "GB18030", "cp1252": "Windows-1252 (Latin-1)"}
#: What is declared is often the small brother of what is used.
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252", "latin-1": "cp1252", "us-ascii": "cp1252"}
_PUNCTUATION = "，。、；：？！（）《》“”‘’【】…—·　"
#: Other characters than ASCII that a guess by statistics needs to be worth anything.
_ENOUGH = 12
#: So many right characters for each wrong byte are no accident.
_MOSTLY = 10


@dataclass(frozen=True)
class Decoded:
    """The text, and the encoding's name where it was guessed."""

    text: str
    guessed: str = ""

    @property
    def remark(self) -> str:
        """Return the line that a guess is worth, or ""."""
        if self.guessed == _DAMAGED:
            return "has bytes that are no UTF-8; they were left out"
        return f"is not in UTF-8; it was read as {self.guessed}" if self.guessed else ""


def decode(content: bytes, *, declared: str = "") -> Decoded:
    """Return the text of a file; `declared` is the encoding that the file names itself.

    Raises `FileUnreadable` for what is no text, and where the encoding cannot be told.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            text = _tried(content, encoding)
            if text is None:
                words = f"is no valid {encoding.upper().removesuffix('-SIG')} text"
                raise FileUnreadable(words, Reason.ENCODING)
            return Decoded(text)
    if b"\0" in content and (text := _wide(content)) is not None:
        return Decoded(text, "UTF-16")
    for encoding in ("utf-8", _SUPERSETS.get(declared.lower(), declared)):
        if encoding and (text := _tried(content, encoding)) is not None:
            return Decoded(text)
    return _damaged(content) or _guessed(content)


def _damaged(content: bytes) -> Decoded | None:
    """Return UTF-8 in which few bytes are wrong, as where something was cut off; None where most are."""
    text = content.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    right = sum(letter > "\x7f" for letter in text) - wrong
    return Decoded(text.replace("\ufffd", ""), _DAMAGED) if right >= _MOSTLY * wrong else None


def _guessed(content: bytes) -> Decoded:
    if len(_CONTROL.findall(content)) * 50 > len(content):
        raise FileUnreadable("is no text", Reason.MISLABELLED)
    high = sum(byte >= 0x80 for byte in content)
    letters = sum(0x41 <= byte <= 0x5A or 0x61 <= byte <= 0x7A for byte in content)
    if (text := _tried(content, "gb18030")) is not None and _common_chinese(text):
        return Decoded(text, _NAMES["gb18030"])
    accented = sum(byte >= 0xC0 for byte in content)
    if accented * 4 <= accented + letters and (text := _tried(content, "cp1252")) is not None:
        return Decoded(text, _NAMES["cp1252"])
    if high >= _ENOUGH and (found := from_bytes(content).best()) is not None:
        return Decoded(str(found), found.encoding.upper().replace("_", "-"))
    words = "is neither UTF-8 nor in an encoding that can be told; save it as UTF-8"
    raise FileUnreadable(words, Reason.ENCODING)


def _tried(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except (ValueError, LookupError):  # the name of an encoding is somebody else's word, too
        return None


def _wide(content: bytes) -> str | None:
    """Return UTF-16 that has no mark: every other byte of Latin text in it is zero."""
    half = len(content) // 2
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if half and content[first::2].count(0) * 10 > half * 7 and content[1 - first :: 2].count(0) * 10 < half:
            return _tried(content, encoding)
    return None


def _common_chinese(text: str) -> bool:
    """Say whether what is not ASCII are characters that Chinese text consists of; a wrong guess gives rare ones."""
    other = [letter for letter in text if letter > "\x7f"]
    common = sum(letter in _PUNCTUATION or _level_one(letter) for letter in other)
    return bool(other) and common * 10 >= len(other) * 8


def _level_one(letter: str) -> bool:
    try:
        encoded = letter.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return len(encoded) == 2 and 0xB0 <= encoded[0] <= 0xD7
