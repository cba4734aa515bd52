"""What error lines tell: bursts of one error; services that do not answer, have no address, or a bad certificate."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import takewhile

from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.logs import ContainerLog, LogLine
from queries.observe.facts.pods import Container, Pod
from queries.observe.facts.reading import excerpt
from queries.observe.report.instants import instant
from queries.observe.report.report import ReportEvidence, Severity
from queries.observe.rules.families.logs.certificates import (
    RULE as CERTIFICATE,
)
from queries.observe.rules.families.logs.certificates import certificate_elsewhere, certificate_of, flaw_of, told_from
from queries.observe.rules.families.logs.contents import said_to_assistant
from queries.observe.rules.families.logs.hosts import host_of, service_of
from queries.observe.rules.families.logs.templates import (
    Burst,
    bursts,
    by_app,
    failing_share,
    mentions,
    still_works,
    template_of,
    templates,
)
from queries.observe.rules.finding import Excluded, Outcome, RuleFinding

_NO_ANSWER = re.compile(
    r"timed? ?out|timeout|deadline exceeded|connection refused|ECONNREFUSED|ETIMEDOUT|ECONNRESET|connection reset"
    r"|connection to \S{1,253} (?:was )?refused|communications link failure"
    r"|no route to host|host (?:is )?unreachable|EHOSTUNREACH|ConnectionError|ConnectTimeout|ReadTimeout"
    r"|ConnectException|(?:unable to|could not|couldn't|cannot|can't|failed to) (?:connect|reach)"
    r"|upstream connect error|upstream unavailable|UNAVAILABLE: "
    r"|endpoints were reachable|NoBrokersAvailable|no live upstreams|upstream prematurely closed"
    r"|connection closed before|connection to .{1,200} could not be established|connection_failure|no_healthy_upstream"
    r"|超时|拒绝连接|连接被(?:拒绝|重置|关闭)|无法(?:建立)?连接|连接(?:不上|失败|中断)|连不上|无响应|未响应|没有响应"
    r"|服务(?:当前|暂时)?不可用",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"no such host|EAI_AGAIN|\bENOTFOUND\b|NameResolutionError|server misbehaving|name or service not known"
    r"|UnknownHostException|temporary failure in name resolution|could not resolve host"
    r"|nodename nor servname|getaddrinfo|NXDOMAIN|SERVFAIL"
    r"|could not translate host name|name does not resolve|failed to resolve '?[a-z]|host not found|bad address '"
    r"|lookup [A-Za-z0-9_.-]{1,253} on [0-9A-Fa-f.:\[\]]{2,60}:53\b"  # the name server itself did not answer
    r"|无法解析(?:域名|主机|名称|地址)?|(?:域名|主机名?|名称|DNS) ?解析(?:失败|出错|超时)"
    r"|解析(?:域名|主机名?|名称)(?:失败|出错|超时)|未知(?:的)?主机|找不到主机",
    re.IGNORECASE,
)
#: What only a resolver says, so that it counts without a name.
_RESOLVER = re.compile(
    r"no such host|EAI_AGAIN|\bENOTFOUND\b|name or service not known|temporary failure in name resolution|UnknownHost"
    r"|nodename nor servname|getaddrinfo|NXDOMAIN|SERVFAIL|server misbehaving",
    re.IGNORECASE,
)
#: One of these stands in whatever the two patterns find.
_NO_ANSWER_PARTS = (
    "time",
    "refused",
    "econn",
    "reset",
    "route to host",
    "unreachable",
    "ehost",
    "connect",
    "deadline",
    "unavailable",
    "超时",
    "连",
    "响应",
    "reach",
    "nobrokers",
    "upstream",
    "不可用",
)
_NO_NAME_PARTS = (
    "host",
    "eai_again",
    "enotfound",
    "resol",
    "misbehaving",
    "not known",
    "servname",
    "getaddrinfo",
    "nxdomain",
    "servfail",
    "lookup ",
    "bad address",
    "解析",
    "主机",
)
#: So many lines of one entry are looked at, and so many ways of saying the same are cited.
_ENTRY, _WAYS = 30, 3
#: Errors that are usual: while fewer requests than this fail, one or fewer in so long a time, for each pod, and not
#: more than this many times as often as before the window.
_WELL, _RARE, _ALIKE = 0.01, timedelta(minutes=3), 2
#: Words of a program that ends, and do not say why.
_LEAVES = re.compile(
    r"exit(?:ing|ed)?\b|shutting down|giving up|abort|terminat|(?:failed|unable|could not) to (?:start|initiali[sz]e)"
    r"|startup failed|start(?:ing|up)? (?:has )?failed|goroutine|traceback|退出|终止|启动失败|关闭",
    re.IGNORECASE,
)


def no_answer_of(line: LogLine) -> bool:
    """Return whether an error line says that another service timed out or refused."""
    said = mentions(line.words, _NO_ANSWER_PARTS) and _NO_ANSWER.search(line.words) is not None
    return said and not no_name_of(line) and not certificate_of(line)


def no_name_of(line: LogLine) -> bool:
    """Return whether a line says that a name could not be resolved."""
    return mentions(line.words, _NO_NAME_PARTS) and _NO_NAME.search(line.words) is not None


def dependency_timeout(facts: ClusterFacts) -> Iterator[Outcome]:
    """DEPENDENCY_TIMEOUT: error lines of now say that a named service timed out or refused, and its name resolves."""
    yield from _told(facts, "DEPENDENCY_TIMEOUT", no_answer_of)


def dns_failure(facts: ClusterFacts) -> Iterator[Outcome]:
    """DNS_FAILURE: error lines of now say that a name could not be resolved."""
    yield from _told(facts, "DNS_FAILURE", no_name_of)


def certificate_refused(facts: ClusterFacts) -> Iterator[Outcome]:
    """CERTIFICATE_REFUSED: error lines, events or failed reads of now say that a certificate is not taken."""
    yield from _told(facts, CERTIFICATE, certificate_of)
    yield from certificate_elsewhere(facts)


def _told(facts: ClusterFacts, rule: str, says: Callable[[LogLine], bool]) -> Iterator[Outcome]:
    for app, pods, logs in by_app(facts):
        telling, old = _lines_that(facts, rule, says, logs)
        enough = {host: found for host, found in telling.items() if _enough(facts, found)}
        usual = rule != CERTIFICATE and _is_usual(facts, app, pods, enough.values(), old)
        if usual:
            old.extend((log, line) for found in enough.values() for log, lines in found for line in lines)
            enough = {}
        for host, found in sorted(enough.items(), key=lambda each: -sum(len(lines) for _, lines in each[1])):
            yield _dependency(facts, rule, app=app, pods=pods, host=host, found=found)
        if old and not enough:
            log, line = old[-1]
            values = {"app": app, "count": str(len(old)), "last": instant(line.at)}
            yield Excluded(rule, "usual" if usual else "past", values, (log.cite(line, count=len(old)),))


def _lines_that(
    facts: ClusterFacts, rule: str, says: Callable[[LogLine], bool], logs: Sequence[ContainerLog]
) -> tuple[dict[str, list[tuple[ContainerLog, list[LogLine]]]], list[tuple[ContainerLog, LogLine]]]:
    """Return the lines that tell of now by the host they name, log by log, and those that are warnings or over."""
    telling: dict[str, list[tuple[ContainerLog, list[LogLine]]]] = {}
    old: list[tuple[ContainerLog, LogLine]] = []
    for log in logs:
        for index, line in enumerate(log.lines):
            if not says(line) or said_to_assistant(line):
                continue
            last_words = not line.levelled and _is_of_end(facts, log)  # what a program says as it dies
            if (line.level < 3 and not last_words) or not _of_now(facts, log, line):
                old.append((log, line))
                continue
            host = _service_at(facts, host_of(line) or _host_beside(log, index))
            if host or rule == CERTIFICATE or (rule == "DNS_FAILURE" and _RESOLVER.search(line.words)):
                per_log = telling.setdefault(host, [])
                if not per_log or per_log[-1][0] is not log:
                    per_log.append((log, []))
                per_log[-1][1].append(line)
    return telling, old


def _is_usual(
    facts: ClusterFacts,
    app: str,
    pods: Sequence[Pod],
    now: Iterable[Sequence[tuple[ContainerLog, list[LogLine]]]],
    old: Sequence[tuple[ContainerLog, LogLine]],
) -> bool:
    """Return whether such lines are rare, came as often before, and requests are known to be answered all the same."""
    failing = failing_share(facts, "error_ratio", app)
    if failing is None or failing >= _WELL or not pods or not all(facts.serving(each) for each in pods):
        return False
    window = timedelta(seconds=facts.asked.window_s)
    before = [line.at for _, line in old if line.bad and line.at is not None]
    starts = [log.lines[0].at for log, _ in old if log.lines[0].at is not None]
    if not before or not starts:
        return False
    span = facts.now - window - min(starts)
    count = sum(len(lines) for found in now for _, lines in found)
    return (
        count <= len(pods) * (window / _RARE) and span >= window / 3 and count * span <= _ALIKE * len(before) * window
    )


def _service_at(facts: ClusterFacts, host: str) -> str:
    """Return the service of the namespace that has an address, with the port that was asked; any other as it is."""
    address, colon, port = host.partition(":")
    name = next((each.name for each in facts.services if address and each.address == address), "")
    return f"{name}{colon}{port}" if name else host


def _host_beside(log: ContainerLog, index: int) -> str:
    """Return the host that another line of the same entry names: its head, or what follows, such as a stack trace."""
    if not log.lines[index].levelled:
        for line in reversed(log.lines[max(0, index - _ENTRY) : index]):
            if line.levelled:
                if host := host_of(line) if line.bad else "":
                    return host
                break
    below = takewhile(lambda line: not line.levelled, log.lines[index + 1 : index + _ENTRY])
    told = (line for line in below if not line.words.lstrip().startswith("at "))
    return next((host for line in told if (host := host_of(line))), "")


def _of_now(facts: ClusterFacts, log: ContainerLog, line: LogLine) -> bool:
    """Return whether a line is of the current window: of a run that ended, of its last words."""
    if _is_of_end(facts, log):
        return line is log.last_error or line in log.lines[-15:]
    return line.at is not None and facts.now - line.at <= timedelta(seconds=facts.asked.window_s)


def _is_of_end(facts: ClusterFacts, log: ContainerLog) -> bool:
    """Return whether the log is that of a run that has ended, badly; one that was followed by a long one is over."""
    for pod in facts.pods:
        if pod.name == log.pod:
            for container in pod.containers:
                if container.name == log.container:
                    return not container.state.running or (log.previous and not _is_over(facts, container))
    return False


def _is_over(facts: ClusterFacts, container: Container) -> bool:
    ended = container.last.finished if container.last else None
    return ended is not None and facts.now - ended > timedelta(seconds=facts.asked.window_s)


def _enough(facts: ClusterFacts, found: Sequence[tuple[ContainerLog, list[LogLine]]]) -> bool:
    """Return whether lines are so many and so late that they tell of now; the last words of a crash are enough."""
    if any(_is_of_end(facts, log) and _fatal(log, lines) for log, lines in found):
        return True
    times = [line.at for _, lines in found for line in lines if line.at is not None]
    return len(times) >= 5 and facts.now - max(times) <= timedelta(minutes=5)


def _fatal(log: ContainerLog, lines: Sequence[LogLine]) -> bool:
    """Return whether a run ended for what these lines say: nothing but "exiting" was said after them."""
    errors = [line for line in log.lines if line.bad or line in lines]
    while errors and errors[-1] not in lines and _LEAVES.search(errors[-1].words):
        errors.pop()
    return bool(errors) and errors[-1] in lines


def _dependency(
    facts: ClusterFacts,
    rule: str,
    *,
    app: str,
    pods: Sequence[Pod],
    host: str,
    found: Sequence[tuple[ContainerLog, list[LogLine]]],
) -> RuleFinding:
    lines = [line for _, each in found for line in each]
    times = sorted(line.at for line in lines if line.at is not None)
    evidence = [cited for log, each in found for cited in _cite_told(log, each)]
    asked = [each for each in facts.services if each.address and host.partition(":")[0] == each.name]
    evidence += [each.origin.cite("spec.clusterIP", each.address) for each in asked if each.address in lines[-1].words]
    name = app or found[0][0].pod
    says: tuple[str, ...] = ("says" if host else "unnamed",)
    if rule == CERTIFICATE:
        says += (flaw_of(lines[-1].words),)
    service, namespace = service_of(host, facts.asked.namespace)
    values = {
        "app": name,
        "host": host,
        "count": str(len(lines)),
        "since": instant(times[0]) if times else "?",
        "line": excerpt(told_from(lines[-1].words, 200) if rule == CERTIFICATE else lines[-1].words, 200),
        "namespace": namespace,
        "service": service,
        "pod": found[0][0].pod,
        "container": found[0][0].container,
    }
    if rule == CERTIFICATE and host:
        values |= {"server": host.partition(":")[0], "dialled": host if ":" in host else f"{host}:443"}
    return RuleFinding(
        rule=rule,
        object=f"app/{name} -> {host}" if host else f"app/{name}",
        severity=severity_of_errors(
            facts, app, pods, works=still_works(facts, [log for log, _ in found], times[0]) if times else True
        ),
        evidence=(*evidence, *_restarts(pods, [log for log, _ in found])),
        says=says,
        values=values,
        pod=found[0][0].pod,
        family=("app", name),
        onset=times[0] if times else None,
        confidence="high" if len(lines) >= 5 else "medium",
    )


def _cite_told(log: ContainerLog, lines: Sequence[LogLine]) -> list[ReportEvidence]:
    """Return lines of a log as evidence: all together, and each way of saying it with its own count."""
    ways: dict[str, list[LogLine]] = {}
    for line in lines:
        ways.setdefault(template_of(line.words), []).append(line)
    groups = [list(lines)]
    if len(ways) > 1:
        groups += sorted(ways.values(), key=len, reverse=True)[:_WAYS]
    return [log.cite(each[-1], count=len(each), first=each[0].at, last=each[-1].at) for each in groups]


def error_burst(facts: ClusterFacts) -> Iterator[Outcome]:
    """ERROR_BURST: lines of one error come far more often than they did before, and still do."""
    for app, pods, logs in by_app(facts):
        found = bursts(facts, app, logs)
        own = [each for each in found if not _is_of_others(each.template.sample)]
        if own:
            yield _burst_finding(facts, app, pods, own[0], _beside(own[0], found))
        else:
            errors = [each for each in templates(logs) if not _is_of_others(each.sample)]
            if errors:
                times = errors[0].times
                values = {
                    "app": app or errors[0].lines[0][0].pod,
                    "count": str(errors[0].count),
                    "last": instant(times[-1] if times else None),
                }
                yield Excluded("ERROR_BURST", "few", values, tuple(errors[0].cite()[:1]))


def _is_of_others(line: LogLine) -> bool:
    """Return whether an error is told as that of another service: the rules about dependencies speak of it."""
    return no_name_of(line) or (no_answer_of(line) and host_of(line) != "")


def _beside(burst: Burst, found: Sequence[Burst]) -> tuple[Burst, ...]:
    """Return what is written together with a burst: the other lines of one entry, such as an exception's."""
    return tuple(
        each
        for each in found
        if each is not burst
        and abs(each.onset - burst.onset) <= timedelta(minutes=1)
        and 0.8 <= each.count / burst.count <= 1.25
    )[:2]


