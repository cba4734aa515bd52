"""Cards as messages and Adaptive Cards."""
