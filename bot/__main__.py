"""The `dutydesk` command; `python -m bot` is the same."""

from bot.cli.main import main

if __name__ == "__main__":
    main()
