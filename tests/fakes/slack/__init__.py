"""A local Slack: its state, its Web API with its rules, its deliveries, and a page of what people see."""
