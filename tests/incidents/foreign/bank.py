"""A bank's incidents of pods that do not start: images, settings, first steps, nodes, webhooks.

Written before any was run, and found so at first sight; then mended on.
"""

from evals.diagnosis.composed.scene import added, replicas, rollout, unplaced, waiting, works
from evals.diagnosis.incidents.incident import Collection, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end
from evals.diagnosis.railway.site import RS, busy, ordinal, served

INCIDENTS = Collection("bank")


@INCIDENTS.of(
    "wallet shows 1/2 containers ready and the load balancer dropped it, app log looks fine",
    "S1",
    finds(
        "SIDECAR_FAILING", "cause", of_status("wallet-0", "oauth2-proxy", "state.waiting.reason", "CrashLoopBackOff")
    ),
    also=("CERTIFICATE_REFUSED",),
    never=("CRASH_LOOP", "READINESS_FAILING", "DEPENDENCY_TIMEOUT"),
    app="wallet",
)
@busy
def _proxy_beside_it_has_no_provider(world: World) -> None:
    proxy = crashing("oauth2-proxy", 1, restarts=14, ready=False, image="quay.io/oauth2-proxy/oauth2-proxy:v7.6.0")
    (pod,) = replicas(world, [container("wallet", **served()), proxy], age=70)
    works(world, pod, line='{"level":"info","ts":1795168741.2,"msg":"balance read","id":{n}}')
    said = (
        "[main.go:54] ERROR: Failed to initialise OAuth2 Proxy: error initialising provider: could not create provider "
        "data: error building OIDC ProviderVerifier: could not get verifier builder: error while discovery OIDC "
        'configuration: failed to discover OIDC configuration: unexpected status "404": not found'
    )
    world.log(pod, "oauth2-proxy", (2.1, f"[2026/11/20 09:57:52] {said}"))
    world.log(pod, "oauth2-proxy", (7.3, f"[2026/11/20 09:52:40] {said}"), previous=True)
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container oauth2-proxy in pod {pod}_shop(5e1c)",
        part="oauth2-proxy",
        first=50,
        last=1,
        count=230,
    )


@INCIDENTS.of(
    "kyc release 8.2 doesn't come up, old version still there. flyway?",
    "S2",
    finds("INIT_CONTAINER_FAILED", "cause", logged("kyc-2", "flyway", "Migration checksum mismatch", 1)),
    also=("ROLLOUT_STUCK",),
    never=("CRASH_LOOP", "DEPENDENCY_TIMEOUT", "ERROR_BURST"),
    app="kyc",
)
@busy
def _migrations_were_edited(world: World) -> None:
    replica = rollout(world, container("kyc", image="r.example/kyc:8.1", **served()), age=19)
    del world.lists["pods"][-1]
    del replica
    step = crashing("flyway", 1, restarts=6, ready=False, init=True, image="flyway/flyway:10.4")
    body = waiting("kyc", "PodInitializing", image="r.example/kyc:8.2", **served())
    rs = world.lists["replicasets"][-1]["metadata"]["name"]
    (pod,) = added(world, (RS, rs), [step, body], first=2, age=19)
    world.log(
        pod,
        "flyway",
        (2.3, "Flyway OSS Edition 10.4.1 by Redgate"),
        (2.2, "Database: jdbc:postgresql://kyc-db:5432/kyc (PostgreSQL 15.4)"),
        (2.1, "ERROR: Validate failed: Migrations have failed validation"),
        (2.099, "Migration checksum mismatch for migration version 12"),
        (2.098, "-> Applied to database : -1093873022"),
        (2.097, "-> Resolved locally    : 884712236"),
        (2.096, "Need more flexibility with validation rules? Learn more: https://rd.gt/3AbJUZE"),
    )
    for name in ("kyc-0", "kyc-1"):
        works(world, name)


