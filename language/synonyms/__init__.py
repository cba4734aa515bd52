"""Words that mean the same, by language."""
