"""Incidents written on another day than the rules, and scored once before anything was mended for them."""

from typing import Any

from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged
from evals.diagnosis.incidents.world import Body, World, container, crashing, end, stamp

RS = "ReplicaSet"
INFO = "2026-11-20 09:59:01 INFO payout {n} settled"
INCIDENTS = Collection("payout")


def pods_of(world: World, wanted: int = 1, **more: Any) -> list[str]:
    """Add the app in question with pods that run and are ready; return their names."""
    owner = (RS, world.deployment(wanted=wanted, ready=wanted))
    return [world.pod(owner, container(world.app, **more), name=f"{world.app}-p{number}") for number in range(wanted)]


def broken_pod(world: World, *bodies: Body, **more: Any) -> str:
    """Add the app in question with one pod that is not ready; return its name."""
    owner = (RS, world.deployment(ready=0))
    return world.pod(owner, *bodies, name=f"{world.app}-p0", ready=False, **more)


@INCIDENTS.of(
    "is anything wrong in shop?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("payout-p0", "payout", "license expired", 1)),
    finds("OOM_KILLED"),
    whole=True,
    also=("CONTAINER_RESTARTING",),
    never=("EXIT_137_UNCONFIRMED",),
)
def _two_apps_two_causes(world: World) -> None:
    broken_pod(world, crashing("payout", 1, ready=False))
    world.log("payout-p0", "payout", (2.1, "level=info msg=boot"), (2, 'level=fatal msg="license expired 2026-11-01"'))
    owner = (RS, world.deployment("fees", wanted=2, ready=1))
    world.pod(owner, container("fees"), app="fees", name="fees-0")
    body = container("fees", since=3, restarts=6, last=end(137, "OOMKilled", 3.2), limits={"memory": "256Mi"})
    world.pod(owner, body, app="fees", name="fees-1")


@INCIDENTS.of(
    "Why is payout down?",
    "S2",
    finds("OOM_KILLED"),
    finds("CONFIG_REF_MISSING"),
    also=("CRASH_LOOP",),
    never=("EXIT_137_UNCONFIRMED",),
)
def _oom_and_missing_config(world: World) -> None:
    owner = (RS, world.deployment(wanted=3, ready=1))
    world.pod(owner, container("payout"), name="payout-p0")
    body = crashing("payout", 137, "OOMKilled", ready=False, limits={"memory": "128Mi"})
    world.pod(owner, body, name="payout-p1", ready=False)
    missing = 'configmap "payout-rates" not found'
    body = container("payout", waiting="CreateContainerConfigError", message=missing, ready=False)
    world.pod(owner, body, name="payout-p2", ready=False, age=12)


@INCIDENTS.of(
    "Why is payout down?",
    "S0",
    WELL,
    never=("CRASH_LOOP", "LIVENESS_KILLED", "READINESS_FAILING"),
)
def _stranger_is_broken(world: World) -> None:
    (pod,) = pods_of(world)
    world.every(pod, "payout", INFO, since=55)
    world.usage(pod, "payout", throttled=0.01)
    world.requests(pod, bad=0.0, good=12)
    world.event("search-7f-x", "BackOff", "Back-off restarting failed container", part="search", count=90)
    world.event("search-7f-x", "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 500", count=60)


@INCIDENTS.of(
    "Why is payout down?",
    "S2",
    finds("NODE_NOT_READY"),
    never=("READINESS_FAILING", "CRASH_LOOP"),
)
def _node_away(world: World) -> None:
    world.node("node-b", ready="Unknown", minutes=11, message="Kubelet stopped posting node status.")
    owner = (RS, world.deployment(wanted=2, ready=1))
    world.pod(owner, container("payout"), name="payout-p0")
    world.pod(owner, container("payout"), name="payout-p1", ready=False, node="node-b", since=10)
    world.event("payout-p1", "NodeNotReady", "Node is not ready", last=10, first=10, count=1)


