"""Patterns of words, in English and Chinese, that understanding looks for."""
