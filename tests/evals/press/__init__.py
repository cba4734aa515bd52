"""A printing house: its handbook, and what its staff write."""
