"""The database schema, step by step; run by `dutydesk migrate`, imported by nobody."""
