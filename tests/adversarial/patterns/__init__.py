"""Every regular expression of the product, the worst strings for each, and how its time grows."""
