"""Incidents of a ferry line, written before any was run: kinds that no other collection has; four are healthy."""

from evals.diagnosis.composed.scene import added, complains, refused, replicas, rollout, times, unplaced, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

RS = "ReplicaSet"
APP = "ferry"
INCIDENTS = Collection(APP, held_out=True)


@INCIDENTS.of(
    "why were ferry's pods thrown out?",
    "S2",
    finds("EVICTED", "", api("Pod/ferry-e1", "status.reason", "Evicted")),
    finds("NODE_PRESSURE", ""),
    also=("REPLICAS_MISSING",),
    accepted=("S1",),
    never=("OOM_KILLED", "CRASH_LOOP", "EXIT_137_UNCONFIRMED"),
)
def _images_fill_the_disk(world: World) -> None:
    world.node("node-b", pressure="DiskPressure", minutes=8, message="kubelet has disk pressure")
    owner = (RS, world.deployment(wanted=3, ready=1))
    works(world, *added(world, owner, [container(APP)]))
    said = "The node was low on resource: ephemeral-storage. Container ferry was using 9Gi, request is 0."
    for number in (1, 2):
        name = f"ferry-e{number}"
        world.pod(owner, name=name, ready=False, node="node-b", phase="Failed", reason="Evicted", message=said, age=70)
        world.event(name, "Evicted", said, first=7, last=7, count=1)
    said = "failed to garbage collect required amount of images. Wanted to free 21474836480 bytes, but freed 0 bytes"
    world.event("node-b", "FreeDiskSpaceFailed", said, kind="Node", first=20, last=1, count=6)


@INCIDENTS.of(
    "ferry does not start on the new nodes",
    "S2",
    finds("IMAGE_PULL_UNKNOWN", "cause", event("Pod/ferry-2", "Failed", "toomanyrequests")),
    also=("ROLLOUT_STUCK",),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND"),
)
def _pull_rate_limit(world: World) -> None:
    image = "docker.io/library/nginx:1.29"
    (new,) = rollout(world, waiting(APP, "ErrImagePull", image=image), age=14)
    said = (
        f'Failed to pull image "{image}": failed to copy: httpReadSeeker: failed open: unexpected status code '
        "https://registry-1.docker.io/v2/library/nginx/manifests/sha256:ab12: 429 Too Many Requests - Server message: "
        "toomanyrequests: You have reached your unauthenticated pull rate limit."
    )
    world.event(new, "Failed", said, part=APP, first=14, last=1.5, count=7)


@INCIDENTS.of(
    "ferry hangs in Init",
    "S1",
    finds("INIT_CONTAINER_FAILED", "cause", logged("ferry-0", "migrate", "already exists", 1)),
    never=("CRASH_LOOP", "SIDECAR_FAILING"),
)
def _migration_loops(world: World) -> None:
    (pod,) = replicas(world, [crashing("migrate", 1, init=True, ready=False), waiting(APP, "PodInitializing")], age=40)
    world.log(
        pod,
        "migrate",
        (2.2, "migrate: applying 0042_add_berth.up.sql"),
        (2.1, 'error: migration failed: relation "berth" already exists in line 0: CREATE TABLE berth (id int)'),
    )
    world.event(pod, "BackOff", "Back-off restarting failed container migrate in pod ferry-0", part="migrate", count=88)


@INCIDENTS.of(
    "why does ferry restart during the rush?",
    "S2",
    finds("LIVENESS_KILLED", "cause", event("Pod/ferry-0", "Killing", "failed liveness probe")),
    accepted=("S1",),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "CRASH_LOOP", "DEPENDENCY_TIMEOUT"),
)
def _probe_too_tight(world: World) -> None:
    probe = {"httpGet": {"path": "/live", "port": 8080}, "timeoutSeconds": 1, "periodSeconds": 2, "failureThreshold": 1}
    again = container(APP, livenessProbe=probe, restarts=9, last=end(137, "Error", 4, ran=9), since=3.9)
    pods = replicas(world, again, container(APP, livenessProbe=probe))
    works(world, *pods)
    said = (
        'Liveness probe failed: Get "http://10.2.0.4:8080/live": context deadline exceeded '
        "(Client.Timeout exceeded while awaiting headers)"
    )
    world.event(pods[0], "Unhealthy", said, part=APP, first=55, last=4.1, count=9)
    said = "Container ferry failed liveness probe, will be restarted"
    world.event(pods[0], "Killing", said, normal=True, part=APP, first=55, last=4, count=9)


