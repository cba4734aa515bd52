"""What the commands that connect a platform share: its adapter's modules, and what a check found, in words."""

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

import click

from adapters.inbound.checks import InstallationFinding
from bot.cli import screen

#: What each finding means, and what to do; "" where there is nothing to do. `{}` stands for its details.
Words = Mapping[str, tuple[str, str]]

_STYLES = {"good": "green", "note": "yellow", "bad": "bold red"}
_LABELS = {"good": "ok", "note": "note", "bad": "wrong"}


@dataclass(frozen=True)
class Extra:
    """What of a platform is not in the base install."""

    platform: str  # as people call it
    package: str  # of its adapter
    library: str  # that shows whether the extra is installed
    name: str  # of the extra

    @property
    def installed(self) -> bool:
        """Return whether the adapter can be imported."""
        return importlib.util.find_spec(self.library) is not None

    def module(self, name: str) -> ModuleType:
        """Return a module of the adapter; by name, since `--help` must not wait for what it brings along."""
        if not self.installed:
            raise click.ClickException(
                f"{self.platform}'s libraries are not installed. Run: pip install 'dutydesk[{self.name}]'"
            )
        return importlib.import_module(f"{self.package}.{name}")


def worded(finding: InstallationFinding, words: Words) -> tuple[str, str]:
    """Return what a finding means, and what to do."""
    found, advice = words[finding.code]
    return found.format(", ".join(finding.details)), advice


def show(findings: Sequence[InstallationFinding], words: Words) -> None:
    """Print every finding; end with exit code 1 when something is to be mended."""
    for finding in findings:
        found, advice = worded(finding, words)
        screen.say(f"{_LABELS[finding.health]:<6} {found}", _STYLES[finding.health])
        if advice:
            screen.say(f"{'':<7}{advice}", "dim")
    wrong = sum(finding.health == "bad" for finding in findings)
    if wrong:
        screen.say(f"{wrong} to mend.", "bold red")
        raise SystemExit(1)
