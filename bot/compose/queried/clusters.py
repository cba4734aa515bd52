"""The clusters that can be looked at, as `clusters.yaml` names them; when it is wrong, none, and the reason."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from agent.brains.assistant import Brain
from agent.brains.prose import writer_of
from bot.settings import Settings, SettingsInvalid, secret
from features.diagnosis.explaining import ModelExplainer
from queries.observe.config import ObserveConfig
from queries.observe.errors import ClustersInvalid
from queries.observe.service import ObserveService
from queries.observe.setup.checking import SourceCheck, examine
from queries.observe.setup.drafting import draft_apps
from queries.observe.setup.opening import OpenCluster, open_clusters
from queries.observe.setup.reading import read_clusters
from queries.observe.setup.rights import least_rbac, namespaces_of
from storage.clock import Clock, SystemClock
from storage.database import Database


def observed(settings: Settings, clock: Clock, database: Database, brain: Brain | None) -> ObserveService:
    """Return the service over every cluster; nothing is connected yet. Reads files."""
    path, write = settings.clusters_path, writer_of(brain)
    explainer = None if write is None else ModelExplainer(write)
    try:
        config = read_clusters(path)
    except ClustersInvalid as error:
        return ObserveService(ObserveConfig(), {}, clock, database, broken={path.name: str(error)})
    opened = open_clusters(config, clock, home=settings.clusters_path.parent, resolve=secret)
    try:
        alert_secret = secret(config.alerts.secret) if config.alerts.secret else ""
    except (LookupError, OSError) as error:
        return ObserveService(config, opened, clock, database, broken={"alerts": str(error)}, explainer=explainer)
    return ObserveService(config, opened, clock, database, alert_secret=alert_secret, explainer=explainer)


def cluster_names(settings: Settings) -> tuple[str, ...]:
    """Return the names of the clusters; raise `SettingsInvalid` where there are none, `ClustersInvalid`."""
    names = tuple(read_clusters(settings.clusters_path).clusters)
    if not names:
        raise SettingsInvalid(f"{settings.clusters_path} names no cluster")
    return names


def rbac(settings: Settings, name: str) -> str:
    """Return the manifests that let the desk read what it needs of a cluster; raise `ClustersInvalid`."""
    return least_rbac(namespaces_of(read_clusters(settings.clusters_path), name))


async def checked(settings: Settings, name: str, *, now: datetime) -> tuple[SourceCheck, ...]:
    """Return what can be read of a cluster."""
    async with _opened(settings, name) as (config, cluster):
        return await examine(cluster, namespaces_of(config, name), now=now)


async def drafted(settings: Settings, name: str, namespaces: tuple[str, ...]) -> str:
    """Return a first app directory of a cluster, or of some of its namespaces."""
    async with _opened(settings, name) as (config, cluster):
        if cluster.sources.objects is None:
            raise SettingsInvalid(
                f"{settings.clusters_path.name}: {name} has no `kubernetes`, so nothing can be listed"
            )
        return await draft_apps(cluster.sources.objects, name, namespaces or namespaces_of(config, name))


@asynccontextmanager
async def _opened(settings: Settings, name: str) -> AsyncIterator[tuple[ObserveConfig, OpenCluster]]:
    """Open one cluster for a command."""
    config = read_clusters(settings.clusters_path)
    if name not in config.clusters:
        there = ", ".join(config.clusters) or "none"
        raise SettingsInvalid(f"{settings.clusters_path.name} names no cluster {name} (there: {there})")
    cluster = open_clusters(config, SystemClock(), home=settings.clusters_path.parent, resolve=secret)[name]
    try:
        yield config, cluster
    finally:
        await cluster.close()
