"""Run the local Teams as a process of its own: `python -m tests.fakes.teams --port 0`; it prints its address."""

import asyncio

from tests.fakes.own_process import arguments, clock_of, serve
from tests.fakes.teams.admin import Admin
from tests.fakes.teams.local_teams import LocalTeams


def main() -> None:
    """Serve until the process is ended; the first line says where (`http://127.0.0.1:PORT`)."""
    parser = arguments(__doc__)
    parser.add_argument("--unsigned", action="store_true", help="sign nothing and ask nobody for a token")
    parser.add_argument("--seed", type=int, default=4, help="of all ids and all chance")
    asked = parser.parse_args()
    teams = LocalTeams(clock_of(asked), port=asked.port, seed=asked.seed, signed=not asked.unsigned)
    teams.server.doors.append(Admin(teams).add_routes)
    asyncio.run(serve(teams, lambda: teams.server.base_url))


if __name__ == "__main__":
    main()
