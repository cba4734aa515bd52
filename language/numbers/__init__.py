"""Numbers in texts: amounts with their units, and the ranges that hold them."""