@INCIDENTS.of(
    "Why is payout down?",
    "S2",
    finds("ERROR_BURST", ""),
    also=("DEPENDENCY_TIMEOUT",),
    accepted=("S1",),
    never=("DNS_FAILURE",),
)
def _java_pool_of_database(world: World) -> None:
    (pod,) = pods_of(world)
    world.every(pod, "payout", "2026-11-20 09:50:00.001  INFO 1 --- c.e.Payouts : settled {n}", since=55)
    lines = (
        (
            "2026-11-20 09:50:01.113 ERROR 1 --- [exec-7] o.h.engine.jdbc.spi.SqlExceptionHelper : HikariPool-1 - "
            "Connection is not available, request timed out after 30000ms."
        ),
        "org.springframework.dao.DataAccessResourceFailureException: Unable to acquire JDBC Connection",
        "\tat org.springframework.orm.jpa.vendor.HibernateJpaDialect.convert(HibernateJpaDialect.java:255)",
        "Caused by: java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available",
        "\t... 40 more",
    )
    for number in range(60):
        ago = 15 - number * 0.24
        world.log(pod, "payout", *((ago - at * 0.0001, line) for at, line in enumerate(lines)))


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("CRASH_LOOP", ""),
    finds("DEPENDENCY_TIMEOUT"),
    never=("DNS_FAILURE",),
)
def _dotnet_sql_server(world: World) -> None:
    broken_pod(world, crashing("payout", 134, ready=False))
    lines = (
        (
            "Unhandled exception. Microsoft.Data.SqlClient.SqlException (0x80131904): A network-related or "
            "instance-specific error occurred while establishing a connection to SQL Server. The server was not found "
            "or was not accessible. (provider: TCP Provider, error: 40 - Could not open a connection to SQL Server: "
            "Connection refused) server=mssql-main,1433"
        ),
        "   at Microsoft.Data.SqlClient.SqlInternalConnectionTds..ctor(DbConnectionPoolIdentity identity)",
        "   at Payout.Program.Main(String[] args) in /src/Program.cs:line 22",
    )
    world.log("payout-p0", "payout", *((2 - at * 0.0001, line) for at, line in enumerate(lines)))


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("payout-p0", "payout", "nil pointer", 1)),
    never=("OOM_KILLED", "DEPENDENCY_TIMEOUT"),
)
def _go_nil_pointer(world: World) -> None:
    broken_pod(world, crashing("payout", 2, ready=False))
    lines = (
        "panic: runtime error: invalid memory address or nil pointer dereference",
        "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x6a2f31]",
        "goroutine 1 [running]:",
        "main.(*Settler).Run(0x0)",
        "\t/src/settler.go:41 +0x31",
    )
    world.log("payout-p0", "payout", *((2 - at * 0.0001, line) for at, line in enumerate(lines)))


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("DNS_FAILURE"),
    also=("ERROR_BURST",),
    accepted=("S2",),
    never=("DEPENDENCY_TIMEOUT",),
)
def _redis_name_unknown(world: World) -> None:
    (pod,) = pods_of(world)
    world.every(pod, "payout", INFO, since=55)
    said = "ERROR redis.exceptions.ConnectionError: Error -3 connecting to redis-cache:6379. Temporary failure in "
    world.every(pod, "payout", f"{said}name resolution. job={{n}}", since=12, each_s=8)


@INCIDENTS.of(
    "payout 为什么一直报错?",
    "S1",
    finds("DEPENDENCY_TIMEOUT"),
    finds("HTTP_5XX_RATIO", ""),
    also=("ERROR_BURST",),
    language="zh",
)
def _chinese_database(world: World) -> None:
    (pod,) = pods_of(world)
    world.every(pod, "payout", "2026-11-20 17:50:00 信息 结算完成 编号={n}", since=55)
    said = "2026-11-20 17:55:00 错误 连接数据库 mysql-main:3306 超时,结算失败 编号={n}"
    world.every(pod, "payout", said, since=14, each_s=9)
    world.requests(pod, bad=6, good=6)


@INCIDENTS.of(
    "Why is payout down?",
    "S2",
    finds("READINESS_FAILING", "cause", event("Pod/payout-p1", "Unhealthy", "503")),
    never=("CRASH_LOOP", "LIVENESS_KILLED"),
)
def _flapping(world: World) -> None:
    probe = {"httpGet": {"path": "/healthz", "port": 8080}}
    body = container("payout", ready=False, readinessProbe=probe)
    owner = (RS, world.deployment(wanted=2, ready=1))
    world.pod(owner, container("payout", readinessProbe=probe), name="payout-p0")
    world.pod(owner, body, name="payout-p1", ready=False, since=0.7)
    said = "Readiness probe failed: HTTP probe failed with statuscode: 503"
    world.event("payout-p1", "Unhealthy", said, part="payout", first=58, last=0.6, count=41)


@INCIDENTS.of(
    "payout was red yesterday, and now?",
    "S0",
    WELL,
    never=("CRASH_LOOP", "CONTAINER_RESTARTING"),
)
def _flapped_yesterday(world: World) -> None:
    (pod,) = pods_of(world, since=1_300, restarts=14, last=end(1, "Error", 1_301))
    world.every(pod, "payout", INFO, since=55)
    world.usage(pod, "payout", throttled=0.02)


