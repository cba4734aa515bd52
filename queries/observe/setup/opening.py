"""From `clusters.yaml` to clusters that can be read. Nothing connects before the first question.

What can never be asked (a kubeconfig that is wrong) is there too, and says why when it is asked.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from queries.observe.config import (
    ClusterConfig,
    KubeminConfig,
    KubernetesConfig,
    LogsConfig,
    ObserveConfig,
    PrometheusConfig,
)
from queries.observe.reading import ClusterSources
from queries.observe.sources.asking import Endpoint, HttpAsker, NoCredentials, Presented, SourceCredentials
from queries.observe.sources.credentials import (
    MissingCredentials,
    ReadCredentials,
    Resolve,
    basic,
    bearer,
    one_line,
)
from queries.observe.sources.elasticsearch import ElasticsearchLogs
from queries.observe.sources.kubemin import KubeminMetrics, KubeminReader
from queries.observe.sources.kubernetes.kubeconfig import ClusterConnection, read_kubeconfig
from queries.observe.sources.kubernetes.reader import KubernetesReader
from queries.observe.sources.limited import Breakers, LimitedSources, ReadLimits, limited
from queries.observe.sources.prometheus import PrometheusReader
from queries.observe.sources.recorded.api import open_recording, recorded_at
from queries.observe.sources.recorded.measured import read_metrics
from storage.clock import Clock
from storage.files.given import given_text
from storage.files.text import FileInvalid

#: Where a pod finds its service account, and the API server.
SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
IN_CLUSTER = "https://kubernetes.default.svc"
#: Nothing is sent to it: its credentials say why.
_NOWHERE = Endpoint("https://not-set-up.invalid")


@dataclass(frozen=True)
class OpenCluster:
    """One cluster with its connections, for all runs."""

    sources: ClusterSources
    breakers: Breakers
    askers: tuple[HttpAsker, ...] = ()
    now: datetime | None = None  # of a recording: the moment that it shows

    def limited(self, limits: ReadLimits | None = None) -> LimitedSources:
        """Return what one run may ask of it."""
        return limited(self.sources, self.breakers, limits=limits)

    async def close(self) -> None:
        """Close the connections."""
        for asker in self.askers:
            await asker.close()


@dataclass(frozen=True)
class _Opening:
    """What every source of a cluster is opened with."""

    clock: Clock
    home: Path
    resolve: Resolve

    def connected(self, connection: ClusterConnection) -> HttpAsker:
        return HttpAsker(connection.endpoint, connection.credentials, self.clock)

    def asker(self, url: str, ca: str, read: Callable[[], Presented] | None) -> HttpAsker:
        credentials = ReadCredentials(read, self.clock) if read else NoCredentials()
        return self.connected(self.connection(url, ca, credentials))

    def connection(self, url: str, ca: str, credentials: SourceCredentials) -> ClusterConnection:
        """Return a connection that trusts a certificate authority; one that says why where that cannot be read."""
        try:
            return ClusterConnection(
                Endpoint(url, given_text(self.home / ca, encoding="ascii") if ca else ""), credentials
            )
        except (OSError, ValueError):
            return ClusterConnection(_NOWHERE, MissingCredentials(f"{ca} cannot be read"))


def open_clusters(config: ObserveConfig, clock: Clock, *, home: Path, resolve: Resolve) -> Mapping[str, OpenCluster]:
    """Return every cluster by its name. `home` is where relative paths begin. Reads files, connects to nothing."""
    opening = _Opening(clock, home, resolve)
    return {name: _open(name, each, opening) for name, each in config.clusters.items()}


def _open(name: str, config: ClusterConfig, opening: _Opening) -> OpenCluster:
    if config.recording:
        return _recorded(name, opening.home / Path(config.recording).expanduser(), opening)
    cluster = opening.connected(_kubernetes(config.kubernetes, opening)) if config.kubernetes else None
    kubemin = _kubemin(config.kubemin, opening) if config.kubemin else None
    metrics = _prometheus(config.prometheus, opening) if config.prometheus else None
    logs = _logs(config.logs, opening) if config.logs else None
    sources = ClusterSources(
        name,
        objects=KubernetesReader(cluster) if cluster else KubeminReader(kubemin) if kubemin else None,
        metrics=PrometheusReader(metrics) if metrics else KubeminMetrics(kubemin) if kubemin else None,
        logs=ElasticsearchLogs(logs, indices=config.logs.indices, fields=config.logs.fields)
        if logs and config.logs
        else None,
    )
    askers = tuple(each for each in (cluster, kubemin, metrics, logs) if each is not None)
    return OpenCluster(sources, Breakers(opening.clock), askers)


def _recorded(name: str, folder: Path, opening: _Opening) -> OpenCluster:
    """Return a recording as a cluster; one that says why where its folder cannot be read."""
    breakers = Breakers(opening.clock)
    try:
        sources = replace(open_recording(folder, opening.clock), cluster=name, metrics=read_metrics(folder))
        return OpenCluster(sources, breakers, now=recorded_at(folder))
    except (OSError, ValueError, LookupError, TypeError, RecursionError, FileInvalid) as error:
        missing = error.filename if isinstance(error, FileNotFoundError) else None
        what = f"there is no {missing}" if missing else "its files are not those of a recording"
        why = MissingCredentials(f"the recording {folder} cannot be read: {what}")
        asker = opening.connected(ClusterConnection(_NOWHERE, why))
        return OpenCluster(ClusterSources(name, objects=KubernetesReader(asker)), breakers, (asker,))


def _kubernetes(config: KubernetesConfig, opening: _Opening) -> ClusterConnection:
    if config.in_cluster:
        token = partial(_token_in, SERVICE_ACCOUNT / "token")
        return opening.connection(IN_CLUSTER, str(SERVICE_ACCOUNT / "ca.crt"), ReadCredentials(token, opening.clock))
    if config.url:
        read = partial(_bearer, opening.resolve, config.token)
        credentials = ReadCredentials(read, opening.clock) if config.token else NoCredentials()
        return opening.connection(config.url, config.ca, credentials)
    try:
        return read_kubeconfig(
            opening.home / Path(config.kubeconfig).expanduser(), opening.clock, context=config.context
        )
    except FileInvalid as error:
        return ClusterConnection(_NOWHERE, MissingCredentials(str(error)))


def _prometheus(config: PrometheusConfig, opening: _Opening) -> HttpAsker:
    return opening.asker(config.url, config.ca, partial(_of_prometheus, opening.resolve, config))


def _logs(config: LogsConfig, opening: _Opening) -> HttpAsker:
    read = partial(_api_key, opening.resolve, config.api_key) if config.api_key else None
    return opening.asker(config.url, config.ca, read)


def _kubemin(config: KubeminConfig, opening: _Opening) -> HttpAsker:
    return opening.asker(config.url, config.ca, partial(_of_kubemin, opening.resolve, config))


def _bearer(resolve: Resolve, reference: str) -> Presented:
    return bearer(resolve(reference))


def _token_in(path: Path) -> Presented:
    return bearer(given_text(path, encoding="ascii"))


def _api_key(resolve: Resolve, reference: str) -> Presented:
    return Presented({"authorization": f"ApiKey {one_line(resolve(reference))}"})


def _of_prometheus(resolve: Resolve, config: PrometheusConfig) -> Presented:
    signed = Presented()
    if config.token:
        signed = bearer(resolve(config.token))
    elif config.user:
        signed = basic(config.user, resolve(config.password).strip())
    return Presented({**config.headers, **signed.headers})


def _of_kubemin(resolve: Resolve, config: KubeminConfig) -> Presented:
    signed = bearer(resolve(config.token)) if config.token else Presented()
    return Presented({"x-tenant-id": config.tenant, **signed.headers})
