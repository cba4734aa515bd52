"""What people say after a diagnosis, of what it was about: again, why, the logs, what changed, a ticket."""

import re
from collections.abc import Mapping
from typing import Literal

FollowUp = Literal["again", "changes", "ticket", "steps", "evidence", "logs", "compared", "onset"]
#: What the tool about the last diagnosis can tell.
About = Literal["steps", "evidence", "logs", "compared", "onset"]

_LEADS = r"(?:(?:so|and|but|ok(?:ay)?|then|now|please|pls|hm+|well|can you|could you),? ){0,3}"
_CHINESE_LEADS = r"(?:请|麻烦|帮我|那么?|现在|再|给我|你|能不能|可以){0,4}"
_IT = r"(?:it|this|that|they|these|those|things)"
_PATTERNS: Mapping[FollowUp, re.Pattern[str]] = {
    "again": re.compile(
        f"{_LEADS}(?:again|once more|(?:run|check|look|try|do) (?:{_IT} )?(?:again|once more)"
        f"|re-?(?:run|check)(?: {_IT})?|and now"
        rf"|(?:is|are) {_IT} (?:still|better|fixed|back|ok(?:ay)?|fine|up|over|gone|solved|recover\w+)"
        "(?: (?:happening|going on|broken|down|failing|slow|like that|up|so|now|again|yet|the case)){0,2}"
        "|still (?:happening|going on|down|broken|failing|slow|the case)"
        f"|(?:any|is {_IT} any) (?:better|change)(?: now)?"
        f"|(?:has|did) {_IT} (?:recover(?:ed)?|stop(?:ped)?|get better|got better|go away|gone away)(?: yet| now)?"
        "|how (?:is|are) (?:it|things) now|what about now)"
        f"|{_CHINESE_LEADS}"
        "(?:再?(?:来|查|看|跑|试)一[次遍下]|现在呢|重新(?:查|跑|诊断)(?:一[次遍下])?"
        "|(?:还|仍然?)(?:在|有|是)?(?:发生|继续|这样|挂着|报错|问题|没好)|(?:恢复|好|修好)了?(?:吗|没有?)"
        "|好点了)[吗么呢]?"
    ),
    "changes": re.compile(
        f"{_LEADS}(?:what(?:'s| has| was| got)? (?:just )?changed"
        "(?: (?:there|recently|lately|before (?:that|it)|since then))?"
        "|what did (?:they|you|we|somebody|someone) change"
        "|any (?:recent )?(?:changes|deployments|rollouts|releases)"
        f"|who (?:did|changed|deployed|released|rolled out|broke|touched) {_IT}(?: out)?"
        "|what was (?:deployed|released|rolled out)"
        "|(?:was|did) (?:something|anything|anybody|someone|there) "
        r"(?:deployed?|released?|changed?|rolled out|a (?:deploy\w*|release)))"
        f"|{_CHINESE_LEADS}(?:最近|刚才|之前)?(?:改了|变了|动了|发布了|上线了|有)(?:什么|啥|哪些)"
        "(?:变更|变化|改动|东西)?|谁(?:改|发布|上线|动|搞|弄)的?了?"
    ),
    #: A ticket with what was found: "open a ticket for that", 就这个问题建个工单.
    "ticket": re.compile(
        "(?:(?:please|pls|ok(?:ay)?|can you|could you|and|then|now),? ){0,3}"
        "(?:open|raise|make|create|file|log|write|draft|submit)(?: me| us)? (?:an? |the )?(?:new )?"
        "(?:ticket|incident|case|issue)(?: (?:for|with|about|on|of|from|out of))?"
        "(?: (?:that|this|it|these|those)(?: findings?| report)?)?(?:,? please)?"
        "|(?:请|麻烦|帮我|那就?|把|用|就|为|给){0,3}(?:这个|这些|这|它|此|上面)?"
        "(?:的?(?:诊断|结果|报告|问题|情况))?(?:帮我|给我|来)?(?:开|建|提|创建|新建|起草|提交|转成?)"
        "(?:一?[个张条份])?工单吧?"
    ),
    #: What to do about what was found: "what should I do first?", "how do we fix that?", 那怎么办.
    "steps": re.compile(
        "(?:(?:so|and|ok(?:ay)?|then),? ){0,2}"
        "(?:what (?:should|do|can|must|shall|could) (?:i|we) do"
        "(?: (?:first|now|next|then|about (?:it|this|that))){0,2}"
        "|what (?:now|next|first|to do(?: (?:first|now|next|about (?:it|this|that)))?)|now what"
        "|(?:how (?:do|can|should|would) (?:i|we)|how to) (?:fix|solve|repair|mend|resolve|stop) "
        "(?:it|this|that|them)|(?:what(?:'s| is) )?the fix"
        "|how (?:is|can) (?:it|this|that) (?:be )?(?:fixed|solved|resolved))"
        "|(?:那|那么|所以)?(?:我们?|该|应该|要|先|现在|接下来|首先|应当){0,4}"
        "(?:怎么(?:办|修|处理|解决|弄)|做(?:什么|些什么)|如何(?:处理|解决|修复))(?:才好|呢|啊|好)?"
    ),
    "evidence": re.compile(
        f"{_LEADS}(?:why do you (?:think|say|believe) (?:so|that|this)|why (?:so|is that)"
        rf"|how (?:bad|serious|severe|urgent) is {_IT}|how do you know(?: (?:that|this|it)\b.{{0,60}})?"
        "|what makes you (?:think|say) (?:so|that|this)"
        f"|are you (?:really |quite )?(?:sure|certain)(?: (?:about|of) {_IT})?"
        "|(?:show|give)(?: me)? (?:the |your |some |more )?(?:evidence|proof|details?)"
        "|(?:what(?:'s| is) )?(?:the|your) (?:evidence|proof)|(?:evidence|proof|details)|based on what"
        "|what is (?:that|this) based on|(?:which|what) pods(?: are (?:affected|broken|down))?)"
        f"|{_CHINESE_LEADS}"
        "(?:为什么(?:这么|这样)?(?:说|认为|判断)|怎么(?:知道|看出来|判断)的?"
        "|(?:有什么|什么)?(?:依据|证据|根据)(?:是什么|呢)?|(?:你)?(?:确定|肯定)|看(?:看|一下)?(?:证据|依据|详情)"
        "|有?多严重|严重|哪些 ?pod)[吗么呢]?"
    ),
    "logs": re.compile(
        f"{_LEADS}(?:(?:show|give|get|send|see)(?: me| us)? (?:the |its |their |some |more |last ){{0,2}}logs?"
        "(?: lines?)?(?: please)?|(?:the |any |and )?logs?"
        "|what (?:do|does|did) (?:the |its )?logs? (?:say|show|tell)|let me see the logs?)"
        f"|{_CHINESE_LEADS}(?:看看?|查看?|显示|发|贴)?(?:一下|我)?(?:日志)"
        "(?:里?(?:说|写)?(?:了)?(?:什么|啥))?[吗么呢]?"
    ),
    "compared": re.compile(
        f"{_LEADS}(?:(?:and )?compared? (?:{_IT} )?(?:to|with) "
        "(?:yesterday|before|last (?:week|hour)|earlier|normal|an hour ago)"
        f"|(?:and )?(?:how was {_IT}|what was it like) (?:yesterday|before|last week|earlier|an hour ago)"
        f"|(?:is|was) {_IT} (?:worse|better|different|more|slower) than "
        "(?:yesterday|before|last week|usual|normal|an hour ago)|(?:is|was) (?:that|this|it) normal)"
        f"|{_CHINESE_LEADS}(?:和|跟|与|比)?(?:昨天|之前|上周|平时|一小时前)(?:的)?"
        "(?:相比|比|比较|对比|怎么样|比起来)?(?:怎么样|如何)?呢?"
    ),
    "onset": re.compile(
        f"{_LEADS}(?:(?:and )?since when|when did {_IT} (?:start|begin|happen)"
        rf"|how long (?:has|have) {_IT} been \w{{1,20}}(?: \w{{1,20}}){{0,2}}|for how long)"
        f"|{_CHINESE_LEADS}(?:从)?(?:什么时候|几点|何时)(?:开始)?的?|多久了"
    ),
}


def follow_up(plain: str) -> FollowUp | None:
    """Return what normalised words ask of the last diagnosis; None where they name something, or ask nothing of it."""
    said = plain.strip().rstrip(" ?？.!。！，,")
    return next((name for name, pattern in _PATTERNS.items() if pattern.fullmatch(said)), None)
