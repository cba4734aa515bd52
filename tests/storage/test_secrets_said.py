"""What people say loses its secrets, by shape, check digits and words; what sounds like one stays."""

import re
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from storage.redaction.numbers import is_card, is_iban
from storage.redaction.said import redact_said
from storage.redaction.stored import MARK
from tests.fixtures import secrets_held_out as held
from tests.fixtures import secrets_of_staff as staff
from tests.fixtures.secrets import CHINESE, ENGLISH, ORDINARY, SECRETS, phrased, remains
from tests.storage.secrets_fourth import FIFTH, FOURTH

#: Sentences with their secrets marked.
_IN_WORDS = Path(__file__).with_name("said_in_words.yaml")
_MARKED = re.compile("⟦([^⟧]+)⟧")


def test_sixty_secrets_in_twenty_phrasings_of_each_language() -> None:
    assert (len(set(SECRETS)), len(ENGLISH), len(CHINESE)) == (60, 20, 20)
    assert [said for secret, said in phrased() if remains(secret, redact_said(said))] == []


def test_a_message_without_a_secret_stays_as_it_is() -> None:
    assert [(said, redact_said(said)) for said in ORDINARY if redact_said(said) != said] == []


def test_phrasings_that_were_held_back() -> None:
    """At the first run 770 of 800 (96 %) were found and nothing else; three causes later it is 792."""
    said = [(secret, each.format(secret)) for each in (*held.ENGLISH, *held.CHINESE) for secret in held.SECRETS]
    missed = [each for secret, each in said if remains(secret, redact_said(each))]
    assert len(said) == 800
    assert len(missed) <= 8, missed
    assert [each for each in held.ORDINARY if redact_said(each) != each] == []


@pytest.mark.parametrize(
    ("batch", "most_missed", "most_wrong"),
    [(staff.FIRST, 37, 0), (staff.SECOND, 76, 2), (staff.THIRD, 27, 0), (FOURTH, 37, 0), (FIFTH, 10, 0)],
    ids=["before the code was looked at", "after it was mended for the first", "after both", "fourth", "held back"],
)
def test_what_staff_say(batch: staff.Batch, most_missed: int, most_wrong: int) -> None:
    """At first sight 67, 75, 71, 66 and 85 % of 942, 694, 272, 600 and 142 were found.

    Missed are plain words in odd places, and digests that nothing calls a key.
    """
    said = list(batch.phrased())
    missed = [each for secret, each in said if remains(secret, redact_said(each))]
    assert len(said) > 140
    assert len(missed) <= most_missed, missed
    wrong = [each for each in batch.ordinary if redact_said(each) != each]
    assert len(wrong) <= most_wrong, wrong


@pytest.mark.parametrize(
    ("name", "most_missed"),
    [
        ("first", 1),
        ("second", 1),
        ("third", 3),
        ("fourth", 1),
        ("fifth", 2),
        ("sixth", 0),
        ("seventh", 3),
        ("eighth", 1),
        ("ninth", 2),
        ("tenth", 0),
        ("eleventh", 3),
        ("twelfth", 0),
        ("thirteenth", 1),
        ("fourteenth", 1),
        ("fifteenth", 2),
        ("sixteenth", 3),
        ("ordinary", 0),
    ],
)
def test_what_is_said_in_free_words(name: str, most_missed: int) -> None:
    """At first sight 61 of 80, 44 of 54, 15 of 26, 39 of 46, 22 of 24, 32 of 40, 17 of 20 and 51 of 60.

    Of the messages of the tenth 62 of 71, of the next 60 of 78, 54 of 64, 64 of 73 and 60 of 79.
    """
    batch = yaml.safe_load(_IN_WORDS.read_text(encoding="utf-8"))[name]
    said = [each.replace("~", "") for each in batch]
    wrong = [each for each in said if "⟦" not in each and redact_said(each) != each]
    missed = [
        each
        for each in said
        if any(remains(secret, redact_said(_without_marks(each))) for secret in _MARKED.findall(each))
    ]
    assert wrong == []
    assert len(missed) <= most_missed, missed


def _without_marks(said: str) -> str:
    return said.translate(str.maketrans("", "", "⟦⟧"))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("mysql -u root -p{} -h db", "hunter2"),
        ("sshpass -p {} ssh ada@srv", "hunter2"),
        ("docker login -u ada -p {}", "swordfish"),
        ("curl -u ada:{} https://x.example.com", "hunter2"),
        ("ada:{}@db.example.com is down", "s3cret"),
        ("My password? {}.", "hunter2"),
        ("Here is my password. It's {}.", "hunter2"),
        ("the password you gave me, {}, does not work", "hunter2"),
        ("log in as ada with {}", "hunter2"),
        ("my passphrase is {}", "correct horse battery staple"),
        ("密码是{}", "芝麻开门"),
        ("totp seed: {}", "JBSW Y3DP EHPK 3PXP"),
        ("pay {} please", "DE89 3704 0044 0532 0130 00"),
        ("<password>{}</password>", "hunter2"),
        ("| password | {} |", "hunter2"),
        ("user,password,role\nada,{},admin", "plover"),
    ],
)
def test_only_the_secret_goes(said: str, kept: str) -> None:
    assert redact_said(said.format(kept)) == said.format(MARK)


def test_every_code_of_a_list_goes() -> None:
    assert redact_said("recovery codes: 1a2b-3c4d, 5e6f-7a8b and 9c0d-1e2f") == (
        f"recovery codes: {MARK}, {MARK} and {MARK}"
    )


@pytest.mark.parametrize("number", ["DE89370400440532013000", "GB82WEST12345698765432", "NO9386011117947"])
def test_an_iban_is_known_by_its_length_and_its_check_digits(number: str) -> None:
    assert is_iban(number)
    assert not is_iban(number[:-1] + str((int(number[-1]) + 1) % 10))
    assert not is_iban(number + "0")


@pytest.mark.parametrize("number", ["4111111111111111", "5500000000000004", "378282246310005", "6011111111111117"])
def test_a_card_is_known_by_its_network_and_its_check_digit(number: str) -> None:
    assert is_card(number)
    assert not is_card(number[:-1] + str((int(number[-1]) + 1) % 10))
    assert not is_card("9" + number[1:])


@given(
    st.lists(
        st.sampled_from([*ORDINARY, *SECRETS, *ENGLISH, *CHINESE, "密码", "password", " is ", "=", "\n", MARK]),
        max_size=8,
    )
)
@example(["Set password=<your password> or $PASSWORD", "s3cr3t", "credentials are ada:{}"])
def test_taking_out_twice_is_taking_out_once(parts: list[str]) -> None:
    once = redact_said(" ".join(parts))
    assert redact_said(once) == once


@pytest.mark.parametrize(
    "unit", ["password ", "password is ", "密码 a ", "a:a@", "as my pin ", "1 ", "-p x ", "aA1", "login: a/"]
)
def test_the_time_is_linear(unit: str) -> None:
    def seconds(length: int) -> float:
        text = (unit * length)[:length]
        began = time.thread_time()
        redact_said(text)
        return time.thread_time() - began

    def least(length: int) -> float:
        return min(seconds(length) for _ in range(3))

    redact_said(unit)
    assert least(32_000) < 6 * least(8_000) + 0.1
