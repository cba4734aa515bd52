"""Runs the fuzz tests with other examples again and again: `make fuzz TIME=10m`.

What a round finds is printed with the code that makes it again, and ends the run: it belongs beside its test, as an
`@example`, before anything else is looked for.
"""

import re
import subprocess
import sys
import time

_UNITS = {"s": 1, "m": 60, "h": 3_600}
_TIME = re.compile(r"(\d+)([smh]?)")


def seconds(said: str) -> int:
    """Return the seconds of "90s", "10m", "2h" or "45"; raises `SystemExit` for anything else."""
    found = _TIME.fullmatch(said)
    if found is None:
        raise SystemExit(f"fuzz: {said!r} is no time; write it as 90s, 10m or 2h")
    return int(found[1]) * _UNITS[found[2] or "s"]


def main(said: str, *words: str) -> int:
    """Begin rounds until the time is over; return the exit code of the last one."""
    until = time.monotonic() + seconds(said)
    rounds = 0
    while rounds == 0 or time.monotonic() < until:
        rounds += 1
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--hypothesis-profile=fuzz",
            "--timeout=3600",
            *words,
            "tests/fuzz",
        ]
        if code := subprocess.run(command, check=False).returncode:
            return code
        print(f"fuzz: round {rounds} found nothing; {max(0, until - time.monotonic()):.0f} s left", flush=True)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
