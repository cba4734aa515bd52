"""Images that cannot be pulled, and what the registry said of it."""

import re
from collections.abc import Iterator
from datetime import timedelta

from queries.observe.facts.events import ClusterEvent
from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.pods import Container, Pod
from queries.observe.facts.reading import excerpt
from queries.observe.report.report import ReportEvidence
from queries.observe.rules.families.containers import no_events
from queries.observe.rules.finding import Excluded, Outcome, RuleFinding, of_container, of_workload, span

WAITS = frozenset({"ErrImagePull", "ImagePullBackOff"})
_UNUSABLE = frozenset({"InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable", "ImageInspectError"})
_DENIED = re.compile(
    r"\b40[13]\b|unauthori[sz]ed|\bdenied\b|forbidden|authentication required|no basic auth credentials"
    r"|authorization failed",
    re.IGNORECASE,
)
_MISSING = re.compile(r"not found|manifest unknown|\b404\b|name unknown|no such image|does not exist", re.IGNORECASE)
#: The words in which an answer of the registry, or that there was none, is told.
_ANSWER = re.compile(r"failed to pull|rpc error|failed to resolve|ErrImagePull: ", re.IGNORECASE)

#: A registry that counts pulls, and one that gives no answer at all.
_LIMITED = re.compile(r"toomanyrequests|too many requests|\b429\b|pull rate limit", re.IGNORECASE)
_AWAY = re.compile(
    r"i/o timeout|deadline exceeded|connection refused|connection reset|no such host|no route to host|Client\.Timeout"
    r"|TLS handshake timeout|server misbehaving|\bEOF\b|\b50[0234]\b",
    re.IGNORECASE,
)

#: What was tried, before what came of it; it names the image over and over.
_PULLING = re.compile(
    r"(?:Error: |rpc error: code = [A-Za-z]{1,30} desc = )?(?i:failed to (?:pull image|pull and unpack image"
    r"|resolve reference|resolve image)) \"[^\"]{1,300}\": "
    r"|rpc error: code = [A-Za-z]{1,30} desc = (?:Error response from daemon: )?"
)
#: Which pull secret could not be read, and how long ago that may have been said.
_SECRET = re.compile(r"pull secrets? \(([^()]{1,300})\)")
_ANEW = timedelta(minutes=30)


def image_pull(facts: ClusterFacts) -> Iterator[Outcome]:
    """IMAGE_PULL_UNAUTHORIZED, _NOT_FOUND, _UNKNOWN: what keeps the image away, as far as events still tell."""
    for pod in facts.live_pods():
        for container in pod.containers:
            if container.state.waiting in WAITS:
                yield _pull(facts, pod, container)
            elif container.state.running:
                old = [each for each in _pulls(facts, pod, container) if each.warning]
                if old:
                    yield _pulled_since(facts, pod, container, old[-1])


def image_unusable(facts: ClusterFacts) -> Iterator[Outcome]:
    """IMAGE_UNUSABLE: the image's name is wrong, or it must not be pulled and is not on the node."""
    for pod in facts.live_pods():
        for container in pod.containers:
            if container.state.waiting in _UNUSABLE:
                evidence = [*_waits(pod, container), *of_workload(facts, pod)]
                values = {"reason": container.state.waiting, "message": container.state.waiting_message}
                yield of_container("IMAGE_UNUSABLE", facts, pod, container, evidence, values=values)


def _pull(facts: ClusterFacts, pod: Pod, container: Container) -> RuleFinding:
    events = _pulls(facts, pod, container)
    answers = [each for each in events if _ANSWER.search(each.message)]
    message = container.state.waiting_message
    said = [each.message for each in answers] + ([message] if _ANSWER.search(message) else [])
    rule, says = _judged(said)
    evidence = [*_waits(pod, container), *(each.cite() for each in events)]
    values: dict[str, object] = {
        "answer": excerpt(_PULLING.sub("", said[0]) or said[0], 300) if said else "",
        "age": span(facts.now - pod.created) if pod.created else "?",
    }
    unread = [each for each in facts.events_of_pod(pod, "FailedToRetrieveImagePullSecret") if facts.recent(each, _ANEW)]
    secret = _SECRET.search(unread[-1].message) if unread and rule == "IMAGE_PULL_UNAUTHORIZED" else None
    if secret:
        values["secret"], says = secret[1], (*says, "secret")
        evidence.insert(0, unread[-1].cite())
    if not said:
        evidence.extend(no_events(facts, pod, "event with the registry's answer (`Failed to pull image ...: <cause>`)"))
    return of_container(
        rule,
        facts,
        pod,
        container,
        [*evidence, *of_workload(facts, pod)],
        says=says,
        values=values,
        onset=pod.created,
    )


def _judged(said: list[str]) -> tuple[str, tuple[str, ...]]:
    """Return the rule and its sentences for what the registry said: a refusal may hide that there is no such image."""
    if any(_DENIED.search(_without_image(each)) for each in said):
        return "IMAGE_PULL_UNAUTHORIZED", ("says",)
    if any(_MISSING.search(_without_image(each)) for each in said):
        return "IMAGE_PULL_NOT_FOUND", ("says",)
    told = [_without_image(each) for each in said]
    for name, pattern in (("limited", _LIMITED), ("away", _AWAY)):
        if any(pattern.search(each) for each in told):
            return "IMAGE_PULL_UNKNOWN", ("says", name)
    return "IMAGE_PULL_UNKNOWN", ("says", "other") if said else ("says", "expired")


def _without_image(message: str) -> str:
    """Return a message without the image's own name: "not-found-page" is no answer."""
    return re.sub(r"\"[^\"]{1,300}\"|\bimage [^\s:]{1,300}:?\S{0,200}", " ", message)


def _pulls(facts: ClusterFacts, pod: Pod, container: Container) -> list[ClusterEvent]:
    """Return the events about pulling this very image for this container: an earlier image's are left out."""
    found = []
    for each in facts.events_of_pod(pod):
        about = "pull" in each.message.lower() or "ErrImagePull" in each.message or "ImagePullBackOff" in each.message
        named = container.image in each.message or not re.search(r"image \"", each.message)
        if (
            each.reason in {"Failed", "BackOff", "ErrImagePull", "FailedToPullImage"}
            and about
            and named
            and each.is_of(container.name)
        ):
            found.append(each)
    return found


def _pulled_since(facts: ClusterFacts, pod: Pod, container: Container, event: ClusterEvent) -> Excluded:
    ago = span(facts.now - event.last) if event.last else "?"
    since = container.state.running_since
    started = f"{since:%Y-%m-%dT%H:%M:%SZ}" if since else "?"
    evidence = (event.cite(), pod.origin.cite(f"{container.status_path}.state.running.startedAt", started))
    return Excluded(
        "IMAGE_PULL_UNKNOWN", "pulled", {"pod": pod.name, "container": container.name, "ago": ago}, evidence
    )


def _waits(pod: Pod, container: Container) -> list[ReportEvidence]:
    cited = [
        pod.origin.cite(f"{container.status_path}.state.waiting.reason", container.state.waiting),
        pod.origin.cite(f"{container.spec_path}.image", container.image),
    ]
    if container.state.waiting_message:
        cited.append(pod.origin.cite(f"{container.status_path}.state.waiting.message", container.state.waiting_message))
    return cited
