"""Tickets by talking: drafts, buttons, forms, cards and pages over the ticket service. Start at `feature.py`."""
