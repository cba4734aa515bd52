"""What the brain can do: one file per capability, each with a `tools(...)` function that makes its tools."""
