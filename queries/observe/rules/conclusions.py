"""What is said when nothing else can be: no access, no pods, no problem, or not enough to know."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from queries.observe.errors import RETRYABLE, FailureKind
from queries.observe.facts.facts import ClusterFacts, UnreadSource
from queries.observe.facts.pods import ContainerPart
from queries.observe.facts.reading import excerpt
from queries.observe.facts.workloads import BatchJob, Workload
from queries.observe.reading import ObjectKind
from queries.observe.report.instants import instant
from queries.observe.report.report import ReportEvidence, Role, Severity
from queries.observe.rules.families.network.policies import dried_up
from queries.observe.rules.families.usage import too_few_requests
from queries.observe.rules.families.workloads import refused_pods
from queries.observe.rules.finding import Excluded, RuleFinding, of_object, percent, refused, span

#: Without these nothing can be said of an app at all; where the desk may not read one of the others, no "healthy".
_CORE = (ObjectKind.PODS,)
_NEEDED = (ObjectKind.PODS, ObjectKind.EVENTS, ObjectKind.DEPLOYMENTS, "logs", "metrics")
#: Whether the desk may read these changes no conclusion: what it may not stands under "not checked".
_BESIDE = frozenset({ObjectKind.CRON_JOBS, ObjectKind.NETWORK_POLICIES, ObjectKind.BUDGETS})
#: Silence of a log that wrote so many lines in the minutes before: as many lines of those would have come by now.
_SILENT, _LINES = timedelta(minutes=5), 10
_HEALTH = ("error_ratio", "throttle_ratio", "memory_peak_of_limit_30m")


def access_denied(facts: ClusterFacts, others: Sequence[RuleFinding]) -> Iterable[RuleFinding]:
    """ACCESS_DENIED: the API said 401 or 403 of a source; the answer itself where nothing else is known."""
    denied: dict[str, list[UnreadSource]] = {}
    for each in facts.unread:
        if each.denied and each.source not in _BESIDE:
            denied.setdefault(each.source, []).append(each)
    sources = sorted(denied, key=lambda each: (each not in _CORE, each))
    blocking = [each for each in sources if each in _NEEDED and not others]
    for group in (blocking, *([each] for each in sources if each not in blocking)):
        if group:
            failed = [denied[each][0] for each in group]
            yield of_object(
                "ACCESS_DENIED",
                facts,
                failed[0].error.request,
                [refused(each) for source in group for each in denied[source][:3]],
                severity=Severity.S0,
                role=Role.CONCLUSION if group is blocking else Role.CONTEXT,
                values={"what": ", ".join(each.what for each in failed), "status": failed[0].error.status},
            )


def no_pods(facts: ClusterFacts, others: Sequence[RuleFinding]) -> Iterable[RuleFinding]:
    """NO_PODS_FOUND: the list of pods is empty; what its workloads want says whether that is meant."""
    origin = facts.lists.get(ObjectKind.PODS)
    if origin is None or facts.pods or any(each.rule.startswith("JOB_") for each in others):
        return
    what = f"pods of {facts.asked.pod or facts.asked.app or facts.asked.namespace}"
    labels = f" with labels {facts.asked.selector}" if facts.asked.selector else ""
    evidence = [
        ReportEvidence(
            id="",
            source="absence",
            object="PodList",
            request=origin.request,
            field="items",
            value=what,
            scope=f"pods of namespace {facts.asked.namespace}{labels}, now",
            sha256=origin.sha256,
        )
    ]
    evidence.append(replace(evidence[0], source="api", value="[]", scope=""))
    evidence.extend(each.origin.cite(each.wanted_field, each.wanted) for each in facts.workloads)
    makers: tuple[Workload | BatchJob, ...] = (*facts.workloads, *facts.jobs)
    wanting = [each for each in makers if each.wanted]
    paused = [each for each in facts.jobs if each.condition("Suspended")]
    named = next(iter((*wanting, *facts.workloads, *paused)), None)
    kept_out = refused_pods(facts, *wanting, *facts.replica_sets)
    evidence.extend(each.cite() for each in kept_out)
    evidence.extend(each.origin.cite("spec.suspend", "True") for each in paused[:3])
    says: tuple[str, ...] = ("stopped",) if facts.workloads else ("suspended",) if paused else _planned(facts)
    if wanting:
        says = ("wanted", *("refused" for _ in kept_out))
    evidence.extend(each.origin.cite("spec.schedule", each.schedule) for each in facts.cron_jobs[:3])
    yield of_object(
        "NO_PODS_FOUND",
        facts,
        f"app/{facts.asked.app}" if facts.asked.app else f"Namespace/{facts.asked.namespace}",
        evidence,
        severity=Severity.S0 if not wanting else Severity.S2 if wanting[0].kind == "Job" else Severity.S1,
        role=Role.SYMPTOM if any(each.role is Role.CAUSE for each in others) else Role.CONCLUSION,
        says=says,
        values={
            "app": facts.asked.app or facts.asked.namespace,
            "message": excerpt(kept_out[0].message, 300) if kept_out else "",
            "selector": facts.asked.selector,
            "wanted": sum(each.wanted for each in wanting),
            "workload": named.origin.object if named else "",
            "schedule": ", ".join(each.origin.object for each in facts.cron_jobs[:3]),
        },
    )


def _planned(facts: ClusterFacts) -> tuple[str, ...]:
    """Return what is said of no pods where there is no workload: a schedule makes them, or is suspended."""
    if not facts.cron_jobs:
        return ("says",)
    return ("held",) if all(each.suspended for each in facts.cron_jobs) else ("planned",)


def no_problem(facts: ClusterFacts, others: Sequence[RuleFinding]) -> Iterable[RuleFinding]:
    """NO_PROBLEM_FOUND, NOT_ENOUGH_READ: nothing holds; said with its scope, and only of what could be read."""
    if any(each.role is not Role.CONTEXT for each in others) or not facts.pods:
        missing = [each for each in facts.unread if each.source in _CORE]
        if not facts.pods and missing and not any(each.denied for each in missing) and not others:
            yield _not_enough(facts, missing)
        return
    needed = [each for each in facts.unread if _may_hide(facts, each)]
    if needed:
        yield _not_enough(facts, needed)
        return
    blind = [each for each in facts.unread if each.source == "metrics"]
    yield _healthy(facts, blind)


def _may_hide(facts: ClusterFacts, unread: UnreadSource) -> bool:
    """Return whether a problem may stand in what was not read: what fails for now may be read in a while."""
    kind = unread.error.kind
    if unread.source in (ObjectKind.PODS, ObjectKind.EVENTS):
        return True
    if unread.source == ObjectKind.DEPLOYMENTS:
        return kind not in {FailureKind.NOT_FOUND, FailureKind.NOT_RECORDED, FailureKind.NOT_SET_UP}
    passes = kind in RETRYABLE or kind is FailureKind.RESTING
    beside = unread.source in {"metrics", *_BESIDE} or (unread.source == "logs" and bool(facts.logs))
    return passes and not beside


def _not_enough(facts: ClusterFacts, missing: Sequence[UnreadSource]) -> RuleFinding:
    """Return that nothing can be said; of pods that were seen, how they are, first."""
    pods = list(facts.live_pods())
    return of_object(
        "NOT_ENOUGH_READ",
        facts,
        f"app/{facts.asked.app}" if facts.asked.app else f"Namespace/{facts.asked.namespace}",
        [refused(each) for each in missing[:5]],
        severity=Severity.S0,
        role=Role.CONCLUSION,
        confidence="low",
        says=("seen",) if pods else ("says",),
        values={
            "what": ", ".join(sorted({each.what for each in missing})),
            "ready": sum(each.ready for each in pods),
            "pods": len(pods),
        },
    )


def _healthy(facts: ClusterFacts, blind: Sequence[UnreadSource]) -> RuleFinding:
    evidence = [each.origin.cite(each.ready_field, each.ready) for each in facts.workloads[:5]]
    for pod in list(facts.live_pods())[:5]:
        ready = pod.condition("Ready")
        evidence.append(
            pod.origin.cite(
                "status.conditions[type=Ready].status",
                ready.status if ready else "?",
                at=ready.since if ready else None,
            )
        )
        evidence.extend(
            pod.origin.cite(f"{each.status_path}.restartCount", each.restarts)
            for each in pod.containers
            if each.part is ContainerPart.MAIN
        )
    told: dict[str, str] = {}
    for name in _HEALTH:
        measure = facts.measure(name)
        if measure is None:
            continue
        if not measure.values:
            evidence.append(measure.lacks(f"app/{facts.asked.app or facts.asked.namespace}"))
            continue
        highest = max(each.value for each in measure)
        for each in measure.values[:5]:
            of = f"Pod/{each.label('pod')}" if each.label("pod") else f"app/{each.label('app') or facts.asked.app}"
            evidence.append(measure.cite(each.value, of))
        few = name == "error_ratio" and highest > 0 and too_few_requests(facts)
        told["few" if few else name] = percent(highest)
    latency = facts.measure("latency")
    if told and latency is not None:
        if latency.values:
            told["latency"] = f"{max(each.value for each in latency):.2g} s"
            evidence.append(latency.cite(max(each.value for each in latency), "app/" + (facts.asked.app or "")))
        else:
            told["no_latency"] = "?"
    dry, silent = dried_up(facts), _silent(facts)
    evidence.extend(each for each in (dry,) if each is not None)
    evidence.extend(silent)
    still = (*(("dry",) if dry else ()), *(("quiet",) if silent else ()))
    pods = list(facts.live_pods())
    restarts = sum(each.restarts for pod in pods for each in pod.containers)
    ends = [each.last.finished for pod in pods for each in pod.containers if each.last and each.last.finished]
    since = ("restarted",) if restarts and ends else ()
    return of_object(
        "NO_PROBLEM_FOUND",
        facts,
        f"app/{facts.asked.app}" if facts.asked.app else f"Namespace/{facts.asked.namespace}",
        evidence,
        severity=Severity.S0,
        role=Role.CONCLUSION,
        confidence="low" if blind or dry else "high" if told else "medium",
        says=("says", *still, *since, *(told or ("blind" if blind else "unmeasured",))),
        values={
            "app": facts.asked.app or facts.asked.namespace,
            "ready": sum(each.ready for each in pods),
            "pods": len(pods),
            "restarts": restarts,
            "ago": span(facts.now - max(ends)) if ends else "",
            **told,
            "quiet": instant(silent[0].at) if silent else "",
            "window": f"{facts.asked.window_s // 60} min",
        },
    )


def _silent(facts: ClusterFacts) -> list[ReportEvidence]:
    """Return the last line of logs that wrote on and on and have stopped, all of them; none where one still writes."""
    logs = [each for each in facts.logs if not each.previous and each.lines and each.lines[-1].at is not None]
    if not logs:
        return []
    log = max(logs, key=lambda each: str(each.lines[-1].at))
    last = log.lines[-1].at
    if last is None or facts.now - last < _SILENT:
        return []
    before = [each for each in log.lines if each.at is not None and last - each.at <= facts.now - last]
    return [log.cite(log.lines[-1])] if len(before) >= _LINES else []


def old_warnings(facts: ClusterFacts) -> Iterable[Excluded]:
    """Say which warnings among the events are over, for a person who saw them."""
    own = {pod.name for pod in facts.pods}
    old = [
        each
        for each in facts.events
        if each.warning and each.kind == "Pod" and each.name in own and not facts.recent(each)
    ]
    if old:
        values = {"count": str(len(old)), "last": instant(old[-1].last)}
        yield Excluded("OLD_WARNINGS", "over", values, tuple(each.cite() for each in old[-3:]))
