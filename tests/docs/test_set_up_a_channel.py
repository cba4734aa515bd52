"""`docs/how-to/set-up-a-channel.md` typed into a channel of Slack, line by line: what its people then see."""

import io
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

from identity.actor import local_operator
from storage.database import Database
from tests.architecture.source import ROOT
from tests.cli.conftest import invoke
from tests.docs.pages import Page
from tests.scenarios.driver_slack import open_slack
from tests.scenarios.platforms import Place
from tests.scenarios.stage import MovableClock, Setting, Stage
from tests.scenarios.story import ENGLISH
from tests.scenarios.world import write_pages

SOURCE = ROOT / "docs" / "how-to" / "set-up-a-channel.md"
PAGE = Page(SOURCE, SOURCE.read_text(encoding="utf-8"))
LINES = PAGE.blocks("text")[0].splitlines()
MANAGER, ASKS = "ben", "ada"
#: Pages of the sources that the guide names.
HANDBOOK = {
    "handbook/.access.yaml": "allow: [staff]\n",
    "handbook/bikes.md": "# Company bikes\n\n## Hiring\n\nA company bike costs 9 euros a month.\n",
    "it-wiki/.access.yaml": "allow: [staff]\n",
    "it-wiki/scanner.md": "# Scanners\n\n## Paper jam\n\nOpen flap C of the scanner and pull.\n",
}


class Followed:
    """Whoever follows the guide in one channel; each line leads to what people are to see after it."""

    def __init__(self, stage: Stage, place: Place) -> None:
        self.stage, self.place, self.threads = stage, place, 0

    async def asks(self, words: str, *, addressed: bool = True, by: str = ASKS) -> str:
        """Begin a thread in the channel; return what is said below it."""
        self.threads += 1
        self.stage.clock.skip(5)
        thread = replace(self.place, name=f"thread-{self.threads}")
        return (await self.stage.say(by, words, thread, addressed=addressed)).text.strip()

    async def types(self, line: str) -> str:
        """Type a line of the guide, and see that it does what the guide says."""
        shown = await self.asks(line, by=MANAGER)
        match line.removeprefix("/desk channel").split(" ", 2)[1:]:
            case []:
                assert "How I behave in this channel" in shown
            case ["quiet"]:
                assert "only when I am named" in shown
                assert ENGLISH.answer in await self.asks(ENGLISH.question)
                assert await self.asks(ENGLISH.question, addressed=False) == ""
            case ["listen"]:
                answered = await self.asks(ENGLISH.question, addressed=False)
                assert ENGLISH.answer in answered
                assert "Is anybody" not in await self.asks("Is anybody coming to lunch today?", addressed=False)
            case ["off" | "on" as mode]:
                assert {"off": "never", "on": "in threads that I was asked in"}[mode] in shown
                assert (ENGLISH.answer in await self.asks(ENGLISH.question)) == (mode == "on")
            case ["language", "zh"]:
                assert "我在本频道的设置" in await self.asks("/desk channel")
            case ["sources", _]:
                assert "9 euros" in await self.asks("What does a company bike cost?")
                assert ENGLISH.answer not in await self.asks(ENGLISH.question)
            case ["tools", _]:
                assert "9 euros" in await self.asks("What does a company bike cost?")
                assert "9:00" not in await self.asks("Remind me tomorrow at 9 to water the plants")
            case ["queue", _]:
                before = len(await self.stage.channels.begun(ASKS, self.place))
                draft = await self.stage.say(ASKS, "My VPN does not connect since this morning. Please open a ticket.")
                await self.stage.press(ASKS, draft, ENGLISH.says("draft.confirm"))
                told = await self.stage.channels.begun(ASKS, self.place)
                assert [re.findall(r"TCK-\d+-\d+", each.text) != [] for each in told[before:]] == [True]
            case ["digest", "off"]:
                assert "不发布到这里" in shown
            case _:
                raise AssertionError(f"nobody follows {line!r}")
        return shown


async def test_each_line_does_what_the_guide_says(database: Database, tmp_path: Path) -> None:
    async with open_slack(Setting(tmp_path, database, MovableClock(), {}), mode="http") as stage:
        for name in ("handbook", "it-wiki"):
            write_pages(tmp_path, HANDBOOK)
            await stage.desk.search.add_folder(local_operator(), tmp_path / name)
        await stage.desk.search.embed_pending()
        followed = Followed(stage, await stage.channels.channel(ASKS, "bao", MANAGER))
        for line in LINES:
            await followed.types(line)
        for words in re.findall(r"“(be quiet in this channel)”|(在这个频道安静一点)", PAGE.text)[:2]:
            assert "只有提到我时" in await followed.asks("".join(words))


def test_the_package_that_listens_asks_for_the_right_to_read_messages(tmp_path: Path) -> None:
    (line,) = [each for each in PAGE.blocks("sh")[0].splitlines() if each.startswith("dutydesk teams package")]
    (tmp_path / "dutydesk.toml").write_text(
        '[web]\nurl = "https://desk.example.com"\n[teams]\napp_id = "00000000-0000-0000-0000-000000000001"\n',
        encoding="utf-8",
    )
    done = invoke(*line.split()[1:], "--out", str(tmp_path / "app.zip"), home=tmp_path)

    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(io.BytesIO((tmp_path / "app.zip").read_bytes())) as package:
        manifest = json.loads(package.read("manifest.json"))
    assert manifest["version"] == "1.1.0"
    assert "ChannelMessage.Read.Group" in json.dumps(manifest["authorization"])
