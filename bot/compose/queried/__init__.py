"""The systems of the company that are asked, never written: databases, and what runs in clusters."""
