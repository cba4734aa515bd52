"""The rules, one module a family. Each takes the facts and gives findings, and what it ruled out."""
