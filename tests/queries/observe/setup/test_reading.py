"""`clusters.yaml` is read strictly: what is wrong is told with line and advice, and no secret stands in it."""

from pathlib import Path
from textwrap import dedent

import pytest

from queries.observe.errors import ClustersInvalid
from queries.observe.setup.reading import parse_clusters, read_clusters

WHOLE = """\
clusters:
  prod:
    title: {en: Production, zh: 生产}
    kubernetes: {kubeconfig: kubeconfig.yaml, context: prod}
    prometheus:
      url: https://metrics.example.com/prom/
      token: env:PROMETHEUS_TOKEN
      headers: {X-Scope-OrgID: shop}
    logs:
      url: https://logs.example.com
      api_key: file:/run/secrets/logs
      indices: "logs-*"
  edge:
    kubemin: {url: "https://edge.example.com", tenant: shop}
scopes:
  - to: [group:shop]
    namespaces: [shop, shop-*]
    channels: [C1]
apps:
  checkout:
    cluster: prod
    namespace: shop
    labels: {app: checkout}
    called: {zh: [结账]}
alerts: {secret: "env:ALERTS", channel: C1}
"""
#: A part of the file above, what it becomes, and what is told of it.
MISTAKES = (
    ("title: {en", "titel: {en", "clusters.yaml:3: clusters.prod.titel: there is no such setting. Do you mean title?"),
    ("token: env:PROMETHEUS_TOKEN", "token: s3cret", "clusters.yaml:7: clusters.prod.prometheus.token: is `env:NAME`"),
    ("https://metrics", "https://me:pw@metrics", "holds a name or a password"),
    ("https://metrics", "ftp://metrics", "begins with https:// or http://"),
    ("headers: {X-Scope-OrgID: shop}", "headers: {Authorization: Bearer x}", "`headers` hold no secret"),
    ("{X-Scope-OrgID: shop}", "{X-Scope-OrgID: 店}", "`headers` are names and values of one line"),
    ("context: prod}", "in_cluster: true}", "clusters.yaml:4: clusters.prod.kubernetes: needs exactly one"),
    ("{kubeconfig: kubeconfig.yaml, context: prod}", "{url: 'http://k8s.example.com'}", "begins with https://"),
    ('indices: "logs-*"', 'indices: "*"', "* alone would be all of them"),
    ('indices: "logs-*"', 'indices: "logs-*,hr/_doc"', "clusters.yaml:12: clusters.prod.logs.indices"),
    ("[shop, shop-*]", "[shop, ../hr]", "clusters.yaml:17: scopes.1.namespaces.2: is no name of Kubernetes"),
    ("to: [group:shop]", "to: []", "clusters.yaml:16: scopes.1.to"),
    ("labels: {app: checkout}", "labels: {app: 'a,b in (c)'}", "clusters.yaml:23: apps.checkout.labels"),
    ("labels: {app: checkout}", "labels: {}", "clusters.yaml:23: apps.checkout.labels"),
    ("cluster: prod", "cluster: prd", "clusters.yaml:21: apps.checkout.cluster: there is no cluster prd above"),
    ("  checkout:", "  Check out:", "is no name of Kubernetes"),
    ('secret: "env:ALERTS"', 'secret: "hunter2"', "clusters.yaml:25: alerts.secret"),
    ('kubemin: {url: "https://edge.example.com", tenant: shop}', "title: {en: Edge}", "names nothing that can be read"),
)


def test_what_is_right_is_read() -> None:
    config = parse_clusters(WHOLE, Path("clusters.yaml"))

    assert config.clusters["prod"].prometheus is not None
    assert config.clusters["prod"].prometheus.url == "https://metrics.example.com/prom"
    assert config.apps["checkout"].called.zh == ("结账",)
    assert config.scopes[0].namespaces == ("shop", "shop-*")


def test_no_file_names_no_cluster(tmp_path: Path) -> None:
    assert not read_clusters(tmp_path / "clusters.yaml").clusters


@pytest.mark.parametrize(("part", "wrong", "told"), MISTAKES)
def test_a_mistake_is_told_with_its_line(part: str, wrong: str, told: str) -> None:
    assert part in WHOLE
    with pytest.raises(ClustersInvalid) as found:
        parse_clusters(WHOLE.replace(part, wrong, 1), Path("clusters.yaml"))

    assert told in str(found.value)


def test_a_file_that_is_no_yaml_is_told(tmp_path: Path) -> None:
    path = tmp_path / "clusters.yaml"
    path.write_text(
        dedent("""\
        clusters:
          prod: [
    """)
    )

    with pytest.raises(ClustersInvalid, match=r"clusters\.yaml:\d+: this is no YAML"):
        read_clusters(path)
