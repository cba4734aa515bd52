"""Short forms of a chat are written out, and what only looks like one stays as it is."""

import pytest

from language.synonyms.short_forms import written_out


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("how many hols do i get im new", "how many holidays do i get I'm new"),
        ("whats the extra for nites, dont know", "what's the extra for nights, don't know"),
        ("wheres the lift", "where is the lift"),
        ("Who's on call tmrw", "Who is on call tomorrow"),
        ("who’s that", "who is that"),
        ("2 wks off at xmas", "2 weeks off at christmas"),
        ("can u help", "can you help"),
        ("he's not breathin", "he's not breathing"),
        ("a man w a knife n a bag", "a man with a knife and a bag"),
        ("离职证明啥时候给", "离职证明什么时候给"),
        ("发票开错了咋整", "发票开错了怎么办"),
        ("车停哪呀？", "车停哪里呀？"),
    ],
)
def test_short_forms_are_written_out(said: str, meant: str) -> None:
    assert written_out(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "a 2U server",
        "the cabin in hall N",
        "come in",
        "哪位同事",
        "the DEPT field",
        "https://desk.example/u/im",
        "mins.csv",
        "it is ill",
        "its lid",
        "ask ben@hols.example",
    ],
)
def test_names_and_other_words_stay(said: str) -> None:
    assert written_out(said) == said
