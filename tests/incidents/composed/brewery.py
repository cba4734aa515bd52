"""Incidents told by one who had not read the rules, with other names, labels, registries and logs; two are healthy."""

from evals.diagnosis.composed.scene import added, ended, job, refused, replicas, rollout, times, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged
from evals.diagnosis.incidents.world import World, container, crashing, end

INCIDENTS = Collection("brew", held_out=True)


@INCIDENTS.of(
    "svc-billing-v2 won't roll out, what's up?",
    "S2",
    finds("IMAGE_PULL_NOT_FOUND", "cause", event("Pod/svc-billing-v2-2", "Failed", "not found")),
    also=("ROLLOUT_STUCK",),
    accepted=("S3",),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_UNKNOWN"),
    app="svc-billing-v2",
    label="app.kubernetes.io/name",
)
def _wrong_tag(world: World) -> None:
    image = "harbor.acme.example/fin/svc-billing:v2.31.0-rc"
    body = waiting("billing", "ImagePullBackOff", f'Back-off pulling image "{image}"', image=image)
    (new,) = rollout(world, body, age=13)
    said = (
        f'Failed to pull image "{image}": failed to pull and unpack image "{image}": failed to resolve reference '
        f'"{image}": {image}: not found'
    )
    world.event(new, "Failed", said, part="billing", first=13, last=2, count=6)
    world.event(new, "BackOff", f'Back-off pulling image "{image}"', part="billing", normal=True, first=12, last=1)


@INCIDENTS.of(
    "portal-ui 起不来了,帮我看看",
    "S1",
    finds("IMAGE_PULL_UNAUTHORIZED", "cause", event("Pod/portal-ui-0", "Failed", "401")),
    never=("IMAGE_PULL_NOT_FOUND", "IMAGE_PULL_UNKNOWN"),
    language="zh",
    app="portal-ui",
    label="k8s-app",
)
def _missing_pull_secret(world: World) -> None:
    image = "ghcr.io/acme-internal/portal:2026.47"
    (pod,) = replicas(world, waiting("ui", "ErrImagePull", image=image), age=25)
    said = "Unable to retrieve some image pull secrets (ghcr-cred); attempting to pull the image may not succeed."
    world.event(pod, "FailedToRetrieveImagePullSecret", said, first=25, last=1, count=88)
    said = (
        f'Failed to pull image "{image}": failed to resolve reference "{image}": failed to authorize: failed to fetch '
        "anonymous token: unexpected status from GET request to "
        "https://ghcr.io/token?scope=repository%3Aacme-internal%2Fportal%3Apull&service=ghcr.io: 401 Unauthorized"
    )
    world.event(pod, "Failed", said, part="ui", first=25, last=2, count=9)


@INCIDENTS.of(
    "grafana-agent pods keep disappearing",
    "S2",
    finds("NODE_PRESSURE"),
    finds("EVICTED", ""),
    accepted=("S1",),
    never=("OOM_KILLED", "CRASH_LOOP"),
    app="grafana-agent",
)
def _disk_pressure(world: World) -> None:
    said = "kubelet has disk pressure"
    world.node("node-b", pressure="DiskPressure", minutes=17, message=said)
    owner = ("ReplicaSet", world.deployment(wanted=2, ready=1))
    added(world, owner, [container("agent")], age=400)
    gone = "The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 8131204Ki. "
    for number in (1, 2, 3):
        world.pod(
            owner,
            ended(137, "Error", 15 - number, name="agent"),
            name=f"grafana-agent-{number}",
            ready=False,
            node="node-b",
            phase="Failed",
            reason="Evicted",
            message=gone,
            age=60,
        )
        world.event(f"grafana-agent-{number}", "Evicted", gone, first=15 - number, last=15 - number, count=1)
    said = "Attempting to reclaim ephemeral-storage"
    world.event("node-b", "EvictionThresholdMet", said, kind="Node", first=17, last=1, count=30)


@INCIDENTS.of(
    "is quote-engine slow because of the sale?",
    "S2",
    finds("HPA_AT_LIMIT", ""),
    also=("CPU_THROTTLED", "CPU_HIGH_NO_LIMIT"),
    accepted=("S3",),
    never=("HPA_NOT_SCALING", "NO_PROBLEM_FOUND", "OOM_KILLED"),
    app="quote-engine",
)
def _scaler_full(world: World) -> None:
    pods = replicas(world, *(container("quote-engine") for _ in range(6)))
    works(world, *pods, line='{"level":"info","msg":"quote priced","ms":412,"id":{n}}')
    said = "the desired replica count is more than the maximum replica count"
    world.scaler(
        {"type": "ScalingLimited", "status": "True", "reason": "TooManyReplicas", "message": said},
        {"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound", "message": ""},
        {"type": "AbleToScale", "status": "True", "reason": "ReadyForNewScale", "message": ""},
        most=6,
        current=6,
        least=2,
    )


