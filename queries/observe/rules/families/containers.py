"""Containers that crash, are killed, or keep others from starting."""

import re
from collections.abc import Iterator
from datetime import timedelta

from queries.observe.facts.events import KEPT, ClusterEvent
from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.pods import Container, ContainerPart, Ended, Pod
from queries.observe.facts.reading import excerpt
from queries.observe.reading import ObjectKind
from queries.observe.report.report import ReportEvidence
from queries.observe.rules.finding import Excluded, Outcome, RuleFinding, of_container, of_workload, percent, span

BACK_OFF = "CrashLoopBackOff"
#: A run that ended longer ago, with the container running since, is history, unless it ends so again and again:
#: four times a day or more.
OVER = timedelta(hours=2)
_AGAIN = timedelta(hours=6)
#: An init container that has been running for so long keeps its pod from starting.
_LONG = timedelta(minutes=5)
#: A line that follows so soon, says so much and is no place in a program belongs to what was written before it.
_AT_ONCE, _SAYS_MUCH = timedelta(seconds=1), 20
_PLACE = re.compile(
    r"(?:at|in|from|File|goroutine|created by|caused by|exit(?:ing|ed)?|shutting|stopp|npm|Error:) ?|\S{1,200}[:(]\d",
    re.IGNORECASE,
)
#: How a container stands that its kubelet no longer finds: the exit code beside it, 137, is nobody's.
_LOST = "ContainerStatusUnknown"
#: After it a runtime says why a program could not even begin.
_CANNOT_START = "unable to start container process: "
#: What a runtime adds 128 to: the signal that ended a program. The same on every machine on which pods run.
_SIGNALS = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM"}


def crash_loop(facts: ClusterFacts) -> Iterator[Outcome]:
    """CRASH_LOOP: a main container waits in CrashLoopBackOff."""
    for pod in facts.live_pods():
        for container in pod.containers:
            if (
                container.part is ContainerPart.MAIN
                and container.state.waiting == BACK_OFF
                and not fails_beside(facts, pod, container)
            ):
                yield crashed("CRASH_LOOP", facts, pod, container)


def restarting(facts: ClusterFacts) -> Iterator[Outcome]:
    """CONTAINER_RESTARTING: caught between two crashes: it runs or has just ended, and ends badly again and again."""
    for pod in facts.live_pods():
        for container in pod.containers:
            ended = container.state.ended or container.last
            if (
                container.part is not ContainerPart.MAIN
                or container.state.waiting
                or ended is None
                or container.restarts < 3
            ):
                continue
            if ended.exit_code in {0, 137, None} or ended.reason == "OOMKilled" or fails_beside(facts, pod, container):
                continue
            lately = ended.finished is not None and facts.now - ended.finished <= timedelta(minutes=30)
            backed_off = any(facts.recent(each) for each in facts.events_of_pod(pod, "BackOff", "restarting failed"))
            if lately and (backed_off or again_and_again(facts, pod, container, ended)):
                yield crashed("CONTAINER_RESTARTING", facts, pod, container)


def crashed(rule: str, facts: ClusterFacts, pod: Pod, container: Container) -> RuleFinding:
    """Return the finding of a container that ended: reason, exit code, restarts, and what it said last."""
    evidence = [*ending(pod, container), *of_workload(facts, pod)]
    log = log_of_end(facts, pod, container)
    says = ["says"]
    values: dict[str, object] = {"exit_code": _exit_code(container), "last_line": ""}
    if log is not None:
        line, says_error = log
        evidence.append(line)
        values["last_line"] = line.excerpt
        says.append("log" if says_error else "last")
    more = _goes_on(facts, pod, container) if "log" in says else None
    if more is not None:
        evidence.append(more)
        values["more"] = more.excerpt
        says.append("more")
    ended = container.state.ended or container.last
    if ended is not None and ended.message and "log" not in says:
        values["told"] = excerpt(ended.message.rpartition(_CANNOT_START)[2], 300)
        says.append("told")
    if any("exec format error" in str(values.get(each, "")).lower() for each in ("last_line", "told")):
        says.append("foreign")
    counted = facts.measure("restarts")
    restarts = counted.of(pod.name, container.name) if counted else None
    if counted is not None and restarts is not None:
        evidence.append(counted.cite(restarts, f"Pod/{pod.name} container {container.name}"))
    return of_container(
        rule,
        facts,
        pod,
        container,
        evidence,
        says=tuple(says),
        values=values,
        onset=ended.finished if ended else None,
        confidence="high",
    )


