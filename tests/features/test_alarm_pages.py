"""Which section of the company's pages an alarm shows as what to do, and which ones it does not show."""

from pathlib import Path

import pytest

from agent.results import DocumentSource, Passage
from features.alarms.alarms import alarms_of
from features.alarms.page import Fit, best, telling

GAS = "i smell gas in the basement"
WATER = "water is coming through the ceiling of the server room"
LEAKED = ("Secrets > A secret was leaked", "1. Rotate first.\n2. Tell Information Security on +31 10 555 0199.")
CARE = ("Sick leave > Ill child", "Up to 10 days a year. Emergencies, such as a burst pipe, are a few hours on top.")
COMING = ("Visiting us > Before you come", "Groups need a room in the front part of the building; ask your host early.")
PIPES = ("Building > Burst pipes and leaks", "Close the red valve by the lift and call the caretaker on 4400.")
SMELL = ("Safety > Smell of gas", "Leave the building at once and call 112, then 4444.")
BOUGHT = ("Buying > Software and data", "An agreement is needed whenever personal data is involved, also for trials.")
ADDRESS = ("Data protection > Sent to the wrong person", "Tell privacy@house.example or call 4499 within the hour.")
SENT = "somebody sent the salary list to all customers"


def passage(section: str, text: str) -> Passage:
    return Passage(text, DocumentSource(title=section.partition(" > ")[0], section=section, language="en"))


@pytest.mark.parametrize(
    ("name", "said", "other"), [("gas", GAS, LEAKED), ("flood", WATER, CARE), ("flood", WATER, COMING)]
)
def test_a_section_about_something_else_is_not_shown(
    name: str, said: str, other: tuple[str, str], tmp_path: Path
) -> None:
    assert best([passage(*other)], alarms_of(tmp_path).called(name), said=said) is None


@pytest.mark.parametrize(
    ("name", "said", "told", "other"),
    [
        ("gas", GAS, SMELL, LEAKED),
        ("flood", WATER, PIPES, CARE),
        ("flood", WATER, PIPES, COMING),
        ("data_leak", SENT, ADDRESS, BOUGHT),
    ],
)
def test_the_section_about_the_matter_is_shown_as_what_to_do(
    name: str, said: str, told: tuple[str, str], other: tuple[str, str], tmp_path: Path
) -> None:
    shown = best([passage(*other), passage(*told)], alarms_of(tmp_path).called(name), said=said)

    assert shown is not None
    assert shown.passage.source.section == told[0]
    assert shown.fit >= Fit.HEADED


def test_a_section_that_tells_nobody_what_to_do_is_not_what_to_do(tmp_path: Path) -> None:
    assert best([passage(*BOUGHT)], alarms_of(tmp_path).called("data_leak"), said=SENT) is None


ILL = ("Leave > Falling ill", "Phone your manager before nine. Pay goes on for six weeks.")
AID = ("Emergencies > First aid", "First aiders carry a green badge. Call 2112, then 112.")
NUMBERS = ("Emergencies > Emergency numbers", "Security and control room: call 8119.")


def test_a_page_about_sick_pay_is_not_what_to_do_for_who_fell(tmp_path: Path) -> None:
    alarm, said = alarms_of(tmp_path).called("injury"), "colleague fell off the ladder hes not moving"

    assert best([passage(*ILL)], alarm, said=said) is None
    shown = best([passage(*ILL), passage(*AID)], alarm, said=said)
    assert shown is not None
    assert shown.passage.source.section == AID[0]


def test_who_mourns_is_shown_no_list_of_numbers(tmp_path: Path) -> None:
    alarms, numbers = alarms_of(tmp_path), [passage(*NUMBERS)]

    assert best(numbers, alarms.called("grief"), said="my dad passed away this morning") is None
    assert best(numbers, alarms.called("injury"), said="colleague fell off the ladder") is not None


LED = """**First call 119 or 120, then 8111.**

**Fire**: press the button, leave by the nearest door, meet at the gate.

**Injury**: do not move whoever fell. The first-aid box hangs in the office.

**Phishing, a password given away**: pull the cable, leave the computer on, call 8166."""


@pytest.mark.parametrize(
    ("name", "said", "told", "never"),
    [
        ("injury", "tom fell off the truss and cant move his leg", "do not move whoever fell", "pull the cable"),
        ("phishing", "i typed my password in a fake page", "pull the cable", "do not move"),
        ("fire", "the dryer is on fire", "press the button", "pull the cable"),
    ],
)
def test_of_a_page_whose_paragraphs_are_headed_in_bold_the_one_is_shown(
    name: str, said: str, told: str, never: str, tmp_path: Path
) -> None:
    shown = best([passage("Emergencies", LED)], alarms_of(tmp_path).called(name), said=said)

    assert shown is not None
    assert shown.fit >= Fit.HEADED
    text = telling(shown.passage.shown)
    assert told in text
    assert never not in text
    assert "First call 119" in text


def test_what_is_told_to_who_stays_away_helps_nobody_who_lies_on_the_floor() -> None:
    ill = ("Leave > If you are ill", "Call 4400 before your shift starts. From the third day we need a doctor's note.")
    bites = ("Safety > Bitten or scratched", "Wash the wound for five minutes and enter it in the accident book.")
    alarm = alarms_of(Path("no-home")).called("injury")

    assert best([passage(*ill), passage(*bites)], alarm, said="a man collapsed") is None
    found = best([passage(*ill), passage(*bites)], alarm, said="a dog bit me, it is bleeding")
    assert found is not None
    assert found.passage.source.section == bites[0]


def test_a_loss_is_shown_all_of_its_own_section_though_bold_words_head_what_follows(tmp_path: Path) -> None:
    table = "| Who has died | Paid days |\n|---|---|\n| a parent | 8 |\n| a close friend | 1, for the funeral |"
    others = "**Carers** get five unpaid days.\n\n**Jury service**: full pay, tell Rota."
    leave = ("Leave > Bereavement", f"{table}\n\nTwo days more abroad.\n\n{others}")
    rest = ("Annual leave > When you cannot", "Nobody is away in June, but for weddings and funerals.")

    shown = best(
        [passage(*leave), passage(*rest)],
        alarms_of(tmp_path).called("grief"),
        said="my dad passed away on sunday",
    )

    assert shown is not None
    assert shown.passage.source.section == leave[0]
    assert "a parent | 8" in shown.passage.shown
    assert "Jury" not in shown.passage.shown
