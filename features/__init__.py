"""What people meet, one folder for each capability: its tools, verbs, buttons, cards, words, pages and schedules.

Membership test: would it go if the desk lost this one capability? A feature knows the engine (`agent`), the domains
and the values of the chat port; it knows no other feature, no platform and nothing of `bot`. What all of them are made
of stands in `anatomy`; start at `anatomy/feature.py`.
"""