@INCIDENTS.of(
    "Why is payout down?",
    "S2",
    finds("QUOTA_EXCEEDED"),
    never=("UNSCHEDULABLE_RESOURCES",),
)
def _quota(world: World) -> None:
    world.deployment(wanted=4, ready=3)
    owner = (RS, world.lists["replicasets"][0]["metadata"]["name"])
    for number in range(3):
        world.pod(owner, container("payout"), name=f"payout-p{number}")
    hard, used = {"limits.memory": "3Gi"}, {"limits.memory": "3Gi"}
    world.add("resourcequotas", "team", spec={"hard": hard}, status={"hard": hard, "used": used})
    said = (
        f'Error creating: pods "{owner[1]}-q" is forbidden: exceeded quota: team, requested: limits.memory=1Gi, '
        "used: limits.memory=3Gi, limited: limits.memory=3Gi"
    )
    world.event(owner[1], "FailedCreate", said, kind=RS, last=1, first=40, count=18)


@INCIDENTS.of(
    "Why is payout down?",
    "S3",
    finds("HPA_NOT_SCALING"),
    never=("HPA_AT_LIMIT", "CPU_THROTTLED", "NO_PROBLEM_FOUND"),
)
def _scaler_without_metrics(world: World) -> None:
    for pod in pods_of(world, 2):
        world.usage(pod, "payout", throttled=0.02)
    said = "the HPA was unable to compute the replica count: unable to get metrics for resource cpu"
    failed = {"type": "ScalingActive", "status": "False", "reason": "FailedGetResourceMetric", "message": said}
    world.scaler(failed, most=9, current=2, least=2)


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("PVC_UNBOUND"),
    never=("UNSCHEDULABLE_RESOURCES",),
)
def _claim_without_class(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    pod = world.pod(
        ("StatefulSet", "payout"),
        container("payout"),
        name="payout-0",
        ready=False,
        node="",
        age=30,
        phase="Pending",
        volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "d-payout-0"}}],
    )
    said = (
        "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/2 nodes are available"
    )
    world.lists["pods"][0]["status"]["containerStatuses"] = []
    world.lists["pods"][0]["status"]["conditions"] = [
        {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": said}
    ]
    world.event(pod, "FailedScheduling", said, new=True)
    world.add("persistentvolumeclaims", "d-payout-0", spec={"storageClassName": "fast"}, status={"phase": "Pending"})
    said = 'storageclass.storage.k8s.io "fast" not found'
    world.event("d-payout-0", "ProvisioningFailed", said, kind="PersistentVolumeClaim", count=30)


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/payout-0", "FailedAttachVolume", "Multi-Attach")),
    never=("PVC_UNBOUND",),
)
def _disk_attached_elsewhere(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    world.pod(
        ("StatefulSet", "payout"),
        container("payout", waiting="ContainerCreating", ready=False),
        name="payout-0",
        ready=False,
        age=18,
        phase="Pending",
    )
    said = (
        'Multi-Attach error for volume "pvc-11" Volume is already exclusively attached to one node and can\'t be '
        "attached to another"
    )
    world.event("payout-0", "FailedAttachVolume", said, first=17, last=1, count=9)


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("payout-p0", "payout", "No space left", 1)),
    never=("NODE_PRESSURE", "EVICTED"),
)
def _volume_full(world: World) -> None:
    broken_pod(world, crashing("payout", 1, ready=False))
    said = 'FATAL:  could not write to file "pg_wal/xlogtemp.31": No space left on device'
    world.log("payout-p0", "payout", (2.1, "LOG:  starting PostgreSQL 15.4"), (2, said))


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("LIVENESS_KILLED"),
    finds("CRASH_LOOP", ""),
    never=("DEPENDENCY_TIMEOUT", "OOM_KILLED"),
)
def _liveness_of_slow_start(world: World) -> None:
    probe = {"httpGet": {"path": "/live", "port": 8080}, "initialDelaySeconds": 5, "failureThreshold": 3}
    broken_pod(world, crashing("payout", 143, "Error", ready=False, livenessProbe=probe))
    said = 'Liveness probe failed: Get "http://10.1.0.5:8080/live": dial tcp 10.1.0.5:8080: connect: connection refused'
    world.event("payout-p0", "Unhealthy", said, part="payout", first=40, last=2.2, count=24)
    said = "Container payout failed liveness probe, will be restarted"
    world.event("payout-p0", "Killing", said, normal=True, part="payout", first=40, last=2.1, count=8)
    world.log("payout-p0", "payout", (2.6, "Starting PayoutApplication on payout-p0"), (2.3, "Loading 4000 rules"))


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("CRASH_LOOP", ""),
    also=("CONTAINER_NOT_CREATED",),
    never=("OOM_KILLED", "VOLUME_MOUNT_FAILED"),
)
def _command_missing(world: World) -> None:
    said = (
        "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: "
        'exec: "/app/payuot": stat /app/payuot: no such file or directory: unknown'
    )
    broken_pod(
        world,
        container(
            "payout",
            waiting="CrashLoopBackOff",
            last=end(128, "StartError", 2) | {"message": said},
            restarts=6,
            ready=False,
        ),
    )
    world.event("payout-p0", "Failed", f"Error: {said}", part="payout", count=6)


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("IMAGE_PULL_UNKNOWN", ""),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND", "DEPENDENCY_TIMEOUT"),
)
def _registry_times_out(world: World) -> None:
    body = container("payout", waiting="ErrImagePull", image="r.example/payout:7", ready=False)
    broken_pod(world, body, age=9)
    said = (
        'Failed to pull image "r.example/payout:7": rpc error: code = Unknown desc = failed to do request: Head '
        '"https://r.example/v2/payout/manifests/7": dial tcp 10.9.9.9:443: i/o timeout'
    )
    world.event("payout-p0", "Failed", said, part="payout", first=9, last=1, count=4)


