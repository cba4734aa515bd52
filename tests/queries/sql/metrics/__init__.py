"""Statements that are built from queries, on real databases."""
