"""What the local Teams takes and refuses."""
