"""What an operator may say about tickets, and how a mistake is told."""

import pytest
from pydantic import ValidationError

from tickets.config import BUILT_IN_FIELDS, FieldKind, TicketsConfig, TicketsOverrides


def over(**said: object) -> TicketsConfig:
    return TicketsOverrides.model_validate(said).over(TicketsConfig())


def test_the_built_in_catalogue_speaks_both_languages() -> None:
    config = TicketsConfig()
    known = ["hardware", "software", "access", "network", "facilities", "equipment", "hr", "other"]
    assert list(config.categories) == known
    for category in config.categories.values():
        assert category.labels.of("en") != category.labels.of("zh")
    for name, category in config.categories.items():
        assert (name == "other") is (not category.keywords.en)
        assert bool(category.keywords.of("en")) is bool(category.keywords.of("zh"))
    for field in config.fields.values():
        assert field.labels.zh
        assert all(choice.labels.zh for choice in field.choices)


def test_an_empty_file_changes_nothing() -> None:
    assert over() == TicketsConfig()


def test_a_category_is_changed_in_the_part_that_is_said() -> None:
    config = over(categories={"hardware": {"required": ["contact"]}})
    assert config.required_fields("hardware") == ("contact",)
    assert config.categories["hardware"].labels == TicketsConfig().categories["hardware"].labels
    assert config.required_fields("network") == ("location",)


def test_a_category_is_switched_off_and_another_added() -> None:
    config = over(
        categories={"hr": {"enabled": False}, "legal": {"labels": {"en": "Legal", "zh": "法务"}, "required": ["dates"]}}
    )
    assert "hr" not in config.categories
    assert config.categories["legal"].labels.of("zh") == "法务"


def test_a_choice_field_may_list_plain_words() -> None:
    config = over(fields={"floor": {"labels": "Floor", "kind": "choice", "choices": ["1", "2"]}})
    floor = config.fields["floor"]
    assert floor.kind is FieldKind.CHOICE
    assert [choice.value for choice in floor.choices] == ["1", "2"]
    assert floor.labels.of("zh") == "Floor"


def test_limits_are_overridden() -> None:
    config = over(prefix="HELP", draft_days=3, urge_cooldown_s=60)
    assert (config.prefix, config.draft_days, config.urge_cooldown_s) == ("HELP", 3, 60)


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ({"categories": {"hardware": {"required": ["locaton"]}}}, r"define \[tickets.fields.locaton\] or use one of"),
        ({"categories": {"hardware": {"required": ["device", "device"]}}}, "twice: list it once"),
        ({"categories": {"legal": {"required": []}}}, "is new and needs a name: add labels"),
        ({"categories": {"Legal Dept": {"labels": "Legal"}}}, "a name is lower-case letters, digits and _"),
        ({"fields": {"title": {"labels": "Title"}}}, "every ticket has 'title' already"),
        ({"fields": {"floor": {"labels": "Floor", "kind": "choice"}}}, "list at least two choices"),
        ({"fields": {"impact": {"kind": "text"}}}, 'set kind = "choice" or drop the choices'),
        ({"fields": {"impact": {"choices": ["a", "a"]}}}, "listed twice: keep one of them"),
        ({"prefix": "tck"}, "prefix"),
        ({"draft_days": 0}, "draft_days"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_a_mistake_says_what_to_do(said: dict[str, object], advice: str) -> None:
    with pytest.raises((ValidationError, ValueError), match=advice):
        over(**said)


def test_at_least_one_category_is_left() -> None:
    off = {name: {"enabled": False} for name in TicketsConfig().categories}
    with pytest.raises(ValidationError, match="keep at least one"):
        over(categories=off)


def test_no_field_takes_the_name_of_a_built_in_part() -> None:
    assert not set(BUILT_IN_FIELDS) & set(TicketsConfig().fields)
