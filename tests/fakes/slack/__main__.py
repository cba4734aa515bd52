"""Run the local Slack as a process of its own: `python -m tests.fakes.slack --port 0`; it prints its address."""

import asyncio

from tests.fakes.own_process import arguments, clock_of, serve
from tests.fakes.slack.admin import Admin
from tests.fakes.slack.server import SlackServer


def main() -> None:
    """Serve until the process is ended; the first line says where (`http://127.0.0.1:PORT`)."""
    asked = arguments(__doc__).parse_args()
    server = SlackServer(clock=clock_of(asked), port=asked.port, doors=(Admin.door,))
    asyncio.run(serve(server, lambda: server.base_url))


if __name__ == "__main__":
    main()
