"""From clusters.yaml to clusters that can be read."""