@INCIDENTS.of(
    "Why is payout down?",
    "S2",
    finds("JOB_BACKOFF_LIMIT", "cause", logged("payout-r2", "payout", "no file", 1)),
    never=("NO_PROBLEM_FOUND", "CRASH_LOOP"),
)
def _job_that_fails(world: World) -> None:
    condition = {
        "type": "Failed",
        "status": "True",
        "reason": "BackoffLimitExceeded",
        "lastTransitionTime": stamp(9),
        "message": "Job has reached the specified backoff limit",
    }
    world.add("jobs", "payout", spec={"backoffLimit": 2}, status={"failed": 3, "conditions": [condition]})
    for number in range(3):
        body = container("payout", ended=end(1, "Error", 30 - number * 9), ready=False)
        world.pod(("Job", "payout"), body, name=f"payout-r{number}", ready=False, phase="Failed", age=32 - number * 9)
        world.log(f"payout-r{number}", "payout", (30 - number * 9, "ERROR no file /in/bank-2026-11-19.csv"))


@INCIDENTS.of(
    "Why is payout down?",
    "S2",
    finds("EVICTED", ""),
    finds("NODE_PRESSURE"),
    never=("OOM_KILLED",),
)
def _evicted_for_disk(world: World) -> None:
    owner = (RS, world.deployment(wanted=1, ready=1))
    world.pod(owner, container("payout", since=20), name="payout-p1", age=21)
    said = "The node was low on resource: ephemeral-storage. Threshold quantity: 1Gi, available: 512Mi."
    for number in range(2):
        world.pod(owner, name=f"payout-e{number}", ready=False, age=90, phase="Failed", reason="Evicted", message=said)
    world.node("node-a", pressure="DiskPressure", minutes=25, message="kubelet has disk pressure")


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("DEPENDENCY_TIMEOUT"),
    finds("HTTP_5XX_RATIO", "symptom"),
    also=("ERROR_BURST",),
    never=("DNS_FAILURE",),
)
def _dependency_away_and_errors(world: World) -> None:
    (pod,) = pods_of(world)
    world.every(pod, "payout", '{"level":"info","msg":"settled","id":{n}}', since=55)
    said = (
        '{"level":"error","msg":"call failed","error":"Post \\"http://bank-gateway.shop.svc:8080/pay\\": dial tcp '
        '10.96.1.2:8080: connect: connection refused","id":{n}}'
    )
    world.every(pod, "payout", said, since=13, each_s=7)
    world.requests(pod, bad=5, good=5)


@INCIDENTS.of(
    "Why is payout down?",
    "S0",
    WELL,
    never=("ERROR_BURST", "DEPENDENCY_TIMEOUT", "HTTP_5XX_RATIO"),
)
def _timeouts_of_clients(world: World) -> None:
    (pod,) = pods_of(world)
    world.every(pod, "payout", INFO, since=55, each_s=6)
    world.every(pod, "payout", "WARN client 10.1.{n} closed the connection before the answer", since=55, each_s=30)
    world.requests(pod, bad=0.01, good=30, before=0.01)


@INCIDENTS.of(
    "Why is payout down?",
    "S0",
    finds("ACCESS_DENIED", "conclusion"),
    never=("NO_PROBLEM_FOUND",),
)
def _denied_logs(world: World) -> None:
    world.denied["events"] = 403
    (pod,) = pods_of(world)
    world.usage(pod, "payout", throttled=0.02)
    world.every(pod, "payout", INFO, since=55)


@INCIDENTS.of(
    "Why is payout down?",
    "S1",
    finds("CPU_THROTTLED"),
    finds("HTTP_5XX_RATIO", ""),
)
def _throttled_and_failing(world: World) -> None:
    (pod,) = pods_of(world, limits={"cpu": "200m"})
    world.usage(pod, "payout", throttled=0.8, cpu=0.2)
    world.requests(pod, bad=3, good=17, before=0.0)
    world.every(pod, "payout", INFO, since=55)


@INCIDENTS.of(
    "Why is payout down?",
    "S0",
    finds("NO_PODS_FOUND", "conclusion"),
)
def _scaled_to_zero(world: World) -> None:
    world.deployment(wanted=0, ready=0)
