"""An app alone under the server that the desk has, too."""

from typing import Any

import uvicorn


async def serve(app: Any, port: int) -> None:
    """Serve an ASGI app on loopback until the process is ended."""
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None, access_log=False, server_header=False)
    await uvicorn.Server(config).serve()