@INCIDENTS.of(
    "ferry 卡在 ContainerCreating",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "", event("Pod/ferry-0", "FailedMount", "non-existent config key")),
    language="zh",
    also=("CONFIG_REF_MISSING",),
    never=("PVC_UNBOUND", "SANDBOX_FAILED"),
)
def _key_of_a_volume(world: World) -> None:
    (pod,) = replicas(world, waiting(APP, "ContainerCreating"), age=19)
    said = 'MountVolume.SetUp failed for volume "settings" : references non-existent config key: timetable.yaml'
    world.event(pod, "FailedMount", said, first=19, last=0.6, count=17)


@INCIDENTS.of(
    "ferry-db has been pending since the move to zone c",
    "S1",
    finds(
        "UNSCHEDULABLE_PLACEMENT",
        "",
        api("Pod/ferry-db-0", "status.conditions[type=PodScheduled].reason", "Unschedulable"),
    ),
    accepted=("S2",),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
    app="ferry-db",
)
def _volume_of_another_zone(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    said = (
        "0/6 nodes are available: 2 node(s) had untolerated taint {zone: c}, 4 node(s) had volume node affinity "
        "conflict. preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling."
    )
    unplaced(world, said, owner=("StatefulSet", "ferry-db"), name="ferry-db-0", claims=("data-ferry-db-0",))
    world.add("persistentvolumeclaims", "data-ferry-db-0", spec={}, status={"phase": "Bound"})


@INCIDENTS.of(
    "ferry is slow since noon",
    "S2",
    finds("HPA_AT_LIMIT", ""),
    finds("CPU_THROTTLED", ""),
    never=("NO_PROBLEM_FOUND", "MEMORY_NEAR_LIMIT"),
)
def _full_and_throttled(world: World) -> None:
    pods = replicas(world, *(container(APP, limits={"cpu": "200m"}) for _ in range(3)))
    for pod in pods:
        world.usage(pod, APP, throttled=0.61, cpu=0.2)
        world.requests(pod, bad=0, good=40)
        world.every(pod, APP, "INFO sold ticket {n}", since=50)
    said = "the desired replica count is more than the maximum replica count"
    limited = {"type": "ScalingLimited", "status": "True", "reason": "TooManyReplicas", "message": said}
    world.scaler(limited, {"type": "AbleToScale", "status": "True", "reason": "Ready"}, most=3, current=3)


@INCIDENTS.of(
    "why does ferry not get its fourth pod?",
    "S2",
    finds("REPLICAS_MISSING", "", event("ReplicaSet/ferry-rs", "FailedCreate", "maximum memory usage")),
    never=("QUOTA_EXCEEDED", "UNSCHEDULABLE_RESOURCES", "NO_PROBLEM_FOUND"),
)
def _limit_range_refuses(world: World) -> None:
    said = (
        'Error creating: pods "ferry-rs-7x2lm" is forbidden: maximum memory usage per Container is 1Gi, '
        "but limit is 2Gi"
    )
    refused(world, said, wanted=4, ready=3)


@INCIDENTS.of(
    "ferry can no longer send tickets",
    "S2",
    finds("DNS_FAILURE", "cause", logged("ferry-0", APP, "Temporary failure in name resolution", 40)),
    accepted=("S1",),
    also=("ERROR_BURST",),
    never=("DEPENDENCY_TIMEOUT", "NETWORK_POLICY_BLOCKS"),
)
def _name_of_the_mailer(world: World) -> None:
    complains(
        world,
        40,
        "ERROR ferry.mail could not send ticket {n} via smtp.coast.example:587",
        "Traceback (most recent call last):",
        '  File "/usr/lib/python3.13/socket.py", line 977, in getaddrinfo',
        "socket.gaierror: [Errno -3] Temporary failure in name resolution",
        each_s=20,
    )


@INCIDENTS.of(
    "since the hardening ferry answers nothing about prices",
    "S2",
    finds("NETWORK_POLICY_BLOCKS", ""),
    accepted=("S1",),
    also=("DEPENDENCY_TIMEOUT", "ERROR_BURST"),
    never=("DNS_FAILURE", "NO_PROBLEM_FOUND"),
)
def _policy_of_names_only(world: World) -> None:
    complains(
        world, 45, "ERROR price lookup {n} failed: dial tcp 10.96.4.20:6379: i/o timeout addr=prices:6379", each_s=20
    )
    world.add(
        "services", "prices", spec={"selector": {"app": "prices"}, "clusterIP": "10.96.4.20", "ports": [{"port": 6379}]}
    )
    world.add("endpoints", "prices", subsets=[{"addresses": [{"ip": "10.2.0.9"}], "ports": [{"port": 6379}]}])
    names = {"ports": [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}]}
    world.add(
        "networkpolicies",
        "names-only",
        spec={"podSelector": {"matchLabels": {"app": APP}}, "policyTypes": ["Egress"], "egress": [names]},
    )