def ending(pod: Pod, container: Container) -> list[ReportEvidence]:
    """Return state, restarts and the last end of a container as evidence."""
    path, cite = container.status_path, pod.origin.cite
    cited = []
    if container.state.waiting:
        cited.append(cite(f"{path}.state.waiting.reason", container.state.waiting))
    cited.append(cite(f"{path}.restartCount", container.restarts))
    for where, ended in (("state", container.state.ended), ("lastState", container.last)):
        if ended is not None:
            if ended.exit_code is not None:
                cited.append(cite(f"{path}.{where}.terminated.exitCode", ended.exit_code, at=ended.finished))
            cited.append(cite(f"{path}.{where}.terminated.reason", ended.reason, at=ended.finished))
            if ended.message:
                cited.append(cite(f"{path}.{where}.terminated.message", ended.message, at=ended.finished))
    return cited


def log_of_end(facts: ClusterFacts, pod: Pod, container: Container) -> tuple[ReportEvidence, bool] | None:
    """Return the last error line of the run that ended, or its last line; and whether it tells of an error."""
    runs = (False, True) if not container.state.running else (True,)
    for previous in runs:
        log = facts.log_of(pod, container, previous=previous)
        if log is not None:
            error = log.last_error
            line = error or log.lines[-1]
            alike = [each for each in log.lines if each.words == line.words]
            return log.cite(line, count=len(alike), first=alike[0].at, last=line.at), error is not None
    return None


def _goes_on(facts: ClusterFacts, pod: Pod, container: Container) -> ReportEvidence | None:
    """Return the line after the last error line of a run, where it is a part of it: what exactly is wrong."""
    for previous in (False, True) if not container.state.running else (True,):
        log = facts.log_of(pod, container, previous=previous)
        if log is None:
            continue
        error = log.last_error
        after = log.lines[log.lines.index(error) + 1 :][:1] if error is not None else ()
        if error is None or not after or after[0].levelled or error.at is None or after[0].at is None:
            return None
        told = after[0].words
        part = after[0].at - error.at <= _AT_ONCE and told[:1].isalnum() and len(told) >= _SAYS_MUCH
        return log.cite(after[0]) if part and not _PLACE.match(told) else None
    return None


def oom_killed(facts: ClusterFacts) -> Iterator[Outcome]:
    """OOM_KILLED: the recorded reason says so; nothing else proves it."""
    for pod in facts.pods:
        for container in pod.containers:
            for where, ended in (("state", container.state.ended), ("lastState", container.last)):
                if ended is None or ended.reason != "OOMKilled":
                    continue
                if not is_current(facts, pod, container, ended) or (pod.over and not _job_pod(pod)):
                    yield over("OOM_KILLED", facts, pod, container, ended)
                else:
                    yield _oom(facts, pod, container, where)
                break


def _oom(facts: ClusterFacts, pod: Pod, container: Container, where: str) -> RuleFinding:
    evidence = ending(pod, container)
    limit = container.limits.get("memory", "")
    if limit:
        evidence.append(pod.origin.cite(f"{container.spec_path}.resources.limits.memory", limit))
    says = ["says", *(["limit"] if limit else [])]
    values: dict[str, object] = {"limit": limit, "peak": ""}
    for name in ("memory_peak_of_limit_30m", "memory_peak_of_limit_2h"):
        measure = facts.measure(name)
        peak = measure.of(pod.name, container.name) if measure else None
        if measure is not None and peak is not None:
            evidence.append(measure.cite(peak, f"Pod/{pod.name} container {container.name}"))
            values["peak"] = percent(peak)
            says.append("peak")
            break
    if not limit and "peak" not in says:
        says.append("no_limit")
    evidence.extend(of_workload(facts, pod))
    ended = container.state.ended if where == "state" else container.last
    return of_container(
        "OOM_KILLED",
        facts,
        pod,
        container,
        evidence,
        says=tuple(says),
        values=values,
        onset=ended.finished if ended else None,
    )


