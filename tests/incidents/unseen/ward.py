"""More incidents of a clinic, of its wards; written before any was run."""

from evals.diagnosis.composed.scene import complains, refused, replicas, rollout, unplaced, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, stamp

RS = "ReplicaSet"
APP = "ward"
INCIDENTS = Collection(APP)


@INCIDENTS.of(
    "ward 查不到检验结果,是网络还是它自己的问题?",
    "S2",
    finds("DNS_FAILURE", "cause", logged("ward-0", APP, "read udp", 35)),
    language="zh",
    accepted=("S1",),
    also=("ERROR_BURST",),
    never=("DEPENDENCY_TIMEOUT", "NETWORK_POLICY_BLOCKS", "NO_PROBLEM_FOUND"),
)
def _name_server_is_slow(world: World) -> None:
    complains(
        world,
        35,
        'level=error msg="lab result {n}" err="Get \\"http://lab.clinic.svc/r/{n}\\": dial tcp: lookup lab.clinic.svc '
        'on 10.96.0.10:53: read udp 10.2.0.4:44121->10.96.0.10:53: i/o timeout"',
        line="level=info msg=served n={n}",
        each_s=18,
    )


@INCIDENTS.of(
    "insurance checks fail in ward since 06:00",
    "S2",
    finds("CERTIFICATE_REFUSED", "cause", logged("ward-0", APP, "certificate has expired", 45)),
    accepted=("S1",),
    also=("ERROR_BURST",),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE"),
)
def _insurer_has_an_old_certificate(world: World) -> None:
    complains(
        world,
        45,
        "ERROR:ward.insurance:check {n} failed",
        "Traceback (most recent call last):",
        '  File "/app/.venv/lib/python3.13/site-packages/urllib3/connectionpool.py", line 464, in _make_request',
        "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has "
        "expired (_ssl.c:1032)",
        line="INFO:ward.web:GET /beds 200",
        each_s=14,
    )


@INCIDENTS.of(
    "ward pods pending, nodes look full",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT", ""),
    accepted=("S2",),
    also=("NODE_PRESSURE",),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
)
def _every_node_is_short_of_memory(world: World) -> None:
    for name in ("node-a", "node-b"):
        world.node(name, pressure="MemoryPressure", minutes=14, message="kubelet has insufficient memory available")
    said = (
        "0/2 nodes are available: 2 node(s) had untolerated taint {node.kubernetes.io/memory-pressure: }. preemption: "
        "0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    )
    name = world.deployment(wanted=1, ready=0, age=90)
    unplaced(world, said, owner=(RS, name), name="ward-0", age=13)


@INCIDENTS.of(
    "scaled ward to 3, only 2 come",
    "S2",
    finds("REPLICAS_MISSING", "", event("ReplicaSet/ward-rs", "FailedCreate", "must specify limits.cpu")),
    also=("QUOTA_EXCEEDED",),
    never=("UNSCHEDULABLE_RESOURCES", "NO_PROBLEM_FOUND"),
)
def _quota_wants_limits(world: World) -> None:
    said = (
        'Error creating: pods "{rs}-kk2m8" is forbidden: failed quota: compute: must specify limits.cpu for: ward; '
        "limits.memory for: ward"
    )
    refused(world, said, wanted=3, ready=2)


@INCIDENTS.of(
    "ward 新节点上镜像拉不下来",
    "S2",
    finds("IMAGE_PULL_UNKNOWN", "cause", event("Pod/ward-2", "Failed", "pull QPS exceeded")),
    language="zh",
    also=("ROLLOUT_STUCK",),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND", "IMAGE_UNUSABLE"),
)
def _kubelet_holds_back(world: World) -> None:
    image = "reg.clinic.example/ward:5"
    (new,) = rollout(world, waiting(APP, "ErrImagePull", "pull QPS exceeded", image=image), age=8)
    world.event(
        new, "Failed", f'Failed to pull image "{image}": pull QPS exceeded', part=APP, first=8, last=0.8, count=9
    )
    world.event(new, "Failed", "Error: ErrImagePull", part=APP, first=8, last=0.8, count=9)


@INCIDENTS.of(
    "after the settings change the new ward pods die",
    "S2",
    finds("CRASH_LOOP", "cause", logged("ward-2", APP, "mapping values are not allowed", 1)),
    also=("ROLLOUT_STUCK",),
    accepted=("S1",),
    never=("CONFIG_REF_MISSING", "DEPENDENCY_TIMEOUT", "OOM_KILLED"),
)
def _settings_cannot_be_read(world: World) -> None:
    (new,) = rollout(world, crashing(APP, 2, restarts=5), age=9, stuck=False)
    works(world, "ward-0", "ward-1")
    said = "config: /etc/ward/app.yaml: yaml: line 12: mapping values are not allowed in this context"
    world.log(new, APP, (2.2, "INFO ward 5.1 starting"), (2.1, f"FATAL {said}"))
    world.event(new, "BackOff", "Back-off restarting failed container ward", part=APP, first=8, last=0.5, count=20)


@INCIDENTS.of(
    "ward cannot send text messages",
    "S2",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("ward-0", APP, "TLS handshake timeout", 30)),
    accepted=("S1",),
    also=("ERROR_BURST",),
    never=("CERTIFICATE_REFUSED", "DNS_FAILURE"),
)
def _handshake_takes_too_long(world: World) -> None:
    complains(
        world,
        30,
        'ERROR sms {n}: Post "https://api.sms.example/v1/send": net/http: TLS handshake timeout',
        each_s=20,
    )


