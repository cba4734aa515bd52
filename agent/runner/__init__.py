"""How a message becomes an answer: the loop over brain, gate, grounding and memory. Start at `runner`."""
