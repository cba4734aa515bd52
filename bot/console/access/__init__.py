"""Who may come in: the guard before every page, and visitors with their sessions."""
