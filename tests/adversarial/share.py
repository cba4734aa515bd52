"""How long a served desk took by itself: the time of an answer without what other programs of the machine took of it.

Linux tells for each thread how long it stood ready and had no processor. Of that the part counts that others had, not
the desk, the processes that read files for it, or the test.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Share:
    """What Linux says at one moment: seconds of the clock, of waiting by thread, and of the processors."""

    at: float
    waited: dict[str, float]
    busy: float  # of all programs together
    own: float  # of the desk, its readers and this test
    desk: int

    @classmethod
    def now(cls, desk: int) -> "Share":
        """Return what is said now of a desk's process."""
        own = {os.getpid(), desk, *_children(desk)}
        tasks = [task for pid in (os.getpid(), desk) for task in Path(f"/proc/{pid}/task").iterdir()]
        waited = {task.name: delay for task in tasks if (delay := _delay(task)) is not None}
        stat = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]
        user, nice, system, _, _, interrupts, soft, _ = (int(each) / _TICKS for each in stat)
        busy = user + nice + system + interrupts + soft
        return cls(time.monotonic(), waited, busy, sum(map(_cpu, own)), desk)

    def taken_since(self, before: "Share") -> float:
        """Return the seconds since then that the desk took, without those in which others held it up."""
        waits = {task: wait - before.waited.get(task, wait) for task, wait in self.waited.items()}
        main = [waits.pop(str(pid), 0.0) for pid in (self.desk, os.getpid())]
        busy = max(self.busy - before.busy, 1 / _TICKS)
        others = min(1.0, max(0.0, 1 - (self.own - before.own) / busy))
        return self.at - before.at - (sum(main) + max(waits.values(), default=0.0)) * others


def _children(process: int) -> list[int]:
    """Return the processes that any thread of a process started."""
    listed = [_text(task / "children") for task in Path(f"/proc/{process}/task").iterdir()]
    return [int(each) for text in listed for each in text.split()]


def memory_with_readers(desk: int) -> int:
    """Return the bytes of memory that a desk and the processes of its own hold now."""
    return sum(_resident(each) for each in (desk, *_children(desk)))


def _resident(process: int) -> int:
    pages = _text(Path(f"/proc/{process}/statm")).split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") if pages else 0


def _delay(task: Path) -> float | None:
    told = _text(task / "schedstat").split()
    return int(told[1]) / 1e9 if told else None


def _cpu(process: int) -> float:
    fields = _text(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()
    return sum(int(each) for each in fields[11:15]) / _TICKS  # with the time of children that have ended


def _text(path: Path) -> str:
    """Return what Linux says of a process or thread; nothing when it has ended meanwhile."""
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
