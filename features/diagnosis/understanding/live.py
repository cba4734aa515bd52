"""What is asked of systems that run, told from a question for the documents: for a desk that sees no cluster."""

import re

from agent.brains.rules.understanding.phrases import either
from features.diagnosis.understanding.outages import asks_of_all
from features.diagnosis.understanding.services import service_in_question, service_told_of
from language.words import normalise

#: The tool that says so, and names the runbook.
RUNBOOK_TOOL = "name_runbook"
_PLACES = r"staging|prod(?:uction)?|pre-?prod|uat|qa|kubernetes|k8s|(?:the |our )?(?:cluster|backend|namespace|pods)"
#: What has errors, changes and versions, too, and is read in the documents.
_PAPERS = (
    "(?:my|your|his|her|this|that|it|me|us|all|reports?|documents?|pages?|handbook|polic(?:y|ies)|forms?|tickets?"
    "|files?|invoices?|lists?|spreadsheets?|e-?mails?|mails?|rules?|guides?|guidelines?|contracts?|digests?"
    r"|reminders?|wiki)\b"
)
_S = f"(?:the |our )?(?!{_PAPERS})(?P<N>[a-z0-9][a-z0-9-]{{1,62}})(?:[ -](?:service|app|application|api|server|pods?))?"
#: Of late: who asks what changed since then does not ask for a page.
_LATE = r"today|yesterday|tonight|this (?:morning|afternoon)|last (?:night|hour|deploy(?:ment)?|release)"
_SOON = either(
    f"{_LATE}|just now",
    (
        "(?:since|in|over|during|within|for) (?:the )?(?:(?:last|past) )?"
        rf"(?:{_LATE}|noon|midnight|(?:a |an |few |couple of |\d{{1,3}} )?(?:minutes?|hours?|days?|h|min)"
        r"|\d{1,2}(?::\d\d)?(?: ?[ap]m)?)"
    ),
)
_WHEN = rf"(?:{_SOON}|(?:since |in |over )?(?:the )?(?:last|this) week|lately|recently)"


def _named(pattern: str) -> re.Pattern[str]:
    """Return a pattern in which each place of a subject has a group of its own."""
    parts = pattern.split("SUBJECT")
    joined = parts[0] + "".join(_S.replace("P<N>", f"P<n{at}>") + part for at, part in enumerate(parts[1:]))
    return re.compile(joined)


