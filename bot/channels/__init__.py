"""How channels are set, and what the desk hears there without being named.

Knows channels by platform and id, never a platform. Start at `channels`; `overhearing` decides which message that names
nobody is worth a look, `listening` whether it is answered.
"""
