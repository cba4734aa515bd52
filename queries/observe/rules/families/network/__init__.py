"""What lies between an app and those that call it or are called: services, and network policies."""
