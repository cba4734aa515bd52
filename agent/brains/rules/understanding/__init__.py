"""What a message is before anybody knows what it is about: question or wish, small talk, a deed. Start at `message`."""
