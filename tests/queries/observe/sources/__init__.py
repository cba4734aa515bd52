"""The readers, over real sockets."""
