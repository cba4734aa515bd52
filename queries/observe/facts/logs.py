"""Lines of logs: when, how bad, and what they say, whatever form they are written in."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from queries.observe.facts.reading import FactOrigin, excerpt, parse_time
from queries.observe.reading import LogRead
from queries.observe.report.report import ReportEvidence

#: More of one line is not looked at.
LONGEST = 2_000

_WORDS = {
    "trace": 0, "trce": 0, "debug": 0, "dbug": 0, "dbg": 0, "info": 1, "notice": 1, "inf": 1, "information": 1,
    "warn": 2, "warning": 2, "wrn": 2, "fail": 3,
    "error": 3, "err": 3, "severe": 3, "eror": 3, "fatal": 4, "critical": 4, "crit": 4, "panic": 4, "alert": 4,
    "emerg": 4, "emergency": 4, "dpanic": 4,
    "调试": 0, "信息": 1, "警告": 2, "告警": 2, "错误": 3, "异常": 3, "严重": 3, "致命": 4,
}  # fmt: skip
#: A level that stands as one: in capitals, in brackets, or after "level=".
_LEVEL = re.compile(
    r"\b(?:level|lvl|severity)=\"?(?P<key>[A-Za-z]{3,11})\b"
    r"|(?<![\w.-])(?P<word>TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|FATAL|CRITICAL|CRIT|PANIC|ALERT|EMERG|ERR)"
    r"(?![\w-])"
    r"|(?:^\s{0,8}|[\[【(|<]|级别[=::])(?P<zh>调试|信息|警告|告警|错误|异常|严重|致命)(?=[\]】)|>::\s])"
    r"|^(?P<dotnet>trce|dbug|info|warn|fail|crit): "
    r"|(?<![\w.])[a-z_]{1,40}\.(?P<channel>DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY): "
    r"|[\[<(|](?P<low>trace|debug|info|notice|warn|warning|error|fatal|critical|crit|emerg|alert|panic)[\]>)|]"
)
#: The level that the log library of Kubernetes writes: "E1118 18:00:01.000000".
_KLOG = re.compile(r"([IWEF])\d{4} \d\d:\d\d:\d\d(?:\.\d{1,9}\s{1,9}\d{1,9} )?")
_KLOG_LEVELS = {"I": 1, "W": 2, "E": 3, "F": 4}
#: What is an error without saying so: where no level stands.
_SAYS_ERROR = re.compile(
    r"^\s{0,8}(?:panic|fatal|fatal error|error|exception|uncaught|unhandled)\b[:\s(]"
    r"|\b(?:[A-Z][A-Za-z0-9]{0,60})?(?:Error|Exception)\b(?: \([^()]{1,40}\))?(?::|$)"
    r"|^(?:[a-z_]{1,40}\.){1,6}[A-Za-z_]{0,40}(?:error|[Tt]imeout)(?:: |$)"  # "socket.gaierror: …", "httpx.ReadTimeout"
    r"|^(?:[a-z_0-9]{1,40}\.){1,5}(?:errors|exceptions|exc)\.[A-Za-z]{1,60}(?:: |$)"  # "psycopg.errors.NotThere: …"
    r"|^Exception in thread|segmentation fault|^npm ERR!|^SQLSTATE\["
    r"|^curl: \(\d{1,3}\) |^wget: (?:bad|can't|download timed out|server returned error|unable)|^psql: error: ",
)
#: The end of a chain of errors, as programs write it that name no level: "save: dial tcp 10.1.2.3:80: i/o timeout".
_CALL_FAILED = re.compile(
    r": (?:dial|read|write) (?:tcp|udp|unix)\b|: (?:i/o timeout|connection refused|no such host|permission denied)\b"
    r"|: (?:\(\d{1,3}\) )?(?:Connection (?:refused|timed out|reset by peer)|No route to host|Network is unreachable"
    r"|Name or service not known|Temporary failure in name resolution|Permission denied|No space left on device"
    r"|Read-only file system|[Bb]ad address|(?:Could not|Couldn't|Failed to|Unable to|Cannot) [a-z]{3,})",
)
#: A line of Envoy's access log whose flags say that the service behind it failed: `" 503 UF,URX upstream_reset…`.
_ENVOY_FAILED = re.compile(r'" (?:5\d\d|0) (?:[A-Z]{2,5},){0,3}(?:UF|UH|UT|UC|UO|UPE|URX|NC)[ ,]')
#: A program that the machine cannot run says nothing else.
_CANNOT_RUN = re.compile(r"^exec \S{1,300}: |: (?:exec format error|cannot execute binary file)\b")
#: What is tried again is no failure yet.
_TRIES_AGAIN = re.compile(r"\bretry|\btry(?:ing)? again|重试", re.IGNORECASE)
_SAYS_FATAL = re.compile(
    r"^\s{0,8}(?:panic:|fatal error:|[Ff]atal:|FATAL:|Exception in thread|thread '[^']{0,60}' .{0,20}panicked at)"
)
_LOWER_ERROR = re.compile(r"^(?:\S{1,40} ){0,3}(?:error|fatal|failed|cannot)\b[:\s]")
#: The same in Chinese, where words have no gaps: what failed stands before the verb, a count of none does not.
_CHINESE_ERROR = re.compile(r"(?:失败|出错|异常|超时|拒绝连接|无法连接|无法解析)(?=$|[\s::,,。;;!!((]|[A-Za-z])")
_CHINESE_NONE = re.compile(
    r"(?:无|没有|未见|未发现|未出现|不是|避免)[^,,。;;]{0,8}(?:失败|出错|异常|超时)|(?:失败|出错|异常|超时)[::\s]{0,2}0"
)
_OWN_TIME = re.compile(
    r"^[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?(?:[\])]|: )?\s{0,4}"
    r"|^\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\s{1,4}"
)
_SAYS = ("msg", "message", "event", "log", "text")
_ADDS = (
    "err", "error", "exception", "cause", "reason", "detail", "details", "error_message",
    "upstream", "url", "addr", "address", "host", "target", "peer", "component", "path",
)  # fmt: skip
_LEVEL_KEYS = ("level", "severity", "lvl", "loglevel", "log.level", "levelname", "@level", "Level")


class LogLevel(IntEnum):
    """How bad a line says it is."""

    DEBUG = 0
    INFO = 1
    WARNING = 2
    ERROR = 3
    FATAL = 4


#: That a program leaves, and nothing of why.
_LEAVES = re.compile(
    r"(?:(?:[A-Z]{4,5}|error|fatal):? )?(?:(?:process|program|application|server|job|worker) (?:is )?)?"
    r"(?:exit(?:ing|ed)?|abort(?:ing|ed)?|giving up|gave up|shutting down|terminat(?:ing|ed)|bailing out|quitting"
    r"|退出|终止|放弃|中止)(?![^:]{0,80}: ?\S)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class LogLine:
    """One line: `words` is what it says without its time and level, `raw` the line as it was written."""

    at: datetime | None
    level: LogLevel
    levelled: bool  # False: the line names no level
    words: str
    raw: str

    @property
    def bad(self) -> bool:
        """Return whether the line tells of an error."""
        return self.level >= LogLevel.ERROR


@dataclass(frozen=True)
class ContainerLog:
    """The last lines of a run of a container, oldest first."""

    pod: str
    container: str
    previous: bool
    lines: tuple[LogLine, ...]
    cut: bool
    origin: FactOrigin

    def cite(
        self, line: LogLine, *, count: int = 1, first: datetime | None = None, last: datetime | None = None
    ) -> ReportEvidence:
        """Return a line as evidence, with how many of its like there are; its words are untrusted."""
        return ReportEvidence(
            id="",
            source="log",
            object=self.origin.object,
            request=self.origin.request,
            field="previous" if self.previous else "",
            excerpt=excerpt(line.raw),
            count=count,
            at=line.at,
            first=first or line.at,
            last=last or line.at,
            sha256=self.origin.sha256,
        )

    @property
    def last_error(self) -> LogLine | None:
        """Return what a run that ended said last of all that is an error; of a head ("panicked at:") what follows.

        That it leaves ("aborting the run") is said last only where nothing else is.
        """
        errors = [at for at, line in enumerate(self.lines) if line.bad]
        if not errors:
            return None
        at = next((each for each in reversed(errors) if not _LEAVES.match(self.lines[each].words)), errors[-1])
        follows = self.lines[at + 1 : at + 2] if self.lines[at].words.endswith(":") else ()
        return next((each for each in follows if not each.levelled), self.lines[at])


def read_log(pod: str, container: str, read: LogRead, *, previous: bool = False) -> ContainerLog:
    """Return the facts of a log."""
    return ContainerLog(
        pod=pod,
        container=container,
        previous=previous,
        lines=tuple(_line(each) for each in read.lines if each.strip()),
        cut=read.cut,
        origin=FactOrigin(f"Pod/{pod} container {container}" if container else f"app/{pod}", read.request, read.sha256),
    )


def _line(written: str) -> LogLine:
    head, _, rest = written[:LONGEST].partition(" ")
    at = parse_time(head)
    raw = rest if at is not None else written[:LONGEST]
    stripped = raw.lstrip()
    if stripped.startswith("{"):
        try:
            body = json.loads(stripped)
        except ValueError:
            body = None
        if isinstance(body, dict):
            return _of_json(body, raw, at)
    return _of_words(raw, at)


def _of_json(body: dict[str, object], raw: str, at: datetime | None) -> LogLine:
    level: LogLevel | None = None
    for key in _LEVEL_KEYS:
        if key in body:
            level = _level_of(body[key])
            break
    parts = [str(body[key]) for key in _SAYS if isinstance(body.get(key), str)][:1]
    for key in _ADDS:
        value = body.get(key)
        if isinstance(value, dict):
            value = value.get("message") or value.get("type")
        if isinstance(value, str):
            parts.append(f"{key}={value}")
    words = " ".join(parts) or raw
    if level is None:
        level = LogLevel.ERROR if _says_error(words) else LogLevel.INFO
        return LogLine(at, level, levelled=False, words=words, raw=raw)
    return LogLine(at, level, levelled=True, words=words, raw=raw)


def _level_of(value: object) -> LogLevel | None:
    if isinstance(value, str):
        known = _WORDS.get(value.lower())
        return None if known is None else LogLevel(known)
    if isinstance(value, int):  # pino and bunyan: 30 info, 40 warn, 50 error, 60 fatal
        return LogLevel(max(0, min(4, value // 10 - 2)))
    return None


def _of_words(raw: str, at: datetime | None) -> LogLine:
    words = _OWN_TIME.sub("", raw, count=1)
    klog = _KLOG.match(words)
    if klog is not None:
        return LogLine(at, LogLevel(_KLOG_LEVELS[klog[1]]), levelled=True, words=words[klog.end() :].strip(), raw=raw)
    found = _LEVEL.search(words[:160])
    if found is not None:
        known = _WORDS.get(next(filter(None, found.groups())).lower())
        if known is not None:
            return LogLine(at, LogLevel(known), levelled=True, words=words, raw=raw)
    if _SAYS_FATAL.search(words):
        return LogLine(at, LogLevel.FATAL, levelled=False, words=words, raw=raw)
    bad = _says_error(words) or _LOWER_ERROR.search(words) is not None or _fails_in_chinese(words)
    return LogLine(at, LogLevel.ERROR if bad else LogLevel.INFO, levelled=False, words=words, raw=raw)


def _says_error(words: str) -> bool:
    if any(each.search(words) is not None for each in (_SAYS_ERROR, _ENVOY_FAILED, _CANNOT_RUN)):
        return True
    return _CALL_FAILED.search(words) is not None and _TRIES_AGAIN.search(words) is None


def _fails_in_chinese(words: str) -> bool:
    """Return whether a line without a level says in Chinese that something failed."""
    told = words[:200]
    return _CHINESE_ERROR.search(told) is not None and _CHINESE_NONE.search(told) is None
