"""The way to the cluster: the connection, what its errors mean, many documents at once. Start at `connection.py`."""
