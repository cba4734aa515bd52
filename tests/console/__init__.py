"""The console, from outside: requests in, pages out."""
