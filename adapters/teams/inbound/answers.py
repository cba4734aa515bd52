"""What an HTTP request of Teams is answered with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class InvokeAnswer:
    """An HTTP status and a JSON body; None is an empty one."""

    status: int
    body: Mapping[str, Any] | None = None
