"""How channels are set: shown and changed in the channel itself, by words, commands and a form, and in the console.

What is kept, and who may change it, is `bot/channels`. Start at `feature`.
"""
