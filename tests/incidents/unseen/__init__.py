"""Incidents written before any was run, to see how strange ones fare: `cinema` was mended on, `tower` was held back."""
