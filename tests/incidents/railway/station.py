"""A railway's incidents of what does not start, is not placed, or is kept where it is.

Written before any was run: 23 of 27 findings at first sight, 2 of 31 claims false; then mended on.
"""

from evals.diagnosis.composed.scene import added, job, replicas, rollout, unplaced, waiting, works
from evals.diagnosis.incidents.incident import Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp
from evals.diagnosis.railway.site import RS, busy, served
from evals.diagnosis.railway.track import budget, cordoned, forbidding

INCIDENTS = Collection("station")


@INCIDENTS.of(
    "drain of node-b hangs for half an hour on turnstile, what is wrong with it?",
    "S3",
    finds("DRAIN_BLOCKED", "", api("PodDisruptionBudget/turnstile", "status.disruptionsAllowed", "0")),
    accepted=("S0", "S2"),
    also=("NO_PROBLEM_FOUND",),
    never=("NODE_NOT_READY", "READINESS_FAILING", "REPLICAS_MISSING", "UNSCHEDULABLE_PLACEMENT"),
    app="turnstile",
)
@busy
def _budget_wants_both(world: World) -> None:
    owner = (RS, world.deployment(wanted=2, ready=2))
    works(
        world,
        *added(world, owner, [container("turnstile", **served())], [container("turnstile", **served())], node="node-b"),
    )
    for pod in world.lists["pods"]:
        pod["spec"]["nodeName"] = "node-b"
        pod["status"].pop("node", None)
    cordoned(world, "node-b", 34)
    budget(world, healthy=2, desired=2, expected=2, minAvailable=2)


@INCIDENTS.of(
    "timetable hangs in Init:0/1 since the 4.0 release",
    "S2",
    finds(
        "JOB_BACKOFF_LIMIT",
        "cause",
        api("Job/timetable-migrate", "status.conditions[type=Failed].reason", "BackoffLimitExceeded"),
    ),
    finds("INIT_CONTAINER_FAILED", ""),
    also=("ROLLOUT_STUCK",),
    never=("CRASH_LOOP", "DEPENDENCY_TIMEOUT", "NO_PROBLEM_FOUND"),
    app="timetable",
)
@busy
def _waits_for_a_migration_that_gave_up(world: World) -> None:
    step = container("wait-for-migrations", init=True, since=22, ready=False, image="groundnuty/k8s-wait-for:v2.0")
    body = waiting("timetable", "PodInitializing", image="r.example/timetable:4.0", **served())
    rollout(world, body, age=22)
    del world.lists["pods"][-1]
    rs = world.lists["replicasets"][-1]["metadata"]["name"]
    (pod,) = added(world, (RS, rs), [step, body], first=2, age=22)
    world.every(pod, "wait-for-migrations", "Waiting for job timetable-migrate...", since=22, each_s=5)
    tries = [container("migrate", ended=end(1, "Error", 30 - 5 * each), ready=False) for each in range(3)]
    names = job(world, "timetable-migrate", *tries, age=36)
    for name in names:
        world.log(
            name,
            "migrate",
            (24, "INFO  [alembic.runtime.migration] Running upgrade 81f0 -> 9ad2, add platform"),
            (
                23.99,
                (
                    'sqlalchemy.exc.ProgrammingError: (psycopg2.errors.DuplicateColumn) column "platform" of '
                    'relation "departures" already exists'
                ),
            ),
        )
    world.event(
        "timetable-migrate",
        "BackoffLimitExceeded",
        "Job has reached the specified backoff limit",
        kind="Job",
        first=11,
        last=11,
        count=1,
    )
    works(world, "timetable-0", "timetable-1")


