"""Numbers from databases, as one value."""

from importlib import import_module

from features.anatomy.feature import Feature, Services
from queries.sql.permissions import ASK, MANAGE


def build(services: Services) -> Feature:
    """Return the feature over the databases of `datasources.yaml`; with none of them there is nothing to offer."""
    if not services.sql.sources and not services.sql.broken:
        return Feature(name="data", permissions=(ASK, MANAGE))
    # Imported by name: it brings what reads SQL, and a desk without databases does not wait for that.
    made: Feature = import_module("features.data.offered").offered(services)
    return made
