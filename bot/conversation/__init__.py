"""What a message, a press, a form or feedback leads to. Start at `conversation`."""
