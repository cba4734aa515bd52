"""Trouble told by what people do, not by the name of what runs: "pay isn't working", "I can't check out", 付不了钱.

An app is called by a noun, and people speak of what they do with it: the two are near when one is derived of the other.
"""

import re
from itertools import takewhile

from agent.brains.rules.understanding.phrases import either
from features.diagnosis.understanding.services import service_told_of

_WHO = either(
    "i|we|you|they|people|ppl|folks|everybody|everyone|anybody|anyone|somebody|someone",
    ("(?:(?:our|some|many|most|the|all) )?(?:customers?|users?|clients?|shoppers?|buyers?|players?|guests?|members?)"),
)
_STILL = r"(?:still |suddenly |now |currently |even |really |so |just |properly ){0,2}"
_CANNOT = r"(?:can(?:not|['’]?t)|can no longer|could(?:n['’]?t| not)|(?:am|are|is) (?:unable|not able) to|unable to)"
#: What is done: a verb with its particle; what it is done to is no more than the thing of an app itself. Of all that
#: may tell it one is captured.
_VERB = r"([a-z]{3,12}(?:[ -](?:in|out|up|off|on))?)"
_MADE = r"(?:take|accept|process|make|place|reach|load|open|get to) (?:any |the |our |an? )?([a-z]{3,15})"
_DOING = r"([a-z]{2,12}ing(?:[ -](?:in|out|up|off|on))?)"
#: What people see of a service.
_FACE = r"(?:page|screen|button|form|step|process|flow|gateway|api|service|system|portal)"
_PLACE = (
    "(?:(?:the|our|my|their|a) )?"
    "(?:web ?sites?|sites?|web ?shops?|shop|store|app|website|page|mobile|phones?|iphone|android|tablet|browser"
    "|chrome|safari|firefox|desktop|last step|cards?|credit cards?|paypal|apple pay|production|prod|staging)"
)
_TAIL = (
    f"(?: (?:on|in|at|from|via|with|by|using) {_PLACE})?"
    "(?:,? (?:any ?more|again|right now|just now|now|today|tonight|lately|at all|either|for me|for us"
    "|for every(?:one|body)|for (?:all|some|many|most)(?: (?:users|customers|people))?|help|please"
    "|since [a-z0-9: ]{2,24}|this (?:morning|afternoon|evening)|at the moment"
    "|what(?:'s| is) (?:wrong|up|going on))){0,3}"
)
_FAILS = either(
    "(?:does|do|did)(?:n['’]?t| not) work|(?:is|are)(?:n['’]?t| not) (?:working|possible)",
    "(?:keeps? )?fail(?:s|ing)?|is (?:failing|broken|slow|down|impossible|dead|laggy)",
    r"(?:gives?|throws?|returns?) (?:an? |me |us ){0,2}(?:errors?|5\d\ds?)|times? out|hangs?|spins?",
    "takes? (?:so |too )?(?:long|forever|ages)|stopped working|no longer works",
)
_ENGLISH = re.compile(
    "(?:(?:hey|hi|hello|help|please|so|and|ok|guys|team|all),? ){0,2}"
    f"(?:(?:{_WHO} )?{_STILL}{_CANNOT} {_STILL}(?:{_MADE}|{_VERB})"
    f"|(?:why )?(?:can(?:not|['’]?t) {_WHO}|can (?:nobody|no one)) {_STILL}(?:{_MADE}|{_VERB})"
    f"|(?:nobody|no one) (?:can|is able to) {_STILL}(?:{_MADE}|{_VERB})"
    f"|(?:{_WHO} (?:say|said|report|tell us) )?(?:that )?{_DOING} {_STILL}{_FAILS}"
    f"|(?:the |our )?([a-z]{{3,12}}(?: (?:in|out|up|off|on))?) {_FACE} {_STILL}{_FAILS}"
    f"|(?:the |our )?([a-z]{{3,12}}[ -](?:in|out|up|off|on)) {_STILL}{_FAILS}"
    f"|why (?:does|do|did|is) {_DOING} {_STILL}"
    "(?:take (?:so |too )?(?:long|forever|ages)|fail(?:ing)?|not work(?:ing)?|time out|timing out|slow|broken"
    f"|down)|(?:{_WHO} )?"
    "(?:(?:is|are|there is|there are|we have|have|get|getting|get|any|something|something['’]s|what['’]s|anything"
    "|is anything|what is) ){0,2}(?:stuck|trouble|problems?|issues?|errors?|difficulty|off|wrong)"
    f"(?: (?:at|in|with|when|while|on|to))? (?:{_DOING}|(?:the |our )?{_VERB}(?: {_FACE})?)){_TAIL}"
)
#: What people do in Chinese, and what apps of it are called.
_CHINESE_CALLED = {
    "付": ("pay", "支付", "付款"),
    "支付": ("pay", "付款"),
    "付款": ("pay", "支付"),
    "付钱": ("pay", "支付"),
    "扣款": ("pay", "支付"),
    "结": ("checkout", "结账", "结算"),
    "结账": ("checkout", "结算"),
    "结算": ("checkout", "结账"),
    "收银": ("checkout", "结账"),
    "下单": ("order", "订单"),
    "订单": ("order",),
    "登": ("login", "auth", "登录"),
    "登录": ("login", "auth"),
    "登陆": ("login", "auth", "登录"),
    "注册": ("register", "signup"),
    "搜": ("search", "搜索"),
    "搜索": ("search",),
    "购物车": ("cart", "basket"),
    "商品": ("catalog", "product"),
    "目录": ("catalog",),
    "预订": ("booking", "reservation"),
    "发货": ("shipping", "delivery"),
}
_CHINESE = re.compile(
    "(?:请问|帮忙看看|急)?[,，]?(?:我们?|大家|客户|用户|顾客|买家|有人|有用户)?(?:反馈|说|反映)?"
    "(?:今天|现在|刚才|最近|突然|一直|还是|又|都|怎么|为什么){0,3}"
    f"(?P<does>{'|'.join(sorted(_CHINESE_CALLED, key=len, reverse=True))})(?:页面|服务|系统|接口|功能|流程)?"
    "(?:今天|现在|刚才|最近|突然|一直|总是|老是|又|都|怎么|为什么|全部?|还是){0,3}"
    "(?:不(?:了|上|出来?|动)(?:账|款|钱|单|去)?|失败|报错|超时|转圈|用不了|打不开|白屏|没反应|卡住|加载不出来"
    "|是空的|空白|挂了?|崩了?)(?:了|啊|吗|呢|怎么回事|什么情况|咋回事|是怎么了)*"
)
#: What words of one family differ in.
_ENDINGS = frozenset({
    "", "s", "e", "es", "ed", "er", "ers", "or", "ing", "ings", "y", "ies", "ment", "ments", "ion", "ions", "ation",
    "ations", "tion", "ication", "ications", "ration", "ption", "be", "ue", "ues", "al", "ery", "in", "ance",
})  # fmt: skip
_SHORTEST = 3
#: What has a name of its own that is not made of the words for it.
_ALSO = {"login": ("auth", "identity", "sso"), "signin": ("login", "auth", "sso"), "signup": ("register",)}
#: Who speaks so of themselves has trouble with an account, a door or a paper: only of a site is it the site's.
_OWN = re.compile(r"(?:log|sign)[ -]?(?:in|on)\b|book|order|register|search")
_ON_SITE = re.compile(rf"\b(?:on|in|at|from) {_PLACE}|customers?|users?|clients?|nobody|no one|players?|guests?")


