"""Marenvold, the made-up company of the demo: its handbook, its people, its database (`company.py`) and catalogue."""