@INCIDENTS.of(
    "ledger-db-0 of stations won't be scheduled, I recreated its claim",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT", "", event("Pod/platform-db-0", "FailedScheduling", "is being deleted")),
    accepted=("S2",),
    also=("PVC_UNBOUND",),
    never=("UNSCHEDULABLE_RESOURCES", "NO_PROBLEM_FOUND"),
    app="platform-db",
)
@busy
def _claim_is_held_by_its_protection(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    said = (
        '0/2 nodes are available: persistentvolumeclaim "data-platform-db-0" is being deleted. preemption: 0/2 nodes '
        "are available: 2 Preemption is not helpful for scheduling."
    )
    unplaced(
        world, said, owner=("StatefulSet", "platform-db"), name="platform-db-0", age=26, claims=["data-platform-db-0"]
    )
    world.add(
        "persistentvolumeclaims",
        "data-platform-db-0",
        spec={"storageClassName": "gp3", "volumeName": "pvc-8d1f", "accessModes": ["ReadWriteOnce"]},
        status={"phase": "Bound", "capacity": {"storage": "20Gi"}},
    )
    claim = world.lists["persistentvolumeclaims"][-1]["metadata"]
    claim |= {
        "deletionTimestamp": stamp(27),
        "deletionGracePeriodSeconds": 0,
        "finalizers": ["kubernetes.io/pvc-protection"],
    }


@INCIDENTS.of(
    "concourse 一直停在 PodInitializing,主容器根本没启动",
    "S1",
    finds("STARTUP_PROBE_KILLED", "cause", event("Pod/concourse-0", "Killing", "vault-proxy failed startup probe")),
    language="zh",
    also=("SIDECAR_FAILING", "INIT_CONTAINER_FAILED"),
    never=("CRASH_LOOP", "LIVENESS_KILLED", "IMAGE_PULL_UNKNOWN"),
    app="concourse",
)
@busy
def _proxy_before_it_never_starts(world: World) -> None:
    probe = {
        "httpGet": {"path": "/v1/sys/health", "port": 8100, "scheme": "HTTP"},
        "failureThreshold": 12,
        "periodSeconds": 5,
        "timeoutSeconds": 1,
    }
    proxy = container(
        "vault-proxy",
        init=True,
        always=True,
        ready=False,
        restarts=6,
        since=0.7,
        last=end(137, "Error", 0.8, ran=1),
        image="hashicorp/vault:1.18",
        startupProbe=probe,
    )
    body = waiting("concourse", "PodInitializing", **served())
    (pod,) = replicas(world, [proxy, body], age=17)
    world.lists["pods"][-1]["status"]["conditions"][1] |= {
        "status": "False",
        "reason": "ContainersNotInitialized",
        "message": "containers with incomplete status: [vault-proxy]",
    }
    part = "vault-proxy"
    refused = (
        'Startup probe failed: Get "http://10.8.3.17:8100/v1/sys/health": dial tcp 10.8.3.17:8100: '
        "connect: connection refused"
    )
    world.event(pod, "Unhealthy", refused, part=part, first=16, last=0.2, count=74)
    world.event(
        pod,
        "Killing",
        "Init container vault-proxy failed startup probe, will be restarted",
        part=part,
        first=15,
        last=0.8,
        count=6,
        normal=True,
    )
    world.log(
        pod,
        "vault-proxy",
        (0.7, "==> Vault Proxy started! Log data will stream in below:"),
        (
            0.6,
            (
                '2026-11-20T09:59:20.114Z [ERROR] proxy.auth.handler: error authenticating: error="context '
                'deadline exceeded" backoff=2.31s'
            ),
        ),
    )


@INCIDENTS.of(
    "kiosk pods CreateContainerConfigError but all secrets and configmaps are there, I checked",
    "S1",
    finds("CONTAINER_NOT_CREATED", "cause", event("Pod/kiosk-0", "Failed", "failed to prepare subPath")),
    never=("CONFIG_REF_MISSING", "CRASH_LOOP", "VOLUME_MOUNT_FAILED", "PVC_UNBOUND"),
    app="kiosk",
)
@busy
def _path_in_the_volume_is_bad(world: World) -> None:
    said = 'failed to prepare subPath for volumeMount "assets" of container "kiosk"'
    (pod,) = replicas(world, waiting("kiosk", "CreateContainerConfigError", said, **served()), age=19)
    world.event(pod, "Failed", f"Error: {said}", part="kiosk", first=19, last=0.4, count=88)
    world.event(
        pod,
        "Pulled",
        'Container image "r.example/app:1.0" already present on machine',
        part="kiosk",
        first=19,
        last=0.4,
        count=88,
        normal=True,
    )


@INCIDENTS.of(
    "signals: we only edited the configmap, nobody deployed, why does a new pod crash?",
    "S2",
    finds("CRASH_LOOP", "cause", logged("signals-2", "signals", "did not find expected key", 1)),
    finds("ROLLOUT_STUCK", ""),
    never=("OOM_KILLED", "CONFIG_REF_MISSING", "DEPENDENCY_TIMEOUT"),
    app="signals",
)
@busy
def _reloader_rolled_a_broken_file(world: World) -> None:
    (pod,) = rollout(world, crashing("signals", 1, restarts=7, ready=False, **served()), age=16, stuck=True)
    template = world.lists["replicasets"][-1]["spec"]["template"]
    template["metadata"] = {
        "annotations": {"reloader.stakater.com/last-reloaded-from": '{"type":"CONFIGMAP","name":"signals"}'}
    }
    template["spec"]["containers"][0]["env"] = [
        {"name": "STAKATER_SIGNALS_CONFIGMAP", "value": "b1946ac92492d2347c6235b4d2611184"}
    ]
    said = "failed to load /etc/signals/routes.yaml: yaml: line 214: did not find expected key"
    world.log(
        pod,
        "signals",
        (2.02, '{"level":"info","msg":"starting signals 1.0"}'),
        (2.01, f'{{"level":"fatal","msg":"{said}"}}'),
    )
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container signals in pod {pod}_shop(11f)",
        part="signals",
        first=15,
        last=0.6,
        count=70,
    )
    works(world, "signals-0", "signals-1")


