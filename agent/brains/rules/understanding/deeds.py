"""Messages that ask for what nobody offers, told apart from questions: a deed, or how things are at this moment."""

import re

from agent.brains.rules.understanding import phrases
from agent.brains.rules.understanding.message import strip_politeness
from language.words import normalise

_DEED = re.compile(
    r"^(?:please )?(?:book|schedule|remind|order|buy|send|run|execute|delete|remove|deploy|restart|reboot|shut down|"
    r"play|call|phone|turn (?:on|off)|switch (?:on|off)|set (?:up|an?)|create|generate|draw|translate|reserve|pay|"
    r"transfer|invite|cancel|move|rename|upload|download|install|post|tweet|add|put|scale|roll back|query|calculate)\b"
    r"|^(?:请|帮我|麻烦|给我|替我)*(?:预订|预定|订|安排|提醒|购买|买|发送|发|执行|运行|删除|部署|重启|关闭|打开|播放|拨打|"
    r"设置|创建|生成|画|翻译|预约|支付|转账|邀请|移动|重命名|上传|下载|安装|添加|扩容|回滚|查询数据库|计算)"
    r"|^(?:把|将).{1,20}(?:删|改|移|重启|关|开|发|设|装|扩|回滚)"
)
#: Bare, these are words to look a task up with, and no order: "set up the printer on a Mac", 安装 VPN 客户端.
_LOOKED_UP = re.compile(
    r"^(?:set up|install|connect|create|generate|move|rename|upload|download|add|remove|delete|deploy|restart|"
    r"reboot|run|execute|scale|roll back|calculate|cancel|turn (?:on|off)|switch (?:on|off)|transfer|send|put|"
    r"schedule|invite|pay|order)\b|"
    r"^(?:安装|设置|创建|添加|删除|移动|上传|下载|部署|重启|关闭|打开|执行|运行|扩容|回滚|计算|邀请|转账|发送|购买)"
)
#: Who asks how a system is doing, and who asks who has the pager: the desk sees neither.
_NOW = r"(?:again|right now|now|today|tonight|at the moment|currently)"
_LIVE = re.compile(
    r"^(?:is|are) (?!i\b|we\b|you\b|there\b|it\b)(?:the |our )?[\w.' -]{2,40}? "
    rf"(?:(?<!ed )(?<!set )(?:down|up)|offline|online|back|running|healthy|reachable)(?: {_NOW})?$"
    r"|(?:挂了|宕机了|崩了|恢复了|还正常)[吗么]$"
)
_DUTY = re.compile(
    rf"^who(?:'s| is)? (?:currently on[- ]?(?:call|duty)\b|on[- ]?(?:call|duty)\b.{{0,30}}\b{_NOW}$)"
    r"|(?:现在|目前|当前|今[天晚]).{0,12}(?:谁.{0,3}值班|值班.{0,5}谁)"
)


def beyond_reach(text: str) -> str | None:
    """Return the code of what is asked for and nobody offers: `live`, `duty` or `not_offered`; None for the rest."""
    core = strip_politeness(normalise(text)).rstrip(" ?？.!")
    if _LIVE.search(core):
        return "live"
    if _DUTY.search(core):
        return "duty"
    return "not_offered" if asks_for_deed(text) else None


def asks_for_deed(text: str) -> bool:
    """Tell whether somebody wants something done, and not to be told how."""
    plain = normalise(text)
    core = strip_politeness(plain)
    if phrases.QUESTION_START.match(core) or phrases.QUESTION_INSIDE.search(core):
        return False
    asked = phrases.REQUEST_START.match(plain) or phrases.ASKED_NICELY.search(plain)
    return _DEED.match(core) is not None and (asked is not None or _LOOKED_UP.match(core) is None)
