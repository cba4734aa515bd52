"""From words, each with one meaning, to the one query that uses all of them."""
