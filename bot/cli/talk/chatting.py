"""A terminal session with a desk of its own: lines are read by a thread, since a blocked read cannot be cancelled."""

import asyncio
import codecs
import os
import sys
import threading

from adapters.terminal.chat import TerminalChat
from bot.cli import screen
from bot.cli.invocation import open_desk
from bot.cli.people import actor_of
from bot.conversation.people import own_account
from bot.settings import Settings


class Keyboard:
    """Lines of the standard input, read ahead by a daemon thread that never keeps the process alive."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._pump, name="keyboard", daemon=True).start()

    async def read(self, prompt: str) -> str | None:
        """Show the prompt and return the next line, or None at the end of the input, however often it is read."""
        if sys.stdin.isatty():
            sys.stdout.write(prompt)
            sys.stdout.flush()
        line = await self._lines.get()
        if line is None:  # a form that was open has taken it: whoever reads next learns of the end, too
            self._put(None)
        return line

    def _pump(self) -> None:
        # Not `for line in sys.stdin`: its lock, held by a daemon thread, would break the end of the interpreter.
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        rest = ""
        while read := os.read(sys.stdin.fileno(), 65_536):
            *lines, rest = (rest + decoder.decode(read)).split("\n")
            for line in lines:
                self._put(line.rstrip("\r"))
        if rest:
            self._put(rest)
        self._put(None)

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


async def chat(settings: Settings, person: str | None) -> None:
    """Talk until the input ends."""
    async with open_desk(settings) as desk:
        actor = await actor_of(desk, person)
        keyboard = Keyboard()
        terminal = TerminalChat(own_account(TerminalChat.name, actor), read=keyboard.read, write=screen.show_line)
        desk.also_serve(terminal)
        async with desk.running(beside=True):
            screen.say(f"You are {actor.name}. Ask something, or report a problem. Ctrl-D ends.", "dim")
            await terminal.run(desk.inbox.receive)
