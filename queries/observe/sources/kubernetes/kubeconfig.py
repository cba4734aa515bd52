"""Reads a kubeconfig: where the cluster is, and who we are there. What it cannot be followed in is told by line."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from queries.observe.sources.asking import ClientCertificate, Endpoint, Presented, SourceCredentials
from queries.observe.sources.credentials import ReadCredentials, basic, bearer
from queries.observe.sources.kubernetes.plugin import Plugin, PluginCredentials
from storage.clock import Clock
from storage.files.given import given_text
from storage.files.text import FileInvalid, Way, YamlText, read_text

#: What is not followed, since leaving it out would reach more than was meant, or less safely; and what to do instead.
_REFUSED: Final = {
    "insecure-skip-tls-verify": "the server's certificate is always checked. Give `certificate-authority`.",
    "proxy-url": "proxies are not used. Give an address that is reached without one.",
    "as": "impersonation is not used. Give a user with just these rights.",
    "auth-provider": "is of older clients. Use `exec`.",
}
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True)
class ClusterConnection:
    """Where a cluster is, and who we are there."""

    endpoint: Endpoint
    credentials: SourceCredentials


def read_kubeconfig(path: Path, clock: Clock, *, context: str = "") -> ClusterConnection:
    """Return the connection of a context, or of the current one; raise `FileInvalid`. Reads files."""
    found = _Kubeconfig(read_text(path), path.parent)
    cluster, user = found.chosen(context)
    endpoint = found.endpoint(cluster)
    if plugin := found.plugin(user):
        return ClusterConnection(endpoint, PluginCredentials(plugin, clock))
    found.presented(user)  # what is wrong is told now
    return ClusterConnection(endpoint, ReadCredentials(partial(_read_user, path, context), clock))


def _read_user(path: Path, context: str) -> Presented:
    try:
        found = _Kubeconfig(read_text(path), path.parent)
        return found.presented(found.chosen(context)[1])
    except FileInvalid as error:
        raise ValueError(str(error)) from error


@dataclass(frozen=True)
class _Named:
    """An entry of one of its lists."""

    way: Way
    values: Mapping[str, Any]


@dataclass(frozen=True)
class _Kubeconfig:
    text: YamlText
    folder: Path  # where relative paths begin

    def chosen(self, context: str) -> tuple[_Named, _Named]:
        """Return cluster and user of a context."""
        top = self.text.value if isinstance(self.text.value, dict) else {}
        name = context or str(top.get("current-context") or "")
        if not name:
            raise self.wrong((), "names no current-context. Name a `context` in clusters.yaml.")
        found = self._entry("contexts", "context", name)
        cluster, user = (str(found.values.get(key) or "") for key in ("cluster", "user"))
        return self._entry("clusters", "cluster", cluster), self._entry("users", "user", user)

    def endpoint(self, cluster: _Named) -> Endpoint:
        """Return where the cluster is."""
        self._refuse(cluster)
        server = str(cluster.values.get("server") or "").rstrip("/")
        try:
            parts = urlsplit(server)
        except ValueError as error:
            raise self.wrong((*cluster.way, "server"), "is no address") from error
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise self.wrong((*cluster.way, "server"), "has to begin with https://")
        ca = self._content(cluster, "certificate-authority")
        return Endpoint(server, ca, str(cluster.values.get("tls-server-name") or ""))

    def presented(self, user: _Named) -> Presented:
        """Return what is sent of a user."""
        self._refuse(user)
        certificate, key = self._content(user, "client-certificate"), self._content(user, "client-key")
        if bool(certificate) != bool(key):
            raise self.wrong(user.way, "client-certificate and client-key belong together")
        token = str(user.values.get("token") or "")
        if token_file := user.values.get("tokenFile"):
            token = self._file((*user.way, "tokenFile"), str(token_file))
        headers: Mapping[str, str] = {}
        try:
            if token:
                headers = bearer(token).headers
            elif user.values.get("username"):
                headers = basic(str(user.values["username"]), str(user.values.get("password") or "")).headers
        except ValueError as error:
            raise self.wrong(user.way, str(error)) from error
        if not headers and not certificate:
            raise self.wrong(user.way, "names neither token, tokenFile, client-certificate nor exec")
        return Presented(headers, ClientCertificate(certificate, key) if certificate else None)

    def plugin(self, user: _Named) -> Plugin | None:
        """Return the program that says who we are, if there is one."""
        given = user.values.get("exec")
        if given is None:
            return None
        self._refuse(user)
        if not isinstance(given, dict) or not isinstance(given.get("command"), str) or not given["command"]:
            raise self.wrong((*user.way, "exec"), "needs a command")
        command = given["command"]
        if "/" in command:
            command = str(self.folder / command)
        listed, arguments = given.get("env") or [], given.get("args") or []
        if not isinstance(listed, list) or not isinstance(arguments, list):
            raise self.wrong((*user.way, "exec"), "`env` and `args` are lists")
        environment = {str(each["name"]): str(each.get("value", "")) for each in listed if _has_name(each)}
        version = str(given.get("apiVersion") or "client.authentication.k8s.io/v1")
        return Plugin(command, tuple(map(str, arguments)), environment, version)

    def wrong(self, way: Way, problem: str) -> FileInvalid:
        """Return the error that tells a problem with file and line."""
        where = f" {way[-1]}:" if way else ""
        return FileInvalid((f"{self.text.path}:{self.text.line(way)}:{where} {problem}",))

    def _entry(self, listed: str, key: str, name: str) -> _Named:
        top = self.text.value if isinstance(self.text.value, dict) else {}
        entries = top.get(listed)
        for place, each in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(each, dict) and str(each.get("name")) == name and isinstance(each.get(key), dict):
                return _Named((listed, place, key), each[key])
        raise self.wrong((listed,), f"there is no {key} {name!r}")

    def _refuse(self, entry: _Named) -> None:
        for key, advice in _REFUSED.items():
            if entry.values.get(key):
                raise self.wrong((*entry.way, key), advice)

    def _content(self, entry: _Named, key: str) -> str:
        """Return what stands there, as `KEY-data` or in the file KEY; "" for neither."""
        if data := entry.values.get(f"{key}-data"):
            try:
                return base64.b64decode(str(data), validate=True).decode("ascii")
            except (binascii.Error, ValueError) as error:
                raise self.wrong((*entry.way, f"{key}-data"), "is no base64 of a PEM text") from error
        return self._file((*entry.way, key), str(entry.values[key])) if entry.values.get(key) else ""

    def _file(self, way: Way, name: str) -> str:
        try:
            return given_text(self.folder / name)
        except (OSError, ValueError) as error:
            raise self.wrong(way, f"{name} cannot be read") from error


def _has_name(variable: object) -> bool:
    return isinstance(variable, dict) and bool(variable.get("name"))
