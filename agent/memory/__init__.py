"""What a thread remembers for one person between two runs. Start at `memory`."""
