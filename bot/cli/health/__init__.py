"""`dutydesk doctor` and what it looks at."""