def exit_137(facts: ClusterFacts) -> Iterator[Outcome]:
    """EXIT_137_UNCONFIRMED: killed by SIGKILL, and nothing tells by whom."""
    for pod in facts.pods:
        for container in pod.containers:
            ended = next(
                (
                    each
                    for each in (container.state.ended, container.last)
                    if each is not None and each.exit_code == 137
                ),
                None,
            )
            if ended is None or ended.reason == "OOMKilled" or pod.deleting or pod.reason == "Evicted":
                continue
            if ended.reason == _LOST:
                values = {"pod": pod.name, "container": container.name}
                yield Excluded("EXIT_137_UNCONFIRMED", "lost", values, tuple(ending(pod, container)))
            elif not is_current(facts, pod, container, ended):
                yield over("EXIT_137_UNCONFIRMED", facts, pod, container, ended)
            elif killers(facts, pod, container):
                yield Excluded(
                    "EXIT_137_UNCONFIRMED",
                    "killer_known",
                    {"pod": pod.name, "container": container.name},
                    tuple(each.cite() for each in killers(facts, pod, container)),
                )
            else:
                yield _unconfirmed(facts, pod, container, ended)


def killers(facts: ClusterFacts, pod: Pod, container: Container) -> list[ClusterEvent]:
    """Return the events that name who killed a container."""
    return [
        each
        for each in facts.events_of_pod(pod)
        if each.reason in {"Killing", "Evicted", "Preempted", "OOMKilling", "NodeShutdown", "TaintManagerEviction"}
        and each.is_of(container.name)
    ]


def _unconfirmed(facts: ClusterFacts, pod: Pod, container: Container, ended: Ended) -> RuleFinding:
    evidence = ending(pod, container)
    says = ["says"]
    values: dict[str, object] = {
        "ago": span(facts.now - ended.finished) if ended.finished else "?",
        "reason": ended.reason,
    }
    for name in ("memory_peak_of_limit_2h", "memory_peak_of_limit_30m"):
        measure = facts.measure(name)
        peak = measure.of(pod.name, container.name) if measure else None
        if measure is not None and peak is not None:
            evidence.append(measure.cite(peak, f"Pod/{pod.name} container {container.name}"))
            values["peak"] = percent(peak)
            says.append("memory_low" if peak < 0.8 else "memory_high")
            break
    evidence.extend(no_events(facts, pod, "Killing / Unhealthy / OOM event for this pod"))
    return of_container(
        "EXIT_137_UNCONFIRMED",
        facts,
        pod,
        container,
        [*evidence, *of_workload(facts, pod)],
        says=tuple(says),
        values=values,
        confidence="low",
        onset=ended.finished,
    )


def no_events(facts: ClusterFacts, pod: Pod, what: str) -> list[ReportEvidence]:
    """Return the evidence that the events hold nothing of a kind, where they were read."""
    origin = facts.lists.get(ObjectKind.EVENTS)
    if origin is None:
        return []
    age = f"; the pod is {span(facts.now - pod.created)} old" if pod.created else ""
    scope = f"events of namespace {facts.asked.namespace}, which live {span(KEPT)} (1 h TTL){age}"
    return [
        ReportEvidence(
            id="",
            source="absence",
            object=pod.origin.object,
            request=origin.request,
            value=what,
            scope=scope,
            sha256=origin.sha256,
        )
    ]


def init_failed(facts: ClusterFacts) -> Iterator[Outcome]:
    """INIT_CONTAINER_FAILED: an init container fails now, and the pod is not initialised.

    A native sidecar is one until what comes after it has begun.
    """
    for pod in facts.live_pods():
        initialised = pod.condition("Initialized")
        done = initialised is not None and initialised.status == "True"
        for container in pod.containers:
            sidecar = container.part is ContainerPart.SIDECAR
            if container.part is not ContainerPart.INIT and not (sidecar and not fails_beside(facts, pod, container)):
                continue
            since = container.state.running_since
            if done:
                if container.restarts and not sidecar:
                    yield Excluded(
                        "INIT_CONTAINER_FAILED",
                        "initialised",
                        {"pod": pod.name, "container": container.name, "restarts": str(container.restarts)},
                        (pod.origin.cite("status.conditions[type=Initialized].status", "True"),),
                    )
            elif _fails_again(container):
                yield _init(facts, pod, container)
            elif since and not sidecar and facts.now - since >= _LONG:
                yield _init_waits(facts, pod, container, facts.now - since)


def _fails_again(container: Container) -> bool:
    """Return whether a container waits in a back-off, ended with an error, or runs after such ends."""
    ended, last = container.state.ended, container.last
    if container.state.waiting == BACK_OFF or (ended is not None and ended.exit_code not in {0, None}):
        return True
    return container.state.running and container.restarts >= 2 and last is not None and bool(last.exit_code)


