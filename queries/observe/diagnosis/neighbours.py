"""What else runs beside an app that is well: who asks about the wrong app is told of the right one."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from queries.observe.diagnosis.gathering import FactGathering
from queries.observe.facts.facts import ClusterFacts, app_of
from queries.observe.facts.pods import Pod, read_pods
from queries.observe.facts.workloads import read_workloads
from queries.observe.reading import Listed, ObjectKind
from queries.observe.report.report import Neighbour, Role
from queries.observe.rules.catalogue import judged
from queries.observe.rules.finding import RuleFinding
from queries.observe.rules.relations import KEEPS_FROM_SERVING

#: The rule under which a report tells of a neighbour, and how many of them at most.
NEIGHBOUR, MOST = "NEIGHBOUR_IN_TROUBLE", 2
#: Source under which its reads are counted: what they do not give is not missed in the report on the app itself.
SOURCE = "neighbours"
#: What is read by each selector, requests that are left for a chart, and objects of a kind that are looked at.
_KINDS = (ObjectKind.PODS, ObjectKind.DEPLOYMENTS)
_KEPT, _OBJECTS = 1, 500
_TELLING = KEEPS_FROM_SERVING | {"REPLICAS_MISSING", "LIVENESS_KILLED", "STARTUP_PROBE_KILLED"}


async def neighbours_in_trouble(
    gathering: FactGathering, facts: ClusterFacts, findings: Sequence[RuleFinding]
) -> tuple[tuple[str, RuleFinding], ...]:
    """Return what keeps other apps of the namespace from serving, each with the app's name, the worst first.

    Looked for only where the app itself is well, as far as the request says that they may be looked at, and within
    what is left of the run's requests.
    """
    asked, objects = facts.asked, gathering.sources.objects
    if not any(each.rule == "NO_PROBLEM_FOUND" for each in findings) or objects is None:
        return ()
    selectors = [""] if any(not each.selector for each in asked.beside) else [each.selector for each in asked.beside]
    selectors = selectors[: max(0, gathering.reads.left - _KEPT) // len(_KINDS)]
    listed: dict[tuple[str, ObjectKind], Listed] = {}

    async def read(selector: str, kind: ObjectKind) -> None:
        what, request = f"{kind} beside it", f"GET {kind} of {asked.namespace}"
        ask = partial(objects.list, kind, namespace=asked.namespace, selector=selector, most=_OBJECTS)
        found = await gathering.reads.one(what, SOURCE, request, ask)
        if found is not None:
            listed[selector, kind] = found

    if selectors:
        await gathering.reads.step("neighbours", [read(each, kind) for each in selectors for kind in _KINDS])
    own = {each.name for each in facts.pods} | {each.name for each in facts.workloads}
    pods_of, deployments_of = ([listed[each, kind] for each in selectors if (each, kind) in listed] for kind in _KINDS)
    pods = tuple(pod for found in pods_of for pod in read_pods(found) if pod.name not in own)
    workloads = tuple(
        workload
        for found in deployments_of
        for workload in read_workloads(ObjectKind.DEPLOYMENTS, found)
        if workload.name not in own
    )
    beside = ClusterFacts(
        asked=replace(asked, app="", selector=""),
        pods=pods,
        events=facts.events,
        deployments=workloads,
        nodes=facts.nodes,
        lists=facts.lists,
    )
    names = {each.name: _name(each, beside, asked.beside) for each in pods}
    told: dict[str, RuleFinding] = {}
    for each in judged(beside)[0]:
        if each.rule in _TELLING and each.role is not Role.CONTEXT:
            told.setdefault(names.get(each.pod) or each.family[1] or each.object.partition("/")[2], each)
    return tuple(told.items())[:MOST]


def _name(pod: Pod, facts: ClusterFacts, directory: Sequence[Neighbour]) -> str:
    """Return what the app of a pod is called: in the directory, by its labels, or as its workload is."""
    known = (each.app for each in directory if each.selector and _selects(each.selector, pod))
    return next(known, "") or app_of(pod) or facts.family(pod)[1]


def _selects(selector: str, pod: Pod) -> bool:
    return all(pod.labels.get(key) == value for key, _, value in (part.partition("=") for part in selector.split(",")))
