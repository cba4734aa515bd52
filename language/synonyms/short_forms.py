"""Words as they are typed in a chat, written out: "whats", "dont", "hols", 啥时候, 咋办."""

import re

#: What is no other word without its apostrophe.
_BARE = (
    "I'm I've he's she's that's there's here's you're you've you'd we've they're they've "
    "don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't can't couldn't shouldn't wouldn't won't"
)
_ASKS = {"whats": "what's", **{f"{word}s": f"{word} is" for word in ("when", "where", "who", "how", "why")}}
_SHORT_FORMS = {
    **{word.replace("'", "").lower(): word for word in _BARE.split()},
    **_ASKS,
    "gonna": "going to", "wanna": "want to", "gotta": "have to", "gimme": "give me", "lemme": "let me",
    "dunno": "don't know", "cuz": "because", "coz": "because", "pls": "please", "plz": "please", "thru": "through",
    "u": "you", "ur": "your", "ppl": "people", "sth": "something", "smth": "something", "summat": "something",
    "owt": "anything", "nowt": "nothing",
    "tmrw": "tomorrow", "tmr": "tomorrow", "tomoz": "tomorrow", "2moro": "tomorrow", "yday": "yesterday",
    "tonite": "tonight", "nite": "night", "nites": "nights", "mins": "minutes", "hrs": "hours", "wk": "week",
    "wks": "weeks", "mth": "month", "mths": "months", "qtr": "quarter", "qtrs": "quarters", "yr": "year",
    "yrs": "years", "bday": "birthday", "xmas": "christmas", "hols": "holidays",
    "wkend": "weekend", "appt": "appointment",
    "lst": "last", "prev": "previous", "wich": "which", "whcih": "which", "wat": "what", "hwo": "how", "teh": "the",
    "hw many": "how many", "hw much": "how much", "howmany": "how many", "howmuch": "how much",
    "mgr": "manager", "pw": "password", "pwd": "password",
    "dept": "department", "acct": "account", "fone": "phone", "qty": "quantity",
    "approx": "approximately", "quid": "pounds", "tenner": "ten pounds", "fiver": "five pounds",
}  # fmt: skip
_SHORT = re.compile(
    r"(?<![/\\.@:_'’-])\b(?:" + "|".join(sorted(_SHORT_FORMS, key=len, reverse=True)) + r")\b(?!['’@/\\.:_-]\w)",
    re.IGNORECASE,
)
#: What is asked with in everyday Chinese → in the words of pages and of the rules; 哪 alone stands for a place.
_SPOKEN_CHINESE = {
    "多会儿": "什么时候", "多咱": "什么时候", "啥": "什么", "咋整": "怎么办", "咋弄": "怎么办", "咋": "怎么",
    "哪": "哪里",
}  # fmt: skip
_SPOKEN = re.compile("多会儿|多咱|啥|咋整|咋弄|咋|哪(?=[呢啊呀]?[?？。!！]*$)")
#: Two years in one: 2024、2025两年.
_YEARS = re.compile(r"(?<!\d)(20\d\d)年?[、和与及](20\d\d)年?这?[两二]年")
#: Verbs whose last letter is left out: "not breathin", "bleedin".
_DROPPED = re.compile(
    r"\b((?:breath|bleed|burn|chok|drown|fall|leak|smok|com|go|gett|noth|someth|anyth|everyth|hav|do|say|try|work|look|"
    r"mak|runn|shak|scream|fight|shout|threaten|ly|sitt|stand|feel|mov|wak|talk|beat|flood|dripp|tak|giv|wait|call|ask|"
    r"start|happen)in)(?:['’](?!\w)|(?![\w'’]))",
    re.IGNORECASE,
)
#: Words of one letter between others: "a man w a knife", "burn n cough".
_LETTERS = re.compile(r"(?:(?<=[a-z] )|^)(w/?|n)(?= (?:an?|the|my|his|her|no|i|if|it|we|do|can|cannot|[a-z]{3,})\b)")
_LETTER = {"w": "with", "w/": "with", "n": "and"}
#: 这周一单都没下: nothing in this week, not on its Monday.
_NOT_ONE = re.compile(r"([这本上]个?(?:周|星期|礼拜))(?=一[单个笔次件条张台家位项样点][都也])")
#: Thousands of money: "30 grand", "5 k".
_THOUSANDS = re.compile(r"(?<=\d) ?(?:k|grand)\b", re.IGNORECASE)
_CONTRACTED = re.compile(r"\b(when|where|who|how|why)['’]s\b", re.IGNORECASE)


def written_out(text: str) -> str:
    """Return a text with its short forms written out: "this yr" is "this year", 啥时候 is 什么时候."""
    text = _YEARS.sub(r"\1年和\2年", text)
    text = _THOUSANDS.sub("k", _NOT_ONE.sub(r"\1 ", text))
    text = _SPOKEN.sub(lambda found: _SPOKEN_CHINESE[found[0]], text)
    text = _DROPPED.sub(r"\1g", _LETTERS.sub(lambda found: _LETTER[found[1]], text))
    return _CONTRACTED.sub(r"\1 is", _SHORT.sub(_long, text))


def _long(found: re.Match[str]) -> str:
    if found[0].isupper():  # DEPT may be a name, U a unit
        return found[0]
    long = _SHORT_FORMS[found[0].lower()]
    return long[0].upper() + long[1:] if found[0][0].isupper() else long