@INCIDENTS.of(
    "why does event-fanout throw errors since a while?",
    "S1",
    finds("DNS_FAILURE"),
    also=("ERROR_BURST",),
    accepted=("S2",),
    never=("DEPENDENCY_TIMEOUT", "NETWORK_POLICY_BLOCKS"),
    app="event-fanout",
)
def _name_of_broker(world: World) -> None:
    (pod,) = replicas(world, container("fanout"))
    works(world, pod, name="fanout", line='{"level":30,"msg":"fanned out","n":{n}}')
    said = (
        '{"level":50,"err":{"type":"Error","message":"getaddrinfo EAI_AGAIN kafka-0.kafka-headless.mq","code":'
        '"EAI_AGAIN","syscall":"getaddrinfo"},"msg":"produce failed","batch":{n}}'
    )
    times(world, pod, "fanout", 90, said)


@INCIDENTS.of(
    "partner-sync fails for all partners since midnight",
    "S2",
    finds("ERROR_BURST", "", logged("partner-sync-0", "sync", "certificate has expired", 70)),
    accepted=("S1",),
    also=("CERTIFICATE_REFUSED",),
    never=("DNS_FAILURE", "DEPENDENCY_TIMEOUT", "NO_PROBLEM_FOUND"),
    app="partner-sync",
)
def _certificate_expired(world: World) -> None:
    (pod,) = replicas(world, container("sync"))
    works(world, pod, name="sync", line="time=now level=info msg=heartbeat seq={n}")
    said = (
        'time=now level=error msg="push failed" partner={n} err="Post \\"https://edi.partner.example/v1/in\\": tls: '
        "failed to verify certificate: x509: certificate has expired or is not yet valid: current time "
        '2026-11-20T09:55:01Z is after 2026-11-19T23:59:59Z"'
    )
    times(world, pod, "sync", 70, said, each_s=9)


@INCIDENTS.of(
    "warum skaliert report-render nicht?",
    "S2",
    finds("QUOTA_EXCEEDED", "cause"),
    also=("REPLICAS_MISSING",),
    accepted=("S3",),
    never=("UNSCHEDULABLE_RESOURCES", "NO_PROBLEM_FOUND"),
    app="report-render",
)
def _team_quota(world: World) -> None:
    hard, used = {"requests.cpu": "8", "pods": "40"}, {"requests.cpu": "7500m", "pods": "22"}
    world.add("resourcequotas", "bi-team-compute", spec={"hard": hard}, status={"hard": hard, "used": used})
    said = (
        'Error creating: pods "{rs}-l2x8z" is forbidden: exceeded quota: bi-team-compute, requested: '
        "requests.cpu=1, used: requests.cpu=7500m, limited: requests.cpu=8"
    )
    refused(world, said, wanted=5, ready=3, body="render", first=35, last=2)


@INCIDENTS.of(
    "the nightly ledger export did not arrive",
    "S2",
    finds("JOB_BACKOFF_LIMIT", "cause", logged("ledger-export-29411520-2", "run", "UnicodeDecodeError", 1)),
    accepted=("S3",),
    never=("NO_PROBLEM_FOUND", "CRONJOB_SUSPENDED"),
    app="ledger-export",
)
def _cronjob_fails(world: World) -> None:
    world.add(
        "cronjobs",
        "ledger-export",
        spec={"schedule": "0 2 * * *", "suspend": False},
        status={"lastScheduleTime": "2026-11-20T09:00:00Z", "lastSuccessfulTime": "2026-11-18T02:04:10Z"},
    )
    pods = job(
        world,
        "ledger-export-29411520",
        *(ended(1, finished=45 - 5 * n) for n in range(3)),
        age=60,
        owner="ledger-export",
    )
    for number, pod in enumerate(pods):
        world.log(
            pod,
            "run",
            (46 - 5 * number, "reading /in/ledger.csv"),
            (45.2 - 5 * number, "Traceback (most recent call last):"),
            (45.1 - 5 * number, '  File "/app/export.py", line 88, in main'),
            (45.0 - 5 * number, "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe4 in position 1021"),
        )


