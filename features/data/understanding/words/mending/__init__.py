"""What puts a message right before it is read: mistyped words, names that stand in pieces, turns of speech."""
