"""What a run is and how it is kept: run, steps, evidence, answer. Knows no brain. Start at `run`."""
