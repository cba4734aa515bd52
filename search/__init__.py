"""The company's knowledge: from files to sections, chunks, an index, and permitted hits with provenance.

Membership test: would it be needed to find a passage and say where it stands, for one actor?
It knows no ticket, no chat and no language model. Start reading at `service.py`; the words are in `documents.py`.
"""
