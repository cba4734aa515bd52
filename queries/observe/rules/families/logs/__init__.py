"""What logs tell: errors that repeat, services that do not answer, names, certificates, and what must not be shown."""