@INCIDENTS.of(
    "the resolver pods crash since we changed resolv.conf on the nodes, cluster DNS is down",
    "S1",
    finds("CRASH_LOOP", "cause", logged("resolver-0", "coredns", "plugin/loop", 1)),
    never=("DNS_FAILURE", "OOM_KILLED", "DEPENDENCY_TIMEOUT", "NO_PROBLEM_FOUND"),
    app="resolver",
    label="k8s-app",
)
@busy
def _resolver_asks_itself(world: World) -> None:
    body = crashing("coredns", 1, restarts=11, ready=False, image="registry.k8s.io/coredns/coredns:v1.11.3")
    more = crashing("coredns", 1, restarts=11, ready=False, image="registry.k8s.io/coredns/coredns:v1.11.3")
    for pod in replicas(world, body, more, age=44):
        world.log(
            pod,
            "coredns",
            (2.2, ".:53"),
            (
                2.1,
                (
                    "[INFO] plugin/reload: Running configuration SHA512 = "
                    "591cf328cccc12bc490481273e738df59329c62c0b729d94e8b61db9961c2fa5"
                ),
            ),
            (2.05, "CoreDNS-1.11.3"),
            (
                2.01,
                (
                    '[FATAL] plugin/loop: Loop (127.0.0.1:55953 -> :53) detected for zone ".", see '
                    'https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO '
                    '4547991504243258144.3688648895315093531."'
                ),
            ),
        )
        world.event(
            pod,
            "BackOff",
            f"Back-off restarting failed container coredns in pod {pod}_shop(2a)",
            part="coredns",
            first=44,
            last=1,
            count=190,
        )


@INCIDENTS.of(
    "delays.csv of last night and of this morning is missing, the cron job says nothing",
    "S2",
    finds("CRONJOB_NOT_STARTING", "cause", event("CronJob/delays", "JobAlreadyActive", "prior execution is running")),
    never=("NO_PROBLEM_FOUND", "CRONJOB_SUSPENDED", "JOB_BACKOFF_LIMIT"),
    app="delays",
)
@busy
def _last_run_never_ends(world: World) -> None:
    pod = forbidding(world, "delays", "*/5 * * * *", since=1_580, body=container("delays", since=1_580))
    world.log(
        pod,
        "delays",
        (1_579, "INFO exporting delays of 2026-11-19"),
        (1_578, "INFO waiting for lock of sftp://archive.example/in"),
    )


@INCIDENTS.of(
    "the reindex job of fares was created an hour ago and has no pod",
    "S0",
    finds("NO_PODS_FOUND", "", api("Job/fares-reindex", "spec.suspend", "True")),
    accepted=("S2", "S3"),
    also=("REPLICAS_MISSING",),
    never=("JOB_BACKOFF_LIMIT", "UNSCHEDULABLE_RESOURCES", "NO_PROBLEM_FOUND"),
    app="fares",
)
@busy
def _queue_holds_the_job_back(world: World) -> None:
    condition = {
        "type": "Suspended",
        "status": "True",
        "reason": "JobSuspended",
        "message": "Job suspended",
        "lastTransitionTime": stamp(62),
    }
    world.add(
        "jobs",
        "fares-reindex",
        spec={"suspend": True, "parallelism": 3, "completions": 3, "backoffLimit": 6},
        status={"conditions": [condition]},
    )
    world.lists["jobs"][-1]["metadata"]["labels"]["kueue.x-k8s.io/queue-name"] = "nightly"
    world.event("fares-reindex", "Suspended", "Job suspended", kind="Job", first=58, last=58, count=1, normal=True)


