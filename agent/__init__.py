"""From a message to an answer: tools behind one gate, a brain (a language model or rules), memory, runs.

Membership test: would it go away if people only used buttons and forms?
It knows no platform and no card. Start reading at `runner.py`; tools are in `tools/`, one file each.
"""