@INCIDENTS.of(
    "payments of ferry fail since tonight",
    "S2",
    finds("CERTIFICATE_REFUSED", "cause", logged("ferry-0", APP, "NotAfter", 60)),
    accepted=("S1",),
    also=("ERROR_BURST",),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE"),
)
def _certificate_of_the_bank(world: World) -> None:
    complains(
        world,
        60,
        "ERROR c.f.Payment - charge {n} failed: javax.net.ssl.SSLHandshakeException: PKIX path validation failed: "
        "java.security.cert.CertPathValidatorException: validity check failed: "
        "java.security.cert.CertificateExpiredException: NotAfter: Thu Nov 19 23:59:59 UTC 2026",
        each_s=10,
    )


@INCIDENTS.of(
    "no new pod of ferry comes up",
    "S2",
    finds("CERTIFICATE_REFUSED", "cause", event("ReplicaSet/ferry-rs", "FailedCreate", "x509")),
    also=("REPLICAS_MISSING",),
    accepted=("S1",),
    never=("QUOTA_EXCEEDED", "NO_PROBLEM_FOUND"),
)
def _certificate_of_a_webhook(world: World) -> None:
    said = (
        'Error creating: Internal error occurred: failed calling webhook "inject.mesh.example": failed to call '
        'webhook: Post "https://mesh-injector.mesh.svc:443/inject?timeout=10s": tls: failed to verify certificate: '
        "x509: certificate has expired or is not yet valid: current time 2026-11-20T09:58:00Z is after "
        "2026-11-20T06:00:00Z"
    )
    refused(world, said, wanted=3, ready=2, first=44)


@INCIDENTS.of(
    "ferry cannot log in people after the restore",
    "S2",
    finds("CERTIFICATE_REFUSED", "", logged("ferry-0", APP, "not yet valid", 50)),
    accepted=("S1",),
    also=("ERROR_BURST",),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE"),
)
def _clock_behind(world: World) -> None:
    complains(
        world,
        50,
        'level=error msg="sign-in {n}" err="Get \\"https://id.coast.example/keys\\": x509: certificate has expired or '
        'is not yet valid: current time 2026-11-18T02:11:09Z is before 2026-11-19T00:00:00Z"',
        line="level=info msg=alive n={n}",
        each_s=12,
    )


@INCIDENTS.of(
    "ferry scales no more",
    "S2",
    finds("HPA_NOT_SCALING", ""),
    also=("CERTIFICATE_REFUSED",),
    accepted=("S3",),
    never=("HPA_AT_LIMIT", "NO_PROBLEM_FOUND"),
)
def _metrics_behind_a_bad_certificate(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    said = (
        "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to fetch metrics from "
        "resource metrics API: x509: certificate signed by unknown authority"
    )
    off = {"type": "ScalingActive", "status": "False", "reason": "FailedGetResourceMetric", "message": said}
    world.scaler({"type": "AbleToScale", "status": "True", "reason": "Ready"}, off, most=6, current=2)
    world.event(APP, "FailedGetResourceMetric", said, kind="HorizontalPodAutoscaler", first=50, last=0.5, count=200)


@INCIDENTS.of(
    "bookings of ferry time out",
    "S2",
    finds("ERROR_BURST", "cause", logged("ferry-0", APP, "Connection is not available", 80)),
    accepted=("S1",),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "NETWORK_POLICY_BLOCKS"),
)
def _pool_exhausted(world: World) -> None:
    complains(
        world,
        80,
        "ERROR c.f.Booking - booking {n}: java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not "
        "available, request timed out after 30000ms (total=10, active=10, idle=0, waiting=57)",
        line="INFO c.f.Booking - booked {n}",
        each_s=9,
    )