@INCIDENTS.of(
    "notebook update hangs at ContainerCreating, Recreate strategy, one disk",
    "S1",
    finds("TERMINATION_STUCK", "cause"),
    finds("VOLUME_MOUNT_FAILED", "", event("Pod/notebook-1", "FailedAttachVolume", "Multi-Attach error")),
    never=("PVC_UNBOUND", "NODE_NOT_READY", "CRASH_LOOP"),
    app="notebook",
)
@busy
def _old_pod_will_not_go_and_holds_the_disk(world: World) -> None:
    owner = (RS, world.deployment(wanted=1, ready=0, age=4_000))
    volumes = [{"name": "home", "persistentVolumeClaim": {"claimName": "home"}}]
    added(world, owner, [container("notebook", **served())], age=4_000, volumes=volumes)
    old = world.lists["pods"][-1]["metadata"]
    old |= {
        "deletionTimestamp": stamp(41),
        "deletionGracePeriodSeconds": 30,
        "finalizers": ["example.com/flush-notebooks"],
    }
    body = waiting("notebook", "ContainerCreating", **served())
    (pod,) = added(world, owner, [body], first=1, age=41, volumes=volumes, node="node-b")
    world.lists["pods"][-1]["spec"]["nodeName"] = "node-b"
    said = (
        'Multi-Attach error for volume "pvc-6a1e0c5e-41e5-4dd4-9b57-3a0f2f4b1f5a" Volume is already used '
        "by pod(s) notebook-0"
    )
    world.event(pod, "FailedAttachVolume", said, first=41, last=41, count=1)
    wait = (
        "Unable to attach or mount volumes: unmounted volumes=[home], unattached volumes=[home "
        "kube-api-access-x2lwz]: timed out waiting for the condition"
    )
    world.event(pod, "FailedMount", wait, first=39, last=1, count=17)
    world.add("persistentvolumeclaims", "home", spec={"storageClassName": "gp3"}, status={"phase": "Bound"})


@INCIDENTS.of(
    "announcer crashes after the move to the new AWS account",
    "S1",
    finds(
        "CRASH_LOOP",
        "cause",
        of_status("announcer-0", "announcer", "state.waiting.reason", "CrashLoopBackOff"),
        logged("announcer-0", "announcer", "AssumeRoleWithWebIdentity", 1),
    ),
    never=("IMAGE_PULL_UNAUTHORIZED", "ACCESS_DENIED", "DEPENDENCY_TIMEOUT", "CONFIG_REF_MISSING"),
    app="announcer",
)
@busy
def _role_is_not_for_its_account(world: World) -> None:
    (pod,) = replicas(world, crashing("announcer", 1, restarts=9, ready=False, **served()), age=31)
    world.log(
        pod,
        "announcer",
        (2.1, "Traceback (most recent call last):"),
        (2.099, '  File "/app/announcer/__main__.py", line 31, in main'),
        (
            2.098,
            (
                "botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the "
                "AssumeRoleWithWebIdentity operation: Not authorized to perform sts:AssumeRoleWithWebIdentity"
            ),
        ),
    )
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container announcer in pod {pod}_shop(77)",
        part="announcer",
        first=30,
        last=1,
        count=140,
    )


@INCIDENTS.of(
    "mapserver image cannot be pulled from the new registry in our own rack",
    "S1",
    finds(
        "IMAGE_PULL_UNKNOWN", "cause", event("Pod/mapserver-0", "Failed", "server gave HTTP response to HTTPS client")
    ),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND", "CERTIFICATE_REFUSED"),
    app="mapserver",
)
@busy
def _registry_speaks_plainly(world: World) -> None:
    image = "registry.rail.example:5000/mapserver:3.1"
    message = f'Back-off pulling image "{image}"'
    (pod,) = replicas(world, waiting("mapserver", "ImagePullBackOff", message, image=image, **served()), age=21)
    said = (
        f'Failed to pull image "{image}": rpc error: code = Unknown desc = failed to pull and unpack '
        f'image "{image}": failed to '
        f'resolve reference "{image}": failed to do request: Head '
        '"https://registry.rail.example:5000/v2/mapserver/manifests/3.1": '
        "http: server gave HTTP response to HTTPS client"
    )
    world.event(pod, "Failed", said, part="mapserver", first=21, last=2, count=6)
    world.event(pod, "Failed", "Error: ErrImagePull", part="mapserver", first=21, last=2, count=6)
    world.event(pod, "BackOff", message, part="mapserver", first=21, last=0.5, count=60, normal=True)