@INCIDENTS.of(
    "fx-rates pods hang in ImagePullBackOff since the autoscaler added nodes, credentials again?",
    "S2",
    finds("IMAGE_PULL_UNKNOWN", "cause", event("Pod/fx-rates-2", "Failed", "429 Too Many Requests")),
    also=("REPLICAS_MISSING",),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND", "CRASH_LOOP"),
    app="fx-rates",
    label="app.kubernetes.io/name",
)
@busy
def _hub_counts_pulls(world: World) -> None:
    image = "docker.io/library/redis:7.2-alpine"
    owner = (RS, world.deployment(wanted=3, ready=2))
    works(world, *added(world, owner, [container("fx-rates", **served())], [container("fx-rates", **served())]))
    message = f'Back-off pulling image "{image}"'
    (pod,) = added(world, owner, [waiting("fx-rates", "ImagePullBackOff", message, image=image)], first=2, age=17)
    said = (
        f'Failed to pull image "{image}": failed to pull and unpack image "{image}": failed to copy: httpReadSeeker: '
        "failed open: unexpected status code https://registry-1.docker.io/v2/library/redis/manifests/sha256:1bf9: 429 "
        "Too Many Requests - Server message: toomanyrequests: You have reached your unauthenticated pull rate limit. "
        "https://www.docker.com/increase-rate-limit"
    )
    world.event(pod, "Failed", said, part="fx-rates", first=17, last=3, count=5)
    world.event(pod, "Failed", "Error: ErrImagePull", part="fx-rates", first=17, last=3, count=5)
    world.event(pod, "BackOff", message, part="fx-rates", first=17, last=1, count=40, normal=True)


@INCIDENTS.of(
    "statement-render can't be pulled in the new namespace",
    "S1",
    finds("IMAGE_PULL_UNAUTHORIZED", "cause", event("Pod/statement-render-0", "Failed", "insufficient_scope")),
    also=("CONFIG_REF_MISSING",),
    never=("IMAGE_PULL_NOT_FOUND", "IMAGE_PULL_UNKNOWN"),
    app="statement-render",
)
@busy
def _pull_secret_was_not_copied(world: World) -> None:
    image = "docker.io/bankexample/statement-render:5.1"
    (pod,) = replicas(world, waiting("statement-render", "ErrImagePull", "pull access denied", image=image), age=9)
    said = (
        f'Failed to pull image "{image}": rpc error: code = Unknown desc = failed to pull and unpack image "{image}": '
        "failed to resolve reference: pull access denied, repository does not exist or may require authorization: "
        "server message: insufficient_scope: authorization failed"
    )
    world.event(pod, "Failed", said, part="statement-render", first=9, last=1, count=6)
    missing = "Unable to retrieve some image pull secrets (regcred-prod); attempting to pull the image may not succeed."
    world.event(pod, "FailedToRetrieveImagePullSecret", missing, first=9, last=0.4, count=42)


@INCIDENTS.of(
    "swift-adapter 在新的 ARM 节点上一直 CrashLoopBackOff",
    "S2",
    finds("CRASH_LOOP", "cause", logged("swift-adapter-1", "swift-adapter", "exec format error", 1)),
    also=("REPLICAS_MISSING",),
    never=("OOM_KILLED", "CONFIG_REF_MISSING", "ERROR_BURST"),
    language="zh",
    app="swift-adapter",
)
@busy
def _built_for_another_machine(world: World) -> None:
    owner = (RS, world.deployment(wanted=2, ready=1))
    works(world, *added(world, owner, [container("swift-adapter", **served())]))
    body = crashing("swift-adapter", 255, restarts=9, ready=False, **served())
    (pod,) = added(world, owner, [body], first=1, age=24)
    world.log(pod, "swift-adapter", (2, "exec /usr/local/bin/docker-entrypoint.sh: exec format error"))


@INCIDENTS.of(
    "tiller won't start after config split: CreateContainerConfigError",
    "S1",
    finds("CONFIG_REF_MISSING", "cause", event("Pod/tiller-0", "Failed", "couldn't find key LEDGER_URL")),
    never=("CRASH_LOOP", "VOLUME_MOUNT_FAILED"),
    app="tiller",
)
@busy
def _key_is_in_the_other_map(world: World) -> None:
    said = "couldn't find key LEDGER_URL in ConfigMap shop/tiller-config"
    (pod, _) = replicas(
        world,
        waiting("tiller", "CreateContainerConfigError", said, **served()),
        waiting("tiller", "CreateContainerConfigError", said, **served()),
        age=12,
    )
    for name in (pod, "tiller-1"):
        world.event(name, "Failed", f"Error: {said}", part="tiller", first=12, last=0.3, count=55)
        said_ok = 'Container image "r.example/app:1.0" already present on machine'
        world.event(name, "Pulled", said_ok, part="tiller", first=12, last=0.3, count=55, normal=True)


