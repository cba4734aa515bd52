"""Text functions in English and Chinese: tokens, stems, stop words, sentences, spelling, synonyms.

Member: "is it about words alone, in any language?" Imports nothing of ours. Start at `words`.
"""
