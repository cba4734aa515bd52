"""The rules' words as data: one file a language."""
