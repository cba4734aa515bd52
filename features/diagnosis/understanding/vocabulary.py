"""From a person's words to what they want diagnosed: which app or namespace, which pod, since when.

Only things that this person may look at are known here (`Message.things`), so that a question for anything else is read
as if it did not exist.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from agent.brains.rules.understanding.manners import is_noted, is_praise, is_thanks
from agent.brains.rules.understanding.message import Message, read
from agent.brains.rules.understanding.phrases import alternatives
from features.diagnosis.understanding.activities import activity_told_of, is_near
from features.diagnosis.understanding.changes import asks_what_changed, asks_who_changed
from features.diagnosis.understanding.follow_ups import FollowUp, follow_up
from features.diagnosis.understanding.names import ends_the_name, has_name, in_two_words, is_meant, names_of
from features.diagnosis.understanding.outages import asks_of_all
from features.diagnosis.understanding.services import service_in_question
from features.diagnosis.understanding.trouble import FAILS_NOW, HEALTH, NOT_NOW, OF_PROGRAMS, PAPERS, TROUBLE
from language.moments import durations_in
from language.scripts import is_chinese
from language.spelling import is_name_misspelt
from language.words import normalise
from queries.observe.config import ObserveConfig

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

_INSPECT = re.compile(
    r"^(?:(?:current )?(?:status|health|state) of\b[^?]{1,60}$"
    "|[^ ]{2,40}(?: service| app| api)? (?:status|health)$)"
    "|^(?:please |can you |could you )*(?:show|give|get|list|print)(?: me)? "
    "(?:the |all |last |latest |recent ){0,2}(?:logs?|pods?|events?|metrics|status|health) "
    r"(?:of|for|in|from|on)\b|(?:的|里的?)(?:日志|事件|状态)$"
    "|^(?:please |can you |could you )*"
    r"(?:inspect|diagnose|debug|investigate|troubleshoot|triage|check(?! out\b)"
    r"|(?:(?:have|take) an? )?(?:(?:quick|close|closer) )?look (?:at|into))\b"
    "|^(?:请|帮我|麻烦)*(?:诊断|排查|检查|看一下|看看|查一下)"
)
_WHY = re.compile(
    r"\b(?:why|who|what|what's|how (?:is|are)|how's|is|are|has|have|do|does|did|anything|any)\b|为什么|为何|怎么"
    "|什么|吗|是否|有没有|么$"
)
#: Whoever asks how something is done, or speaks of a thing of their own, does not ask for a diagnosis.
_NOT = re.compile(
    r"\bhow (?:do|does|can|could|should|would|to|many|much)\b"
    r"|\bmy (?!(?:[a-z0-9-]{2,40} )?(?:apps?|services?|pods?|deployments?|containers?)\b)\w"
    r"|\b(?:runbook|documentation|docs|policy|procedure|owns?|owner|whom?)\b|如何|怎样|文档|手册|流程|谁负责|我的"
    "|多少"
)
_WHO_BROKE = re.compile(r"who (?:just |has )?(?:broke|crashed|killed|took)\b")
_ANYTHING = re.compile(r"\b(?:anything|something|everything|all|what(?:'s| is))\b|有没有|什么|一切|哪些")
#: Where things run, said without a name of its own; and trouble of "it", of which nobody has said what it is.
_PLACE = alternatives(
    "staging|prod(?:uction)?|clusters?|namespaces?|pods?|deployments?|k8s|kubernetes|集群|命名空间|生产|线上",
    "预发|测试环境|容器",
)
_UNNAMED = re.compile(
    r"\b(?:is|are|has) (?:anything|something|everything|all)\b[^?]{0,40}\b"
    rf"(?:wrong|broken|down|failing|ok|okay|fine|healthy)\b[^?]{{0,40}}\b(?:{_PLACE})\b"
    r"|\b(?:(?:anything|something|what(?:'s| is)) (?:wrong|broken|down|failing)"
    rf"|any (?:problems?|trouble|issues?))\b[^?]{{0,40}}\b(?:{_PLACE})\b"
    "|^why (?:is|are|does|do|did) (?:it|they|the (?:service|app|site|cluster|pods?)) "
    r"(?:keep |always |so |still )?(?:down|crash\w*+|restart\w*+|fail\w*+|unavailable|broken|slow)\b"
    f"|(?:{_PLACE}|服务)[^?？]{{0,8}}"
    "(?:有没有问题|有(?:什么|啥)?(?:问题|异常)(?:吗|么|$|[?？])|正常吗|挂了|崩了|炸了|出问题"
    "|出(?:了)?(?:什么|啥)?(?:事|故障)|怎么了|还好吗)|^(?:为什么|怎么)又?(?:一直)?(?:挂了|崩了|重启)"
)
#: Whether anything was rolled out of late, with nothing named.
_DEPLOYED = re.compile(
    r"^(?:hey |hi |so )?(?:did|has|have|was|were|who|what)\b[^?]{0,30}\b"
    r"(?:deployed|deploy|rolled out|released|shipped|went live|pushed to prod(?:uction)?)\b[^?]{0,20}\b"
    "(?:today|yesterday|tonight|last night|this (?:week|morning|afternoon|evening)|just now|recently|lately)$"
    "|^(?:今天|昨天|刚才|刚刚|最近|今早|昨晚|本周)(?:有没有人|有人|谁|有没有)?(?:做过?|进行过?)?"
    "(?:发布|上线|部署|发版)(?:过|了)?(?:什么|啥|吗|没有)?$"
)
#: Who answers for an app.
_OWNER = re.compile(
    r"\bwho (?:owns|runs|maintains|looks after|takes care of|is responsible for|is in charge of|answers for)\b"
    r"|\b(?:who(?:'s| is) (?:the )?|whose )(?:owner|team)\b"
    r"|\b(?:which|what) team (?:owns|runs|is responsible for)\b|谁负责|谁在?(?:管|维护)|归谁管|(?:负责人|哪个团队)"
)
_POD = re.compile(r"(?<![\w.-])[a-z0-9](?:[a-z0-9-]{1,60})-[a-z0-9]{4,10}(?![\w-])")
#: What the desk is told to do to something that runs, and does not: it reads only.
_ORDER = re.compile(
    "^(?:(?:hey|hi|ok|so|then|please|pls|just|can you|could you|would you),? ){0,3}"
    "(?:restart|reboot|bounce|kill|stop|start|delete|scale(?: up| down| out| in)?|roll ?back|rollback|revert|undo"
    r"|(?:re)?deploy|recreate|drain|cordon|resume|pause|upgrade)\b(?! (?:loop|count|policy))"
    r"(?![^?]{0,80}\b(?:tickets?|reminders?|digests?|messages?|reports?|drafts?|notifications?|alerts?)\b)"
    "|^(?:请|请你|帮我|帮忙|麻烦|麻烦你|先|赶紧|快)*(?:把[^?？]{1,20})?"
    "(?:重启|回滚|扩容|缩容|扩到|缩到|重新部署|删除|删掉|杀掉|停掉|下线)"
    "(?![^?？]{0,20}(?:工单|提醒|日报|消息|草稿|通知))"
)
#: Where it is asked of, by what such places are called everywhere.
_PLACED = re.compile(
    r"\b(?:in|on|of|for) (?:the |our )?"
    r"(?:(?P<usual>staging|prod(?:uction)?|test(?:ing)?|qa|uat|dev(?:elopment)?|pre-?prod|sandbox)\b"
    r"|(?P<named>[a-z0-9][a-z0-9-]{1,40}) (?:cluster|namespace|environment)\b)"
    r"|\bis (?P<bare>staging|prod(?:uction)?)\b|(?P<chinese>预发(?:环境)?|测试环境|生产(?:环境)?|线上)"
)
#: One place under several names.
_SAME_PLACE = (re.compile(r"\bprod(?:uction)?\b|生产|线上"), re.compile(r"\bstag(?:e|ing)\b|预发"))
#: What stands beside a name and its trouble and says no more; and so few Chinese characters say nothing else.
_FILLING = re.compile(
    "an?|again|all|and|api|app|at|be|been|completely|getting|giv(?:es|ing)|ha(?:s|ve)|help|in|is|just|keeps?|lots"
    "|me|now|of|on|our|s|seems?|service|still|the|there|to|totally|very|we"
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
        self._called = {name: tuple(names_of(name, app)) for name, app in config.apps.items()}
        self._known = {
            word for called in self._called.values() for each in called for word in re.findall("[a-z]+", each)
        }
        names = {each for called in self._called.values() for each in called}
        self._apart = in_two_words(names)
        self._pages = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))}) pages?\b")
        self._owners = {name for name, app in config.apps.items() if app.owner or app.team}
        self._clusters = {
            name: (normalise(name), normalise(cluster.title.en), normalise(cluster.title.zh))
            for name, cluster in config.clusters.items()
        }

    def wanted(self, message: Message) -> NamedApp | None:
        """Return what the message wants diagnosed; None when it wants nothing of the kind."""
        things = message.things.get(TOOL, ())
        plain = self._apart.sub(lambda found: found["before"] + re.sub("[ -]", "", found["name"]), message.plain)
        message = replace(message, plain=plain)
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
        if not said or self._of_papers(plain):
            return None
        apps = {app: self._called.get(app, (app,)) for app in things if SLASH not in app}
        near = [app for app, called in apps.items() if any(is_near(word, each) for word in said for each in called)]
        if not near:
            near = [app for app, called in apps.items() if any(is_name_misspelt(said[0], each) for each in called)]
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
        if self._of_papers(plain):
            return False
        ordered = _ORDER.search(plain) is not None
        if ordered or (asks_what_changed(plain) and self._ends_the_name(plain, named.app)):
            return self._ends_the_name(plain, named.app)
        # One with a hyphen is no everyday word, and always stands for its app.
        called = () if "-" in named.app else self._called.get(named.app, (named.app,))
        if named.app and not is_meant(plain, called, self._known):
            return False
        clauses = re.split(r"[,，。;；!！]", plain)
        if (
            _INSPECT.search(plain)
            or self._tells(plain, named)
            or any(_cries(each, self._called.get(named.app, ())) for each in clauses)
        ):
            return True
        trouble = TROUBLE.search(plain) is not None
        if not named.app and not named.pod and not _ANYTHING.search(plain):
            return trouble and message.question
        past = NOT_NOW.search(plain) is not None and "see why" not in plain and "find out why" not in plain
        asks = message.question or (_WHY.search(plain) is not None and not past)
        return (asks and trouble) or (message.question and HEALTH.search(plain) is not None)

    def _of_papers(self, plain: str) -> bool:
        """Return whether words speak of papers and of no program; the page of an app is none."""
        return PAPERS.search(self._pages.sub(" ", plain)) is not None and not OF_PROGRAMS.search(plain)

    def _tells(self, plain: str, named: NamedApp) -> bool:
        """Return whether words tell of trouble as programs have it, now: "checkout returns 500 for everybody"."""
        placed = bool(named.app) or any(has_name(plain, each) for each in ("namespace", "pods", "deployments"))
        of_programs = OF_PROGRAMS.search(plain) or FAILS_NOW.search(plain)
        return placed and bool(TROUBLE.search(plain) and of_programs and not NOT_NOW.search(plain))

    def _asks_of_cluster(self, message: Message, things: Iterable[str]) -> bool:
        """Return whether a message names a cluster by its own name, "prod", and asks how it is."""
        plain = message.plain
        clusters = {each.partition(SLASH)[0] for each in things if SLASH in each}
        called = {each for cluster in clusters for each in self._clusters.get(cluster, (cluster,)) if each}
        if not any(has_name(plain, each) for each in called):
            return False
        asks = message.question or _WHY.search(plain)
        told = TROUBLE.search(plain) or HEALTH.search(plain)
        return bool(_INSPECT.search(plain) or asks_what_changed(plain) or (asks and told) or _cries(plain, clusters))

    def _all_of(self, plain: str, things: Iterable[str]) -> NamedApp:
        """Return the only namespace of the cluster that is named, "production"; else nothing, so that it is asked."""
        places = [each.partition(SLASH) for each in things if SLASH in each]
        named = [
            name
            for name, called in self._clusters.items()
            if any(each and (has_name(plain, each) or _same_place(plain, each)) for each in called)
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
        spoken = (app for app in apps if any(has_name(plain, each) for each in self._called.get(app, (app,))))
        found = max(spoken, key=len, default="")
        minutes = max((int(each.value.total_seconds() // 60) for each in durations_in(plain)), default=0)
        places = [each for each in namespaces if has_name(plain, each.partition(SLASH)[2])]
        clusters = {each.partition(SLASH)[0] for each in namespaces}
        cluster = next((each for each in sorted(clusters) if has_name(plain, each)), "")
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
        return ends_the_name(plain, self._called.get(app, (app,)) if app else ())


def _cries(plain: str, names: Iterable[str]) -> bool:
    """Return whether words say of a name that it is in trouble and nothing else: "checkout down!!", "payment 挂了"."""
    name = max((each for each in names if has_name(plain, each)), key=len, default="")
    rest = plain.replace(name, " ", 1) if name else ""
    if is_chinese(rest):
        return len(rest) <= _FEW_SIGNS and TROUBLE.search(rest) is not None
    beside, troubles = TROUBLE.subn(" ", rest)
    return troubles > 0 and all(_FILLING.fullmatch(each) for each in re.findall(r"[a-z0-9]+", beside))
