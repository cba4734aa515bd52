"""From a person's words to what they want diagnosed: which app or namespace, which pod, since when.

Only things that this person may look at are known here (`Message.things`), so that a question for anything else is read
as if it did not exist.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agent.brains.rules.understanding.manners import is_noted, is_praise, is_thanks
from agent.brains.rules.understanding.message import Message, read
from features.diagnosis.understanding.activities import activity_told_of, is_near
from features.diagnosis.understanding.changes import asks_what_changed, asks_who_changed
from features.diagnosis.understanding.follow_ups import FollowUp, follow_up
from features.diagnosis.understanding.outages import asks_of_all
from features.diagnosis.understanding.services import KIND, service_in_question
from language.moments import durations_in
from language.scripts import is_chinese
from language.spelling import may_be_misspelt, one_edit_apart
from language.words import normalise
from queries.observe.config import AppConfig, ObserveConfig

#: The tool whose things these are.
TOOL = "diagnose"
#: The tool that tells what to do about the last diagnosis.
STEPS_TOOL = "diagnosis_steps"
#: The tool that tells what there is, and who answers for it.
APPS_TOOL = "list_apps"
#: What a thread remembers of its last diagnosis: the app, or the namespace, as a thing of the tool.
DIAGNOSED = "diagnosed"
#: What stands between cluster and namespace in the name of a namespace.
SLASH = "/"

_TROUBLE = re.compile(
    r"(?<![a-z0-9_])(?:down|broken?|issues|affected|impacted|fail(?:s|ed|ing|ure|ures)?|crash\w*+|restart(?:s|ed|ing)?|slow(?:er)?|errors?|5xx|50\ds?|"
    r"time(?:s|d)? ?outs?|timing out|unhealthy|unavailable|unreachable|not (?:working|ready|responding|starting|up)|"
    r"stuck|pending|oom\w*+|killed|degraded|wrong|red|problems?|trouble|outage|flapping|throttl\w*+|evicted|"
    r"backoff|happen\w*+|dying|hanging|losing|alert(?:s|ing)?|odd|strange|weird\w*+|unusual|"
    r"acting up|misbehav\w*+|spinn\w++|spins?|hangs?|hung|freez\w++|frozen|froze|dead|died|crawl\w++|on fire|"
    r"(?:keeps?|still) loading|loads? forever|(?:won['’]?t|doesn['’]?t|does not|never|cannot|can['’]?t) loads?|"
    r"(?:(?:is|are|was|does|do|did|has|could|wo)(?:n['’]t| not)|can(?:not|['’]t)) (?:even |really )?"
    r"(?:answer|respond|load|work|start|open|connect|come up"
    r"|reachable|available|usable|healthy|letting|let)\w*+|stopped (?:answering|responding|working|loading)|"
    r"(?:nobody|no one) can|does nothing|nothing happens|"
    r"incidents?|unusable|toast|spik(?:e[sd]?|ing)|sluggish|laggy|bust(?:ed)?|borked|hosed|bad gateway|off with|"
    r"(?:seems?|looks?) off|"
    r"(?:is|are)n['’]t going through|bouncing|"
    r"error rates?|(?:white|blank|empty) (?:page|screen)s?|f[ae]ll(?:s|en|ing)? over|lagg\w++|leak(?:s|ing)?|"
    r"(?:enough|out of|low on|short of|much|more) (?:memory|ram|cpu|disk)|(?:memory|ram|cpu) (?:usage|use|leak|load)|"
    r"errors? out|erroring|unresponsive|declin(?:ing|ed)|crash-?loop\w*+|(?:through the|hit the) roof|sky[- ]?high|"
    r"bad day|complain(?:s|ing|ts? about)|(?:is|are|goes|went|stays) (?:blank|white|empty)|not going through|"
    r"(?:is|what(?:'s)?|anything|something) up with|(?:returns?|shows?) (?:nothing|no results|empty|garbage)|"
    r"something(?:'s| is) (?:off|up)|shaky|patchy|intermittent\w*+|"
    r"issue (?:with|w/|in|on)|having a moment|recover\w*+|eat(?:s|ing) (?:all|up|so)|(?:getting|got|were|was) paged|"
    r"(?:take|takes|taking|took|for) (?:so |too )?(?:long|forever|ages|\w{1,8} (?:seconds|secs|minutes|mins|s))"
    r")(?![a-z0-9_])|"
    r"不正常|不对劲|是空的|空白|[这那好太很]么?卡|转圈|没反应|没响应|白屏|加载不|刷不|进不去|登不|连不上|访问不|用不了|变红|抽风|炸了|歇菜|罢工|挂|崩|重启|报错|错误|失败|超时|卡住|卡死|异常|不可用|宕|打不开|起不来|启动不了|故障|问题|告警|拉不到|"
    r"被杀|内存|限流|驱逐|怎么了|怎么回事|[变很好太这那特非越更又超常别么点来]慢|慢(?:了|死|得|吗|啊|$|[?？])"
)
#: What only programs do and have; whoever says so means one also where an invoice is spoken of.
_OF_PROGRAMS = re.compile(
    r"(?<![a-z0-9_])(?:down|crash\w*+|restart\w*+|slow(?:er)?|5xx|50\ds?|time(?:s|d)? ?outs?|timing out|unhealthy"
    r"|errors? out|erroring|unresponsive|(?:through the|hit the) roof|(?:users|customers|people) are complaining"
    r"|off with|(?:seems?|looks?) off|(?:page|screen|site) (?:is|stays|goes) (?:blank|white|empty)"
    r"|(?:returns?|shows?) (?:nothing|no results|garbage)"
    r"|bad day|takes? (?:ages|forever)|namespace|shaky|unstable"
    r"|dead|throws? (?:an? )?(?:errors?|exceptions?)"
    r"|unavailable|unreachable|responding|outage|hangs?|hanging|spins?|spinning|freez\w++|frozen"
    r"|(?:white|blank|empty) (?:page|screen)s?|error rates?|load(?:s|ing)?|answering|connect|unusable"
    r"|toast|spik(?:e[sd]?|ing)|sluggish|laggy|bust(?:ed)?|borked"
    r"|hosed|bad gateway|f[ae]ll(?:s|en|ing)? over|(?:nobody|no one) can|does nothing|incidents?|flapping|dying|oom\w*+"
    r"|throttl\w*+|memory|cpu|services?|apps?|api|pods?|logs?|deploy\w*+|latency|requests?|cluster|server)(?![a-z0-9_])"
    r"|抽风|炸了|歇菜|罢工|挂|崩|重启|报错|超时|宕|打不开|起不来|慢|卡|服务|应用|接口|日志|线上|容器|部署|发布"
)
#: What a program does not do any more, in words that are said of other things, too.
_FAILS_NOW = re.compile(
    r"\b(?:is|are|do|does|did)(?:n['’]?t| not) (?:work|load|respond|go(?:ing)? through)|\b(?:keeps?|is|are) bouncing\b"
)
#: Papers, and what happens to them: of an app that is called by an everyday word they are not.
_PAPERS = re.compile(
    r"\b(?:invoices?|iban|banks?|amounts?|refund\w*+|salar(?:y|ies)|payslips?|suppliers?|vendors?|contracts?|terms|clauses?"
    r"|receipts?|expenses?|reimburs\w*+|approv\w*+|pages?|sections?|chapters?|documents?|handbook|checklists?|typos?|booking"
    r"|hotel|tickets?)\b"
    r"|发票|合同|条款|供应商|工资|报销|退款|退回|财务|金额|账号|银行|收据|审批|文章|清单|章节|错别字|写错|第.{1,3}[步条页章]|工单|打印"
)
_HEALTH = re.compile(
    r"\bhow(?:'s| is| are)\b|\b(?:ok|okay|fine|healthy|health|status|up|alive|running|back|stable|online|reachable"
    r"|available|usable|all right|alright|going on)\b|"
    r"正常|健康|状态|稳定|恢复|可用|还好|没事|有没有事"
)
_INSPECT = re.compile(
    r"^(?:(?:current )?(?:status|health|state) of\b[^?]{1,60}$|[^ ]{2,40}(?: service| app| api)? (?:status|health)$)|"
    r"^(?:please |can you |could you )*(?:show|give|get|list|print)(?: me)? (?:the |all |last |latest |recent ){0,2}"
    r"(?:logs?|pods?|events?|metrics|status|health) (?:of|for|in|from|on)\b|(?:的|里的?)(?:日志|事件|状态)$"
    r"|^(?:please |can you |could you )*(?:inspect|diagnose|debug|investigate|troubleshoot|triage|check"
    r"|(?:(?:have|take) an? )?(?:(?:quick|close|closer) )?look (?:at|into))\b|"
    r"^(?:请|帮我|麻烦)*(?:诊断|排查|检查|看一下|看看|查一下)"
)
_WHY = re.compile(
    r"\b(?:why|who|what|what's|how (?:is|are)|how's|is|are|has|have|do|does|did|anything|any)\b|"
    r"为什么|为何|怎么|什么|吗|是否|有没有|么$"
)
#: After the name of an app: anything else makes it a word of a longer name, "the payment terms".
_GOES_ON = re.compile(
    r"s?(?:['’]s)?(?:[ ](?:in|on|at|since|before|after|during|between|today|yesterday|tonight|last|this|and|or|to"
    r"|from|around|by|we|redeployed|restarted"
    r"|is|was|are|were|be|been|recently|lately|now|right|over|within|that|when|while|cause[ds]?|break|broke|just|then"
    r"|again|apps?|services?|api|pods?|deployments?|config\w*|settings?|versions?|images?|cluster|namespace|releases?"
    r"|rollouts?|containers?|go|went|get|got|have|had|has|change[ds]?|differ\w*|touched|deployed|released|rolled|running"
    r"|updated|upgraded|scaled|unusable|help|urgent|last|please|pls|asap|urgently|for me)\b|[ ]*(?:[^a-z ]|$))"
)
#: The same of what is in trouble: what it does, what it is made of, or what is wrong with it.
_AILS_ON = re.compile(
    r"s?(?:['’]s)?[ ](?:(?:keeps?|kept|responds?|reports?|shows?|got"
    r"|returned|not|never|still|always|so|very|no|too|all|for|with|does|did|do|can|cannot|seems?"
    r"|looks?|feels?|takes?|took|gives?|gave|throws?|threw|returns?|answers?|says|needs?|stopp?e?d?|goes|acts?|of"
    r"|backend|frontend|server|gateway|system|portal|processing|widget|requests?|calls?|logs?|latency|traffic|endpoints?|jobs?|workers?|queues?|consumers?"
    r"|database|page|pages|site|screen|button|form|flow|namespace|process)\b|[a-z]+(?:ing|n['’]t)\b)"
)
#: One of several, as there are of things that an app is called after: "the last payment", "a payment".
_ONE_OF = re.compile(
    r"\b(?:an?|this|that|each|every|last|next|first|second|final|late|early|his|her|their|your|another"
    r"|one|some|any|no)[ ]$"
)
#: Whoever asks how something is done, or speaks of a thing of their own, does not ask for a diagnosis.
_NOT = re.compile(
    r"\bhow (?:do|does|can|could|should|would|to|many|much)\b"
    r"|\bmy (?!(?:[a-z0-9-]{2,40} )?(?:apps?|services?|pods?|deployments?|containers?)\b)\w|"
    r"\b(?:runbook|documentation|docs|policy|procedure|owns?|owner|whom?)\b|如何|怎样|文档|手册|流程|谁负责|我的|多少"
)
_WHO_BROKE = re.compile(r"who (?:just |has )?(?:broke|crashed|killed|took)\b")
#: What is said of trouble that is over, or that is meant to come; and what else somebody wants done about it.
_NOT_NOW = re.compile(
    r"\b(?:was|were|had|used to|no longer (?!work|load|respond|answer|start|open|reach|avail|accept)"
    r"|(?:down|broken|slow|fail\w*+|crash\w*+|restart\w*+|hang\w*+|stuck|errors?) any ?more"
    r"|fixed|solved|resolved|recovered|works again|back up|yesterday"
    r"|last (?:night|time|week|month|year|\w{2,6}day)"
    r"|will|going to|planned|scheduled|maintenance|if|when(?:ever)?|unless|remind\w*+|tickets?|tell|notify|ping)\b"
    r"|昨天|上周|上次|已经?(?:修|恢复|解决)|恢复了|修好|计划|维护|如果|万一|提醒|工单|通知"
)
_ANYTHING = re.compile(r"\b(?:anything|something|everything|all|what(?:'s| is))\b|有没有|什么|一切|哪些")
#: Where things run, said without a name of its own; and trouble of "it", of which nobody has said what it is.
_PLACE = (
    r"staging|prod(?:uction)?|clusters?|namespaces?|pods?|deployments?|k8s|kubernetes"
    r"|集群|命名空间|生产|线上|预发|测试环境|容器"
)
_UNNAMED = re.compile(
    rf"\b(?:is|are|has) (?:anything|something|everything|all)\b[^?]{{0,40}}\b(?:wrong|broken|down|failing|ok|okay|fine|"
    rf"healthy)\b[^?]{{0,40}}\b(?:{_PLACE})\b|"
    rf"\b(?:(?:anything|something|what(?:'s| is)) (?:wrong|broken|down|failing)|any (?:problems?|trouble|issues?))"
    rf"\b[^?]{{0,40}}\b(?:{_PLACE})\b|"
    rf"^why (?:is|are|does|do|did) (?:it|they|the (?:service|app|site|cluster|pods?)) (?:keep |always |so |still )?"
    rf"(?:down|crash\w*+|restart\w*+|fail\w*+|unavailable|broken|slow)\b|"
    rf"(?:{_PLACE}|服务)[^?？]{{0,8}}(?:有没有问题|有(?:什么|啥)?(?:问题|异常)(?:吗|么|$|[?？])|正常吗|挂了|崩了|炸了|出问题|出(?:了)?(?:什么|啥)?(?:事|故障)|怎么了|还好吗)|^(?:为什么|怎么)又?(?:一直)?(?:挂了|崩了|重启)"
)
#: Whether anything was rolled out of late, with nothing named.
_DEPLOYED = re.compile(
    r"^(?:hey |hi |so )?(?:did|has|have|was|were|who|what)\b[^?]{0,30}\b"
    r"(?:deployed|deploy|rolled out|released|shipped|went live|pushed to prod(?:uction)?)\b[^?]{0,20}"
    r"\b(?:today|yesterday|tonight|last night|this (?:week|morning|afternoon|evening)|just now|recently|lately)$"
    r"|^(?:今天|昨天|刚才|刚刚|最近|今早|昨晚|本周)(?:有没有人|有人|谁|有没有)?(?:做过?|进行过?)?(?:发布|上线|部署|发版)(?:过|了)?"
    r"(?:什么|啥|吗|没有)?$"
)
#: Who answers for an app.
_OWNER = re.compile(
    r"\bwho (?:owns|runs|maintains|looks after|takes care of|is responsible for|is in charge of|answers for)\b"
    r"|\b(?:who(?:'s| is) (?:the )?|whose )(?:owner|team)\b|\b(?:which|what) team (?:owns|runs|is responsible for)\b"
    r"|谁负责|谁在?(?:管|维护)|归谁管|(?:负责人|哪个团队)"
)
_POD = re.compile(r"(?<![\w.-])[a-z0-9](?:[a-z0-9-]{1,60})-[a-z0-9]{4,10}(?![\w-])")
#: What the desk is told to do to something that runs, and does not: it reads only.
_ORDER = re.compile(
    r"^(?:(?:hey|hi|ok|so|then|please|pls|just|can you|could you|would you),? ){0,3}"
    r"(?:restart|reboot|bounce|kill|stop|start|delete|scale(?: up| down| out| in)?|roll ?back|rollback|revert|undo"
    r"|(?:re)?deploy|recreate|drain|cordon|resume|pause|upgrade)\b(?! (?:loop|count|policy))"
    r"(?![^?]{0,80}\b(?:tickets?|reminders?|digests?|messages?|reports?|drafts?|notifications?|alerts?)\b)"
    r"|^(?:请|请你|帮我|帮忙|麻烦|麻烦你|先|赶紧|快)*(?:把[^?？]{1,20})?(?:重启|回滚|扩容|缩容|扩到|缩到|重新部署|删除|删掉|杀掉|停掉|下线)(?![^?？]{0,20}(?:工单|提醒|日报|消息|草稿|通知))"
)
#: Where it is asked of, by what such places are called everywhere.
_PLACED = re.compile(
    r"\b(?:in|on|of|for) (?:the |our )?(?:(?P<usual>staging|prod(?:uction)?|test(?:ing)?|qa|uat|dev(?:elopment)?"
    r"|pre-?prod|sandbox)\b|(?P<named>[a-z0-9][a-z0-9-]{1,40}) (?:cluster|namespace|environment)\b)"
    r"|\bis (?P<bare>staging|prod(?:uction)?)\b|(?P<chinese>预发(?:环境)?|测试环境|生产(?:环境)?|线上)"
)
#: One place under several names.
_SAME_PLACE = (re.compile(r"\bprod(?:uction)?\b|生产|线上"), re.compile(r"\bstag(?:e|ing)\b|预发"))
#: What stands beside a name and its trouble and says no more; and so few Chinese characters say nothing else.
_FILLING = re.compile(
    r"an?|again|all|and|api|app|at|be|been|completely|getting|giv(?:es|ing)|ha(?:s|ve)|help|in|is|just|keeps?|lots|me|now"
    r"|of|on|our|s|seems?|service|still|the|there|to|totally|very|we"
)
_FEW_SIGNS = 10


def asks_to_change(text: str) -> bool:
    """Return whether words tell to do something to what runs."""
    return _ORDER.search(normalise(text)) is not None


def place_in_question(text: str, known: Iterable[str]) -> str:
    """Return the place that words name and that is none of the known names; "" for none."""
    found = _PLACED.search(normalise(text))
    place = next((each for each in found.groups() if each), "") if found else ""
    names = [normalise(each) for each in known if each]
    return "" if any(place in each or each in place or _same_place(place, each) for each in names) else place


def _same_place(words: str, name: str) -> bool:
    """Return whether words speak of a place by another name of it."""
    return any(each.search(words) and each.search(name) for each in _SAME_PLACE)


@dataclass(frozen=True)
class NamedApp:
    """What a message names."""

    app: str = ""
    cluster: str = ""
    namespace: str = ""
    pod: str = ""
    minutes: int = 0


class AppVocabulary:
    """What apps and namespaces are called."""

    def __init__(self, config: ObserveConfig) -> None:
        self._called = {name: tuple(_names(name, app)) for name, app in config.apps.items()}
        self._owners = {name for name, app in config.apps.items() if app.owner or app.team}
        self._clusters = {
            name: (normalise(name), normalise(cluster.title.en), normalise(cluster.title.zh))
            for name, cluster in config.clusters.items()
        }

    def wanted(self, message: Message) -> NamedApp | None:
        """Return what the message wants diagnosed; None when it wants nothing of the kind."""
        things = message.things.get(TOOL, ())
        plain = message.plain
        asked_on = follow_up(plain)
        if things and asked_on in (
            "again",
            "changes",
        ):  # of what it was about: "is it still happening?", "what changed?"
            return self._before(message)
        asks_who = asks_who_changed(plain) or _WHO_BROKE.match(plain) is not None  # "who deployed payment?"
        if not things or _NOT.search(plain.removeprefix("who ") if asks_who else plain):
            return None
        named = self._named(message.plain, things)
        if named is not None and self._asks(message, named):
            return named
        near = self._near(plain, things)
        if near is not None:
            return near
        before = self._before(message)
        unnamed = self._unnamed(message, things, before) if named is None or asks_of_all(plain) else None
        if unnamed is not None or before is None:
            return unnamed
        return named if message.hangs_on or message.is_short else None

    def _unnamed(self, message: Message, things: Iterable[str], before: NamedApp | None) -> NamedApp | None:
        """Return what is meant where nothing has its right name: the cluster, what it was about, or a misspelt app."""
        if self._asks_of_cluster(message, things):
            return self._all_of(message.plain, things)
        if asks_of_all(message.plain):
            return before or self._all_of(
                "production" if _PLACED.search(message.plain) is None else message.plain, things
            )
        if _UNNAMED.search(message.plain):
            elsewhere = _PLACED.search(message.plain) is not None  # not where it was asked before
            return self._all_of(message.plain, things) if elsewhere or before is None else before
        if _DEPLOYED.search(message.plain.rstrip(" ?？.!。！")):
            return self._only(things, before)
        return None

    def owned(self, message: Message) -> str:
        """Return the app whose owner the message asks for, as far as the directory tells; "" for none."""
        if not _OWNER.search(message.plain):
            return ""
        named = self._named(message.plain, message.things.get(TOOL, ()))
        known = named is not None and named.app in self._owners and self._ends_the_name(message.plain, named.app)
        return named.app if named is not None and known else ""

    def _only(self, things: Iterable[str], before: NamedApp | None) -> NamedApp:
        """Return the only namespace that there is; else what it was about, or nothing, so that it is asked."""
        places = [each.partition(SLASH) for each in things if SLASH in each]
        only = NamedApp(cluster=places[0][0], namespace=places[0][2]) if len(places) == 1 else None
        return only or before or NamedApp()

    def _near(self, plain: str, things: Iterable[str]) -> NamedApp | None:
        """Return the app called after what is in trouble, or misspelt; where several are, none, so that it is asked."""
        asked = service_in_question(plain)
        said = (asked,) if asked else activity_told_of(plain)
        if not said or (_PAPERS.search(plain) and not _OF_PROGRAMS.search(plain)):
            return None
        apps = {app: self._called.get(app, (app,)) for app in things if SLASH not in app}
        near = [app for app, called in apps.items() if any(is_near(word, each) for word in said for each in called)]
        if not near and may_be_misspelt(said[0]):
            near = [app for app, called in apps.items() if any(one_edit_apart(said[0], each) for each in called)]
            near = near if len(near) == 1 else []
        return (NamedApp(app=near[0]) if len(near) == 1 else NamedApp()) if near else None

    def asked_on(self, message: Message) -> FollowUp | None:
        """Return what the message asks about what was just diagnosed; None for nothing of the kind."""
        kind = follow_up(message.plain) if message.memory.last.get("diagnosis") else None
        return kind if kind is not None and self._before(message) is not None else None

    def ticket_of(self, message: Message) -> tuple[str, str]:
        """Return title and text of a ticket about the last diagnosis: what was asked for it, and what was answered."""
        read_again = [(read(each.asked, None).plain, each) for each in reversed(message.memory.turns)]
        said = [each for each in read_again if not (is_thanks(each[0]) or is_praise(each[0]) or is_noted(each[0]))]
        turns = [(follow_up(plain), each) for plain, each in said or read_again]
        told = next((each for kind, each in turns if kind in (None, "again")), turns[0][1])
        asked = next(
            (each.asked for kind, each in turns if kind is None), message.memory.last.get(DIAGNOSED, told.asked)
        )
        return asked, f"{asked}\n\n{told.answered}".strip()

    def _asks(self, message: Message, named: NamedApp) -> bool:
        plain = message.plain
        if _PAPERS.search(plain) and not _OF_PROGRAMS.search(plain):
            return False
        ordered = _ORDER.search(plain) is not None
        if ordered or (asks_what_changed(plain) and self._ends_the_name(plain, named.app)):
            return self._ends_the_name(plain, named.app)
        if named.app and not self._is_meant(plain, named.app):
            return False
        clauses = re.split(r"[,，。;；!！]", plain)
        if (
            _INSPECT.search(plain)
            or self._tells(plain, named)
            or any(_cries(each, self._called.get(named.app, ())) for each in clauses)
        ):
            return True
        trouble = _TROUBLE.search(plain) is not None
        if not named.app and not named.pod and not _ANYTHING.search(plain):
            return trouble and message.question
        past = _NOT_NOW.search(plain) is not None and "see why" not in plain and "find out why" not in plain
        asks = message.question or (_WHY.search(plain) is not None and not past)
        return (asks and trouble) or (message.question and _HEALTH.search(plain) is not None)

    def _tells(self, plain: str, named: NamedApp) -> bool:
        """Return whether words tell of trouble as programs have it, now: "checkout returns 500 for everybody"."""
        placed = bool(named.app) or any(_has(plain, each) for each in ("namespace", "pods", "deployments"))
        of_programs = _OF_PROGRAMS.search(plain) or _FAILS_NOW.search(plain)
        return placed and bool(_TROUBLE.search(plain) and of_programs and not _NOT_NOW.search(plain))

    def _asks_of_cluster(self, message: Message, things: Iterable[str]) -> bool:
        """Return whether a message names a cluster by its own name, "prod", and asks how it is."""
        plain = message.plain
        clusters = {each.partition(SLASH)[0] for each in things if SLASH in each}
        called = {each for cluster in clusters for each in self._clusters.get(cluster, (cluster,)) if each}
        if not any(_has(plain, each) for each in called):
            return False
        asks = message.question or _WHY.search(plain)
        told = _TROUBLE.search(plain) or _HEALTH.search(plain)
        return bool(_INSPECT.search(plain) or asks_what_changed(plain) or (asks and told) or _cries(plain, clusters))

    def _all_of(self, plain: str, things: Iterable[str]) -> NamedApp:
        """Return the only namespace of the cluster that is named, "production"; else nothing, so that it is asked."""
        places = [each.partition(SLASH) for each in things if SLASH in each]
        named = [
            name
            for name, called in self._clusters.items()
            if any(each and (_has(plain, each) or _same_place(plain, each)) for each in called)
        ]
        within = [(cluster, namespace) for cluster, _, namespace in places if cluster in named]
        return NamedApp(cluster=within[0][0], namespace=within[0][1]) if len(within) == 1 else NamedApp()

    def _before(self, message: Message) -> NamedApp | None:
        """Return what the thread wanted diagnosed last: "again" and "and payment?" go on with it."""
        last = self._diagnosed(message)
        for turn in reversed(message.memory.turns):
            earlier = read(turn.asked, None, message.things)
            if follow_up(earlier.plain) is None:
                named = self._named(earlier.plain, message.things.get(TOOL, ()))
                same = last is not None and named is not None and (named.app or named.namespace) in last
                return self.wanted(earlier) or (named if same else None)
        return self._named(last, message.things.get(TOOL, ())) if last else None

    def _diagnosed(self, message: Message) -> str | None:
        """Return what the last diagnosis of the thread was about, where the person may still look at it."""
        last = message.memory.last.get(DIAGNOSED)
        return last if last in message.things.get(TOOL, ()) else None

    def _named(self, plain: str, things: Iterable[str]) -> NamedApp | None:
        apps = [name for name in things if SLASH not in name]
        namespaces = [name for name in things if SLASH in name]
        found = max((name for name in apps if self._speaks_of(plain, name)), key=len, default="")
        minutes = max((int(each.value.total_seconds() // 60) for each in durations_in(plain)), default=0)
        places = [each for each in namespaces if _has(plain, each.partition(SLASH)[2])]
        clusters = {each.partition(SLASH)[0] for each in namespaces}
        cluster = next((each for each in sorted(clusters) if _has(plain, each)), "")
        if found:
            pod = next((each.group() for each in _POD.finditer(plain) if each.group().startswith(f"{found}-")), "")
            return NamedApp(app=found, pod=pod, minutes=minutes)
        if places:
            said = [each for each in places if each.startswith(f"{cluster}{SLASH}")]
            of, _, namespace = (said or places)[0].partition(SLASH)
            several = not said and len({each.partition(SLASH)[0] for each in places}) > 1
            return NamedApp(cluster="" if several else of, namespace=namespace, minutes=minutes)
        return None

    def _ends_the_name(self, plain: str, app: str) -> bool:
        """Return whether an app's name stands by itself somewhere: "the payment terms" are no app."""
        called = self._called.get(app, (app,)) if app else ()
        places = [found.end() for name in called if name.isascii() for found in re.finditer(re.escape(name), plain)]
        return not places or any(_GOES_ON.match(plain, at) for at in places)

    def _is_meant(self, plain: str, app: str) -> bool:
        """Return whether a name stands for its app somewhere: not in a longer name, nor as one thing of several.

        One with a hyphen is no everyday word, and always does.
        """
        if "-" in app:
            return True
        places = [
            found
            for name in self._called.get(app, (app,))
            if name.isascii()
            for found in re.finditer(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", plain)
        ]
        return not places or any(
            (
                _GOES_ON.match(plain, each.end())
                or _AILS_ON.match(plain, each.end())
                or self._ails_next(plain, each.end())
            )
            and not (_ONE_OF.search(plain[: each.start()]) and not re.match(KIND, plain[each.end() :]))
            for each in places
        )

    def _ails_next(self, plain: str, at: int) -> bool:
        """Return whether the next word is one of trouble or health: "payment down"."""
        found = re.compile(r"s?(?:['’]s)?[ ]").match(plain, at)
        return found is not None and any(each.match(plain, found.end()) for each in (_TROUBLE, _HEALTH))

    def _speaks_of(self, plain: str, app: str) -> bool:
        return any(_has(plain, each) for each in self._called.get(app, (app,)))


def _names(name: str, app: AppConfig) -> Iterable[str]:
    """Yield what an app is called, as it is looked for."""
    yield f"{normalise(name)}s"  # "the payments service"
    for each in (name, app.title.en, app.title.zh, *app.called.en, *app.called.zh):
        if each:
            yield normalise(each)
        if "-" in each:
            yield normalise(each.replace("-", " "))


def _cries(plain: str, names: Iterable[str]) -> bool:
    """Return whether words say of a name that it is in trouble and nothing else: "checkout down!!", "payment 挂了"."""
    name = max((each for each in names if _has(plain, each)), key=len, default="")
    rest = plain.replace(name, " ", 1) if name else ""
    if is_chinese(rest):
        return len(rest) <= _FEW_SIGNS and _TROUBLE.search(rest) is not None
    words = re.findall(r"[a-z0-9]+", rest)
    troubles = [each for each in words if _TROUBLE.fullmatch(each)]
    return bool(troubles) and all(each in troubles or _FILLING.fullmatch(each) for each in words)


def _has(plain: str, name: str) -> bool:
    """Tell whether a name stands in a text; one in Latin letters as a word of its own."""
    if not name.isascii():
        return name in plain
    return re.search(rf"(?<![a-z0-9_-]){re.escape(name)}(?:-[a-z0-9-]++)?(?![a-z0-9_])", plain) is not None
