"""Whatever is put into the queue has somebody who handles it."""

import re
from pathlib import Path

from agent.runs.runs import TIMER
from bot.delivery.events import event_topic, overheard_topic, withdrawal_topic
from bot.delivery.news.telling import NEWS
from bot.delivery.posts import ERASE, REFRESH, topic_of
from storage.database import Database
from tests.architecture.source import ROOT
from tests.scenarios.world import world_in

#: Places that put work into the queue under a topic that they are given or work out.
WORKED_OUT = {
    "agent/runs/runs.py": ["TIMER"],
    "bot/delivery/posts.py": ["topic_of(post.platform)", "REFRESH", "ERASE"],
    "bot/inbox/due.py": ["event_topic(platform)"],
    "bot/delivery/news/telling.py": ["NEWS"],
    "bot/delivery/news/ways.py": ["way"],
    "bot/inbox/inbox.py": ["_topic_of(event)"],
}
CALL = re.compile(r"\benqueue\(\s*session,.*?topic=([^\n]+?),?\s*(?:payload=|\n)", re.DOTALL)
PACKAGES = ("agent", "bot", "features", "identity", "search", "storage", "tickets")


async def test_every_topic_that_is_enqueued_has_a_handler(tmp_path: Path, database: Database) -> None:
    literal: set[str] = set()
    other: dict[str, list[str]] = {}
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for call in CALL.findall(source):
            if words := re.match(r'"([^"]+)"', call):
                literal.add(words.group(1))
            else:
                other.setdefault(path.relative_to(ROOT).as_posix(), []).append(call)
    assert {"ticket.changed", "draft.filed", "tracker.push"} <= literal, "the scan found nothing"
    assert other == WORKED_OUT
    async with world_in(tmp_path, database) as world:
        desk = world.desk
        handled = {*desk.outbox.topics, *desk.inbox.worker.topics, *desk.jobs.worker.topics}
        platforms = {topic(name) for topic in (event_topic, withdrawal_topic, overheard_topic) for name in desk.chats}
        posts = {topic_of(name) for name in desk.chats} | {REFRESH, ERASE}
        jobs = {job.topic for job in desk.jobs.table}
    assert literal | {TIMER, NEWS} | platforms | posts | jobs <= handled
