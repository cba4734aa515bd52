"""How somebody calls off what was begun: "never mind, it works again", "found it, cheers", 算了 已经修好了.

A message does so where one of its clauses calls it off and the others are manners or give the reason. All patterns run
over text in one spelling (`language.words.normalise`): lower case, half width, simplified characters.
"""

import re

from agent.brains.rules.understanding.phrases import alternatives, either
from language.words import RECORDED, RECORDED_CHINESE

#: What is called off: only what was just spoken of, and no thing that has a name.
_WHAT = (
    "(?: about)?(?: "
    f"(?:it|that|this|(?:the|this|that|my) (?:whole thing|{RECORDED}|one|last (?:one|bit))|what i (?:said|wrote)))"
)
_CALLS = alternatives(
    (
        "(?:discard|cancel|stop|abort|delete|dismiss|undo|scrap|drop|skip|scratch|forget|leave|bin|ignore"
        f"|disregard|withdraw|kill|remove|trash|lose|call off){_WHAT}"
        "(?: off| out| again| altogether| completely)?"
    ),
    "call (?:it|that|this) off|discard|never ?mind(?: (?:it|that|me))?|nvm|nm|cancel|undo|stop|abort",
    "ignore me|disregard|(?:stop|quit) asking(?: me)?|leave me alone|leave it be|forget it",
    "(?:i(?:'ve| have)? )?changed my mind|(?:it'?s )?(?:no longer|not) (?:needed|necessary|required)",
    (
        f"(?:there'?s |there is )?(?:no|don't) (?:longer |more )?(?:need|{RECORDED}|point)"
        "(?: needed| required| necessary)?"
        "(?: (?:to|for|of|in) "
        rf"(?:it|that|this|one|an? {RECORDED}|(?:send|com|report|fil)\w*(?: (?:it|that|one|anyone|anybody))?))?"
    ),
    (
        "(?:you )?(?:don't|do not|needn't) (?:need to |have to )?"
        "(?:bother|worry|send|file|report|submit|mind)(?: about)?"
        "(?: (?:it|that|this|me|with (?:it|that)|anyone|anybody))?"
    ),
    "(?:it |that )?(?:doesn't|does not) matter|it's nothing",
    "(?:wrong|sorry,? wrong) (?:chat|window|channel|person|thread|button|desk)",
    r"(?:actually|on second thoughts?)[\s,.]{1,3}(?:no|not|rather not|don't)(?:,? thanks?(?: you)?)?",
    f"i (?:don't|do not|no longer) (?:need|want) (?:it|that|this|one|to|help|an? {RECORDED}|anybody|anyone)",
    "(?:false|wrong) alarm|my (?:mistake|bad|fault)",
    (f"(?:you )?can (?:delete|cancel|discard|close|drop|bin|ignore|scrap|forget) (?:it|that|this|the {RECORDED})"),
)
_CALLS_ZH = alternatives(
    "停止?",
    (
        f"(?:把?(?:它|这个|那个|{RECORDED_CHINESE}))?"
        "(?:算了|算啦|拉倒|不提了|不用了|不用|取消|放弃|不要了|别提了|当我没[说问讲提]|没事|撤回|撤|作废"
        "|不需要|不必了?|忽略|作罢|免了|发错了|搞错|弄错|打错|看错|按错了|我改主意了|误报|虚惊一场|不劳烦"
        "|(?:不用|不|先不|不必|别|不再|甭|先别|不需要)(?:再|麻烦)?"
        "(?:报|弄|问|管|理|修|提交?|处理|麻烦(?:你们?|大家|了)?|派人|来人?|来修|开单|填|交|发)"
        "(?:修|障|单|来)?)(?:它|这个|那个|草稿|掉|他们?|你们?)?[吧啦了呀啊]{0,2}"
    ),
)
#: Why it is not needed any more: it works, somebody saw to it, it was found.
_AGAIN = (
    "(?: (?:again|now|already|fine|ok|okay|today|here|myself|ourselves|itself|for (?:us|me|now)|by itself"
    "|on its own|after all|anyway)){0,3}"
)
_WHO = (
    "(?:(?:i|we|he|she|they|you|someone(?: else)?|somebody(?: else)?|it|that|this|everything|all|problem"
    r"|(?:the |my |our |a |an |one of the )?(?!(?:it|that|this|i|we)\b)[a-z][a-z'-]{1,20}"
    "(?: [a-z][a-z'-]{1,20})?)(?:'s|'ve)?)"
)
_DID = either(
    "fixed|sorted|solved|mended|repaired|resolved|dealt with|seen to|took care of|taken care of|handled",
    "swapped|replaced|found|reported|unblocked|reset|cleared|unjammed|got|gets|had a look(?: at)?|looked at",
    "came",
    "(?:came|was|been)(?: here| by| round)?(?: (?:this|yesterday|last) (?:morning|afternoon|night|evening))?",
    "did it|found out|figured(?: out)?|managed",
)
_WORKS = either(
    "works|fixed|solved|sorted|resolved|mended|repaired|recovered|(?<=problem )gone|(?<=problems )gone",
    "(?<=problem's )gone",
    (
        "(?:working|fine|good|ok|okay|alright|back(?: on| up)?|running|up|going|heating(?: up)?|cooling"
        "|printing|charging|connected|online|on|clear|came back(?: on)?|comes? on)"
        "(?= (?:again|now|already|by itself|on its own|after all|and))"
    ),
)
_REASON = alternatives(
    f"(?:it |that )?(?:has |have )?(?:sorted|fixed|solved) itself(?: out)?{_AGAIN}",
    (
        f"(?:{_WHO} )?"
        "(?:(?:is|are|was|were|has|have|had|just|already|now|all|been|seems?|looks?|turned|'s|'ve"
        f"|got) ){{0,3}}{_WORKS}{_AGAIN}"
    ),
    (
        f"(?:{_WHO} )?(?:(?:is|are|has|have|had|just|already|now|been) ){{0,3}}{_DID}"
        f"(?: (?:it|that|this|one|them|a new one|another one|going|working|out)){{0,2}}{_AGAIN}"
    ),
    (
        "(?:turns? out |turned out )?(?:it |that |i )?(?:was |were )?(?:only |just )?"
        "(?:unplugged|switched off|turned off|not plugged in)"
    ),
    (
        "(?:(?:it |that )?(?:was )?(?:just|only) |turn(?:s|ed) out (?:it was )?)(?:the|a|an|my) [a-z]{2,15}"
        "(?: [a-z]{2,15}){0,3}"
    ),
    (
        f"{_WHO} (?:has |have )?(?:already |just )?(?:fixed|sorted|repaired|mended|unblocked|reported) "
        f"(?:the|my|our) [a-z]{{2,15}}{_AGAIN}"
    ),
    "wrong [a-z]{2,15}",
    (
        "(?:i'll|i will|we'll) "
        r"(?:do|fix|solve|sort|handle|ask|try|live|manage|use|take|go|call|phone|ring)\b.{0,40}"
    ),
    "(?:let's )?start (?:again|over)|not worth (?:it|the bother|the trouble)",
    "(?:we|i) (?:can|could) (?:do|live|manage) with(?:out)? it",
)
_REASON_ZH = (
    r"(?:[\u4e00-\u9fff]{1,6}?)?"
    "(?:又|已经|已|都|自己|刚刚?|刚才|现在|后来|给|帮我|把它|自个儿?|它|他们?|她们?|我们?|问题|的?师傅|同事|有人"
    "|别人|人家){0,6}"
    "(?:好了|能用了|恢复(?:正常)?了?|修好了?|弄好了?|搞定了?|解决了?|可以了|行了|正常了|处理(?:好|完)?了|来过了?"
    "|看过了|报过了?|报了|提过了|找到了|换(?:好|过)?了?(?:[台个新]{0,2}的?)?|亮了|通了|连上了|没问题了"
    "|是没插(?:电|紧|好)|是没开(?:机|电源)?|是关着的?|跳闸了?|(?:是)?我(?:自己)?(?:按|弄|搞|看|打|插|填|记)错了?"
    "|不是(?:那|这)[个台间张部]|我?(?:再|自己)(?:看看|来|弄|解决|试试|想办法|等等))[了啦吧呀啊]{0,2}"
)
_MANNERS = either(
    "no|nah|nope|ok|okay|oh|ah|aha|oops|whoops|hm+|hey|hi|sorry|thanks?(?: you| all| anyway| a lot)?|cheers",
    "ta|thx|please|actually|well|wait|right|yeah|yes|yep|great|good news|all good",
    "(?:it|that)(?:'s| is)? (?:ok|okay|fine|alright|all right|good)|mate|guys|folks|don't worry|then|now|just",
    "you know what|apologies|so|for now|anyway|still|and|(?:ok |oh )?please",
)
_MANNERS_ZH = either(
    "还是|那就?|好[的吧了]?|嗯|哦|噢|啊|哈|不好意思|抱歉|对不起|谢谢(?:了|啦|你们?|大家|您)?|多谢|辛苦了?",
    "麻烦(?:了|你们?|大家)|打扰了|等等|等一下|不|先|原来|结果|刚才|刚刚|发现|那个",
)
_CLAUSES = re.compile(r"[,，.。;；!！~:：\n]++\s*+| [-–—]+ |(?<=[\u4e00-\u9fff])\s+")
_CALL = re.compile(
    rf"(?:{_CALLS}|(?:{_CALLS_ZH}){{1,2}})"
    "(?: any ?more| now| then| please| thanks| cheers| mate| for now|谢谢|多谢){0,2}"
)
_GIVES_REASON = re.compile(rf"(?:{_REASON}|{_REASON_ZH})")
_ONLY_MANNERS = re.compile(rf"(?:{_MANNERS}|{_MANNERS_ZH})(?: (?:{_MANNERS}))*")
_LEADING = re.compile(rf"^(?:(?:{_MANNERS})[ ,]+|(?:{_MANNERS_ZH})[， ,]*)*")
#: Who thinks again says what of it in the same breath, whatever mark they write.
_THINKS_AGAIN = re.compile(r"^(actually|on second thoughts?)[\s,.]{1,3}")
#: What joins a call and its reason in one breath: "never mind its working again", "no need because tom did it".
_BECAUSE = re.compile(r"^(?:because|as|since|cause|but)\s+|^(?:因为|反正)")
#: Who has found what it was, and it was nothing to repair: "found the problem, it was a paperclip", 发现是插头松了.
_FOUND = re.compile(
    f"(?:(?:{_MANNERS})[ ,]+){{0,3}}"
    "(?:(?:i |we )?(?:just |only |have )?(?:found|spotted|know|see) (?:the|what(?: the)?) "
    r"(?:problem|fault|cause|issue|culprit|reason|trouble)(?: was)?|(?:it )?turn(?:s|ed) out)[\s,.:;-]{0,3}"
    "(?:that )?(?:(?:it|there|the [a-z]+|[a-z]+) (?:was|were|had been)|just|only) "
    "(?!broken|stuck|dead|burn|leak|still)[^?]{2,50}"
    "|(?:哦|啊|原来|[，, ])*(?:发现|结果|原来|查了)[，, ]?(?:只|就|原来)?是[^，,。?？坏断裂漏烧]{0,8}"
    "(?:松了|没插[好紧上]?|没开|没电了?|关着|关了|跳闸了|拔了|[按弄搞]错了)[^?？]{0,12}"
)
#: What somebody will do instead, behind words that call it off: "forget it ill ask bea", 算了我直接去问老李.
_OWN_WAY = re.compile(
    r"(?:(?:i|we)(?:'ll|ll| will| can|'m going to| am going to)|i'd rather|gonna) (?!need|still|want)\w|let me \w"
    r"|(?:那|还是)?我们?(?:自己|直接|先|再|去|会|来|问|打|找|等)"
)
#: Longer messages tell more.
_MOST_CHARS = 160


