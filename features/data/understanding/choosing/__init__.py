"""Which of several things a message means that names none of them surely: numbers, and those who did it."""
