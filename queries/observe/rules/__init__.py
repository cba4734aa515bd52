"""Rules: pure functions over facts. `families` holds them, `catalogue` lists them, `words` says them."""
