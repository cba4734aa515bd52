"""Finds out what can be read of a cluster: whether each source answers, and what the desk may do there."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import LogSearch, MetricReader, ObjectKind, ObjectReader
from queries.observe.setup.opening import OpenCluster
from queries.observe.setup.rights import EVERYWHERE, NEEDED, least_rbac
from queries.observe.sources.kubernetes.paths import OF_THE_CLUSTER

#: What is no server: it answers what it once answered.
_RECORDING = "recording"
#: Reviews that are asked for at once.
_AT_ONCE = 6


@dataclass(frozen=True)
class SourceCheck:
    """One thing that was looked at: whether it holds, whether it has to, and what mends it."""

    source: str  # "kubernetes", "prometheus", "logs"
    what: str
    ok: bool
    needed: bool = True
    detail: str = ""
    mend: str = ""


async def examine(cluster: OpenCluster, namespaces: Iterable[str], *, now: datetime) -> tuple[SourceCheck, ...]:
    """Return what each source of a cluster lets the desk read in these namespaces (`EVERYWHERE` for all)."""
    sources, wanted = cluster.sources, tuple(namespaces)
    found: list[SourceCheck] = []
    if sources.objects:
        found += await _of_objects(sources.objects, wanted)
    if found and found[0].source == _RECORDING:
        return tuple(found)
    if sources.metrics:
        found.append(await _of_metrics(sources.metrics, now))
    if sources.logs:
        found.append(await _of_logs(sources.logs, now))
    return tuple(found)


async def _of_objects(reader: ObjectReader, namespaces: tuple[str, ...]) -> list[SourceCheck]:
    try:
        await reader.may("list", ObjectKind.PODS, namespace=namespaces[0])
    except ReadFailed as error:
        if error.kind is FailureKind.NOT_RECORDED:
            return [SourceCheck(_RECORDING, "is read from its folder, which asks for no rights", ok=True)]
        return [_unread("kubernetes", error)]
    turns = asyncio.Semaphore(_AT_ONCE)
    asked = [
        *(_Right("list", kind, place) for place in namespaces for kind in ObjectKind if kind not in OF_THE_CLUSTER),
        *(_Right("get", ObjectKind.PODS, place, "log") for place in namespaces),
        *(_Right("list", kind, EVERYWHERE) for kind in sorted(OF_THE_CLUSTER)),
    ]
    given = await asyncio.gather(*(_allowed(reader, each, turns) for each in asked))
    missing = [right for right, allowed in zip(asked, given, strict=True) if allowed is False]
    absent = FailureKind.NOT_SET_UP in given
    unknown = [
        right
        for right, allowed in zip(asked, given, strict=True)
        if isinstance(allowed, FailureKind) and allowed is not FailureKind.NOT_SET_UP
    ]
    rbac = least_rbac(namespaces)
    checks = [SourceCheck("kubernetes", "answers", ok=True)]
    checks += [
        SourceCheck("kubernetes", f"may not {each}", ok=False, needed=each.is_needed, mend=rbac) for each in missing
    ]
    checks += [
        SourceCheck("kubernetes", f"may {each}", ok=False, needed=False, detail="it did not say") for each in unknown
    ]
    if absent:
        detail = "so workloads, events, services and nodes are not looked at"
        checks.append(
            SourceCheck("kubernetes", "tells of pods and their logs only", ok=False, needed=False, detail=detail)
        )
    if not missing and not unknown and not absent:
        checks.append(SourceCheck("kubernetes", "may read all that a diagnosis looks at", ok=True))
    checks += [await _writes(reader, place) for place in namespaces[:1]]
    return checks


@dataclass(frozen=True)
class _Right:
    verb: str
    kind: ObjectKind
    namespace: str
    subresource: str = ""

    def __str__(self) -> str:
        place = f"in {self.namespace}" if self.namespace else "in the whole cluster"
        return f"{self.verb} {self.kind}{'/' + self.subresource if self.subresource else ''} {place}"

    @property
    def is_needed(self) -> bool:
        return self.kind in NEEDED


async def _allowed(reader: ObjectReader, right: _Right, turns: asyncio.Semaphore) -> bool | FailureKind:
    """Return whether the cluster allows it, or why it does not say."""
    async with turns:
        try:
            return await reader.may(right.verb, right.kind, namespace=right.namespace, subresource=right.subresource)
        except ReadFailed as error:
            return error.kind


async def _writes(reader: ObjectReader, namespace: str) -> SourceCheck:
    """Return whether the account can do more than read, which it should not."""
    allowed = await _allowed(reader, _Right("delete", ObjectKind.PODS, namespace), asyncio.Semaphore(1))
    detail = "its account may delete pods; the desk never does, and needs no such right" if allowed is True else ""
    mend = "Give the desk a service account of its own, with the rights that it needs and no others." if detail else ""
    return SourceCheck("kubernetes", "may change nothing", ok=allowed is False, needed=False, detail=detail, mend=mend)


async def _of_metrics(reader: MetricReader, now: datetime) -> SourceCheck:
    try:
        found = await reader.instant('{__name__=~"kube_pod_status_phase|container_cpu_usage_seconds_total"}', at=now)
    except ReadFailed as error:
        return _unread("prometheus", error)
    if not found.series:
        detail = "it answers, and knows no metrics of containers and pods"
        mend = "Let it scrape the kubelets (cAdvisor) and kube-state-metrics."
        return SourceCheck("prometheus", "has metrics of pods", ok=False, needed=False, detail=detail, mend=mend)
    return SourceCheck("prometheus", "answers", ok=True)


async def _of_logs(reader: LogSearch, now: datetime) -> SourceCheck:
    try:
        await reader.search("default", "dutydesk-check", start=now - timedelta(minutes=1), end=now, lines=1)
    except ReadFailed as error:
        return _unread("logs", error)
    return SourceCheck("logs", "answers", ok=True)


_MENDS = {
    FailureKind.UNAUTHORIZED: "Check the token, certificate or plug-in: the server does not take it.",
    FailureKind.FORBIDDEN: "The account is known, and may not even ask for its rights: bind `system:basic-user`.",
    FailureKind.NOT_FOUND: "Check the address: something answers there, but not this interface.",
    FailureKind.TIMED_OUT: "Check that the address can be reached from here (firewall, network policy).",
    FailureKind.UNREACHABLE: "Check address, port and certificate authority.",
    FailureKind.NOT_SET_UP: "Correct it in clusters.yaml, or put the secret where it says.",
}


def _unread(source: str, error: ReadFailed) -> SourceCheck:
    detail = str(error.kind).replace("_", " ") + (f": {error.detail}" if error.detail else "")
    return SourceCheck(source, "answers", ok=False, detail=detail, mend=_MENDS.get(error.kind, ""))
