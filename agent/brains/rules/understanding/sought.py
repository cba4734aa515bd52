"""What thing somebody asks for, in their own words: "the prayer room" of "where is the prayer room?".

Where nothing speaks of it, that is said by its name; so a phrase is taken only where the sentence shows which it is.
"""

import re

from language.words import normalise

#: The longest name of a thing, in words and in Chinese characters.
WORDS, CHARACTERS = 5, 8
_THING = r"(?P<thing>[a-z][a-z'-]*(?: [a-z][a-z'-]*){0,4})"
_THE = r"(?:(?:an?|the|my|our|any|some|your) )?"
#: What a thing ends before: where, when, for whom.
_ENDS = re.compile(
    r"\b(?:again|somewhere|yesterday|this|last|lol|on|in|at|from|to|for|with|by|of|when|if|and|or|but|so|because|while|after|before|here|there|home|today|tomorrow|"
    r"now|please|pls|as|that|which|who|i|we|you|it|is|are|do|does|can|cost|costs|work|works|opens?|closes?|shuts?|starts?|runs?)\b.*$"
)
#: What people do with a thing that they ask for.
_GET = (
    r"(?:get|have|offer|bring|keep|use|join|claim|order|hire|borrow|rent|book|change|find|register|request|cancel|renew"
    r"|reserve|buy)"
)
_TEND = r"(?:services|repairs|cleans|runs|handles|organises|organizes|looks after|is responsible for)"
_HOW_IT_IS = r"(?:free|open|closed|paid|allowed|included|covered|compulsory|mandatory|taxed|insured|subsidised)"
_FOR = r"(?:need|notice|form|leave|discount|allowance|bonus|paid|permission|limit) (?:\w{1,10} ){0,4}(?:for|on|about)"
#: What is asked for in place of the thing that it is about.
_RULES = r"(?:polic(?:y|ies)|rules?|procedure|process|guidelines?|regulations?)"
_ENGLISH = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:is|are) there {_THE}{_THING}",
        rf"\b(?:do|does|did|will|can|could|may|should|would) (?:i|we|you|one|they|staff) {_GET} {_THE}{_THING}",
        rf"\bhow (?:do|can|could|should|would) (?:i|we|you|one) (?:apply for|set up) {_THE}{_THING}",
        rf"\b(?:where|when|who|what)(?: is| are| was|'s) {_THE}{_THING}",
        rf"\b(?:what time|what days?|how (?:late|early|often|far)) (?:is|are|does|do) {_THE}{_THING}",
        rf"\bwhat does {_THE}{_THING} cost",
        rf"\bwho (?:{_TEND}|pays(?: for)?) {_THE}{_THING}",
        rf"\b{_FOR} {_THE}{_THING}",
        rf"\b(?:for|about) (?:an?|the|my|our) {_THING}[?.! ]*$",
        rf"^(?:is|are) (?:the|our|my) {_THING} {_HOW_IT_IS}\b",
        rf"\b(?:expense|reimburse|repay|pay back) {_THE}{_THING}",
        rf"\b{_RULES} (?:on|about|for|of|regarding) {_THE}{_THING}",
        rf"^(?:and |so )?(?:is|are) {_THE}{_THING} (?:a )?(?:part of|in) ",
    )
)
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        # what a benefit is for, and not that there are benefits
        r"(?P<thing>[\u4e00-\u9fff]{2,8}?)(?:有没有|有)(?:补贴|津贴|补助|优惠|折扣|奖金)(?:吗|么|没|$|[?？。，,])",
        r"(?:怎么|如何|怎样)(?:申请|办理?|加入|订购|购买|预订|预约|订|领取?|查|买|租|借)(?P<thing>[\u4e00-\u9fff]{2,8}?)(?:$|[?？。!！，,])",
        (
            r"^(?:请问)?(?:公司|单位|厂里|我们)(?:每[年月周天季]度?|平时|一般)?(?:给不给|会不会|管不管|给|会|管)?(?:我们|员工|大家)?"
            r"(?:买|交|上|发|报销|提供|安排|组织|举办)"
            r"(?P<thing>[\u4e00-\u9fff]{2,8}?)(?:吗|么|$|[?？。，,])"
        ),
        r"(?:能不能|可不可以|可以|(?<![久时天候少])能)(?P<thing>[\u4e00-\u9fff]{2,8}?)(?:吗|么|$|[?？。，,])",
        r"(?<![没所还只])有(?:没有)?(?P<thing>[\u4e00-\u9fff]{2,8}?)(?:吗|么|没|$|[?？。，,])",
        r"^(?:请问|我们|咱们|公司的?|厂里的?|单位的?)*(?P<thing>[\u4e00-\u9fff]{2,8}?)的?(?:怎么|如何|多少|在哪|是多少|几[点号天个月]|哪[天里]|什么时候|谁)",
    )
)
#: What is done with a thing, behind its name.
_DONE = re.compile(r"(?:[坏丢忘没断满]了?|[发交给要放有报算拿领扣开卖休不啊呀]|大概|一般|提前)$")
_NO_THING = re.compile(
    r"^(?:paid|payed|money|(?:any|some|every)(?:thing|one|body|where)|to|it|this|that|they|few|more)\b|[几哪谁]|什么|多少"
)
#: … and for which another part of the sentence may name it: "the policy on tattoos", "somewhere for my bike".
_SAYS_LITTLE = re.compile(rf"^(?:to\b|(?:any|some)where\b|{_RULES}$)")
#: What was done with a thing, behind its name: "where is the submarine parked".
_WAS_DONE = re.compile(r"(?<=\w) (?:[a-z]+ed|done|found|held|kept|left|made|sent|sold|stuck)$")
_BARE = re.compile(r"^(?:公司|厂里|我们|单位|去|来|请假|员工|补贴|的)+(?=.{2})")


