"""Text functions in English and Chinese: scripts, tokens, stems, stop words, sentences, spelling, synonyms.

Membership test: is it about words alone, in any language? It imports nothing of ours and does no I/O; stems, edit
distance and classes of characters are libraries'. Start reading at `words.py` (what people write) and `analysis.py`
(what is indexed).
"""
