from dataclasses import FrozenInstanceError

import pytest

from identity.readership import ALONE, PUBLIC, Alone, Readership, Shared, ThreadOnly, others_read

SHARED = Shared(frozenset({"staff"}), "slack:T1:C1:100.1")


@pytest.mark.parametrize(
    ("readership", "others"),
    [
        (ALONE, False),
        (Alone("web:ada/main"), False),
        (Shared(PUBLIC), True),
        (SHARED, True),
        (ThreadOnly(Alone("web:ada/main")), False),
        (ThreadOnly(SHARED), True),
    ],
)
def test_others_read_along_or_not(readership: Readership, *, others: bool) -> None:
    assert others_read(readership) is others


def test_files_that_came_with_a_message_are_those_of_its_thread() -> None:
    assert ThreadOnly(SHARED).thread == SHARED.thread


def test_it_is_a_value() -> None:
    assert ThreadOnly(SHARED) == ThreadOnly(Shared(frozenset({"staff"}), "slack:T1:C1:100.1"))
    with pytest.raises(FrozenInstanceError):
        SHARED.thread = "another"  # type: ignore[misc]
