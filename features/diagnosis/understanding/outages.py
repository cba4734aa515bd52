"""Questions after all that runs, which name nothing of it: "are we having an outage?", "customers can't pay"."""

import re

from agent.brains.rules.understanding.phrases import either

_SITE = (
    "(?:the |our )?"
    "(?:web ?sites?|sites?|platform|systems?|backend|frontend|apis?|apps?|web ?shop|online shop|shop|store ?front"
    "|store|databases?|db|servers?|production|prod|cluster|services?)"
)
#: Who is served: their trouble is that of what runs.
_SERVED = (
    "(?:(?:all|some|many|most|several|our|more and more) (?:of )?(?:our )?)?"
    "(?:customers?|users?|clients?|shoppers?|buyers?|players?)"
)
_STILL = r"(?:still |suddenly |now |currently |actually |really |completely |always |again |so |all |even ){0,2}"
_OUTAGE = r"(?:ongoing |active |known |open |major |partial )?(?:outages?|incidents?|downtime|service disruptions?)"
_HOW = either(
    "down|up|slow|broken|failing|offline|healthy|stable|unstable|reachable|unreachable|unavailable",
    "not (?:working|loading|responding|reachable)",
)
#: The same, of what stands right before it: "the shop isn't working", "site won't load".
_HOW_NOT = either(
    "(?:is|are)n['’]?t (?:working|loading|responding|reachable|up)",
    "(?:does|do)n['’]?t (?:work|load|open|respond)|won['’]?t (?:work|load|open|respond)",
)
_CANNOT = r"(?:can(?:not|['’]?t)|can no longer|are (?:unable|not able) to|couldn['’]?t)"
#: Anybody at all, who says what only customers of a shop would.
_ANYBODY = r"(?:customers?|users?|clients?|people|ppl|folks|everybody|everyone|anybody|anyone|somebody|someone)"
_NOBODY = r"(?:nobody|no one|no ?body|noone)"
_BUY = r"(?:pay|check ?out|log ?(?:in|on)|sign ?(?:in|on)|place (?:an? |any |their )?orders?)\b"
#: What customers make.
_MADE = r"(?:orders|payments|log-?ins|sign-?ups|sign-?ins|checkouts|transactions|purchases|bookings)"
#: What one does with what runs; of anything else a company may say that its customers cannot do it.
_DO = either(
    "pay|log|sign|check ?out|order|buy|purchase|book|search|load|reach|access|connect|upload|download|play",
    "register|get (?:in|on|through)|(?:use|open) (?:the|our|it)",
)
_SEEN = (
    "(?:(?:an?|the) )?"
    r"(?:5\d\ds?|5xx|errors?|time-?outs?|(?:blank|white|empty) (?:pages?|screens?)|kicked|logged out|slow"
    r"|not load\w{0,3}|do(?:es)? ?n['o]t (?:load|work|open|respond)|down|crash\w{0,5}|hang\w{0,3}"
    r"|spinn\w{1,4})"
)
_WHEN = either(
    "any(?:one|body) (?:looking|else|know|seeing)[a-z ]{0,24}|right now|now|again|today|tonight",
    "at the moment|currently|this (?:morning|afternoon|evening)|last night|yesterday|or what|or not",
    "since [a-z0-9: ]{2,24}|for [a-z0-9 ]{2,24}|(?:in|on) (?:the )?[a-z -]{2,20}",
)
_LEADS = (
    "(?:(?:hey|hi|hello|quick question|question|so|and|ok|please|help|urgent|guys|folks|all|team)[,!:.]? ){0,3}"
    "(?:(?:can|could) (?:you|someone|anyone|somebody) (?:please )?(?:tell|check|see|look)(?: me)?,? "
    "(?:if |whether )?)?"
)
_ASKED = (
    (
        f"(?:is|are) (?:anything|something|everything|stuff|things) {_STILL}"
        "(?:on fire|burning|broken|down|exploding|melting(?: down)?|falling over|failing)"
    ),
    rf"(?:are|do|did) we {_STILL}(?:having|have|seeing|see|in|facing) (?:the middle of )?(?:an? |any )?{_OUTAGE}",
    rf"(?:(?:is|are) there (?:an? |any )?|any ){_OUTAGE}",
    rf"are we {_STILL}(?:down|up|offline|online|back up)",
    (
        f"(?:(?:is|are) )?{_SITE} {_STILL}(?:(?:(?:is|are|seems|looks) )?{_STILL}{_HOW}|{_HOW_NOT})"
        "(?:,? or (?:is (?:it|that) )?(?:just|only) (?:me|us))?"
    ),
    rf"(?:is|was) (?:it|this|that) (?:us|ours?|our (?:side|end|fault|code|app|service)) or (?:is it )?{_SITE}",
    r"(?:is|was) (?:it|this|that) (?:an? )?(?:issue|problem|outage|incident)? ?(?:on|at) our (?:side|end)",
    rf"{_SERVED} {_STILL}{_CANNOT} {_STILL}{_DO}\b[^?.!]{{0,80}}",
    (
        f"(?:{_SERVED}|people|everybody|everyone) {_STILL}(?:are |keep |keeps |is )?{_STILL}"
        rf"(?:get|see|report|complain)\w{{0,4}}\b[^?.!,]{{0,40}}\b{_SEEN}\b[^?.!]{{0,40}}"
    ),
    rf"why {_CANNOT} {_STILL}{_ANYBODY} {_STILL}{_BUY}[^?.!]{{0,60}}",
    rf"(?:why )?can {_NOBODY} {_STILL}{_BUY}[^?.!]{{0,60}}",
    rf"{_NOBODY} (?:can|could|is able to|seems able to) {_STILL}{_BUY}[^?.!]{{0,60}}",
    rf"(?:people|ppl|folks|everybody|everyone) {_STILL}{_CANNOT} {_STILL}{_BUY}[^?.!]{{0,60}}",
    (
        f"(?:why (?:are|do) )?(?:the |our |all |none of (?:the|our) )?{_MADE} "
        f"(?:(?:are|do|keeps?|have) ?(?:n['’]?t|not)? )?{_STILL}"
        r"(?:(?:going|getting|coming|go|get|come) through|fail\w{0,3}|bouncing|declining|stopped|timing out)"
        "(?: any ?more)?"
    ),
    (
        "(?:why (?:is|are|does) )?(?:everything|all of it|it all|the whole (?:site|system|thing)) "
        f"(?:is |are |seems |feels )?{_STILL}"
        r"(?:slow|down|broken|on fire|failing|crash\w{0,5}|timing out|dead|crawling|hanging|laggy|unusable)"
    ),
    rf"nothing {_STILL}(?:works?|loads?|responds?) (?:in|on) {_SITE}",
    r"what (?:just )?(?:broke|went down|is (?:broken|down))",
    rf"what(?:'s| is) the (?:state|status|health) of {_SITE}",
    (
        f"why (?:is|are|does|do|did|has|was) {_SITE} (?:keep |keeps )?{_STILL}"
        r"(?:down|crash\w{0,5}|restart\w{0,4}|fail\w{0,4}|unavailable|broken|slow)"
    ),
    (
        "(?:give|show|get)(?: me)? (?:an? |the )?(?:quick )?(?:health|status) ?"
        f"(?:check|report|overview|summary)? (?:of|for|on) {_SITE}"
    ),
)
_ENGLISH = re.compile(rf"{_LEADS}(?:{'|'.join(_ASKED)})(?:,? {_WHEN}){{0,2}}")
_CHINESE_SERVED = r"(?:很多|好多|有|不少|所有|部分)?(?:客户|用户|顾客|买家|玩家)"
#: What customers do.
_DONE = r"(?:下单|付款|支付|结账|结算|登[录陆]|注册|充值|提交订单|搜索|购物车|小程序|首页)"
_FAILS = either(
    r"报错|报 ?5\d\d|返回 ?5\d\d|失败|超时|付?不了|不上去?|打不开|转圈|白屏|挂|崩|宕机?|卡死|出问题|不可用",
    "没反应|不稳定|有(?:什么|啥)?(?:问题|异常)|特别慢|很慢|好慢|太慢|变慢|这么慢",
)
_PLACE = r"(?:线上|生产|系统|网站|平台|服务|后台|接口|商城|预发|测试)(?:环境|系统|服务)?"
_TODAY = r"(?:现在|今天|刚才|目前|当前)?"
_ASKED_CHINESE = (
    (
        f"(?:{_PLACE})?{_TODAY}(?:是不是|是否|有没有|有|又){_TODAY}(?:在|出|发生|有|了|现|什么){{0,3}}(?:线上)?"
        "(?:故障|事故|宕机|告警)了?"
    ),
    rf"{_PLACE}{_TODAY}还?(?:是不是|是否)?(?:挂|崩|不可用|打不开|很?慢|出问题)了?",
    rf"{_PLACE}{_TODAY}(?:是否(?:稳定|健康|正常)|还?(?:稳定|健康|正常)(?:吗|么|呢))",
    (
        f"{_CHINESE_SERVED}[^?？。]{{0,8}}"
        "(?:[付登下打用买搜看连加进刷开结注传收]{1,2}(?:录|单|账)?不(?:了|上|到|开|进|去)|报错|失败"
        "|(?:不能|无法|没法)(?:正常)?"
        "(?:支?付|下单|登[录陆]|打开|访问|使用|购买|结账|注册|搜索|加载|提交|上传|下载|收到))[^?？。]{0,20}"
    ),
    (
        f"{_DONE}(?:服务|系统|接口|页面|功能|流程|网关)?"
        "(?:现在|今天|刚才|刚刚|突然|怎么|为什么|为啥|咋|是不是|是否|一直|总是|老是|经常|都|全|又|也|还|已经"
        f"|在){{0,3}}{_FAILS}了?(?:吗|么|呢|啊)?"
    ),
    r"(?:这|这个)?是(?:不是)?(?:我们|咱们|自己)(?:这边)?的?(?:问题|锅|原因)?(?:还是|或者?)[^?？。]{1,12}",
)
_CHINESE = re.compile(
    rf"(?:请问|帮忙看看|帮我看看|大家好|急)?[,，!！]?(?:{'|'.join(_ASKED_CHINESE)})(?:吗|么|呢|啊|吧)?"
)
#: What customers are spoken of in, that is no trouble of what runs; and rules that are asked for.
_PAPERS = re.compile(
    r"\b(?:invoices?|contracts?|refund\w{0,4}|letters?|calls?|phone|visits?|meals?|gifts?|complaints? procedure"
    "|discounts?|delivery notes?|parcels?|quotes?|claims?|wi-?fi|wlan|vpn|printers?|laptops?|office|e-?mails?"
    r"|outlook|teams|(?:can|do|are) they)\b|发票|合同|退款|来访|礼品|快递|折扣|报价|电话"
)


def asks_of_all(plain: str) -> bool:
    """Return whether normalised words ask how all that runs is, or tell of the trouble of those who are served."""
    said = plain.strip().rstrip(" ?？.!。！，,")
    asked = _ENGLISH.fullmatch(said) is not None or any(
        _CHINESE.fullmatch(each) is not None for each in re.split(r"[,，;；]", said)
    )
    return asked and _PAPERS.search(said) is None