def activity_told_of(plain: str) -> tuple[str, ...]:
    """Return what normalised words say to be in trouble, as nouns and verbs that an app may be called after."""
    said = plain.strip().rstrip(" ?？.!。！")
    chinese = _CHINESE.fullmatch(said)
    if chinese is not None:
        return (chinese["does"], *_CHINESE_CALLED[chinese["does"]])
    found = _ENGLISH.fullmatch(said)
    if found is None:
        told = service_told_of(re.sub(r"^(?:the|our) ", "", plain))
        return (told,) if told else ()
    done = next((each for each in found.groups() if each), "")
    if _OWN.match(done) and not _ON_SITE.search(said):
        return ()
    verb, _, particle = done.replace("-", " ").partition(" ")
    one = verb + particle
    return (one, verb.removesuffix("ing") + particle, *_ALSO.get(verb.removesuffix("ing") + particle, ()))


def is_near(said: str, name: str) -> bool:
    """Return whether a word, and a part of a name, are of one family: "pay" and payment."""
    if not said.isascii() or not name.isascii():
        return said == name
    return any(_of_one_family(said, each) for each in (*re.findall(r"[a-z]+", name), name.replace("-", "")))


def _of_one_family(one: str, other: str) -> bool:
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    rests = one[at:], other[at:]
    if at < _SHORTEST or ("" not in rests and at < _SHORTEST + 2):
        return False
    doubled = one[at - 1]  # as in "shipping"
    return all(rest in _ENDINGS or rest.removeprefix(doubled) in _ENDINGS for rest in rests)
