"""Who is asking, what they may do, what they did.

Membership test: would it still be needed if dutydesk had neither tickets nor documents, only people?
It knows no capability and no platform. Start reading at `actor.py`, then `policy.py`.
"""
