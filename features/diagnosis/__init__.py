"""Diagnosis: why a service is in trouble, with the evidence. The domain is `queries/observe`. Start at `feature.py`."""
