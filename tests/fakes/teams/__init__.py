"""A local Teams: its people and conversations, the connector's REST API with its rules, and its deliveries."""
