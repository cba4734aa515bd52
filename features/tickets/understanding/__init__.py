"""What people say of tickets and of what is broken, for the desk without a language model. Start at `talk`."""
