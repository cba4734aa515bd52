"""Thanks, praise and what only takes note, told by its words alone: "thanks, you saved my day", "hm ok", 嗯明白."""

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
#: Words that take note of what was told, or say that nothing else is wanted; and what may stand beside them.
_NOTED_WORDS = """
    ok okay okey oki k kk right alright aight understood noted gotcha roger fine good sure aha ahh clear sense see
    got sorted done found solved enough mind works worked working running fixed
    sweet needed wanted know
    """
_BESIDE_NOTED_WORDS = """
    hm hmm hmmm mhm uh huh eh um yep yeah yup yes mate then i'll i'm i've will do did makes make that'll never no nvm
    more nothing's need else already myself anyway there somewhere
    """
_NOTED = frozenset(_NOTED_WORDS.split())
_BESIDE_NOTED = _BESIDE | _NOTED | _KIND | frozenset(_BESIDE_NOTED_WORDS.split())
_NOTED_CHINESE = re.compile(
    r"知道|明白|懂[了啦]|收到|清楚[了啦]|了解|搞定|弄好|找到了?|没(?:别的|其他|什么|啥)?(?:事|问题)[了啦]?|没了|就问这[个些]|"
    r"(?:处理|办|做|修|换|弄|装)(?:完|好)了|^[哦噢]?(?:是)?这样[啊子]|就这样|原来(?:如此|是这样)"
    r"|^[嗯哦噢喔啊唔好行的，, ]+$"
)
_WORD = re.compile(r"[a-z']+")
_KIND_CHINESE = re.compile(
    r"谢谢|多谢|感谢|谢[了啦]|辛苦|太棒|真棒|厉害|帮了?[我你]?[个了]?大忙|给力|太好了|好用|不错|救了我|爱你|贴心|专业|优秀|点赞|有帮助|有用"
)
_BESIDE_CHINESE = re.compile(
    r"帮忙|帮助|能用|可以|解决|搞定|修好|弄好|办好|恢复|正常|已经|现在|回复|解答|回答|指点|提醒|明白|知道|懂|收到|清楚|耐心|"
    r"[你您我们大家太真好非常十分很了啊呀啦嘞咯喽哒哦喔哈嘛呢的是这次又对都么就去试嗯行那还哟耶用\s,，.。!！~、]"
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


def is_noted(plain: str) -> bool:
    """Tell whether a message only takes note of what was told: "hm ok", "got it ta", "never mind found it", 嗯明白."""
    if "?" in plain or any(character.isdigit() for character in plain):
        return False
    if not chinese_characters(plain):
        words = _WORD.findall(plain)
        return not _NOTED.isdisjoint(words) and all(word in _BESIDE_NOTED for word in words)
    rest = _NOTED_CHINESE.sub("", plain)
    return rest != plain and not _BESIDE_CHINESE.sub("", _KIND_CHINESE.sub("", rest))
