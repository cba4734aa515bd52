"""The server as people start it."""

import re
import signal
import socket
import subprocess
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


def the_demo_page(process: "subprocess.Popen[str]") -> str:
    """Return the first page of a demo that was started, once its handbook can be asked about."""
    with urllib.request.urlopen(first_address(process), timeout=30) as page:
        text: str = page.read().decode()
    assert process.stdout
    assert any("pages of handbook can be asked about" in line for line in process.stdout)
    return text


def test_the_demo_serves_a_page_answers_and_ends_quietly(tmp_path: Path) -> None:
    home = str(tmp_path / "demo")
    process = start("demo", "--port", "0", "--no-browser", "--home", home)
    try:
        text = the_demo_page(process)
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    code, answer, _ = finish("ask", "How long does a VPN session last?", "--home", home)

    assert "<html" in text
    assert "Ada Verhoeven" in text, "the sample people are there to be chosen"
    assert process.returncode == 0, errors
    assert errors == ""
    assert code == 0
    assert "10 hours" in answer


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
