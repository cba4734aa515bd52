"""Which of several things a message means that names none of them surely: numbers, who did it, rows spoken of."""
