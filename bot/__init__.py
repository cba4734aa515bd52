"""Everything put together: inbox, conversation, buttons, notices, the web server, the console, the command line.

The only package that knows both the agent and the adapters. Start reading at `compose.py`, then follow a
message: `inbox.py` → `conversation.py` → `cards.py` → `notices.py`.
"""
