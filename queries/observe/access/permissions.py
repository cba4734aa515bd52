"""Who may ask for a diagnosis, and who looks after the sources. Which namespaces somebody sees, the scopes decide."""

from identity.permissions import FeaturePermission

DIAGNOSE = FeaturePermission(
    "diagnosis:ask", meaning="ask why a service is in trouble, within the scopes granted", roles=("staff",)
)
MANAGE_SOURCES = FeaturePermission(
    "diagnosis:manage", meaning="see what the desk can read of clusters, metrics and logs", roles=()
)
