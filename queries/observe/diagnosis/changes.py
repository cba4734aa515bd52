"""What changed, beside the onset: rollouts, images, settings, scaling, restarts, and warnings."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from queries.observe.diagnosis.deployed import rolled_out
from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.reading import excerpt
from queries.observe.facts.workloads import Workload
from queries.observe.report.report import ClusterChange, ReportEvidence, ReportWords
from queries.observe.rules.wording import sentence

#: How far back a change may be to stand beside an onset.
BACK = timedelta(hours=2)
_SCALED = re.compile(r"Scaled (?:up|down) replica set|New size: \d+")
_SCALED_TO = re.compile(
    r"Scaled (?P<way>up|down) replica set (?P<set>\S{1,253}) to (?P<count>\d{1,6})|New size: (?P<size>\d{1,6})"
)
_MOST = 40

#: A change before its evidence has ids.
Unnumbered = tuple[ClusterChange, tuple[ReportEvidence, ...]]


def changes_in(facts: ClusterFacts) -> list[Unnumbered]:
    """Return what changed since when it is asked, at the least two hours; oldest first, the latest of too many.

    Rollouts are told however long ago they were; of what only events tell, the cluster forgets what is older than 1 h.
    """
    since = facts.now - max(BACK, timedelta(seconds=facts.asked.window_s))
    since = min(since, facts.asked.changes_since or since)
    found = [
        each
        for source in (_rollouts, _scaling, _ends, _warnings)
        for each in source(facts)
        if since <= each[0].at <= facts.now
    ]
    found.sort(key=lambda each: (each[0].at, each[0].kind, each[0].object))
    return found[-_MOST:]


def _rollouts(facts: ClusterFacts) -> Iterator[Unnumbered]:
    for deployment in facts.deployments:
        own = facts.revisions(deployment)
        at = rolled_out(facts, own) if own else None
        if at is None:
            continue
        newest = own[0]
        made = newest.origin.cite("metadata.creationTimestamp", f"{at:%Y-%m-%dT%H:%M:%SZ}", at=at)
        cited = (made,) if at == newest.created else ()  # what was gone back to was made earlier
        images = ", ".join(dict.fromkeys(image for _, image in newest.images))
        yield _change(at, "rollout", newest, sentence("rollout", object=deployment.origin.object, image=images), cited)
        if len(own) > 1:
            yield from _compared(deployment, own[1], newest, at)
        if at == newest.created:
            yield from _earlier(deployment, own)
        if newest.restarted is not None:
            yield _change(
                newest.restarted, "restart", newest, sentence("restarted", object=deployment.origin.object), ()
            )


def _earlier(deployment: Workload, own: Sequence[Workload]) -> Iterator[Unnumbered]:
    """Yield the rollouts before the newest, where none of them was gone back to: each is compared with the one before.

    Of the oldest that is kept, nothing tells what ran before.
    """
    made = [each.created for each in own]
    known = [each for each in made if each is not None]
    if len(known) < len(made) or known != sorted(known, reverse=True):
        return
    for new, old in pairwise(own[1:]):
        if new.created is not None:
            yield from _compared(deployment, old, new, new.created)


def _compared(deployment: Workload, old: Workload, new: Workload, at: datetime) -> Iterator[Unnumbered]:
    before, after = dict(old.images), dict(new.images)
    for name, image in after.items():
        if before.get(name, image) != image:
            words = sentence("image", object=deployment.origin.object, old=before[name], new=image)
            cited = new.origin.cite(f"spec.template.spec.containers[name={name}].image", image)
            yield _change(at, "image", new, words, (cited,))
    if old.settings not in {new.settings, "[]"}:
        yield _change(at, "config", new, sentence("config", object=deployment.origin.object), ())


def _change(at: datetime, kind: str, of: Workload, words: ReportWords, cited: tuple[ReportEvidence, ...]) -> Unnumbered:
    return ClusterChange(at=at, kind=kind, object=of.origin.object, text=words), cited  # type: ignore[arg-type]


def _scaling(facts: ClusterFacts) -> Iterator[Unnumbered]:
    known = {each.name for each in (*facts.workloads, *facts.replica_sets)} | {
        each.target for each in facts.autoscalers
    }
    whole = not facts.asked.app and not facts.asked.pod
    for event in facts.events:
        if event.last is not None and _SCALED.search(event.message) and (whole or event.name in known):
            words = _scaled(f"{event.kind}/{event.name}", event.message)
            yield ClusterChange(event.last, "scaling", f"{event.kind}/{event.name}", words), (event.cite(),)


def _scaled(name: str, message: str) -> ReportWords:
    """Return how something was scaled, in our words where the message has the usual form."""
    found = _SCALED_TO.search(message)
    if found is None:
        return sentence("scaling", object=name, message=excerpt(message, 160))
    if found["size"]:
        return sentence("scaled", object=name, count=found["size"])
    return sentence(f"scaled_{found['way']}", object=name, set=f"ReplicaSet/{found['set']}", count=found["count"])


def _ends(facts: ClusterFacts) -> Iterator[Unnumbered]:
    for pod in facts.pods:
        for container in pod.containers:
            ended = container.last or container.state.ended
            if ended is None or ended.finished is None or ended.exit_code == 0:
                continue
            name = f"Pod/{pod.name} container {container.name}"
            words = sentence("ended", object=name, reason=ended.reason or "?", code=ended.exit_code)
            where = "lastState" if ended is container.last else "state"
            cited = pod.origin.cite(
                f"{container.status_path}.{where}.terminated.finishedAt",
                f"{ended.finished:%Y-%m-%dT%H:%M:%SZ}",
                at=ended.finished,
            )
            yield ClusterChange(ended.finished, "restart", name, words), (cited,)


def _warnings(facts: ClusterFacts) -> Iterator[Unnumbered]:
    own = {each.name for each in facts.pods} | {each.name for each in (*facts.workloads, *facts.replica_sets)}
    own |= {each.name for each in facts.jobs}
    for event in facts.events:
        if event.warning and event.name in own and event.last is not None:
            name = f"{event.kind}/{event.name}"
            words = sentence("warning", object=name, reason=event.reason, count=event.count)
            yield ClusterChange(event.last, "event", name, words), (event.cite(),)