_ENGLISH = (
    _named(
        "(?:show|give|get|send|fetch|let me see|i (?:need|want)(?: to see)?)(?: me)?"
        "(?: the| all| any| some){0,2}(?: last| latest| recent| newest){0,2}(?: error| app| application)? "
        f"(?:logs?|log lines|errors?|exceptions?|stack ?traces?) (?:of|from|for|in) SUBJECT(?: {_WHEN})?"
    ),
    _named(
        "how (?:often|many times) (?:did|has|have|does|was) SUBJECT (?:been )?(?:re-?start|crash|die)(?:ed|s|d)?"
        f"(?: {_WHEN})?"
    ),
    _named(
        "what (?:was |has |have |had |is )?(?:been )?(?:changed|deployed|rolled out|released|different)"
        f"(?: (?:in|on|with|to|for) SUBJECT)? {_SOON}"
    ),
    _named(
        "(?:when|who) (?:was|is|did|made) (?:the )?(?:last |latest |most recent |newest )?"
        "(?:roll-?out|deploy(?:ment)?) (?:of|to|for|on) SUBJECT"
    ),
    _named(rf"(?:when was|who(?: last)?) SUBJECT (?:last )?(?:deployed|rolled out|restarted)(?: {_WHEN})?"),
    _named(
        "(?:which|what) (?:version|build|release|tag|revision|image)(?: (?:of|for) SUBJECT)? (?:is|are|runs?) "
        f"(?:currently |now |actually )?(?:running|deployed|live|rolled out)?(?: ?(?:in|on) (?:{_PLACES}))?"
    ),
    _named(rf"who (?:last )?(?:deployed|rolled out|released|restarted|rolled back) SUBJECT(?: {_WHEN})?"),
    _named(
        "why (?:am i|are we|are (?:users|customers|people)|do (?:we|i|users|customers|people)) (?:still )?"
        r"(?:getting|seeing|see|get) (?:an? |lots of |so many )?(?:5\d\ds?|5xx|time-?outs?) "
        f"(?:from|on|in|at) SUBJECT(?: {_WHEN})?"
    ),
    _named(r"how (?:is|are) (?:the )?(?:pods?|deployments?|replicas) (?:of|for) SUBJECT (?:doing|looking)"),
    _named(r"(?:(?:are|is) there )?any alerts? firing (?:for|on) SUBJECT(?: (?:right now|now|today))?"),
    _named(
        "(?:see |find out |know )?why (?:were |are |did )?SUBJECT (?:were |are |was |got |get )?"
        r"(?:oom[- ]?killed|evicted|crash ?loop\w{0,4})"
    ),
    _named(r"(?:is|has|was) SUBJECT (?:deployment|rollout) (?:rolled out|done|finished|live|complete)(?: yet)?"),
    re.compile(rf"how (?:is|are) (?:{_PLACES}) (?:looking|doing)(?: (?:right now|now|today))?"),
    re.compile(
        f"(?:is|are) (?:{_PLACES})(?: (?:all|still|back))? (?:healthy|ok|okay|fine|up|down|broken)"
        "(?: (?:right now|now))?"
    ),
    re.compile(
        "(?:is|are|was)? ?(?:there )?(?:anything|something|everything|any (?:problems?|trouble|issues?)) ?"
        f"(?:wrong|broken|down|failing|ok|okay|fine|healthy|up)? ?(?:in|with|on) (?:{_PLACES})"
        "(?: (?:right now|now|today))?"
    ),
)
_T = r"(?P<n>[a-z0-9][a-z0-9-]{1,40}|[一-鿿]{2,8}?(?=服务|系统|应用|接口))(?:服务|系统|应用|接口)?"
_DAY = r"(?:今天|昨天|昨晚|今早|早上|晚上|最近|刚才|刚刚|本周|这周|现在|目前|线上){0,2}"
_CHINESE = (
    re.compile(
        rf"(?:请)?(?:给我|帮我)?(?:看看?|查看|显示|拉)(?:一下)? ?{_T} ?的?(?:报错|错误|异常|运行)?(?:的)?(?:日志|报错)"
    ),
    re.compile(rf"{_T} ?{_DAY}(?:重启|崩溃?|挂)了?(?:几次|多少次|几回)"),
    re.compile(rf"{_T} ?{_DAY}(?:改|变|发布|上线|更新|部署|动)(?:更|动)?了?(?:什么|啥|哪些)(?:东西|内容)?"),
    re.compile(
        rf"{_T} ?(?:上次|最近一次|最后一次)(?:发布|部署|上线|回滚)(?:是|在)?(?:什么时候|几点|哪天|谁(?:做)?的?)"
    ),
    re.compile(rf"{_T} ?{_DAY}(?:用|跑|运行|部署)(?:的是|的|着)?(?:哪个|什么|哪一个|啥)(?:镜像|版本)"),
    re.compile(rf"(?:为什么)?{_T} ?(?:一直|又|在|总是|突然){{0,2}}(?:返回|报|出现) ?5\d\d(?:错误)?了?"),
    re.compile(rf"{_DAY} ?{_T} ?{_DAY}(?:为什么|怎么|是不是)(?:又|老|一直|在){{0,2}}(?:重启|崩溃?|宕机?|挂)了?"),
    re.compile(rf"{_T} ?{_DAY}(?:的)?(?:内存|cpu)(?:是不是|是否|快)?(?:不够|不足|泄漏|爆|满)了?吗?"),
    re.compile(rf"{_DAY}谁(?:把|动了|改了|重启了|发布了|回滚了) ?{_T} ?(?:搞|弄|改)?(?:挂|崩|坏)?了?"),
    re.compile(
        rf"{_DAY}(?:预发|测试|生产)(?:环境)?{_DAY}(?:改|变|发布|上线|更新|部署|动)(?:更|动)?了?(?:什么|啥|哪些)"
    ),
    re.compile(rf"{_DAY}(?:预发|测试|生产)(?:环境)?{_DAY}(?:还)?(?:稳定|健康|正常)(?:吗|么)"),
    re.compile(
        r"(?:预发|测试|生产)(?:环境)?(?:里|上)?(?:现在)?(?:有没有问题|有(?:什么|啥)?(?:问题|异常)(?:吗|么)?|正常吗)"
    ),
)
#: Only of what runs is this said: the documents need not be asked what ails it.
_ONLY_RUNS = re.compile(
    r"\b(?:image|crash\w{0,5}|restart\w{0,4}|5xx|50\d|unhealthy|oom\w{0,10}|throttled|evicted|flapping"
    r"|degraded)\b|镜像|重启|崩溃?|宕"
)
#: Where a runbook says it: by what its page or section is called.
RUNBOOK = re.compile(
    (
        "runbook|incident|outage|on[- ]?call|troubleshoot|post-?mortem|monitor|rollout|roll(?:ing)?[- ]?back|deploy"
        r"|crash|\blogs?\b|运维|应急|故障|值班|排查|监控|回滚|发布|日志"
    ),
    re.IGNORECASE,
)
_OF_LOGS = re.compile(r"\b(?:logs?|log lines|errors?|exceptions?)\b|日志|报错")
_OF_CHANGES = re.compile(
    r"\b(?:changed?|different|deploy\w{0,5}|roll-?out|rolled|released?|version|image|tag|build)\b|改|变|发布"
    "|上线|更新|部署|回滚|镜像|版本"
)


def looked_for(question: str) -> tuple[str, ...]:
    """Return what to look for in the documents beside the words of a question, the closest first."""
    said = normalise(question)
    if _OF_LOGS.search(said):
        return ("where to look for logs, monitoring", "查看日志 监控", "incident runbook", "运维手册 故障")
    if _OF_CHANGES.search(said):
        return ("deployment runbook, rollouts", "发布 回滚", "incident runbook", "运维手册 故障")
    return ("incident runbook, first steps", "运维手册 故障 排查")


def asks_what_runs(text: str) -> bool:
    """Return whether a message asks for what only a look at running systems can say: its logs, versions, changes."""
    said = _plain(text)
    asked = any(each.fullmatch(said) for each in (*_ENGLISH, *_CHINESE)) or asks_of_all(said)
    return asked or (bool(service_in_question(said)) and _ONLY_RUNS.search(said) is not None)


def service_named(text: str) -> str:
    """Return the name of what ails, as it is asked of services; the documents may know it, too. "" for none."""
    plain = _plain(text)
    return service_in_question(plain) or service_told_of(plain)


def _plain(text: str) -> str:
    said = normalise(text).strip().rstrip(" ?？.!。！")
    return re.sub(r"^(?:(?:hey|hi|please|so|and|ok|can you|could you|tell me|请问|你好)[,，]? ?){1,3}", "", said)