def _burst_finding(
    facts: ClusterFacts, app: str, pods: Sequence[Pod], burst: Burst, beside: Sequence[Burst]
) -> RuleFinding:
    logs = [log for log, _ in burst.template.lines]
    name = app or logs[0].pod
    one = len(logs) == 1
    values = {
        "app": name,
        "count": str(burst.count),
        "before": str(burst.before),
        "since": instant(burst.onset),
        "line": excerpt(burst.template.sample.words, 200),
        "also": excerpt(beside[0].template.sample.words, 200) if beside else "",
        "namespace": facts.asked.namespace,
        "pod": logs[0].pod,
        "container": logs[0].container,
    }
    cited = [each for one in (burst, *beside) for each in one.template.cite()]
    return RuleFinding(
        rule="ERROR_BURST",
        object=logs[0].origin.object if one else f"app/{name}",
        severity=severity_of_errors(facts, app, pods, works=burst.works),
        evidence=(*cited, *_restarts(pods, logs)),
        says=("says", *(["also"] if beside else []), *([] if burst.works else ["all"])),
        values=values,
        pod=logs[0].pod,
        family=("app", name),
        onset=burst.onset,
        confidence="high" if burst.count >= 20 else "medium",
    )


def severity_of_errors(facts: ClusterFacts, app: str, pods: Sequence[Pod], *, works: bool) -> Severity:
    """Return how bad errors are: S1 where 5 % of requests fail, nothing is ready, or the app's own work stopped."""
    measure = facts.measure("error_ratio")
    if measure is not None:
        ratios = [each.value for each in measure if each.label("app") in {app, ""}]
        if ratios:
            return Severity.S1 if max(ratios) >= 0.05 else Severity.S2
    if pods and all(each.owner is not None and each.owner.kind == "Job" for each in pods):
        return Severity.S2
    if pods and not any(facts.serving(each) for each in pods):
        return Severity.S1
    return Severity.S2 if works else Severity.S1


def _restarts(pods: Sequence[Pod], logs: Sequence[ContainerLog]) -> list[ReportEvidence]:
    named = {(log.pod, log.container) for log in logs}
    return [
        pod.origin.cite(f"{each.status_path}.restartCount", each.restarts)
        for pod in pods
        for each in pod.containers
        if (pod.name, each.name) in named
    ]
