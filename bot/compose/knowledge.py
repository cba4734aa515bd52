"""What knows the documents, and takes in what people send: built together, since it shares one index and one folder."""

from dataclasses import dataclass

from adapters.web.files import WebFiles
from bot.compose.parts import Parts
from search.config import SearchConfig
from search.service import SearchService
from search.uploads.thread_files import ThreadFiles
from search.uploads.upload_folder import UploadFolder
from search.uploads.uploads import Uploads


@dataclass(frozen=True)
class Knowledge:
    """Search, and the three ways in which files come: uploaded, sent in a thread, on their way from a page."""

    search: SearchService
    uploads: Uploads
    thread_files: ThreadFiles
    web_files: WebFiles


def build(parts: Parts, config: SearchConfig, *, link_hosts: tuple[str, ...]) -> Knowledge:
    """Return them, over one index; pages may lead to `link_hosts` besides the sites that they were crawled from."""
    folder = UploadFolder(config.uploads.path)
    stored = (parts.database, parts.index, parts.embedder, parts.clock)
    search = SearchService(*stored, config, link_hosts=link_hosts)
    return Knowledge(
        search=search,
        uploads=Uploads(parts.database, search, folder, parts.clock, longest_file_bytes=config.longest_file_bytes),
        thread_files=ThreadFiles(*stored, folder=folder, config=config),
        web_files=WebFiles(config.uploads.path / ".web"),
    )
