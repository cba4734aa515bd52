"""What the forms of an English word share, over its stem: a deed, its noun and who does it."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from language.stemming import stem

#: Endings that make a noun of what is done: payment, registration, rental, delivery, insurance, joiner.
_ENDINGS = ("ment", "ation", "al", "i", "anc", "er")

#: What is done in forms that no rule leads to, beside those that the stemmer knows.
_BASES = {
    form: base
    for base, forms in {
        "throw": "threw thrown", "lend": "lent", "ride": "rode ridden", "carry": "carried carries", "begin": "begun",
        "break": "broke broken", "choose": "chose chosen", "draw": "drew drawn", "eat": "ate eaten",
        "fly": "flew flown", "grow": "grew grown", "hold": "held", "rise": "rose risen", "send": "sent",
        "spend": "spent", "steal": "stole stolen", "wear": "wore worn", "win": "won", "write": "wrote written",
        "teach": "taught", "give": "gave given", "catch": "caught",
    }.items()
    for form in forms.split()
}  # fmt: skip


def is_form(word: str) -> bool:
    """Tell whether a word is a form of what is done that no rule leads to: it is no misspelling."""
    return word in _BASES


@lru_cache(maxsize=8_192)
def root(word: str) -> str:
    """Return what the forms of a word share: "rent" of rental and rented, "complain" of complaint."""
    found = stem(_BASES.get(word, word))
    for ending in _ENDINGS:
        if found.endswith(ending) and len(found) - len(ending) > 3:
            return found.removesuffix(ending)
    return found.removesuffix("t") if found.endswith("aint") else found


#: Places in a ranking, and what is said of the one there.
PLACES: Mapping[str, int] = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "第二": 2, "第三": 3, "第四": 4, "第五": 5,
}  # fmt: skip
_HIGHEST = (
    "best", "highest", "largest", "biggest", "most", "strongest", "busiest", "", "名", "位", "高", "大", "多", "好",
    "强",
)  # fmt: skip
_LOWEST = ("worst", "lowest", "smallest", "fewest", "least", "weakest", "低", "小", "少", "差")


def ranked() -> Iterator[tuple[str, bool]]:
    """Yield "second best", 第二大, 排名第二, 倒数第二, each with whether it counts from the top.

    A mere "second" may be something else.
    """
    for place in PLACES:
        joint = " " if place.isascii() else ""
        for said, from_top in (*((each, True) for each in _HIGHEST), *((each, False) for each in _LOWEST)):
            if said.isascii() == place.isascii() and (said or not joint):
                yield f"{place}{joint}{said}", from_top
        if not joint:
            yield place, True
            for each in ("", "名", "位"):
                yield from ((f"{lead}{place}{each}", True) for lead in ("排名", "排", "排在", "位列", "名列"))
                yield f"倒数{place}{each}", False
