"""Text as every tokenizer takes it."""


def readable(text: str) -> str:
    """Return the text with halves of characters, which have no UTF-8, and NULs, at which C ends, replaced."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
