"""From files to databases that can be asked."""
