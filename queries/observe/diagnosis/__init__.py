"""A diagnosis: plan, read, judge, report. Start reading at `diagnose.py`."""
