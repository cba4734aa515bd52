"""A tile factory's incidents, of kinds that others lack; written before any was run, and told apart at first sight."""

from evals.diagnosis.composed.scene import (
    added,
    job,
    refused,
    replicas,
    rollout,
    takes,
    times,
    unplaced,
    waiting,
    works,
)
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds
from evals.diagnosis.incidents.world import World, container, crashing, end
from evals.diagnosis.railway.site import RS, busy, served
from tests.incidents.foreign.airline import blocked

INCIDENTS = Collection("kiln")


@INCIDENTS.of(
    "kiln is down, two things at least",
    "S1",
    finds("CONFIG_REF_MISSING"),
    finds("OOM_KILLED"),
    also=("CRASH_LOOP", "ROLLOUT_STUCK", "REPLICAS_MISSING"),
    never=("IMAGE_PULL_NOT_FOUND", "LIVENESS_KILLED"),
)
@busy
def _secret_renamed_and_memory_too_small(world: World) -> None:
    oom = crashing("kiln", 137, "OOMKilled", limits={"memory": "128Mi"})
    missing = waiting("kiln", "CreateContainerConfigError", 'secret "kiln-tls-2027" not found')
    pods = replicas(world, oom, missing)
    said = 'Error: secret "kiln-tls-2027" not found'
    world.event(pods[1], "Failed", said, part="kiln", first=25, last=0.3, count=110)


@INCIDENTS.of(
    "glaze laeuft nicht mehr richtig",
    "S1",
    finds("DEPENDENCY_TIMEOUT"),
    also=("ERROR_BURST", "HTTP_5XX_RATIO"),
    never=("DNS_FAILURE", "CRASH_LOOP"),
    app="glaze",
)
@busy
def _german_log_database_does_not_answer(world: World) -> None:
    (pod,) = replicas(world, container("glaze", **served()))
    works(world, pod, line="INFO Auftrag {n} gebrannt", bad=4)
    times(
        world,
        pod,
        "glaze",
        80,
        "FEHLER Auftrag {n} kann nicht gespeichert werden: java.net.SocketTimeoutException: connect timed out "
        "(db-glaze:5432)",
    )


@INCIDENTS.of(
    "por que falla mosaic?",
    "S1",
    finds("ERROR_BURST"),
    also=("HTTP_5XX_RATIO", "DEPENDENCY_TIMEOUT"),
    accepted=("S1", "S2"),
    never=("CRASH_LOOP", "DNS_FAILURE"),
    app="mosaic",
)
@busy
def _spanish_log_with_its_own_words(world: World) -> None:
    (pod,) = replicas(world, container("mosaic", **served()))
    works(world, pod, line="INFO pedido {n} atendido", bad=3)
    times(world, pod, "mosaic", 90, "ERROR no se pudo calcular el precio del pedido {n}: división por cero")


@INCIDENTS.of(
    "is mold to blame for the slow shop?",
    "S0",
    WELL,
    never=("REQUESTS_SLOW", "ERROR_BURST", "CPU_THROTTLED", "READINESS_FAILING"),
    app="mold",
)
@busy
def _healthy_but_blamed(world: World) -> None:
    pods = replicas(world, container("mold", **served()), container("mold", **served()))
    works(world, *pods)
    takes(world, pods[0], 0.08, before=0.08)
    world.log(pods[0], "mold", (9, "WARN slow request 1.2 s"), (31, "ERROR client closed the connection"))


@INCIDENTS.of(
    "press comes and goes all morning",
    "S2",
    finds("READINESS_FAILING", "", event("Pod/press-1", "Unhealthy", "503")),
    accepted=("S1", "S2"),
    also=("REPLICAS_MISSING",),
    never=("CRASH_LOOP", "LIVENESS_KILLED", "NO_PROBLEM_FOUND"),
    app="press",
)
@busy
def _flapping_and_ready_at_this_moment(world: World) -> None:
    pods = replicas(world, container("press", **served()), container("press", **served()), since=1.5)
    works(world, *pods)
    said = "Readiness probe failed: HTTP probe failed with statuscode: 503"
    world.event(pods[1], "Unhealthy", said, part="press", first=55, last=0.4, count=64)


