"""What every platform shares on the way in: webhooks, files, readers, and the checks of an installation."""