def calls_off(plain: str) -> bool:
    """Tell whether a message calls off what was spoken of, and says nothing else but why."""
    return "off" in _told(plain)


def is_over(plain: str) -> bool:
    """Tell whether a message says nothing but that a matter is over: "tom fixed it", "it came back by itself"."""
    return _told(plain) == {"why"}


def begins_to_call_off(plain: str) -> bool:
    """Tell whether a message calls off what was spoken of, with whatever reason behind it."""
    clauses = (each.strip() for each in _CLAUSES.split(plain))
    first = next((each for each in clauses if each and not _ONLY_MANNERS.fullmatch(each)), "")
    return bool(first) and calls_off(first)


def _told(plain: str) -> frozenset[str]:
    """Return what the clauses of a message tell: `off`, `why`; nothing where one of them tells something else."""
    if len(plain) > _MOST_CHARS or plain.rstrip().endswith(("?", "？")):
        return frozenset()
    if _FOUND.fullmatch(plain.rstrip("。.! ")):
        return frozenset({"why"})
    told: set[str] = set()
    for clause in _CLAUSES.split(_THINKS_AGAIN.sub(r"\1 ", plain.replace("its ", "it's "))):
        said = clause.strip()
        what = _of_clause(said)
        if not (what or _ONLY_MANNERS.fullmatch(said) or not said or ("off" in told and _OWN_WAY.match(said))):
            return frozenset()
        told |= what
    return frozenset(told)


def _of_clause(said: str) -> set[str]:
    bare = _LEADING.sub("", said)
    for each in dict.fromkeys((said, bare)):
        if _CALL.fullmatch(each):
            return {"off"}
        if _GIVES_REASON.fullmatch(each):
            return {"why"}
    for at in _breaks(bare):
        first, rest = bare[:at].strip(), _BECAUSE.sub("", _LEADING.sub("", bare[at:].strip()))
        calls, says = _CALL.fullmatch(first), _GIVES_REASON.fullmatch(first)
        last = _CALL.fullmatch(rest)
        if calls and (not rest or last or _GIVES_REASON.fullmatch(rest) or _OWN_WAY.match(rest)):
            return {"off"}
        if says and (not rest or last):
            return {"off"} if last else {"why"}
    return set()


def _breaks(said: str) -> list[int]:
    """Return where a clause without a mark may be two: between words, and between Chinese characters."""
    return [each.start() for each in re.finditer(r" |(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])", said)][:40]
