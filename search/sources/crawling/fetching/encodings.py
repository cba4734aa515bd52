"""Unpacking an answer while it comes: what comes out is counted at each step, and nothing is unpacked beyond the limit.

A few kilobytes that were packed twice stand for gigabytes. So a piece is taken apart in steps of bounded size, and
every layer stops at the limit, whatever the next one makes of it.
"""

import zlib
from collections.abc import Iterator

#: Bytes that one step makes of what was packed.
STEP = 65_536
#: Times that an answer may be packed; servers behind proxies pack twice by mistake.
_LAYERS = 2
_PLAIN = frozenset({"", "identity"})
_GZIP = frozenset({"gzip", "x-gzip"})


class Undecodable(Exception):
    """An answer is packed in a way that is not known, or broken."""


class MoreThanWanted(Exception):
    """More comes out than is wanted."""


class Unpacking:
    """The layers of one answer, as its `Content-Encoding` names them; each yields at most `most` bytes."""

    def __init__(self, named: str, *, most: int) -> None:
        names = [name for each in named.split(",") if (name := each.strip().lower()) not in _PLAIN]
        if len(names) > _LAYERS:
            raise Undecodable(f"packed {len(names)} times")
        self._layers = [_Layer(name, most=most) for name in reversed(names)]
        self._most = most
        self._count = 0

    def take(self, packed: bytes) -> Iterator[bytes]:
        """Yield what a piece of the body holds, step by step; raise `Undecodable` or `MoreThanWanted`."""
        pieces = iter([packed])
        for layer in self._layers:
            pieces = layer.unpacked(pieces)
        for piece in pieces:
            self._count += len(piece)
            if self._count > self._most:
                raise MoreThanWanted
            yield piece

    def end(self) -> None:
        """Raise `Undecodable` where the body has ended before what was packed."""
        if any(layer.is_cut_off for layer in self._layers):
            raise Undecodable("cut off")


class _Layer:
    """One way of packing: gzip, or deflate with or without its header."""

    def __init__(self, name: str, *, most: int) -> None:
        if name not in _GZIP and name != "deflate":
            raise Undecodable(f"packed as {name[:40]}")
        self._most = most
        self._count = 0
        self._raw_next = name == "deflate"  # some servers leave the header out
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16 if name in _GZIP else zlib.MAX_WBITS)
        self._begun = False

    @property
    def is_cut_off(self) -> bool:
        """Say whether the end of what was packed never came."""
        return self._begun and not self._stream.eof

    def unpacked(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Yield what the pieces hold, in steps."""
        for piece in pieces:
            rest = piece
            while rest and not self._stream.eof:  # what follows the end is nothing
                self._begun = True
                out = self._step(rest)
                rest = self._stream.unconsumed_tail
                self._count += len(out)
                if self._count > self._most:
                    raise MoreThanWanted
                if out:
                    yield out

    def _step(self, packed: bytes) -> bytes:
        try:
            out = self._stream.decompress(packed, STEP)
        except zlib.error as error:
            if not self._raw_next:
                raise Undecodable(str(error)) from error
            self._raw_next, self._stream = False, zlib.decompressobj(-zlib.MAX_WBITS)
            return self._step(packed)
        self._raw_next = False
        return out
