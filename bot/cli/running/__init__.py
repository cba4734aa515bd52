"""Commands that run a desk: served or as a demo, its sign-in links, its schema, its log."""