@INCIDENTS.of(
    "clay-0 hangs since the move",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/clay-0", "FailedAttachVolume", "Multi-Attach")),
    also=("REPLICAS_MISSING", "NODE_NOT_READY"),
    never=("PVC_UNBOUND", "IMAGE_PULL_UNKNOWN"),
    app="clay",
)
@busy
def _disk_still_held_by_the_lost_node(world: World) -> None:
    world.stateful_set("clay", wanted=1, ready=0)
    added(world, ("StatefulSet", "clay"), [waiting("clay", "ContainerCreating")], app="clay", age=14)
    said = (
        'Multi-Attach error for volume "pvc-77ad1" Volume is already exclusively attached to one node and can\'t be '
        "attached to another"
    )
    world.event("clay-0", "FailedAttachVolume", said, first=13, last=1, count=1)


@INCIDENTS.of(
    "the third member of oven never starts",
    "S2",
    finds("PVC_UNBOUND"),
    also=("REPLICAS_MISSING", "UNSCHEDULABLE_PLACEMENT"),
    accepted=("S1", "S2"),
    never=("UNSCHEDULABLE_RESOURCES",),
    app="oven",
)
@busy
def _class_of_the_claim_is_gone(world: World) -> None:
    world.stateful_set("oven", wanted=3, ready=2)
    added(world, ("StatefulSet", "oven"), [container("oven")], [container("oven")], app="oven")
    said = "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: not eligible."
    unplaced(world, said, owner=("StatefulSet", "oven"), name="oven-2", claims=("data-oven-2",))
    spec = {"storageClassName": "fast-nvme", "accessModes": ["ReadWriteOnce"]}
    world.add("persistentvolumeclaims", "data-oven-2", spec=spec, status={"phase": "Pending"})
    world.event(
        "data-oven-2",
        "ProvisioningFailed",
        'storageclass.storage.k8s.io "fast-nvme" not found',
        kind="PersistentVolumeClaim",
        first=25,
        last=0.5,
        count=95,
    )


@INCIDENTS.of(
    "tile returns 503 from the ingress though all pods are green",
    "S1",
    finds("SERVICE_NO_ENDPOINTS"),
    accepted=("S1", "S2"),
    never=("READINESS_FAILING", "CRASH_LOOP", "NO_PROBLEM_FOUND"),
    app="tile",
)
@busy
def _service_looks_for_an_old_label(world: World) -> None:
    pods = replicas(world, container("tile", **served()))
    works(world, *pods)
    world.add("services", "tile", spec={"selector": {"app": "tile", "tier": "web"}, "ports": [{"port": 80}]})
    world.add("endpoints", "tile", subsets=[])


@INCIDENTS.of(
    "grout does not get more pods",
    "S2",
    finds("HPA_NOT_SCALING"),
    accepted=("S2", "S3"),
    never=("HPA_AT_LIMIT", "QUOTA_EXCEEDED"),
    app="grout",
)
@busy
def _adapter_of_its_metric_is_gone(world: World) -> None:
    pods = replicas(world, container("grout", **served()))
    works(world, *pods)
    said = (
        "the HPA was unable to compute the replica count: unable to get metric queue_depth: no matches for kind in "
        "group external.metrics.k8s.io"
    )
    world.scaler(blocked("ScalingActive", "False", "FailedGetExternalMetric", said), most=8, current=1)
    world.event("grout", "FailedGetExternalMetric", said, kind="HorizontalPodAutoscaler", first=58, last=0.4, count=200)


@INCIDENTS.of(
    "pattern has only one of four pods",
    "S2",
    finds("QUOTA_EXCEEDED"),
    also=("REPLICAS_MISSING",),
    accepted=("S1", "S2"),
    never=("UNSCHEDULABLE_RESOURCES",),
    app="pattern",
)
@busy
def _quota_on_memory_limits(world: World) -> None:
    said = (
        'Error creating: pods "{rs}-x2k" is forbidden: exceeded quota: team-tiles, requested: limits.memory=2Gi, used: '
        "limits.memory=15Gi, limited: limits.memory=16Gi"
    )
    refused(world, said, wanted=4, ready=1)


