"""Tests of the feature diagnosis."""
