"""Insults, swearing and sighs around what somebody wants: they are left out before it is read."""

import re

from language.words import content_words

#: Words that only swear, wherever they stand.
_SWEARING = re.compile(
    r"\b(?:(?:mother)?fuck(?:ing|ed|in)?|f\*+(?:ing)?|goddamn(?:ed)?|damn(?:ed)?|bloody|freaking|frigging|crappy|"
    r"shitty|"
    r"bull ?shit|shit|wtf|ffs|omg)\b ?|他妈的?|妈的|特么的?|我靠|卧槽|操蛋|狗屁|该死的?",
    re.IGNORECASE,
)
#: Clauses that only show anger, as a whole.
_CLAUSE = re.compile(
    r"(?:(?:and|but|so|well|oh|no|honestly|really|seriously|again|please|you|look|listen|hey|man|guys)[\s,]*)*"
    r"(?:(?:what|such) an? (?:\w+ )?(?:joke|company|place|mess|shame|disgrace|farce|circus|day|desk|bot|service|crap)|"
    r"(?:for|oh my) (?:god|heaven|christ|pete|fuck)(?:'?s)?(?: sake)?|(?:jesus|christ|oh my god|hell|crap|damn it|"
    r"dammit)|"
    r"(?:un(?:believable|real)|ridiculous|pathetic|outrageous|incredible|hopeless|useless|typical|honestly|"
    r"seriously|argh+|ugh+)|"
    r"(?:this|that|it|everything)(?:'s| is)(?: all| so| just| really| absolutely)* (?:unbelievable|ridiculous|pathetic|"
    r"outrageous|insane|crap|rubbish|annoying|hopeless|a joke|a disgrace|a shame|driving me (?:mad|crazy|nuts))|"
    r"i(?:'m| am)(?: so| really| just| totally| honestly| sick and)* (?:fed up|sick|tired|angry|furious|"
    r"pissed(?: off)?|"
    r"annoyed|done|at my wits' end)(?: (?:of|with|about|by) .{1,40})?|i(?:'ve| have) had (?:it|enough)(?: of .{1,40})?|"
    r"(?:nobody|no one)(?: here| ever| really)* (?:cares|listens|helps|answers|gives a .{1,10})(?: here| anyway)?|"
    r"(?:are )?you(?: are|'re)?(?: all| guys| people| just| so| really| a| an| such a| bunch of| bloody| stupid|"
    r" useless| dumb| lazy)* ?"
    r"(?:stupid|useless|dumb|idiots?|morons?|incompetent|lazy|clueless|brainless|worthless|deaf|blind|"
    r"kidding(?: me)?|joking)"
    r"(?: (?:thing|bot|desk|machine|piece of .{1,12}|robot|computer|people|there|here|or what))*|"
    r"(?:stupid|useless|dumb|idiotic)(?: (?:thing|bot|desk|machine|robot|idiots?))*|piece of (?:crap|junk|rubbish)|"
    r"(?:i(?:'ve| have)? )?(?:already )?asked (?:you |this |that )?(?:already |now )?(?:a )?(?:hundred|thousand|"
    r"million|ten|"
    r"five|three|\d+|many|so many|several) times(?: now| already)?|(?:how often|how many times) (?:do|must|"
    r"should) i .{1,24}|"
    r"(?:i )?(?:hate|loathe) (?:this|you|it|everything|my job)(?: .{1,20})?|screw (?:you|this|it)|go to hell|hello\?*)"
    r"(?: (?:here|now|again|anymore|any more|at all|honestly|really|seriously|today|already))*"
    r"|(?:你们?|你)?(?:这个?|那个?|们)?(?:都|全|真|就|简直)?(?:是)?(?:个|群|帮)?(?:破|烂|蠢|笨|傻|垃圾|没用的?|"
    r"废物)(?:机器人?|东西|客服|系统|助手|"
    r"公司|玩意儿?|货|吗|啊|透了|死了)*|气死(?:我|人)了?|烦死(?:我|人)?了?|受够了|(?:真是|简直)?(?:太)?(?:离谱|"
    r"可笑|无语|过分|搞笑|扯淡|垃圾)(?:了|透了)?|"
    r"(?:我)?(?:都|已经)?(?:问|说|讲)(?:了|过)?[几好两三四五六七八十百千\d]+(?:多)?[遍次](?:了)?|什么(?:破|烂|鬼|"
    r"垃圾)(?:公司|系统|东西|地方|玩意儿?)|"
    r"(?:根本)?没人管|都没人理",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"([^,，.。;；!！?？\n]*)([,，.。;；!！?？\n]+\s*|$)")
#: A point or a comma within a number or a name.
_WITHIN = re.compile(r"[A-Za-z0-9][.,][A-Za-z0-9]")
#: Longer messages are told as stories.
_MOST_CHARS = 1_000


def without_venting(text: str) -> str:
    """Return a message without what only swears; as it is where nothing else is in it."""
    if len(text) > _MOST_CHARS or not (_SWEARING.search(text) or _may_vent(text)):
        return text
    kept = [
        _SWEARING.sub("", said) + mark
        for said, mark in _clauses(text)
        if not _CLAUSE.fullmatch(_SWEARING.sub("", said).strip(" \t-–—:…"))
    ]
    left = "".join(kept).strip()
    return left if content_words(left) or re.search(r"[\u4e00-\u9fff]", left) else text


def _may_vent(text: str) -> bool:
    return any(_CLAUSE.fullmatch(said.strip(" \t-–—:…")) for said, _ in _clauses(text))


def _clauses(text: str) -> list[tuple[str, str]]:
    """Return the clauses of a message with the marks behind them; a point within a number or a name parts nothing."""
    found: list[tuple[str, str]] = []
    begun = ""
    for clause in _CLAUSES.finditer(text):
        said, mark = begun + clause[1], clause[2]
        if mark in (".", ",") and _WITHIN.match(text, clause.end() - 2):
            begun = said + mark
            continue
        found.append((said, mark))
        begun = ""
    return [each for each in found if each != ("", "")]
