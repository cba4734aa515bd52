"""From a person's words and the catalogues to a query of metrics or rows, without a model. Start at `reading`."""
