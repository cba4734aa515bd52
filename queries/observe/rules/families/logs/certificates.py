"""Certificates that one side does not take: as error lines, events and failed reads tell of them."""

import re
from collections.abc import Iterator

from queries.observe.facts.events import ClusterEvent
from queries.observe.facts.facts import ClusterFacts, UnreadSource
from queries.observe.facts.logs import LogLine
from queries.observe.facts.reading import excerpt
from queries.observe.report.instants import instant
from queries.observe.report.report import Role, Severity
from queries.observe.rules.families.logs.templates import mentions
from queries.observe.rules.finding import RuleFinding, of_object, refused

#: What is wrong with it, the closest first: the name of a sentence, and the words of programs.
_WHY = (
    ("early", re.compile(r"current time \S{1,40} is before|is not yet valid(?! or)(?<!or is not yet valid)"
                         r"|CERT_NOT_YET_VALID|CertificateNotYetValid|证书(?:尚未|还未)生效", re.IGNORECASE)),
    ("expired", re.compile(r"certificate (?:has )?expired|CERT_HAS_EXPIRED"
                           r"|CertificateExpired|expired certificate|NotAfter: |证书(?:已|已经)?(?:过期|失效)",
                           re.IGNORECASE)),
    ("misnamed", re.compile(r"certificate is (?:not )?valid for|hostname mismatch|ERR_TLS_CERT_ALTNAME_INVALID"
                            r"|doesn't match (?:any of the subject|either of|'\*?\.?[a-z])"
                            r"|no (?:subject )?alternative (?:DNS )?names?|doesn't contain any IP SANs",
                            re.IGNORECASE)),
    ("signer", re.compile(r"unknown authority|self[- ]signed|unable to get (?:local )?issuer|unknown ca\b"
                          r"|PKIX path building failed|UNABLE_TO_VERIFY_LEAF_SIGNATURE|unable to verify the first"
                          r"|SELF_SIGNED_CERT|不受信任的证书|证书不受信任", re.IGNORECASE)),
    ("other", re.compile(r"x509: |CERTIFICATE_VERIFY_FAILED|certificate verify failed|bad certificate"
                         r"|PKIX path validation failed|CertificateException|certificate required"
                         r"|证书(?:校验|验证)失败", re.IGNORECASE)),
)  # fmt: skip
_PARTS = ("cert", "x509", "pkix", "unknown ca", "证书")
#: What a server says of a caller that went away: the caller's trouble.
_OF_CALLER = re.compile(r"TLS handshake error from", re.IGNORECASE)
#: The service of the cluster that was asked.
_INSIDE = re.compile(r"https?://[a-z0-9-]{1,63}\.([a-z0-9-]{1,63})\.svc\b")
RULE = "CERTIFICATE_REFUSED"


def flaw_of(words: str) -> str:
    """Return what words say is wrong with a certificate, by the name of a sentence; "" where they speak of none."""
    if not mentions(words, _PARTS) or _OF_CALLER.search(words):
        return ""
    return next((name for name, pattern in _WHY if pattern.search(words)), "")


def told_from(words: str, most: int) -> str:
    """Return words as they are, or from a little before what they say of a certificate where that comes too late."""
    found = next((each for _, pattern in _WHY if (each := pattern.search(words))), None)
    return words if found is None or found.end() <= most else f"…{words[found.start() - most // 3 :]}"


def certificate_of(line: LogLine) -> bool:
    """Return whether a line says that a certificate is not taken."""
    return flaw_of(line.words) != ""


def certificate_elsewhere(facts: ClusterFacts) -> Iterator[RuleFinding]:
    """CERTIFICATE_REFUSED, as controllers and the kubelet tell of it: in events, and where a log is not given."""
    said: dict[tuple[str, str], ClusterEvent] = {}
    own = {("Pod", pod.name) for pod in facts.live_pods() if not pod.ready}
    own |= {(each.kind, each.name) for each in (*facts.workloads, *facts.replica_sets) if each.wanted > each.ready}
    for each in facts.events:
        if each.warning and (each.kind, each.name) in own and facts.recent(each) and flaw_of(each.message):
            said[each.kind, each.name] = each
    for (kind, name), each in sorted(said.items()):
        yield _told(facts, f"{kind}/{name}", each)
    for unread in facts.failed("logs"):
        if flaw_of(unread.error.detail):
            yield _unread(facts, unread)
            return


def _told(facts: ClusterFacts, name: str, event: ClusterEvent) -> RuleFinding:
    pod = next((each for each in facts.pods if event.kind == "Pod" and each.name == event.name), None)
    whole = next((each for each in facts.replica_sets if each.name == event.name), None)
    family = facts.family(pod) if pod else (event.kind, event.name)
    if whole is not None and event.kind == "ReplicaSet" and whole.owner is not None:
        family = (whole.owner.kind, whole.owner.name)
    workload = next((each for each in facts.workloads if (each.kind, each.name) == family), None)
    down = workload is not None and workload.wanted > 0 and not workload.ready
    values = {"message": excerpt(told_from(event.message, 300), 300), "since": instant(event.first), "host": ""}
    if inside := _INSIDE.search(event.message):  # the certificate is that of another namespace's service
        values["namespace"] = inside[1]
    return of_object(
        RULE,
        facts,
        name,
        [event.cite()],
        severity=facts.severity_of(pod) if pod else Severity.S1 if down else Severity.S2,
        says=("event", flaw_of(event.message)),
        values=values,
        pod=pod.name if pod else "",
        family=family,
        onset=event.first,
    )


def _unread(facts: ClusterFacts, unread: UnreadSource) -> RuleFinding:
    """Return that the kubelet's own certificate keeps logs from everybody: the app itself may be well."""
    return of_object(
        RULE,
        facts,
        unread.what,
        [refused(unread)],
        severity=Severity.S3,
        role=Role.CONTEXT,
        says=("log", flaw_of(unread.error.detail)),
        values={"message": excerpt(unread.error.detail, 300), "what": unread.what},
        family=("log", unread.what),
    )
