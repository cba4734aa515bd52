"""What is asked about as one asks about a service, whether the desk knows it or not: its trouble, or its image."""

import re

from agent.brains.rules.understanding.phrases import alternatives, either

#: A question for what ails one thing with a name, as it is asked of services: "why is checkout slow?".
_AILS = alternatives(
    "down|slow|crash(?:ing|ed|es)?|restart(?:ing|s|ed)?|fail(?:ing|s|ed)?|unhealthy|unavailable|unreachable",
    r"error(?:s|ing)?|5xx|50\d|timing out|time ?outs?|not (?:working|responding|ready|starting|up|reachable)",
    r"degraded|flapping|pending|stuck|hanging|oom\w{0,10}|throttled|evicted",
)
KIND = r"[ -](?:service|app|application|api|server|backend|pods?|deployment)"
#: A service is called by its name: "the printer" is none, "the printer service" is.
_SERVICE = (
    f"(?:(?:the|our) (?P<THING_of_kind>[a-z0-9][a-z0-9-]{{1,62}}){KIND}"
    "|(?!(?:it|its|this|that|they|there|he|she|everything|anything|something|someone|everyone|my|your|work|the"
    rf"|our)\b)(?P<THING>[a-z0-9][a-z0-9-]{{1,62}})(?:{KIND})?)(?: (?:in|on) [a-z0-9-]{{2,30}})?"
)
_AILING = re.compile(
    "(?:(?:hey|hi|hello|please|so|and|ok|can you tell me|do you know),? ){0,2}"
    f"(?:what(?:'s| is) wrong with {_SERVICE.replace('THING', 'what')}"
    f"|(?:why (?:is|are|does|do|did|has|was)|is|are|has|did) {_SERVICE.replace('THING', 'why')}"
    "(?: (?:keep|keeps|kept|still|always|so|very|again|constantly|being|getting|throwing|returning|giving"
    f"|been)){{0,3}} (?:{_AILS}))"
    "(?: (?:again|today|now|right now|lately|so often|all the time|this morning"
    "|(?:in|on|since) [a-z0-9 -]{2,30})){0,2}"
)
_AILING_CHINESE = re.compile(
    "(?:请问|帮我看看|你好)?[,，]?(?:为什么|为何|怎么)?"
    "(?:(?P<what>[a-z0-9][a-z0-9-]{1,40}) ?(?:服务|应用|系统|接口)?"
    "|(?P<of_kind>(?!我|你|他|它|这|那)[一-鿿]{2,8}?)(?:服务|应用|系统|接口))(?:为什么|为何|怎么|咋|是不是)?"
    "(?:又|一直在?|总是|老是|总|还|突然|在){0,2}"
    "(?:挂了?|崩溃?了?|重启|报错|超时|宕机?了?|起不来了?|启动不了|不可用)(?:吗|呢|啊|了)?"
)
#: The same, asked or told in everyday words; what an office has is none, and "the printer" neither.
_OFFICE = (
    "(?!(?:my|wi-?fi|wlan|vpn|internet|network|printers?|laptops?|pc|computer|screen|monitor|phone|mouse|keyboard"
    "|outlook|e-?mails?|teams|slack|zoom|excel|heating|lift|elevator|door|parking|projector|badge|toilets?|coffee"
    r"|air|who|what|where|when|why|how|nobody|everybody|people|customers?|users?|if|work|life|business|traffic)\b)"
)
_NAME = _OFFICE + _SERVICE.replace("THING", "NAME")
_SOON = (
    "(?: (?:again|today|now|right now|lately|all the time|on us|for every(?:one|body)"
    "|(?:in|on|since) [a-z0-9: -]{2,30}))"
)
_HOW = r"(?: (?:so|super|really|very|too|extremely|totally|completely|all|still|always|suddenly|again|being|been)){0,3}"
_WORSE = either(
    f"{_AILS}|(?:is|are|was)n['’]?t (?:working|loading|responding|reachable|up)",
    "(?:does|do|did)n['’]?t (?:work|load|respond)|won['’]?t (?:work|load|open|start|respond)|busted|broken?",
    "kaputt?|stopped working|dead|dying|unresponsive|laggy|sluggish|through the roof",
    r"(?:throw|return|giv)\w{1,4} (?:5\d\ds?|errors?)",
)
_TOLD = re.compile(
    "(?:(?:hey|hi|hello|please|so|and|ok|yo|guys|folks|all|team|help),? ){0,2}"
    "(?:(?:is |are )?(?:there )?(?:anything|something|everything|any(?: problems?| issues?)) "
    f"(?:wrong|up|off|broken|ok|okay|fine|going on) (?:with|on) {_NAME.replace('NAME', 'with')}"
    f"|(?:is|are) {_NAME.replace('NAME', 'well')}{_HOW} "
    "(?:ok|okay|fine|up|alive|healthy|working|back|running|dead|broken)"
    f"|{_NAME.replace('NAME', 'told')}"
    f"(?:'s| is| are| has| have| keeps?| latency is| error rate is)?{_HOW} {_WORSE}){_SOON}{{0,2}}"
)
_DONE = r"支付|结账|结算|订单|下单|登录|搜索|购物车|网关"
_BAD = r"怎么了|咋了|回事|问题|毛病|慢|卡|不稳定|挂|崩|重启|报错|超时|宕机|起不来|打不开|不可用|没反应|异常"
_TOLD_CHINESE = re.compile(
    f"(?:请问|帮我看看|帮我看下|帮忙看看|看看|帮看下|你好)?[,，]?(?P<name>[a-z0-9][a-z0-9-]{{1,40}}|{_DONE}) ?"
    "(?:服务|应用|系统|接口)?"
    "(?:今天|现在|刚才|最近|又|一直|总是|老是|突然|是不是|为什么|为啥|怎么|咋|这么|那么|很|好|特别|出了?|有|都|还"
    f"|在|啥|什么|点){{0,4}}(?:{_BAD})(?:了|吗|呢|啊|没有|没){{0,2}}"
)
#: Which image a service runs: asked of nothing else that has a name.
_IMAGE = re.compile(
    "(?:which|what) (?:container |docker )?(?:image|tag)s? "
    "(?:(?:runs?|is running|is used|is deployed) (?:(?:on|in|for|by) )?|(?:is|does) )"
    "(?P<what>[a-z0-9][a-z0-9-]{1,62})(?: (?:on|use|using|run|running|now|today)){0,2}"
    "|(?P<chinese>[a-z0-9][a-z0-9-]{1,40}) ?(?:服务|应用|系统)?(?:现在|目前|正在)?(?:用|跑|运行|部署)"
    "(?:的是|的|着)?(?:哪个|什么|哪一个|啥)镜像"
)


def service_in_question(plain: str) -> str:
    """Return the name of what is asked about as one asks about a service: its trouble, its image; "" otherwise."""
    said = plain.rstrip(" ?？.!。！")
    found = _AILING.fullmatch(said) or _AILING_CHINESE.fullmatch(said) or _IMAGE.fullmatch(said)
    return next((each for each in found.groups() if each), "") if found else ""


def service_told_of(plain: str) -> str:
    """Return the name of what ails, asked or told in everyday words: "checkout keeps dying on us"; "" otherwise."""
    said = plain.rstrip(" ?？.!。！")
    found = _TOLD.fullmatch(said) or _TOLD_CHINESE.fullmatch(said)
    return next((each for each in found.groups() if each), "") if found else ""


def is_called_a_service(plain: str, name: str) -> bool:
    """Return whether words say of a name that it is a service: "the billing service", 账单服务."""
    return re.search(rf"(?<![a-z0-9-]){re.escape(name)}(?:{KIND}\b| ?(?:服务|应用|接口))", plain) is not None