@INCIDENTS.of(
    "courier cannot reach anybody",
    "S1",
    finds("DNS_FAILURE"),
    also=("ERROR_BURST", "HTTP_5XX_RATIO"),
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT", "CERTIFICATE_REFUSED"),
    app="courier",
)
@busy
def _go_resolver_times_out(world: World) -> None:
    (pod,) = replicas(world, container("courier", **served()))
    works(world, pod, bad=2)
    times(
        world,
        pod,
        "courier",
        70,
        'level=error msg="quote failed" id={n} err="Get \\"http://rates.tiles.svc/v1\\": dial tcp: lookup '
        'rates.tiles.svc on 10.96.0.10:53: read udp 10.8.3.17:40112->10.96.0.10:53: i/o timeout"',
    )


@INCIDENTS.of(
    "seller refuses orders since 9:40",
    "S1",
    finds("CERTIFICATE_REFUSED"),
    also=("ERROR_BURST", "HTTP_5XX_RATIO"),
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE"),
    app="seller",
)
@busy
def _python_meets_an_unknown_issuer(world: World) -> None:
    (pod,) = replicas(world, container("seller", **served()))
    works(world, pod, bad=5)
    times(
        world,
        pod,
        "seller",
        75,
        "ERROR seller.orders order {n}: HTTPSConnectionPool(host='erp', port=443): Max retries exceeded (Caused by "
        "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to "
        "get local issuer certificate (_ssl.c:1006)')))",
    )


@INCIDENTS.of(
    "stamp does not come up after I edited its config map",
    "S2",
    finds("CRASH_LOOP"),
    also=("ROLLOUT_STUCK",),
    accepted=("S1", "S2"),
    never=("OOM_KILLED", "CONFIG_REF_MISSING", "LIVENESS_KILLED"),
    app="stamp",
)
@busy
def _its_configuration_does_not_parse(world: World) -> None:
    pods = rollout(world, crashing("stamp", 78, **served()))
    line = "fatal: /etc/stamp/config.yaml: yaml: line 14: mapping values are not allowed in this context"
    world.log(pods[0], "stamp", (2.1, line))
    world.log(pods[0], "stamp", (7.1, line), previous=True)


@INCIDENTS.of(
    "why are there no figures of last night?",
    "S2",
    finds("JOB_DEADLINE_EXCEEDED"),
    accepted=("S1", "S2", "S3"),
    never=("OOM_KILLED", "CRASH_LOOP"),
    app="figures",
)
@busy
def _nightly_job_ran_into_its_deadline(world: World) -> None:
    body = container("run", ended=end(143, "Error", 20), ready=False)
    job(world, "figures-29384", body, reason="DeadlineExceeded", owner="figures")
    world.event(
        "figures-29384",
        "DeadlineExceeded",
        "Job was active longer than specified deadline",
        kind="Job",
        first=15,
        last=15,
        count=1,
    )


@INCIDENTS.of(
    "enamel: half of the requests fail, the other half is fine",
    "S1",
    finds("ERROR_BURST"),
    finds("HTTP_5XX_RATIO", "symptom"),
    accepted=("S1", "S2"),
    never=("CRASH_LOOP", "CPU_THROTTLED", "DNS_FAILURE"),
    app="enamel",
)
@busy
def _one_of_two_pods_has_a_stale_password(world: World) -> None:
    rs = world.deployment("enamel", wanted=2, ready=2)
    pods = added(world, (RS, rs), [container("enamel", **served())], [container("enamel", **served())], app="enamel")
    works(world, pods[0])
    works(world, pods[1], bad=9)
    times(world, pods[1], "enamel", 80, 'ERROR req={n} FATAL: password authentication failed for user "enamel"')
