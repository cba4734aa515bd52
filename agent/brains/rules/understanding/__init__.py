"""What a message asks for: intent, references, and what it says of a ticket. Start at `analysis`."""