@INCIDENTS.of(
    "the new version of ferry is not live, why?",
    "S2",
    finds("ROLLOUT_PAUSED", "cause"),
    accepted=("S3",),
    never=("ROLLOUT_STUCK", "NO_PROBLEM_FOUND"),
)
def _paused(world: World) -> None:
    rollout(world, old=3)
    deployment = world.lists["deployments"][0]
    deployment["spec"]["paused"] = True
    deployment["status"]["conditions"][0] |= {"status": "Unknown", "reason": "DeploymentPaused"}
    world.lists["replicasets"][-1]["spec"]["replicas"] = 0
    world.lists["replicasets"][-1]["status"]["replicas"] = 0
    works(world, "ferry-0", "ferry-1", "ferry-2")


@INCIDENTS.of(
    "ferry-log-1 is terminating for hours",
    "S2",
    finds("TERMINATION_STUCK", "cause"),
    accepted=("S1",),
    also=("REPLICAS_MISSING",),
    never=("NODE_NOT_READY", "READINESS_FAILING", "CRASH_LOOP"),
    app="ferry-log",
)
def _finalizer_of_a_backup(world: World) -> None:
    world.stateful_set(wanted=2, ready=1)
    owner = ("StatefulSet", "ferry-log")
    added(world, owner, [container("ferry-log")], [container("ferry-log", ready=False)])
    gone = world.lists["pods"][-1]
    gone["metadata"] |= {
        "deletionTimestamp": stamp(170),
        "deletionGracePeriodSeconds": 30,
        "finalizers": ["backup.example.com/flush"],
    }
    gone["status"]["containerStatuses"][0]["state"] = {"terminated": end(0, "Completed", 169)}


@INCIDENTS.of(
    "requests of ferry break off now and then",
    "S2",
    finds(
        "OOM_KILLED",
        "",
        of_status("ferry-0", "proxy", "lastState.terminated.reason", "OOMKilled"),
    ),
    also=("SIDECAR_FAILING",),
    accepted=("S3",),
    never=("CRASH_LOOP", "EXIT_137_UNCONFIRMED"),
)
def _proxy_out_of_memory(world: World) -> None:
    last = end(137, "OOMKilled", 6, ran=40)
    proxy = container("proxy", limits={"memory": "64Mi"}, restarts=7, last=last, since=5.9)
    (pod,) = replicas(world, [container(APP), proxy])
    works(world, pod)


@INCIDENTS.of(
    "ferry pushes no positions",
    "S2",
    finds("ERROR_BURST", "cause", logged("ferry-0", APP, "429", 70)),
    accepted=("S1",),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "IMAGE_PULL_UNKNOWN"),
)
def _partner_says_too_many(world: World) -> None:
    complains(
        world,
        70,
        "ERROR push {n} rejected: POST https://ais.coast.example/v2/positions 429 Too Many Requests",
        each_s=9,
    )


@INCIDENTS.of("people say ferry is slow today", "S0", WELL, never=("HPA_AT_LIMIT", "ROLLOUT_STUCK", "CPU_THROTTLED"))
def _just_scaled(world: World) -> None:
    pods = replicas(world, *(container(APP) for _ in range(5)))
    works(world, *pods)
    world.scaler(
        {"type": "ScalingLimited", "status": "False", "reason": "DesiredWithinRange"},
        {"type": "AbleToScale", "status": "True", "reason": "ReadyForNewScale"},
        most=8,
        current=5,
    )
    said = "Scaled up replica set ferry from 3 to 5"
    world.event(APP, "ScalingReplicaSet", said, kind="Deployment", normal=True, first=12, last=12, count=1)
    said = "Readiness probe failed: dial tcp 10.2.0.7:8080: connect: connection refused"
    world.event(pods[-1], "Unhealthy", said, part=APP, first=11.9, last=11.7, count=2)


@INCIDENTS.of(
    "isn't ferry throwing errors?",
    "S0",
    WELL,
    never=("ERROR_BURST", "HTTP_5XX_RATIO", "DEPENDENCY_TIMEOUT", "CERTIFICATE_REFUSED"),
)
def _strangers_ask_for_what_is_not_there(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods)
    for pod in pods:
        times(
            world,
            pod,
            APP,
            60,
            'WARN 404 GET /wp-login.php id={n} agent="scanner" reason="no such error page"',
            each_s=12,
        )
    world.log(pods[0], APP, (40, "WARN certificate of id.coast.example expires in 29 days"))


