"""The doctor looks at clusters: each source answers, and the desk may read what it needs."""

import importlib
from collections.abc import AsyncIterator

from bot.cli.health.checks import Finding, bad, good, note
from bot.compose.desk import Desk

#: What only a desk with clusters pays for.
CHECKING, RIGHTS = "queries.observe.setup.checking", "queries.observe.setup.rights"


async def of_clusters(desk: Desk) -> AsyncIterator[Finding]:
    """Yield how each cluster of `clusters.yaml` stands; nothing where none is named."""
    observe = desk.observe
    for name, why in observe.broken.items():
        yield bad("clusters", f"{name}: {why}", "Mend clusters.yaml, then: dutydesk observe check")
    for name, cluster in observe.clusters.items():
        if observe.config.clusters[name].recording:
            yield note("clusters", f"{name} is a recording", "Name what is really there in clusters.yaml.")
            continue
        namespaces = importlib.import_module(RIGHTS).namespaces_of(observe.config, name)
        checks = await importlib.import_module(CHECKING).examine(cluster, namespaces, now=desk.clock.now())
        wrong = [
            f"{each.source} {each.what}" + (f": {each.detail}" if each.detail else "") for each in checks if not each.ok
        ]
        needed = any(each.needed and not each.ok for each in checks)
        if not wrong:
            yield good("clusters", f"{name} answers, and the desk may read all that it needs")
        else:
            tell = bad if needed else note
            yield tell("clusters", f"{name}: {'; '.join(wrong[:3])}", f"dutydesk observe check {name}")
