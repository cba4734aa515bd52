"""Messages that ask for what nobody offers, told apart from questions: a deed, or how things are at this moment."""

import re

from agent.brains.rules.understanding import phrases
from agent.brains.rules.understanding.asking import asks_directly
from agent.brains.rules.understanding.message import strip_politeness
from language.words import normalise

_DEED = re.compile(
    r"^(?:please )?(?:book|schedule|remind|order|buy|send|run|execute|delete|remove|deploy|restart|reboot|shut down|"
    r"play|call|phone|turn (?:on|off)|switch (?:on|off)|set (?:up|an?)|create|generate|draw|translate|reserve|pay|"
    r"approve|authori[sz]e|sign (?:off|me)|(?:clock|check|punch|log|sign) me|clock (?:in|out) for|apply for|"
    r"fill (?:in|out)|"
    r"transfer|invite|cancel|move|rename|upload|download|install|post|tweet|add|put|scale|roll back|query|calculate)\b"
    r"|^(?:请|帮我|麻烦|给我|替我)*(?:批准|审批|打卡|签到|签字|代签|下单|订购|采购|预订|预定|订|安排|提醒|购买|买|"
    r"发送|发|执行|运行|删除|部署|重启|关闭|打开|播放|拨打|"
    r"设置|创建|生成|画|翻译|预约|支付|转账|邀请|移动|重命名|上传|下载|安装|添加|扩容|回滚|查询数据库|计算)"
    r"|^(?:把|将).{1,20}(?:删|改|移|重启|关|开|发|设|装|扩|回滚)"
)
#: Bare, these are words to look a task up with, and no order: "set up the printer on a Mac", 安装 VPN 客户端.
_LOOKED_UP = re.compile(
    r"^(?:set up|install|connect|create|generate|move|rename|upload|download|add|remove|delete|deploy|restart|"
    r"reboot|run|execute|scale|roll back|calculate|cancel|turn (?:on|off)|switch (?:on|off)|transfer|send|put|"
    r"schedule|invite|pay|order|approve|apply for|fill (?:in|out)|sign off|authori[sz]e)\b(?! me\b)|"
    r"^(?:批准|审批|打卡|签到|签字|采购|安装|设置|创建|添加|删除|移动|上传|下载|部署|重启|关闭|打开|执行|运行|"
    r"扩容|回滚|计算|邀请|转账|发送|购买)"
)
#: Who asks how a system is doing, and who asks who has the pager: the desk sees neither.
_NOW = r"(?:again|right now|now|today|tonight|at the moment|currently)"
_LIVE = re.compile(
    r"^(?:is|are) (?!i\b|we\b|you\b|there\b|it\b)(?:the |our )?[\w.' -]{2,40}? "
    rf"(?:(?<!ed )(?<!set )(?:down|up)|offline|online|back|running|healthy|reachable)(?: {_NOW})?$"
    r"|(?:挂了|宕机了|崩了|恢复了|还正常)[吗么]$"
)
#: What is measured or counted, and changes from hour to hour.
_MEASURED = (
    r"(?:temperatures?|pressure|(?:fill )?levels?|humidity|load|speed|utili[sz]ation|stock|readings?|weight|flow|"
    r"occupancy|backlog|throughput|cpu|memory|disk|warm|cold|hot|full|busy|fast|high)"
)
_READING = re.compile(
    rf"^(?:what(?:'s| is| are)?|how|show me|tell me|give me)\b.{{0,60}}\b{_MEASURED}\b.{{0,60}}"
    r"\b(?:right now|just now|now|at (?:the|this) moment|currently|at present|live)$|"
    rf"^(?:what(?:'s| is)|how) (?:the )?(?:current|live|present)\b.{{0,40}}\b{_MEASURED}\b|"
    r"(?:现在|目前|当前|此刻|实时|眼下).{0,12}(?:多少[度吨升人个公件箱]?|几度|多[高热冷满快重])|"
    r"(?:现在|目前|当前|此刻|实时)的?.{0,12}(?:温度|压力|液位|库存|湿度|流量|负载|余量|读数)|"
    r"(?:温度|压力|液位|库存|湿度|流量|负载|余量|读数).{0,4}(?:现在|目前|此刻)"
)
_DUTY = re.compile(
    rf"^who(?:'s| is)? (?:currently on[- ]?(?:call|duty)\b|on[- ]?(?:call|duty)(?:$|\b.{{0,30}}\b{_NOW}$)"
    r"|(?:has|got) the (?:duty|pager)\b)"
    r"|(?:现在|目前|当前|今[天晚]).{0,12}(?:谁.{0,3}值班|值班.{0,5}谁)|^(?:是)?谁(?:在)?值班[的呢啊]?$|^值班的?是谁$"
)
#: What a page says that tells who has the duty.
_TELLS_DUTY = re.compile(
    r"\bon[- ](?:call|duty)\b|\brota\b|\broster\b|\bduty (?:phone|number|list|plan)|"
    r"值班(?!室|经理|主管|店长|员|人员|医生|同事|领导)|轮值"
)

#: How far something is that was asked for, ordered or reported before …
_STANDS = re.compile(
    r"^any (?:news|updates?)\b|\b(?:status|progress) (?:of|on)\b|\b(?:done|ready|back|approved|arrived|here|paid) yet\b"
    r"|^(?:still (?:waiting|no)\b|(?:has|have) (?:my|our|the)\b.{0,60}\b(?:been|arrived|come)\b)"
    r"|怎么样了|到哪(?:一步|里|儿)?了|(?:好|到|批|修|发|处理|完成|通过)了(?:没|吗)|(?:进展|进度|消息)(?:如何|"
    r"了?吗|呢)?[?？。]?$"
    r"|还没.{0,6}$"
)
#: … and not what is to be done about it.
_HOW = re.compile(r"\bhow (?:do|can|long|to)\b|\bwhat (?:if|do|should)\b|怎么(?!样了)|如何(?![?？。]?$)|多久|几天")


def beyond_reach(text: str) -> str | None:
    """Return the code of what is asked for and nobody offers: `live`, `duty` or `not_offered`; None for the rest."""
    core = strip_politeness(normalise(text)).rstrip(" ?？.!")
    if _LIVE.search(core) or asks_for_reading(text):
        return "live"
    if _DUTY.search(core):
        return "duty"
    return "not_offered" if asks_for_deed(text) else None


def tells_duty(said: str) -> bool:
    """Tell whether a text says who has the duty, or where that stands."""
    return _TELLS_DUTY.search(normalise(said)) is not None


def asks_for_reading(text: str) -> bool:
    """Tell whether somebody wants to know what an instrument shows at this moment."""
    return _READING.search(strip_politeness(normalise(text)).rstrip(" ?？.!")) is not None


def asks_how_it_stands(text: str) -> bool:
    """Tell whether somebody asks how far a matter of their own is: no page knows that."""
    plain = normalise(text)
    return _STANDS.search(plain) is not None and _HOW.search(plain) is None


def asks_for_deed(text: str) -> bool:
    """Tell whether somebody wants something done, and not to be told how."""
    plain = normalise(text)
    core = strip_politeness(plain)
    if asks_directly(core):
        return False
    asked = phrases.REQUEST_START.match(plain) or phrases.ASKED_NICELY.search(plain)
    return _DEED.match(core) is not None and (asked is not None or _LOOKED_UP.match(core) is None)
