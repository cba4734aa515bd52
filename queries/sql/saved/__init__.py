"""Questions that somebody gave a name, to be asked again: kept as they were asked, run as whoever asks."""