@INCIDENTS.of(
    "ward has no pods since the namespace was hardened",
    "S1",
    finds("NO_PODS_FOUND", "", event("ReplicaSet/ward-rs", "FailedCreate", "PodSecurity")),
    also=("REPLICAS_MISSING",),
    never=("QUOTA_EXCEEDED", "UNSCHEDULABLE_PLACEMENT"),
)
def _security_standard(world: World) -> None:
    said = (
        'Error creating: pods "{rs}-8xk4q" is forbidden: violates PodSecurity "restricted:latest": '
        'allowPrivilegeEscalation != false (container "ward" must set securityContext.allowPrivilegeEscalation=false), '
        'runAsNonRoot != true (pod or container "ward" must set securityContext.runAsNonRoot=true)'
    )
    refused(world, said, wanted=2, ready=0)


@INCIDENTS.of(
    "ward-0 已经 Pending 半小时,没有任何事件",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT", ""),
    language="zh",
    also=("REPLICAS_MISSING",),
    never=("UNSCHEDULABLE_RESOURCES", "NO_PROBLEM_FOUND", "PVC_UNBOUND"),
)
def _gated(world: World) -> None:
    owner = (RS, world.deployment(wanted=1, ready=0, age=80))
    gated = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "SchedulingGated",
        "message": "Scheduling is blocked due to non-empty scheduling gates",
        "lastTransitionTime": stamp(31),
    }
    world.pod(
        owner, container(APP, waiting="-"), name="ward-0", node="", ready=False, age=31, phase="Pending",
        containerStatuses=[], conditions=[gated],
    )  # fmt: skip
    world.lists["pods"][-1]["spec"]["schedulingGates"] = [{"name": "kueue.x-k8s.io/admission"}]


@INCIDENTS.of(
    "does ward get OOM killed?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("ward-0", APP, "Java heap space", 1)),
    accepted=("S2",),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "MEMORY_NEAR_LIMIT"),
)
def _heap_is_full(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 3, restarts=7))
    world.usage(pod, APP, memory=0.55, throttled=0.02)
    world.log(
        pod,
        APP,
        (2.3, "INFO  w.Beds : 412 beds loaded"),
        (2.2, "Terminating due to java.lang.OutOfMemoryError: Java heap space"),
    )
    world.event(pod, "BackOff", "Back-off restarting failed container ward", part=APP, first=50, last=0.4, count=66)


@INCIDENTS.of(
    "ward dies without a word",
    "S1",
    finds("CRASH_LOOP", "cause", of_status("ward-0", APP, "lastState.terminated.exitCode", 139)),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "LIVENESS_KILLED", "ERROR_BURST"),
)
def _segmentation_fault(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 139, restarts=9))
    world.log(pod, APP, (2.2, "loading model /models/beds.onnx"))
    world.event(pod, "BackOff", "Back-off restarting failed container ward", part=APP, first=50, last=0.4, count=66)


@INCIDENTS.of(
    "is ward up? one of its containers is red",
    "S1",
    finds("SIDECAR_FAILING", ""),
    accepted=("S2",),
    also=("CRASH_LOOP", "DEPENDENCY_TIMEOUT"),
    never=("OOM_KILLED", "READINESS_FAILING", "NO_PROBLEM_FOUND"),
)
def _main_has_another_name(world: World) -> None:
    agent = crashing("metrics-agent", 1, ready=False, restarts=12)
    (pod,) = replicas(world, [container("server"), agent])
    works(world, pod, name="server")
    world.log(pod, "metrics-agent", (2.2, "panic: unknown exporter otlphttp2 in pipeline metrics"))
    world.event(pod, "BackOff", "Back-off restarting failed container metrics-agent", part="metrics-agent", count=90)


@INCIDENTS.of(
    "ward 错误率 50%,怎么回事?",
    "S0",
    WELL,
    language="zh",
    never=("HTTP_5XX_RATIO", "ERROR_BURST"),
)
def _two_requests(world: World) -> None:
    (pod,) = replicas(world, container(APP))
    world.every(pod, APP, "INFO nothing to do {n}", since=58, each_s=60)
    world.requests(pod, bad=0.004, good=0.004)
    world.log(pod, APP, (3, "ERROR GET /export 500 renderer busy"))


@INCIDENTS.of(
    "ward 保存病历很慢还经常失败",
    "S2",
    finds("ERROR_BURST", "cause", logged("ward-0", APP, "Lock wait timeout exceeded", 50)),
    language="zh",
    accepted=("S1",),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "NO_PROBLEM_FOUND"),
)
def _waits_for_a_lock(world: World) -> None:
    complains(
        world,
        50,
        "ERROR 保存病历 {n} 失败: (1205, 'Lock wait timeout exceeded; try restarting transaction')",
        line="INFO 保存病历 {n} 成功",
        each_s=12,
    )


@INCIDENTS.of(
    "ward loses requests every minute or so",
    "S2",
    finds("ERROR_BURST", "cause", logged("ward-0", APP, "was sent SIGKILL", 24)),
    accepted=("S1",),
    also=("MEMORY_NEAR_LIMIT",),
    never=("OOM_KILLED", "CRASH_LOOP", "EXIT_137_UNCONFIRMED", "NO_PROBLEM_FOUND"),
)
def _a_worker_is_killed(world: World) -> None:
    said = "[2026-11-20 09:5{n} +0000] [1] [ERROR] Worker (pid:{n}) was sent SIGKILL! Perhaps out of memory?"
    complains(world, 24, said, line="[INFO] GET /beds 200 {n}", each_s=40)
    said = "Memory cgroup out of memory: Killed process 4242 (gunicorn) total-vm:1893412kB, anon-rss:1041220kB"
    world.event("node-a", "OOMKilling", said, kind="Node", first=16, last=0.6, count=24)
