"""The deterministic brain: an engine that features feed with routes and talk. Start at `model`.

It knows no feature: neither its tools nor its words.
"""
