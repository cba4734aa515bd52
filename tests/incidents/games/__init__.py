"""Incidents of a games studio and of a newspaper: usual failures of Kubernetes, told as engineers tell them."""
