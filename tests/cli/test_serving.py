"""The server as people start it."""

import re
import signal
import socket
import urllib.request
from pathlib import Path

from tests.cli.conftest import finish, start


def first_address(process: "object", lines: int = 8) -> str:
    """Read what the server prints until it names its address."""
    for _ in range(lines):
        found = re.search(r"is ready: (http://\S+)", process.stdout.readline())  # type: ignore[attr-defined]
        if found:
            return found.group(1)
    return ""


def test_the_demo_serves_a_page_and_ends_quietly(tmp_path: Path) -> None:
    process = start("demo", "--port", "0", "--no-browser", "--home", str(tmp_path / "demo"))
    try:
        address = first_address(process)
        with urllib.request.urlopen(address, timeout=30) as page:
            text = page.read().decode()
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)

    assert "<html" in text
    assert process.returncode == 0, errors
    assert "Traceback" not in errors


def test_serving_prints_a_sign_in_link(home: Path) -> None:
    process = start("serve", "--port", "0", "--home", str(home))
    try:
        address = first_address(process)
        line = process.stdout.readline() if process.stdout else ""
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)

    assert f"{address}/sign-in?token=" in line


def test_a_port_in_use_is_told(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, _, errors = finish("serve", "--port", port, "--home", str(home))

    assert code == 1
    assert errors.startswith(f"Error: Port {port} on 127.0.0.1 is in use")


def test_a_test_client_is_believed_on_this_machine_only(home: Path) -> None:
    (home / "dutydesk.toml").write_text('[teams]\nmode = "test"\n[web]\ninsecure = true\n', encoding="utf-8")
    code, _, errors = finish("serve", "--host", "0.0.0.0", "--home", str(home))

    assert code == 1
    assert "teams.mode = test believes whoever writes to it" in errors


def test_an_open_address_without_tls_is_refused(home: Path) -> None:
    code, _, errors = finish("serve", "--host", "0.0.0.0", "--home", str(home))

    assert code == 1
    assert "tls_certificate" in errors
