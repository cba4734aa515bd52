"""Files that came with a message: Teams hands out an address that opens each for some minutes, without a token."""

from adapters.events import File
from adapters.inbound.downloads import Downloads, is_address
from adapters.port import Undeliverable
from adapters.teams.config import TeamsConfig

#: Where the files of people's chats lie, in each of Microsoft's clouds.
_HOSTS = (".sharepoint.com", ".sharepoint.us", ".sharepoint-mil.us", ".sharepoint.cn", ".sharepoint.de")


class TeamsFiles:
    """Fetches files from Microsoft's hosts and from no others."""

    def __init__(self, config: TeamsConfig) -> None:
        further = frozenset(host.lower() for host in config.service_hosts)
        self._downloads = Downloads(
            allowed=lambda url: is_address(url, host=lambda name: name.endswith(_HOSTS), further=further)
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._downloads.close()

    async def fetch(self, file: File, *, at_most: int) -> bytes:
        """Return what a file holds; a picture inside a message has no address that the desk may ask."""
        url = file.reference.get("url")
        if not isinstance(url, str) or not url:
            raise Undeliverable("Teams says nowhere where the file lies")
        return (await self._downloads.get(url, at_most=at_most)).content
