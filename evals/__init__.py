"""Cases, graders and thresholds; imported by nobody. `dutydesk eval` finds `command.py` by its entry point."""
