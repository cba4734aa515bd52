"""The chat port and the platforms behind it: web chat, terminal, memory; Slack and Teams join the same way.

An adapter turns what a platform sends into the neutral events of `port.py`, and neutral cards into what the
platform shows. It knows no ticket, no person and no agent: it imports nothing of ours and holds no rows.
Start reading at `port.py`.
"""
