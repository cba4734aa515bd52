"""Texts to vectors, behind one port."""
