"""Which sentences of what was found answer a question, and whether they suffice. Start at `extractive`."""