@INCIDENTS.of(
    "ferry 今天挂了吗?",
    "S0",
    WELL,
    language="zh",
    never=("CRASH_LOOP", "OOM_KILLED", "SERVICE_NO_ENDPOINTS", "IMAGE_PULL_UNKNOWN"),
)
def _its_namesake_is_down(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    owner = (RS, world.deployment("ferry-admin", ready=0))
    body = crashing("ferry-admin", 137, "OOMKilled", limits={"memory": "64Mi"})
    world.pod(owner, body, app="ferry-admin", name="ferry-admin-0", ready=False)
    world.event("ferry-admin-0", "BackOff", "Back-off restarting failed container", part="ferry-admin", count=300)
    world.add("services", "ferry-admin", spec={"selector": {"app": "ferry-admin"}})
    world.add("endpoints", "ferry-admin", subsets=[])


@INCIDENTS.of(
    "did last night's release break ferry?",
    "S0",
    WELL,
    never=("OOM_KILLED", "ROLLOUT_STUCK", "CERTIFICATE_REFUSED", "DEPENDENCY_TIMEOUT"),
)
def _release_went_well(world: World) -> None:
    last = end(137, "OOMKilled", 4_300)
    pods = replicas(world, container(APP, restarts=1, last=last, since=4_299), container(APP), age=5_000)
    works(world, *pods)
    for ago in (52, 51, 50):
        world.log(pods[0], APP, (ago, "ERROR x509: certificate has expired or is not yet valid, retrying with new one"))


@INCIDENTS.of(
    "ferry is slow and its new version does not come",
    "S2",
    finds("IMAGE_PULL_UNAUTHORIZED", "cause", event("Pod/ferry-2", "Failed", "403 Forbidden")),
    finds("CPU_THROTTLED", "cause"),
    also=("ROLLOUT_STUCK",),
    never=("IMAGE_PULL_NOT_FOUND", "NO_PROBLEM_FOUND"),
)
def _denied_and_throttled(world: World) -> None:
    image = "reg.coast.example/ferry:8.1"
    (new,) = rollout(world, waiting(APP, "ImagePullBackOff", image=image), age=22)
    said = (
        f'Failed to pull image "{image}": failed to resolve reference "{image}": unexpected status from HEAD request '
        "to https://reg.coast.example/v2/ferry/manifests/8.1: 403 Forbidden"
    )
    world.event(new, "Failed", said, part=APP, first=22, last=2, count=9)
    for pod in ("ferry-0", "ferry-1"):
        world.usage(pod, APP, throttled=0.55, cpu=0.3)


@INCIDENTS.of(
    "ferry shows neither weather nor berths",
    "S2",
    finds("DNS_FAILURE", "cause", logged("ferry-0", APP, "no such host", 30)),
    finds("DEPENDENCY_TIMEOUT", "cause", logged("ferry-0", APP, "connection refused", 30)),
    accepted=("S1",),
    also=("ERROR_BURST",),
)
def _two_services_gone(world: World) -> None:
    complains(
        world, 30, "ERROR weather {n}: dial tcp: lookup wether.coast.example on 10.96.0.10:53: no such host", each_s=20
    )
    said = "ERROR berths {n}: dial tcp 10.96.7.7:9000: connect: connection refused target=berths:9000"
    times(world, "ferry-0", APP, 30, said, each_s=20, last=0.4)


@INCIDENTS.of(
    "half of ferry is gone and the rest does not start",
    "S1",
    finds("NODE_NOT_READY", "cause"),
    finds("CONFIG_REF_MISSING", "cause", event("Pod/ferry-1", "Failed", "ferry-tls")),
    never=("CRASH_LOOP", "IMAGE_PULL_UNKNOWN"),
)
def _node_and_secret(world: World) -> None:
    world.node("node-b", ready="Unknown", minutes=12, message="Kubelet stopped posting node status.")
    said = 'secret "ferry-tls" not found'
    owner = (RS, world.deployment(wanted=2, ready=0))
    world.pod(owner, container(APP), name="ferry-0", node="node-b", ready=False, since=11, reason="NodeLost")
    added(world, owner, [waiting(APP, "CreateContainerConfigError", said)], first=1, age=10)
    world.event("ferry-1", "Failed", f"Error: {said}", part=APP, first=10, last=0.5, count=44)
    world.event(
        "node-b", "NodeNotReady", "Node node-b status is now: NodeNotReady", kind="Node", first=12, last=12, count=1
    )
