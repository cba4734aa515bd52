"""Incidents of a railway: what controllers, schedulers and kubelets say of it, and what nobody says."""
