"""The databases: what each promises, and that it holds against whatever is sent to it."""
