"""Tickets: drafts, the state machine, comments, the tracker behind them.

Membership test: would a help desk without chat and without documents still need it?
It knows no chat, no document and no language model. Start reading at `ticket.py`, then `service.py`.
"""
