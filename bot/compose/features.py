"""The list of features. Adding a capability is adding a folder under `features/` and a line here."""

from collections.abc import Sequence

from features.anatomy.feature import Build
from features.knowledge import feature as knowledge
from features.tickets import feature as tickets

FEATURES: Sequence[Build] = (
    knowledge.build,
    tickets.build,
)
