"""Run pytest where there is no network but loopback.

`unshare --map-root-user --net python -m tests.browser.teams.offline TESTS`
"""

import fcntl
import socket
import struct
import sys

import pytest

LOOPBACK = "lo"
#: From Linux's <linux/sockios.h> and <linux/if.h>.
_SET_FLAGS = 0x8914
_UP = 0x1
#: Kept for documentation (RFC 5737), so nobody is there; on the way there one would at least have left.
ELSEWHERE = ("192.0.2.1", 443)


class StillConnected(Exception):
    """There is a way out of here, so nothing would be proven."""


def cut_off() -> None:
    """Turn loopback on, and make sure that nothing else can be reached."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh", LOOPBACK.encode(), _UP))
        try:
            any_socket.connect(ELSEWHERE)
        except OSError:
            return
    raise StillConnected(", ".join(name for _, name in socket.if_nameindex()))


if __name__ == "__main__":
    cut_off()
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
