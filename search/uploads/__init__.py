"""Files that people hand in: to the knowledge, or to one thread. Start at `uploads`."""
