"""The deterministic brain. Start at `model`."""
