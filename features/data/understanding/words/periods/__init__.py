"""Periods of days as people write them about what has been: "last month", "since Monday", 近7天, 十月上旬."""