#: What befell a thing of one's own.
_MISLAID = re.compile(
    rf"\b(?:lost|forgot|forgotten|mislaid|misplaced|broke|smashed|can't find|cannot find|left) (?:to )?{_THE}{_THING}"
)
_MISLAID_CHINESE = (
    re.compile(
        r"(?:^|[，,。！我把的])(?P<thing>[\u4e00-\u9fff]{1,6}?)(?:被?(?:弄?丢|搞丢|遗失|摔坏|忘)了?|不见了?|找不[到着])"
    ),
    re.compile(r"(?:弄丢|丢|忘记|忘带|忘|没带|遗失)了?(?P<thing>[\u4e00-\u9fff]{2,6}?)(?:了|怎|要|多|$|[?？。，,])"),
)


def mislaid(text: str) -> str:
    """Return the name of the thing that somebody lost, forgot or broke, or of what they forgot to do; "" for none."""
    plain = normalise(text)
    if plain.isascii():
        found = _MISLAID.search(plain)
        thing = _ENDS.sub("", found["thing"]).strip() if found else ""
        return "" if not thing or _NO_THING.match(thing) else thing
    found = next((each for pattern in _MISLAID_CHINESE if (each := pattern.search(plain))), None)
    return _BARE.sub("", found["thing"]) if found else ""


def head_of(thing: str) -> str:
    """Return the word of a thing's name that says what it is: of "prayer room" the room."""
    return thing.rpartition(" ")[2]


def sought(text: str) -> str:
    """Return the name of the thing that is asked for, as it was written in lower case; "" where that is not clear."""
    plain = normalise(text)
    if plain.isascii():
        asked = (each for pattern in _ENGLISH if (each := pattern.search(plain)))
        things = (_WAS_DONE.sub("", _ENDS.sub("", each["thing"]).strip()) for each in asked)
        thing = next((each for each in things if not _SAYS_LITTLE.match(each)), "")  # what one has to do is no thing
        return thing if thing and len(thing.split()) <= WORDS and not _NO_THING.match(thing) else ""
    found = next((each for pattern in _CHINESE if (each := pattern.search(plain))), None)
    thing = _BARE.sub("", found["thing"]) if found else ""
    while (shorter := _DONE.sub("", thing)) != thing:
        thing = shorter
    return thing if 2 <= len(thing) <= CHARACTERS and not _NO_THING.search(thing) else ""
