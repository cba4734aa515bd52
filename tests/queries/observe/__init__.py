"""Diagnosis of running systems."""
