"""The one way of every tool call, whoever makes it. Start at `gate`."""
