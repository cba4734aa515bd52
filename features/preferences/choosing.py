"""What a person may choose for themselves, checked, and kept."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import time

from agent.memory.memory import Memory
from features.anatomy.telling import Telling
from features.preferences.understanding import words
from identity.actor import LANGUAGES, Actor, Preferences, QuietHours
from identity.directory import Directory
from identity.permissions import Permission
from identity.policy import require


class UnknownSetting(Exception):
    """A setting cannot be what somebody wants it to be; `code` names which, `given` what was wanted."""

    def __init__(self, code: str, given: str) -> None:
        super().__init__(f"{code}: {given}")
        self.code = code
        self.given = given


@dataclass(frozen=True)
class OwnSettings:
    """A person's settings with what the desk remembers of them."""

    actor: Actor
    threads: int  # conversations of which something is remembered
    ways: tuple[str, ...]  # those that can be chosen


class Choosing:
    """Shows and changes the settings of whoever asks, and of nobody else."""

    def __init__(self, directory: Directory, memory: Memory, telling: Telling) -> None:
        self._directory = directory
        self._memory = memory
        self._telling = telling

    async def show(self, actor: Actor) -> OwnSettings:
        """Return how things are set now."""
        require(actor, Permission.SETTINGS_OWN)
        now = await self._directory.actor(actor.id)
        return OwnSettings(now, await self._memory.count(now), self._telling.ways(now))

    async def change(self, actor: Actor, said: Mapping[str, str]) -> OwnSettings:
        """Change what is said; "off" or nothing takes a choice back.

        Raises `UnknownSetting` where something is not understood, and changes nothing then.
        """
        chosen = self.chosen(actor, said)
        return await self.show(await self._directory.prefer(actor, chosen))

    async def forget(self, actor: Actor) -> int:
        """Forget what was said in every conversation with this person; return of how many that was known."""
        require(actor, Permission.SETTINGS_OWN)
        return await self._memory.forget(actor)

    def chosen(self, actor: Actor, said: Mapping[str, str]) -> Preferences:
        """Return what somebody has chosen after what they say now."""
        chosen = actor.preferences
        for name, value in said.items():
            wanted = "" if value.strip().casefold() in ("", words.OFF) else value.strip()
            match name:
                case "language":
                    found = words.language_called(wanted) if wanted and wanted not in LANGUAGES else wanted
                    each = "" if found == words.OFF else found
                    chosen = replace(chosen, language=_known("language", wanted, each, found))
                case "timezone":
                    chosen = replace(chosen, timezone=self.zone_of(wanted))
                case "way":
                    way = words.way_called(wanted) if wanted else ""
                    offered = way if way in self._telling.ways(actor) else ""
                    chosen = replace(chosen, way="" if way == "chat" else _known("way", wanted, offered, offered))
                case "quiet":
                    chosen = replace(chosen, quiet=self.quiet_of(wanted))
                case _:
                    raise UnknownSetting("setting", name)
        return chosen

    @staticmethod
    def zone_of(said: str) -> str:
        """Return the time zone that was said, "" for none; raise `UnknownSetting`."""
        zone = words.zone_called(said) if said.strip() else ""
        return _known("timezone", said, zone, zone)

    @staticmethod
    def quiet_of(said: str) -> QuietHours | None:
        """Return the quiet hours that were said, None for none; raise `UnknownSetting`."""
        if not said.strip():
            return None
        quiet = words.quiet_called(said)
        if quiet is None:
            raise UnknownSetting("quiet", said)
        return quiet


def _known(code: str, wanted: str, value: str, found: str) -> str:
    if wanted and not found:
        raise UnknownSetting(code, wanted)
    return value


def between(quiet: QuietHours | None) -> str:
    """Return quiet hours as they are written: `20:00–07:00`, "" for none."""
    return "" if quiet is None else f"{_at(quiet.begin)}–{_at(quiet.end)}"


def _at(at: time) -> str:
    return f"{at:%H:%M}"
