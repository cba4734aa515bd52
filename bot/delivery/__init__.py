"""From the database to chat: posts, redrawing, streams, and the rows that `bot` keeps. Start at `posts`."""