@INCIDENTS.of(
    "search-indexer is broken after the config change",
    "S1",
    finds("CONFIG_REF_MISSING", "cause", event("Pod/search-indexer-0", "Failed", "LOG_LEVEL")),
    never=("CRASH_LOOP", "IMAGE_PULL_UNKNOWN"),
    app="search-indexer",
    label="app.kubernetes.io/instance",
)
def _bad_key(world: World) -> None:
    said = "couldn't find key LOG_LEVEL in ConfigMap shop/indexer-settings"
    (pod,) = replicas(world, waiting("indexer", "CreateContainerConfigError", said), age=14)
    world.event(pod, "Failed", f"Error: {said}", part="indexer", first=14, last=0.5, count=62)


@INCIDENTS.of(
    "why is crm-gateway not starting",
    "S1",
    finds("INIT_CONTAINER_FAILED", "", logged("crm-gateway-0", "wait-for-pg", "no response", 332)),
    also=("DEPENDENCY_TIMEOUT", "ROLLOUT_STUCK"),
    never=("CRASH_LOOP", "UNSCHEDULABLE_RESOURCES"),
    app="crm-gateway",
)
def _init_waits(world: World) -> None:
    init = container("wait-for-pg", init=True, since=28, ready=False)
    (pod,) = replicas(world, [init, waiting("gateway", "PodInitializing")], age=28)
    world.every(pod, "wait-for-pg", "pg-crm-rw:5432 - no response", since=27.8, each_s=5)


@INCIDENTS.of(
    "结算服务 settle-core 是不是有问题?客户说慢",
    "S0",
    WELL,
    language="zh",
    never=("CONTAINER_RESTARTING", "CRASH_LOOP", "HPA_AT_LIMIT", "CPU_THROTTLED", "ERROR_BURST"),
    app="settle-core",
)
def _healthy_but_blamed(world: World) -> None:
    last = end(143, "Completed", 2_900)
    pods = replicas(world, *(container("settle-core", restarts=2, last=last, since=2_899) for _ in range(3)))
    works(world, *pods, line="2026-11-20 17:40:11.201 INFO [pool-3] c.a.Settle - batch {n} ok, error_count=0")
    times(world, pods[0], "settle-core", 2, "2026-11-20 17:41:02 WARN slow query 1203 ms, id {n}", last=12)


@INCIDENTS.of(
    "is the image-resizer ok?",
    "S0",
    WELL,
    never=("CRASH_LOOP", "JOB_BACKOFF_LIMIT", "READINESS_FAILING"),
    app="image-resizer",
)
def _healthy_beside_a_broken_one(world: World) -> None:
    pods = replicas(world, container("resizer"), container("resizer"))
    works(world, *pods, name="resizer", line="resized img-{n}.webp in 80ms")
    owner = ("ReplicaSet", world.deployment("sandbox-tom", ready=0))
    world.pod(owner, crashing("try", 1), app="sandbox-tom", name="sandbox-tom-0", ready=False)
    world.event("sandbox-tom-0", "BackOff", "Back-off restarting failed container", part="try", count=200)


@INCIDENTS.of(
    "why does mail-relay restart all the time?",
    "S1",
    finds("OOM_KILLED"),
    also=("CRASH_LOOP", "ACCESS_DENIED"),
    never=("EXIT_137_UNCONFIRMED", "NO_PROBLEM_FOUND"),
    app="mail-relay",
)
def _prometheus_is_down(world: World) -> None:
    body = crashing("relay", 137, "OOMKilled", restarts=11, limits={"memory": "192Mi"})
    (pod,) = replicas(world, body, age=300)
    world.event(pod, "BackOff", "Back-off restarting failed container relay in pod", part="relay", count=51)


@INCIDENTS.of(
    "tariff-api returns errors, only its logs can be read",
    "S2",
    finds("ERROR_BURST", "", logged("tariff-api-0", "api", "remaining connection slots", 80)),
    also=("ACCESS_DENIED", "DEPENDENCY_TIMEOUT"),
    accepted=("S1",),
    never=("DNS_FAILURE", "NO_PROBLEM_FOUND"),
    app="tariff-api",
)
def _only_logs(world: World) -> None:
    (pod,) = replicas(world, container("api"))
    world.every(pod, "api", '10.0.3.4 - - "GET /v2/tariffs/{n} HTTP/1.1" 200 512', since=58)
    said = "E1120 pq: FATAL: remaining connection slots are reserved for non-replication superuser connections req={n}"
    times(world, pod, "api", 80, said, each_s=8)
    for kind in world.lists:
        if kind != "pods":
            world.denied[kind] = 403
