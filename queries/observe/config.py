"""`clusters.yaml` of the home: which clusters are looked at, who may look at what, which apps there are.

Secrets stand elsewhere: each is a reference, `env:NAME` or `file:PATH`.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from storage.files.reading import LOOSE_ENDS

#: DNS-1123: what names of Kubernetes look like. A namespace is a label; a pod may have dots.
DNS_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_GLOB = re.compile(r"[a-z0-9*-]{1,63}")
LABEL_KEY = re.compile(r"(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")
LABEL_VALUE = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?")
_INDICES = re.compile(r"[a-z0-9][a-z0-9_.*-]{0,199}")
_FIELD = re.compile(r"[@A-Za-z_][@A-Za-z0-9_.-]{0,199}")
_HEADER = re.compile(r"[A-Za-z0-9-]{1,64}")
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def _reference(value: str) -> str:
    if value and not (value.startswith(("env:", "file:")) and value.partition(":")[2]):
        raise ValueError("is `env:NAME` or `file:PATH`: the secret itself never stands in this file")
    return value


def _address(value: str) -> str:
    parts = urlsplit(value)
    if value and (parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment):
        raise ValueError("is an address that begins with https:// or http://")
    if parts.username or parts.password:
        raise ValueError("holds a name or a password: give them by reference")
    return value.rstrip("/")


def _name(value: str) -> str:
    if not DNS_LABEL.fullmatch(value):
        raise ValueError("is no name of Kubernetes: small letters, digits and - only")
    return value


def _glob(value: str) -> str:
    if not _GLOB.fullmatch(value):
        raise ValueError("is no name of Kubernetes: small letters, digits and -, with * for any of them")
    return value


def _labels(value: Mapping[str, str]) -> Mapping[str, str]:
    for key, each in value.items():
        if not LABEL_KEY.fullmatch(key) or not LABEL_VALUE.fullmatch(each):
            raise ValueError(f"{key}: {each} is no label of Kubernetes")
    return value


def _indices(value: str) -> str:
    if not _INDICES.fullmatch(value) or value.strip("*.") == "":
        raise ValueError("names indices, such as logs-shop-*; * alone would be all of them")
    return value


Reference = Annotated[str, AfterValidator(_reference)]
Address = Annotated[str, AfterValidator(_address)]
ObjectName = Annotated[str, AfterValidator(_name)]
Glob = Annotated[str, AfterValidator(_glob)]
Labels = Annotated[Mapping[str, str], AfterValidator(_labels)]


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Called(_Given):
    """A title in each language; one of them stands for both."""

    en: str = ""
    zh: str = ""

    def in_language(self, language: str) -> str:
        """Return the title in the language "en" or "zh"."""
        return (self.zh or self.en) if language == "zh" else (self.en or self.zh)


class CalledAlso(_Given):
    """Other words for an app, in each language."""

    en: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()


class KubernetesConfig(_Given):
    """How the API server is reached: by a kubeconfig, from inside the cluster, or by address and token."""

    kubeconfig: str = Field("", description="File of a kubeconfig; relative to this file.")
    context: str = Field("", description="Context of the kubeconfig; its current one when not given.")
    in_cluster: bool = Field(default=False, description="The desk runs in the cluster: its service account is used.")
    url: Address = Field("", description="Address of the API server.")
    token: Reference = Field("", description="Where its token stands: `env:NAME` or `file:PATH`.")
    ca: str = Field("", description="File of the certificate authority; relative to this file.")

    @model_validator(mode="after")
    def _is_one_way(self) -> Self:
        if [bool(self.kubeconfig), self.in_cluster, bool(self.url)].count(True) != 1:
            raise ValueError("needs exactly one of `kubeconfig`, `in_cluster: true` and `url`")
        if self.url and urlsplit(self.url).scheme != "https" and urlsplit(self.url).hostname not in _LOOPBACK:
            raise ValueError("`url` begins with https://: the token is not sent in the clear")
        return self


class PrometheusConfig(_Given):
    """A server that speaks PromQL: Prometheus, Thanos, Mimir, VictoriaMetrics."""

    url: Address = Field(description="Address, with the path before /api/v1 where there is one.")
    token: Reference = Field("", description="Where a bearer token stands.")
    user: str = Field("", description="Name for basic authentication.")
    password: Reference = Field("", description="Where its password stands.")
    headers: Mapping[str, str] = Field(default_factory=dict, description="Further headers, such as X-Scope-OrgID.")
    ca: str = Field("", description="File of the certificate authority.")

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if bool(self.user) != bool(self.password):
            raise ValueError("`user` and `password` belong together")
        if self.token and self.user:
            raise ValueError("has either `token` or `user`")
        if any(
            not _HEADER.fullmatch(name) or not (value.isascii() and value.isprintable())
            for name, value in self.headers.items()
        ):
            raise ValueError("`headers` are names and values of one line")
        if any(name.lower() in {"authorization", "cookie", "host"} for name in self.headers):
            raise ValueError("`headers` hold no secret: give `token`, or `user` and `password`")
        return self


class LogFields(_Given):
    """Where in a document of the log index each thing stands."""

    time: str = "@timestamp"
    message: str = "message"
    namespace: str = "kubernetes.namespace"
    app: str = "kubernetes.labels.app"
    pod: str = "kubernetes.pod.name"

    @model_validator(mode="after")
    def _are_names(self) -> Self:
        wrong = [each for each in self.model_dump().values() if not _FIELD.fullmatch(each)]
        if wrong:
            raise ValueError(f"{wrong[0]} is no name of a field")
        return self


class LogsConfig(_Given):
    """Elasticsearch (or what speaks its interface) with the logs of the cluster."""

    url: Address = Field(description="Address.")
    api_key: Reference = Field("", description="Where an API key stands that may read these indices only.")
    indices: Annotated[str, AfterValidator(_indices)] = Field(description="The only indices that are asked: logs-*.")
    fields: LogFields = Field(LogFields(), description="Names of the fields.")
    ca: str = Field("", description="File of the certificate authority.")


class KubeminConfig(_Given):
    """A kubemin server: pods, logs and PromQL behind its own interface, for one tenant."""

    url: Address = Field(description="Address.")
    token: Reference = Field("", description="Where its token stands.")
    tenant: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$", description="The tenant, sent with each request.")
    ca: str = Field("", description="File of the certificate authority.")


class ClusterConfig(_Given):
    """One cluster, and what can be read of it."""

    title: Called = Field(Called(), description="What people call it, in each language.")
    kubernetes: KubernetesConfig | None = Field(None, description="Its API server.")
    prometheus: PrometheusConfig | None = Field(None, description="Its metrics.")
    logs: LogsConfig | None = Field(None, description="Its logs, where they are kept elsewhere too.")
    kubemin: KubeminConfig | None = Field(None, description="A kubemin server, in place of the API server.")
    recording: str = Field("", description="Folder of a recorded incident, shown as if it were now; nothing else then.")

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if self.kubernetes and self.kubemin:
            raise ValueError("has either `kubernetes` or `kubemin`")
        live = self.kubernetes or self.kubemin or self.prometheus or self.logs
        if live and self.recording:
            raise ValueError("has either a `recording` or what is really there")
        if not (live or self.recording):
            raise ValueError("names nothing that can be read: give `kubernetes`, `kubemin`, `prometheus` or `logs`")
        return self


class ScopeConfig(_Given):
    """Who may look at what. Several fit: each of them is given; none: nothing is."""

    to: tuple[str, ...] = Field(min_length=1, description="Principals: staff, role:R, group:G, unit:U, person:ID.")
    clusters: tuple[Glob, ...] = Field(("*",), description="Names of clusters; * stands for any letters.")
    namespaces: tuple[Glob, ...] = Field(min_length=1, description="Names of namespaces; * stands for any letters.")
    channels: tuple[str, ...] = Field((), description="Only asked in these channels; empty: wherever they ask.")
    labels: Labels = Field(default_factory=dict, description="Only objects with these labels.")


class AppConfig(_Given):
    """One app, as people call it, and where it runs."""

    cluster: ObjectName = Field(description="Name of its cluster.")
    namespace: ObjectName = Field(description="Its namespace.")
    labels: Labels = Field(min_length=1, description="The labels that its pods have, and no others.")
    title: Called = Field(Called(), description="What people call it, in each language.")
    called: CalledAlso = Field(CalledAlso(), description="Other words for it.")
    owner: str = Field("", description="Who answers for it.")
    team: str = Field("", description="Their team.")
    channel: str = Field("", description="Their channel.")


class AlertsConfig(_Given):
    """The webhook of Alertmanager."""

    secret: Reference = Field("", description="Where the secret stands that Alertmanager sends; empty: no webhook.")
    channel: str = Field("", description="Where a diagnosis is posted when its app names no channel.")


class ObserveConfig(_Given):
    """All of `clusters.yaml`."""

    clusters: Mapping[ObjectName, ClusterConfig] = Field(default_factory=dict, description="The clusters, by name.")
    scopes: tuple[ScopeConfig, ...] = Field((), description="Who may look at what.")
    apps: Mapping[ObjectName, AppConfig] = Field(default_factory=dict, description="The app directory, by name.")
    alerts: AlertsConfig = Field(AlertsConfig(), description="The webhook of Alertmanager.")

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        found = tuple(
            (("apps", name, "cluster"), f"there is no cluster {app.cluster} above")
            for name, app in self.apps.items()
            if app.cluster not in self.clusters
        )
        if found:
            words = "; ".join(problem for _, problem in found)
            raise PydanticCustomError(LOOSE_ENDS, "{words}", {"words": words, "found": found})
        return self
