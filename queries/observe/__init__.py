"""Diagnosis of running systems: what is read (`sources`), what it means (`facts`, `rules`), what is said (`report`).

What is asked comes as a `DiagnosisRequest`, whose scope is decided already (`access`). `diagnosis` plans what to read,
reads it within a budget, lets the rules conclude, verifies that each conclusion rests on evidence, and returns a
report. It only reads. Start at `service.py`.
"""
