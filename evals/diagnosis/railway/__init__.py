"""Incidents of a railway in a busy namespace: `track` and `site` have what they share."""
