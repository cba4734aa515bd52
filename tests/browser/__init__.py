"""The real browser before the real desk: what people see and can do."""
