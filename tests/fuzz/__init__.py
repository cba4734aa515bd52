"""What nobody would write: made-up files, payloads, cards and texts against whatever reads or draws them.

`make test` tries a hundred of each; `make fuzz TIME=10m` goes on with others until the time is over. What is found
becomes an `@example` beside the test that found it, and stays there.
"""
