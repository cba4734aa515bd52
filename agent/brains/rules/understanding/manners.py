"""Thanks and praise, told by their words alone: "thanks, you saved my day", 太感谢了，帮大忙了."""

import re

from agent.brains.rules.understanding.phrases import THANKS
from language.words import chinese_characters

_KIND_WORDS = """
    thanks thank thankyou thx thnx tnx ty tysm cheers ta appreciate appreciated grateful great awesome amazing perfect
    helpful helped brilliant excellent fantastic wonderful lovely superb super star legend lifesaver hero genius cool
    nice saved love
    """
_BESIDE_WORDS = """
    you you're youre u are were is it it's its that that's thats this was so very much really truly absolutely pretty a
    an the lot lots bunch ton tons million again all for your my me i to and but oh wow ok okay yes ah right well now
    just ever quick quickly fast answer answers reply info information explanation help helping work job day morning
    afternoon evening week bacon life made bot desk team mate guys friend man dude as always of one best good kind sweet
    many useful have had been what such done in advance sounds again clear works worked working fine fixed solved
    resolved back running ur u r x xx xxx luv buddy pal folks
    """
#: Words that thank or praise, and those that may stand beside them in a message that does nothing else.
_KIND, _BESIDE = frozenset(_KIND_WORDS.split()), frozenset(_BESIDE_WORDS.split())
_WORD = re.compile(r"[a-z']+")
_KIND_CHINESE = re.compile(
    r"谢谢|多谢|感谢|谢[了啦]|辛苦|太棒|真棒|厉害|帮了?[我你]?[个了]?大忙|给力|太好了|好用|不错|救了我|爱你|贴心|专业|优秀|点赞|有帮助|有用"
)
_BESIDE_CHINESE = re.compile(
    r"帮忙|帮助|能用|可以|解决|搞定|修好|恢复|正常|已经|现在|回复|解答|回答|指点|提醒|明白|知道|懂|收到|清楚|耐心|"
    r"[你您我们大家太真好非常十分很了啊呀啦哦喔哈嘛呢的是这次又对都么就去试嗯行那还哟耶用\s,，.。!！~、]"
)


def is_thanks(plain: str) -> bool:
    """Tell whether a normalised message thanks or praises, and says nothing else."""
    return THANKS.match(plain) is not None or is_praise(plain)


def is_praise(plain: str) -> bool:
    """Tell whether every word of a message thanks, praises, or stands beside such words."""
    if "?" in plain or any(character.isdigit() for character in plain):
        return False
    if not chinese_characters(plain):
        words = _WORD.findall(plain)
        return not _KIND.isdisjoint(words) and all(word in _KIND or word in _BESIDE for word in words)
    rest = _KIND_CHINESE.sub("", plain)
    return rest != plain and not _BESIDE_CHINESE.sub("", rest)
