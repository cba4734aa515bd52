"""What the forms of an English word share, over its stem: a deed, its noun and who does it."""

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
        "teach": "taught", "catch": "caught",
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
