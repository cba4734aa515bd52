"""What Microsoft's own schema of Adaptive Cards 1.5 says of ours, and what Teams takes besides."""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema_rs
from microsoft_teams.cards.core import CodeBlock, GroupedVerticalBarChart, LineChart, PieChart, VerticalBarChart
from pydantic import BaseModel

from adapters.teams.drawing.messages import TeamsDrawn

Json = dict[str, Any]
#: Beside the schema: Teams' own member of a card.
TEAMS_OWN = "msteams"
#: Elements that Teams draws and the schema does not know, as Microsoft's builder describes them.
OWN_ELEMENTS: dict[str, type[BaseModel]] = {
    "Chart.Line": LineChart,
    "Chart.Pie": PieChart,
    "Chart.VerticalBar": VerticalBarChart,
    "Chart.VerticalBar.Grouped": GroupedVerticalBarChart,
    "CodeBlock": CodeBlock,
}
CARD_BYTES, MESSAGE_BYTES = 25_000, 80_000


def accept_message(drawn: TeamsDrawn) -> Json:
    """Fail when Teams would refuse the message; return it as JSON."""
    payload: Json = json.loads(json.dumps(drawn.payload()))
    assert payload["type"] == "message"
    assert 1 <= len(payload["summary"]) <= 400
    assert payload.get("text", "").strip() or payload.get("attachments")
    assert len(json.dumps(payload, ensure_ascii=False).encode("utf-16-le")) <= MESSAGE_BYTES
    for attached in payload.get("attachments", []):
        assert attached["contentType"] == "application/vnd.microsoft.card.adaptive"
        accept_card(attached["content"])
    for entity in payload.get("entities", []):
        _accept_label(entity, payload.get("text", ""))
    return payload


def accept_card(card: Json) -> Json:
    """Fail when Teams would refuse the card; return it."""
    errors = [
        f"{'/'.join(map(str, error.instance_path))}: {error.message[:200]}"
        for error in _schema().iter_errors(older({name: card[name] for name in card if name != TEAMS_OWN}))
    ]
    assert errors == [], errors
    assert card["version"] == "1.5"
    assert card.get(TEAMS_OWN, {"width": "full"}) == {"width": "full"}
    assert len(json.dumps(card, ensure_ascii=False, separators=(",", ":")).encode()) <= CARD_BYTES
    for each in parts(card):
        match each.get("type"):
            case "ActionSet":
                assert 1 <= len(each["actions"]) <= 6
            case "Action.Execute" | "Action.Submit" | "Action.OpenUrl":
                assert 1 <= len(each["title"]) <= 80
            case "TextBlock" | "TextRun":
                assert each["text"]
    ids = [each["id"] for each in parts(card) if str(each.get("type", "")).startswith("Input.")]
    assert len(set(ids)) == len(ids)
    return card


def older(value: Any) -> Any:
    """Return a card as a client sees it that knows the schema only: with what stands in for Teams' own elements."""
    if isinstance(value, list):
        return [older(each) for each in value]
    if not isinstance(value, dict):
        return value
    if own := OWN_ELEMENTS.get(str(value.get("type"))):
        made = own.model_validate(value).model_dump(mode="json", exclude_none=True)
        assert {name: made[name] for name in made if name != "fallback"} == {
            name: value[name] for name in value if name != "fallback"
        }
        return older(value["fallback"])
    return {name: older(each) for name, each in value.items()}


def parts(value: Any) -> Iterator[Json]:
    """Yield every object of a card, what holds others first."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(each)


def pressable(card: Json) -> list[Json]:
    """Return the buttons in their order, without what stands in for them in old clients."""
    sets = [each["actions"] for each in parts(card.get("body", [])) if each.get("type") == "ActionSet"]
    return [action for actions in [*sets, card.get("actions", [])] for action in actions]


@cache
def _schema() -> Any:
    schema = json.loads((files("adaptive_cards") / "schemas" / "schema-1.5.json").read_text(encoding="utf-8"))
    return jsonschema_rs.Draft6Validator(schema)


def _accept_label(entity: Json, text: str) -> None:
    assert entity["type"] == "https://schema.org/Message"
    assert entity["additionalType"] == ["AIGeneratedContent"]
    positions = [claim["position"] for claim in entity.get("citation", [])]
    assert positions == sorted(set(positions))
    assert len(positions) <= 20
    for claim in entity.get("citation", []):
        assert f"[{claim['position']}]" in text
        appearance = claim["appearance"]
        assert 1 <= len(appearance["name"]) <= 80
        assert 1 <= len(appearance["abstract"]) <= 160
        assert appearance.get("url", "https://").startswith(("http://", "https://"))
