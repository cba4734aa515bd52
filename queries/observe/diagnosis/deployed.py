"""What runs: the version of each workload with its image, since when, and what ran before; and when trouble began."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.workloads import Workload
from queries.observe.report.instants import instant
from queries.observe.report.report import ReportEvidence, ReportWords
from queries.observe.rules.finding import RuleFinding
from queries.observe.rules.wording import sentence

#: So many workloads are told of; an app has one or two.
_MOST = 6

#: What runs, before its evidence has ids: object, words, evidence.
Unnumbered = tuple[str, ReportWords, tuple[ReportEvidence, ...]]


def deployed_in(facts: ClusterFacts) -> list[Unnumbered]:
    """Return what each workload runs; of a deployment each version that has pods, and the one before."""
    found: list[Unnumbered] = []
    for workload in facts.workloads[:_MOST]:
        own = facts.revisions(workload)
        found.extend(_versions(facts, workload, own) if own else _template(workload))
    if not found:
        found.extend(_of_pods(facts))
    return found


def rolled_out(facts: ClusterFacts, revisions: Sequence[Workload]) -> datetime | None:
    """Return when the newest revision was rolled out; of one that was gone back to, as its events tell, or None."""
    newest, older = revisions[0], revisions[1:]
    made = newest.created
    if made is None or all(each.created is None or each.created <= made for each in older):
        return made
    return next(
        (
            each.first
            for each in facts.events
            if each.reason == "ScalingReplicaSet" and f"up replica set {newest.name}" in each.message
        ),
        None,
    )


def onset_of(facts: ClusterFacts, found: RuleFinding) -> datetime | None:
    """Return when what a finding is about began: of a container that ends again and again, not its last end."""
    backs_off = [
        each.first for each in facts.events if each.reason == "BackOff" and each.name == found.pod and each.first
    ]
    known = [each for each in (found.onset, *(backs_off if found.pod else ())) if each is not None]
    return min(known, default=None)


def _versions(facts: ClusterFacts, deployment: Workload, own: Sequence[Workload]) -> Iterator[Unnumbered]:
    newest, older = own[0], own[1:]
    at = rolled_out(facts, own)
    back = any(each.created and newest.created and each.created > newest.created for each in older)
    name = deployment.origin.object
    yield _one(name, newest, ("runs_again" if at else "runs_again_since") if back else "runs", at or newest.created)
    serving = [each for each in older if each.ready]
    for each in serving:
        yield _one(name, each, "runs_still", each.created)
    for each in [each for each in older if not each.ready and not back][:1]:
        if not serving:
            same = each.images == newest.images
            yield _one(name, each, "ran_same" if same else "ran_before", each.created)


def _one(name: str, version: Workload, says: str, at: datetime | None) -> Unnumbered:
    images, cited = _images(version)
    words = sentence(says, object=name, image=images or "?", at=instant(at), ready=version.ready, wanted=version.wanted)
    made = version.created
    if made is not None:
        cited.append(version.origin.cite("metadata.creationTimestamp", f"{made:%Y-%m-%dT%H:%M:%SZ}", at=made))
    return name, words, tuple(cited)


def _template(workload: Workload) -> Iterator[Unnumbered]:
    if workload.images:
        images, cited = _images(workload)
        words = sentence(
            "runs_set", object=workload.origin.object, image=images, ready=workload.ready, wanted=workload.wanted
        )
        yield workload.origin.object, words, (*cited, workload.origin.cite(workload.ready_field, workload.ready))


def _images(version: Workload) -> tuple[str, list[ReportEvidence]]:
    """Return the images of a template in words, and where each stands."""
    cite, images = version.origin.cite, version.images
    cited = [cite(f"spec.template.spec.containers[name={part}].image", image) for part, image in images]
    return ", ".join(image for _, image in images), cited


def _of_pods(facts: ClusterFacts) -> Iterator[Unnumbered]:
    """Yield what the pods run where no workload was read: the same image once."""
    seen: dict[str, ReportEvidence] = {}
    for pod in facts.live_pods():
        container = facts.main_of(pod)
        if container is not None and container.image:
            seen.setdefault(container.image, pod.origin.cite(f"{container.spec_path}.image", container.image))
    for image, cited in list(seen.items())[:_MOST]:
        yield cited.object, sentence("runs_pods", app=facts.asked.app or facts.asked.namespace, image=image), (cited,)
