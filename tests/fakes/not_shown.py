"""What happens to people in a fake who reach for what is not there."""


class NotShown(Exception):
    """The person looks for something that is not there, or that cannot be used like this."""
