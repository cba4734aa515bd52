"""How many examples a test tries whose examples take long to make."""

from hypothesis import settings


def a_share(of: int) -> settings:
    """Return the settings of the profile in use with a share of its examples."""
    return settings(max_examples=max(10, settings().max_examples // of))
