"""What is asked about as one asks about a service, whether the desk knows it or not: its trouble, or its image."""

import re

#: A question for what ails one thing with a name, as it is asked of services: "why is checkout slow?".
_AILS = (
    r"down|slow|crash(?:ing|ed|es)?|restart(?:ing|s|ed)?|fail(?:ing|s|ed)?|unhealthy|unavailable|unreachable"
    r"|error(?:s|ing)?|5xx|50\d|timing out|time ?outs?|not (?:working|responding|ready|starting|up|reachable)"
    r"|degraded|flapping|pending|stuck|hanging|oom\w{0,10}|throttled|evicted"
)
KIND = r"[ -](?:service|app|application|api|server|backend|pods?|deployment)"
#: A service is called by its name: "the printer" is none, "the printer service" is.
_SERVICE = (
    rf"(?:(?:the|our) (?P<THING_of_kind>[a-z0-9][a-z0-9-]{{1,62}}){KIND}"
    r"|(?!(?:it|its|this|that|they|there|he|she|everything|anything|something|someone|everyone|my|your|work|the|our)\b)"
    rf"(?P<THING>[a-z0-9][a-z0-9-]{{1,62}})(?:{KIND})?)"
    r"(?: (?:in|on) [a-z0-9-]{2,30})?"
)
_AILING = re.compile(
    r"(?:(?:hey|hi|hello|please|so|and|ok|can you tell me|do you know),? ){0,2}"
    rf"(?:what(?:'s| is) wrong with {_SERVICE.replace('THING', 'what')}"
    rf"|(?:why (?:is|are|does|do|did|has|was)|is|are|has|did) {_SERVICE.replace('THING', 'why')}"
    r"(?: (?:keep|keeps|kept|still|always|so|very|again|constantly|being|getting|throwing|returning|giving|been)){0,3}"
    rf" (?:{_AILS}))"
    r"(?: (?:again|today|now|right now|lately|so often|all the time|this morning|(?:in|on|since) [a-z0-9 -]{2,30}))"
    r"{0,2}"
)
_AILING_CHINESE = re.compile(
    r"(?:请问|帮我看看|你好)?[,，]?(?:为什么|为何|怎么)?"
    r"(?:(?P<what>[a-z0-9][a-z0-9-]{1,40}) ?(?:服务|应用|系统|接口)?"
    r"|(?P<of_kind>(?!我|你|他|它|这|那)[一-鿿]{2,8}?)(?:服务|应用|系统|接口))"
    r"(?:为什么|为何|怎么|咋|是不是)?(?:又|一直在?|总是|老是|总|还|突然|在){0,2}"
    r"(?:挂了?|崩溃?了?|重启|报错|超时|宕机?了?|起不来了?|启动不了|不可用)(?:吗|呢|啊|了)?"
)
#: Which image a service runs: asked of nothing else that has a name.
_IMAGE = re.compile(
    r"(?:which|what) (?:container |docker )?(?:image|tag)s? "
    r"(?:(?:runs?|is running|is used|is deployed) (?:(?:on|in|for|by) )?|(?:is|does) )"
    r"(?P<what>[a-z0-9][a-z0-9-]{1,62})(?: (?:on|use|using|run|running|now|today)){0,2}"
    r"|(?P<chinese>[a-z0-9][a-z0-9-]{1,40}) ?(?:服务|应用|系统)?(?:现在|目前|正在)?(?:用|跑|运行|部署)(?:的是|的|着)?"
    r"(?:哪个|什么|哪一个|啥)镜像"
)


def service_in_question(plain: str) -> str:
    """Return the name of what is asked about as one asks about a service: its trouble, its image; "" otherwise."""
    said = plain.rstrip(" ?？.!。！")
    found = _AILING.fullmatch(said) or _AILING_CHINESE.fullmatch(said) or _IMAGE.fullmatch(said)
    return next((each for each in found.groups() if each), "") if found else ""


def is_called_a_service(plain: str, name: str) -> bool:
    """Return whether words say of a name that it is a service: "the billing service", 账单服务."""
    return re.search(rf"(?<![a-z0-9-]){re.escape(name)}(?:{KIND}\b| ?(?:服务|应用|接口))", plain) is not None
