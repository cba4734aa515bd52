"""A message taken apart into the matters that it holds, each in the person's own words."""

import re
from functools import lru_cache

from agent.brains.rules.understanding.message import Message, read
from agent.brains.rules.understanding.phrases import BARE_PRONOUN, GREETING, POLITE_TAIL, TELLS
from language.words import chinese_runs, content_words, is_generic

#: A longer message is told as a story, and no list of matters.
MOST_CHARS = 600
#: Most words of a first part that only names what is asked about.
NAMED_WORDS = 6
#: Messages whose parts are kept.
KEPT = 32
#: What says that another matter follows.
ANOTHER = re.compile(
    r"[,，.。]? ?\b(?:and )?(?:also|btw|by the way|another thing|one more thing|besides|plus|on top of that)\b[,:]?|"
    r"[,，]? ?(?:另外|(?<![\u4e00-\u9fff])还有|顺便(?:问一下|问下|问)?|对了|以及|同时|此外|再[有者](?=[,，])|"
    r"再问一下)[,，:：]?",
    re.IGNORECASE,
)
#: What else stands between two matters.
_BETWEEN = re.compile(
    r"(?<=[.!?]) |[。！？；;]|"
    r"[,，] ?(?:and )?(?=how|what|when|where|who|which|can |could |do |does |is there|are there)|"
    r" and (?=(?:how|what|when|where|who|which|can|could|do|does|is|are|my|our|the|i|we)\b)|"
    r"[,，](?=[^,，]{0,12}(?:多少|几[天个号次点人种份位张]|怎么|如何|什么|哪|谁|多久|吗))",
    re.IGNORECASE,
)


def parts_of(message: Message) -> tuple[Message, ...]:
    """Return the parts of a message that may be matters of their own, greetings left out; none of a long one."""
    return _parts(message.asked) if len(message.text) <= MOST_CHARS else ()


@lru_cache(maxsize=KEPT)
def _parts(asked: str) -> tuple[Message, ...]:
    # What to do with a message is decided anew after each call, and several ask for its parts.
    line = " ".join(asked.replace("\n", "; ").split())
    said = (part for whole in ANOTHER.split(line) for part in _BETWEEN.split(whole))
    read_ones = (read(part.strip(" ,，")) for part in said if part.strip(" ,，.!?。"))
    return tuple(piece for piece in read_ones if not GREETING.match(piece.plain))


#: What is done, and not to what: 怎么申请.
_DEEDS = re.compile(r"申请|办理?|处理|解决|修改|提交|报(?:修|销(?![要多几期时有需]))|联系|操作|填写?|弄|请|找|查")


def stands_alone(piece: Message) -> bool:
    """Tell whether a question names what it is about, and does not point to what was said beside it."""
    if POLITE_TAIL.search(piece.plain) or BARE_PRONOUN.search(piece.core):
        return False
    named = [word for word in content_words(piece.text) if not is_generic(word)]
    return bool(named) or sum(map(len, chinese_runs(_DEEDS.sub("", piece.plain)))) > 1


def questions_of(message: Message) -> tuple[str, ...]:
    """Return the questions of a message that asks several things, and nothing else; none for any other message.

    The first may be a name alone ("travel allowance, and who approves it?"); what points is asked of the first.
    """
    first, *others = parts_of(message) or (message,)
    named = first.question or (TELLS.match(first.plain) is None and len(first.plain.split()) <= NAMED_WORDS)
    asks = bool(others) and named and stands_alone(first) and all(piece.question for piece in others)
    if not asks or not (first.question or any(BARE_PRONOUN.search(piece.core) for piece in others)):
        return ()
    return tuple(piece.text for piece in (first, *others))
