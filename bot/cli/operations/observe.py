"""`dutydesk observe`: look after the clusters that people ask about."""

import asyncio
import importlib
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation, run

if TYPE_CHECKING:
    from queries.observe.setup.checking import SourceCheck

EXAMPLES = """\
\b
Examples:
  dutydesk observe check                        does each source answer, and what may the desk read there?
  dutydesk observe check prod --rbac | kubectl apply -f -
  dutydesk observe apps draft prod >> clusters.yaml
"""
#: What only these commands pay for.
CLUSTERS = "bot.compose.queried.clusters"
#: A command that found something to mend ends with it.
_FOUND = 1


@click.group("observe", epilog=EXAMPLES, short_help="Look after the clusters that people ask about.")
def command() -> None:
    """Check what can be read of Kubernetes, Prometheus and logs, and draft the app directory.

    Which clusters there are stands in clusters.yaml of the home.
    """


@command.command("check", short_help="Does each source answer, and what may the desk read?")
@click.argument("cluster", required=False)
@click.option("--rbac", is_flag=True, help="Print the least RBAC that a cluster needs, and ask nothing.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document, for programs.")
@pass_invocation
def check(invocation: Invocation, cluster: str | None, *, rbac: bool, as_json: bool) -> None:
    """Say of each cluster, or of CLUSTER, what can be read, and which rights are missing."""
    settings, module = invocation.settings(), _loaded(CLUSTERS)
    names = (cluster,) if cluster else module.cluster_names(settings)
    if rbac:
        screen.console().file.write("---\n".join(module.rbac(settings, name) for name in names))
        return

    async def look() -> "dict[str, tuple[SourceCheck, ...]]":
        now = datetime.now(UTC)
        return {name: await module.checked(settings, name, now=now) for name in names}

    found = run(look())
    if as_json:
        screen.show_json({name: [vars(each) for each in checks] for name, checks in found.items()})
    else:
        for name, checks in found.items():
            _show(name, checks)
    if any(each.needed and not each.ok for checks in found.values() for each in checks):
        raise SystemExit(_FOUND)


def _show(name: str, checks: "Iterable[SourceCheck]") -> None:
    screen.say(name, "bold")
    mends: dict[str, None] = {}
    for each in checks:
        mark, style = ("ok", "green") if each.ok else ("NO", "bold red") if each.needed else ("note", "yellow")
        screen.say(f"  {mark:<5}{each.source} {each.what}{': ' + each.detail if each.detail else ''}", style)
        if each.mend and not each.ok:
            mends[each.mend] = None  # many rights are mended by one manifest
    for mend in mends:
        screen.say("\n" + mend)


@command.group("apps", short_help="Write the app directory.")
def apps() -> None:
    """Write a first directory of the apps that people ask about by name."""


@apps.command("draft", short_help="Print a first app directory of a cluster.")
@click.argument("cluster")
@click.option("-n", "--namespace", "namespaces", multiple=True, help="Only this namespace; may be given again.")
@pass_invocation
def draft(invocation: Invocation, cluster: str, namespaces: tuple[str, ...]) -> None:
    """Print the deployments, stateful and daemon sets of CLUSTER as an app directory, to be completed."""
    text = asyncio.run(_loaded(CLUSTERS).drafted(invocation.settings(), cluster, namespaces))
    screen.console().file.write(text)


def _loaded(module: str) -> Any:
    """Return a module that `--help` must not wait for."""
    return importlib.import_module(module)
