import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.analysis import terms
from language.scripts import language_of
from language.spelling import corrected, one_edit_apart
from language.stemming import stem
from search.ranking.query import analyse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Resetting passwords", ["reset", "password"]),
        ("kube-proxy", ["kube-proxy", "kube", "proxi"]),
        ("PPR-9087", ["ppr-9087", "ppr", "9087"]),
        ("0x80070005", ["0x80070005"]),
        ("10.0.0.1", ["10.0.0.1", "10", "0", "0", "1"]),
        ("CrashLoopBackOff", ["crashloopbackoff", "crash", "loop", "back", "off"]),
        ("ada@example.com", ["ada@example.com", "ada", "exampl", "com"]),
        ("the user's", ["the", "user"]),
        ("don\u2019t", ["dont"]),
        ("Café Müller", ["cafe", "muller"]),
        ("ＶＰＮ　１２３", ["vpn", "123"]),
        ("年假申请", ["年假", "假申", "申请"]),
        ("重置MFA码", ["重置", "mfa", "码"]),
        ("一二。三四", ["一二", "三四"]),
        ("host_name", ["host_name", "host", "name"]),
        ("... --- !!!", []),
        ("a" * 200, []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("conflated", "conflat"),
        ("hopping", "hop"),
        ("filing", "file"),
        ("happy", "happi"),
        ("relational", "relat"),
        ("digitizer", "digit"),
        ("possibly", "possibl"),
        ("topology", "topolog"),
        ("electrical", "electr"),
        ("adjustable", "adjust"),
        ("probate", "probat"),
        ("controll", "control"),
        ("sky", "sky"),
        ("by", "by"),
        ("x86", "x86"),
    ],
)
def test_stems_are_snowballs(word: str, expected: str) -> None:
    assert stem(word) == expected


@given(st.text())
def test_any_text_can_be_analysed(text: str) -> None:
    analysed = analyse(text)
    assert all(terms(text))
    assert set(analysed.terms) <= set(terms(text)) | {term for token in analysed.tokens for term in token.terms}
    assert language_of(text) in ("en", "zh", "")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How do I connect?", "en"),
        ("VPN 怎么连接？", "zh"),
        ("0x80070005 1234", "en"),
        ("1234 - 99", ""),
        ("A long English sentence that names one 字 only", "en"),
        ("报错 CrashLoopBackOff 怎么办", "zh"),
    ],
)
def test_the_script_tells_the_language(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How do I connect to the VPN?", ("connect", "vpn")),
        ("what is it", ("what", "is", "it")),  # nothing else is there
        ("年假怎么申请？", ("年假", "申请")),
        ("我的电脑坏了怎么办", ("电脑", "脑坏")),
        ("项目的目的是什么", ("项目", "目的")),
        ("怎么办", ("怎么", "么办")),
        ("VPN 码", ("vpn", "码")),
    ],
)
def test_question_words_are_left_out(question: str, expected: tuple[str, ...]) -> None:
    assert analyse(question).terms == expected


@pytest.mark.parametrize(
    "pair", [("portal", "prtal"), ("portal", "poortal"), ("portal", "pottal"), ("portal", "potral")]
)
def test_one_edit_is_seen_both_ways(pair: tuple[str, str]) -> None:
    assert one_edit_apart(*pair)
    assert one_edit_apart(*reversed(pair))


@pytest.mark.parametrize("pair", [("portal", "portal"), ("portal", "prtla"), ("portal", "porta1xx"), ("ab", "ba ")])
def test_more_than_an_edit_is_another_word(pair: tuple[str, str]) -> None:
    assert not one_edit_apart(*pair)


def test_the_commonest_neighbour_is_meant() -> None:
    assert corrected("clinet", [("client", 3), ("clinec", 9), ("else", 99)]) == "clinec"
    assert corrected("clinet", [("client", 3), ("else", 99)]) == "client"
    assert corrected("clinet", [("else", 99)]) is None
