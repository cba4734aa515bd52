"""The terminal as a chat platform: cards as plain text, buttons by number, forms field by field.

It reads and writes lines through what it is given, so it works the same at a keyboard and over a pipe. A number
stays with its button for the whole session: a late notice never moves what `2` means. Start at `chat.py`.
"""
