"""Who may look at what: decided from `clusters.yaml` and the principals that the directory vouches for."""
