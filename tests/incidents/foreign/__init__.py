"""Incidents as other companies would record them: bodies with all their fields, neighbours, and usual noise."""