@INCIDENTS.of(
    "cards-api hangs at ContainerCreating",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/cards-api-0", "FailedMount", 'secret "cards-tls" not found')),
    also=("CONFIG_REF_MISSING",),
    never=("PVC_UNBOUND", "SANDBOX_FAILED"),
    app="cards-api",
)
@busy
def _certificate_was_never_issued(world: World) -> None:
    (pod,) = replicas(world, waiting("cards-api", "ContainerCreating", **served()), age=33)
    said = 'MountVolume.SetUp failed for volume "tls" : secret "cards-tls" not found'
    world.event(pod, "FailedMount", said, first=33, last=1.5, count=24)
    said = (
        "Unable to attach or mount volumes: unmounted volumes=[tls], unattached volumes=[], failed to process "
        "volumes=[]: timed out waiting for the condition"
    )
    world.event(pod, "FailedMount", said, first=31, last=4, count=12)


@INCIDENTS.of(
    "card-vault pods missing after node rotation",
    "S2",
    finds("CERTIFICATE_REFUSED", "cause", event("ReplicaSet/card-vault-rs", "FailedCreate", "certificate has expired")),
    also=("REPLICAS_MISSING",),
    never=("QUOTA_EXCEEDED", "NO_PROBLEM_FOUND"),
    app="card-vault",
)
@busy
def _injector_of_secrets_has_an_old_certificate(world: World) -> None:
    said = (
        'Error creating: Internal error occurred: failed calling webhook "vault.hashicorp.com": failed to call '
        'webhook: Post "https://vault-agent-injector-svc.vault.svc:443/mutate?timeout=30s": tls: failed to verify '
        "certificate: x509: certificate has expired or is not yet valid: current time 2026-11-20T09:58:11Z is after "
        "2026-11-19T23:59:59Z"
    )
    owner = (RS, world.deployment(wanted=3, ready=1))
    world.lists["replicasets"][-1]["metadata"]["name"] = "card-vault-rs"
    works(world, *added(world, (owner[0], "card-vault-rs"), [container("card-vault", **served())]))
    world.event("card-vault-rs", "FailedCreate", said, kind=RS, first=40, last=2, count=17)


@INCIDENTS.of(
    "no new risk pods since 9, deployment says 2/4",
    "S2",
    finds("REPLICAS_MISSING", "", event("ReplicaSet/risk-rs", "FailedCreate", "context deadline exceeded")),
    never=("CERTIFICATE_REFUSED", "QUOTA_EXCEEDED", "NO_PROBLEM_FOUND", "DEPENDENCY_TIMEOUT"),
    app="risk",
)
@busy
def _policy_engine_gives_no_answer(world: World) -> None:
    said = (
        'Error creating: Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call '
        'webhook: Post "https://kyverno-svc.kyverno.svc:443/validate/fail?timeout=10s": context deadline exceeded'
    )
    world.deployment(wanted=4, ready=2)
    world.lists["replicasets"][-1]["metadata"]["name"] = "risk-rs"
    body = [container("risk", **served())]
    works(world, *added(world, (RS, "risk-rs"), body, body))
    world.event("risk-rs", "FailedCreate", said, kind=RS, first=55, last=2, count=16)


