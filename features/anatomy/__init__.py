"""What a feature is made of: the value `Feature` and the values that its files are written with. Knows no feature."""
