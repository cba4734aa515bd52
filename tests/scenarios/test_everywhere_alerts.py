"""What Alertmanager sends is diagnosed in the on-call channel; when it resolves, that message is edited."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from features.diagnosis.alerts import PATH
from identity.actor import local_operator
from tests.scenarios.everywhere import needs, on_every_platform
from tests.scenarios.incident import SECRET, alert, write_incident
from tests.scenarios.stage import Stage
from tests.scenarios.story import Story

pytestmark = [on_every_platform, needs("channels")]


@pytest.fixture(autouse=True)
def _incident(tmp_path: Path) -> None:
    write_incident(tmp_path)


async def post(stage: Stage, body: Any, *, secret: str = SECRET) -> int:
    transport = httpx.ASGITransport(stage.desk.webhooks[PATH])
    async with httpx.AsyncClient(transport=transport, base_url="http://desk.invalid") as client:
        answer = await client.post(PATH, json=body, headers={"authorization": f"Bearer {secret}"})
    return answer.status_code


async def test_an_alert_is_told_once_and_edited_when_it_resolves(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao")
    await stage.say(told.requester, told.question, place)
    (here,) = await stage.desk.job_control.channels(local_operator())
    observe = stage.desk.observe
    told_in = observe.config.alerts.model_copy(update={"channel": here.name})
    observe.config = observe.config.model_copy(update={"alerts": told_in})

    assert await post(stage, alert("firing")) == 200
    assert await post(stage, alert("firing")) == 200  # Alertmanager repeats itself, and so does its replica
    await stage.settle()
    (card,) = await stage.channels.begun("ada", place)
    assert "KubePodCrashLooping" in card.text
    assert "OOMKilled" in card.text
    assert told.says("diagnosis.alert.firing") in card.text

    assert await post(stage, alert("resolved")) == 200
    await stage.settle()
    (card,) = await stage.channels.begun("ada", place)
    assert told.says("diagnosis.alert.resolved") in card.text
    assert told.says("diagnosis.alert.firing") not in card.text


async def test_who_does_not_know_the_secret_is_refused(stage: Stage) -> None:
    assert await post(stage, alert("firing"), secret="guessed") == 401
    assert await post(stage, {"version": "3"}) == 400
    assert await stage.desk.observe.reports(local_operator()) == ()