@INCIDENTS.of(
    "ledger-db-0 is pending in the DR zone",
    "S1",
    finds("PVC_UNBOUND"),
    also=("REPLICAS_MISSING",),
    never=("UNSCHEDULABLE_RESOURCES", "UNSCHEDULABLE_PLACEMENT", "VOLUME_MOUNT_FAILED"),
    app="ledger-db",
)
@busy
def _no_default_class(world: World) -> None:
    world.stateful_set(wanted=2, ready=0)
    said = (
        "0/6 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/6 nodes are "
        "available: 6 Preemption is not helpful for scheduling."
    )
    unplaced(world, said, owner=("StatefulSet", "ledger-db"), name="ledger-db-0", age=80, claims=("data-ledger-db-0",))
    world.add(
        "persistentvolumeclaims",
        "data-ledger-db-0",
        spec={"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "50Gi"}}},
        status={"phase": "Pending"},
    )
    said = "no persistent volumes available for this claim and no storage class is set"
    world.event("data-ledger-db-0", "FailedBinding", said, kind="PersistentVolumeClaim", first=80, last=0.2, count=300)


@INCIDENTS.of(
    "audit-db will not schedule after we lost zone c",
    "S1",
    finds(
        "UNSCHEDULABLE_PLACEMENT", "cause", event("Pod/audit-db-0", "FailedScheduling", "volume node affinity conflict")
    ),
    also=("REPLICAS_MISSING",),
    never=("PVC_UNBOUND", "UNSCHEDULABLE_RESOURCES"),
    app="audit-db",
)
@busy
def _disk_is_in_the_lost_zone(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    said = (
        "0/6 nodes are available: 2 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 4 node(s) had "
        "volume node affinity conflict. preemption: 0/6 nodes are available: 6 Preemption is not helpful for "
        "scheduling."
    )
    unplaced(world, said, owner=("StatefulSet", "audit-db"), name="audit-db-0", age=44, claims=("data-audit-db-0",))
    world.add("persistentvolumeclaims", "data-audit-db-0", spec={"storageClassName": "gp3"}, status={"phase": "Bound"})


@INCIDENTS.of(
    "fraud-train was thrown off the node and does not come back",
    "S1",
    finds("UNSCHEDULABLE_RESOURCES", "cause", event("Pod/fraud-train-1", "FailedScheduling", "Insufficient cpu")),
    also=("REPLICAS_MISSING", "EVICTED"),
    never=("NODE_PRESSURE", "NODE_NOT_READY"),
    app="fraud-train",
)
@busy
def _made_room_for_payments(world: World) -> None:
    rs = (RS, world.deployment(wanted=1, ready=0))
    said = (
        "0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims "
        "found for incoming pod."
    )
    unplaced(world, said, owner=rs, name="fraud-train-1", age=21)
    said = "Preempted by pod 6c1f7a10-0f0e-4d57-9a7f-3f0f4c1be1aa on node node-a"
    world.event("fraud-train-0", "Preempted", said, first=21, last=21, count=1)


@INCIDENTS.of(
    "limits-cron runs nothing since last night",
    "S2",
    finds("QUOTA_EXCEEDED", "cause", event("CronJob/limits-cron", "FailedCreate", "count/jobs.batch")),
    also=("NO_PODS_FOUND",),
    never=("CRONJOB_SUSPENDED", "JOB_BACKOFF_LIMIT", "NO_PROBLEM_FOUND"),
    app="limits-cron",
    accepted=("S0",),
)
@busy
def _jobs_are_counted(world: World) -> None:
    world.add(
        "cronjobs",
        "limits-cron",
        spec={"schedule": "*/10 * * * *", "suspend": False, "jobTemplate": {"spec": {}}},
        status={"lastScheduleTime": "2026-11-19T22:10:00Z", "lastSuccessfulTime": "2026-11-19T22:11:12Z"},
    )
    said = (
        'Error creating job: jobs.batch "limits-cron-29394280" is forbidden: exceeded quota: batch-objects, requested: '
        "count/jobs.batch=1, used: count/jobs.batch=50, limited: count/jobs.batch=50"
    )
    world.event("limits-cron", "FailedCreate", said, kind="CronJob", first=58, last=0.5, count=300)


@INCIDENTS.of(
    "sanctions pods stuck in ContainerCreating on new nodes",
    "S2",
    finds("SANDBOX_FAILED", "cause", event("Pod/sanctions-1", "FailedCreatePodSandBox", "ClusterInformation")),
    also=("REPLICAS_MISSING",),
    never=("IMAGE_PULL_UNAUTHORIZED", "VOLUME_MOUNT_FAILED"),
    app="sanctions",
)
@busy
def _network_plugin_lost_its_token(world: World) -> None:
    owner = (RS, world.deployment(wanted=2, ready=1))
    works(world, *added(world, owner, [container("sanctions", **served())]))
    added(world, owner, [waiting("sanctions", "ContainerCreating", **served())], first=1, age=15, node="node-b")
    said = (
        "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "
        '"8b0e1f": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: '
        "Unauthorized"
    )
    world.event("sanctions-1", "FailedCreatePodSandBox", said, first=15, last=0.5, count=66)


@INCIDENTS.of(
    "broker is stuck at 2/3",
    "S2",
    finds("CRASH_LOOP", "cause", logged("broker-2", "broker", "doesn't match stored clusterId", 1)),
    also=("REPLICAS_MISSING", "ROLLOUT_STUCK"),
    never=("OOM_KILLED", "DNS_FAILURE", "DEPENDENCY_TIMEOUT"),
    app="broker",
)
@busy
def _third_broker_has_an_old_disk(world: World) -> None:
    world.stateful_set(wanted=3, ready=2)
    for number in range(2):
        works(world, ordinal(world, number, container("broker", **served(port=9092))))
    pod = ordinal(world, 2, crashing("broker", 1, restarts=11, ready=False), ready=False, age=45)
    world.log(
        pod,
        "broker",
        (2.3, "[2026-11-20 09:57:40,112] INFO Cluster ID = wE3k0Qx1Rg6mB5HPaZ (kafka.server.KafkaServer)"),
        (
            2.2,
            "[2026-11-20 09:57:48,020] ERROR Fatal error during startup. Preparing shutdown (kafka.server.KafkaServer)",
        ),
        (
            2.199,
            "kafka.common.InconsistentClusterIdException: Cluster ID wE3k0Qx1Rg doesn't match stored clusterId",
        ),
        (2.198, "\tat kafka.server.KafkaServer.startup(KafkaServer.scala:230)"),
        (2.1, "[2026-11-20 09:57:50,003] INFO shutting down (kafka.server.KafkaServer)"),
    )


@INCIDENTS.of(
    "pricing 启动不了,说 permission denied",
    "S1",
    finds("CRASH_LOOP", ""),
    also=("CONTAINER_NOT_CREATED",),
    never=("OOM_KILLED", "IMAGE_PULL_UNAUTHORIZED", "EXIT_137_UNCONFIRMED"),
    language="zh",
    app="pricing",
)
@busy
def _binary_may_not_be_run(world: World) -> None:
    ended = end(128, "StartError", 1.8, ran=0)
    ended["message"] = (
        "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: "
        'unable to start container process: exec: "/app/server": permission denied: unknown'
    )
    body = container("pricing", waiting="CrashLoopBackOff", last=ended, restarts=5, ready=False, **served())
    (pod,) = replicas(world, body, age=8)
    world.event(pod, "Failed", f"Error: {ended['message']}", part="pricing", first=8, last=1.8, count=5)


@INCIDENTS.of(
    "why are there so many Evicted custody pods",
    "S2",
    finds("EVICTED", "", event("Pod/custody-9", "Evicted", "low on resource: ephemeral-storage")),
    also=("NODE_PRESSURE", "REPLICAS_MISSING"),
    accepted=("S2", "S3"),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "CRASH_LOOP"),
    app="custody",
)
@busy
def _log_shipper_fills_the_node(world: World) -> None:
    message = (
        "The node was low on resource: ephemeral-storage. Threshold quantity: 10737418240, available: 8123Mi. "
        "Container custody was using 21Gi, request is 0, has larger consumption of ephemeral-storage. "
    )
    world.node("node-b", pressure="DiskPressure", minutes=14, message="kubelet has disk pressure")
    owner = (RS, world.deployment(wanted=2, ready=1))
    works(world, *added(world, owner, [container("custody", **served())]))
    lost = end(137, "ContainerStatusUnknown", 13)
    lost["message"] = "The container could not be located when the pod was terminated"
    for number in (8, 9):
        name = f"custody-{number}"
        body = container("custody", ended=lost, ready=False)
        world.pod(owner, body, name=name, ready=False, node="node-b", phase="Failed", reason="Evicted", message=message)
        world.event(name, "Evicted", message, first=13, last=13, count=1)