def _init(facts: ClusterFacts, pod: Pod, container: Container) -> RuleFinding:
    found = crashed("INIT_CONTAINER_FAILED", facts, pod, container)
    initialised = pod.condition("Initialized")
    if initialised is None:
        return found
    more = pod.origin.cite("status.conditions[type=Initialized].status", initialised.status, at=initialised.since)
    return RuleFinding(**{**found.__dict__, "evidence": (*found.evidence, more)})


def _init_waits(facts: ClusterFacts, pod: Pod, container: Container, since: timedelta) -> RuleFinding:
    """Return that an init container runs on and on: it waits for something, most often, and its log says for what."""
    log = facts.log_of(pod, container)
    alike = [each for each in log.lines if each.words == log.lines[-1].words] if log else []
    started = container.state.running_since
    evidence = [
        pod.origin.cite(
            f"{container.status_path}.state.running.startedAt", f"{started:%Y-%m-%dT%H:%M:%SZ}", at=started
        ),
        pod.origin.cite("status.conditions[type=Initialized].status", "False"),
        *([log.cite(alike[-1], count=len(alike), first=alike[0].at)] if log else []),
        *of_workload(facts, pod),
    ]
    values = {"ago": span(since), "last_line": excerpt(alike[-1].words, 200) if alike else ""}
    says = ("waits", "repeats") if alike else ("waits",)
    return of_container("INIT_CONTAINER_FAILED", facts, pod, container, evidence, says=says, values=values)


def sidecar_failing(facts: ClusterFacts) -> Iterator[Outcome]:
    """SIDECAR_FAILING: a secondary container fails while the one named like the app runs."""
    for pod in facts.live_pods():
        for container in pod.containers:
            if not fails_beside(facts, pod, container):
                continue
            found = crashed("SIDECAR_FAILING", facts, pod, container)
            ready = pod.condition("Ready")
            more = pod.origin.cite(
                "status.conditions[type=Ready].status",
                "True" if pod.ready else "False",
                at=ready.since if ready else None,
            )
            main = facts.main_of(pod)
            beside = (
                []
                if main is None
                else [pod.origin.cite(f"{main.status_path}.ready", "true" if main.ready else "false")]
            )
            yield RuleFinding(
                **{
                    **found.__dict__,
                    "evidence": (*found.evidence, more, *beside),
                    "says": (*found.says, "ready" if pod.ready else "unready"),
                    "values": {**found.values, "main": main.name if main else ""},
                }
            )


def fails_beside(facts: ClusterFacts, pod: Pod, container: Container) -> bool:
    """Return whether a secondary container fails while the app's own runs."""
    if container.part not in {ContainerPart.MAIN, ContainerPart.SIDECAR} or pod.restart_policy == "Never":
        return False
    main = facts.main_of(pod)
    if main is None or main is container or not main.state.running:
        return False
    ended = container.state.ended
    if container.state.waiting == BACK_OFF or (ended is not None and ended.exit_code not in {0, None}):
        return True
    last = container.last
    return (
        last is not None
        and last.exit_code not in {0, None}
        and container.restarts >= 3
        and again_and_again(facts, pod, container, last)
    )


def is_current(facts: ClusterFacts, pod: Pod, container: Container, ended: Ended) -> bool:
    """Return whether the end of a run still matters: it does not run since, or it ended lately, or again and again."""
    if not container.state.running:
        return True
    if ended.finished is None:
        return not container.ready
    return facts.now - ended.finished <= OVER or again_and_again(facts, pod, container, ended)


def again_and_again(facts: ClusterFacts, pod: Pod, container: Container, ended: Ended) -> bool:
    """Return whether a container ends so often that the next end is to be expected about now."""
    if container.restarts < 3 or pod.created is None or ended.finished is None:
        return False
    usual = (facts.now - pod.created) / container.restarts
    return usual <= _AGAIN and facts.now - ended.finished <= 2 * usual


def over(rule: str, facts: ClusterFacts, pod: Pod, container: Container, ended: Ended) -> Excluded:
    """Return that something happened, and is over."""
    ago = span(facts.now - ended.finished) if ended.finished else "?"
    values = {"pod": pod.name, "container": container.name, "ago": ago}
    return Excluded(rule, "over", values, tuple(ending(pod, container)))


def _job_pod(pod: Pod) -> bool:
    return pod.owner is not None and pod.owner.kind == "Job"


def _exit_code(container: Container) -> str:
    ended = container.state.ended or container.last
    if ended is None or ended.exit_code is None:
        return "?"
    ended_by = _SIGNALS.get(ended.exit_code - 128, "")
    return f"{ended.exit_code} ({ended_by})" if ended_by else str(ended.exit_code)
