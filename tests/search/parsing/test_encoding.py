import pytest

from search.errors import FileUnreadable
from search.parsing.text.encoding import decode

CHINESE = "第三章 假期\n员工每年享有十天年假，须提前申请。VPN 另行配置。"


@pytest.mark.parametrize(
    ("text", "encoding", "named"),
    [
        ("Ünïcode 年假", "utf-8", ""),
        ("Ünïcode 年假", "utf-8-sig", ""),
        ("Ünïcode 年假", "utf-16", ""),
        ("Ünïcode 年假", "utf-32", ""),
        ("Without a mark", "utf-16-le", "UTF-16"),
        ("Without a märk", "utf-16-be", "UTF-16"),
        (CHINESE, "gb18030", "GB18030"),
        ("年假", "gb18030", "GB18030"),
        ("Über alles, Größe", "latin-1", "Windows-1252 (Latin-1)"),
        ("naïve café “quotes” – 5 €", "cp1252", "Windows-1252 (Latin-1)"),
        ("員工每年享有十天年假，須提前申請，由部門經理批准。", "big5", "BIG5"),
        ("従業員は年に十日の休暇があります。申請してください。", "shift_jis", "CP932"),
        ("Привет мир, это проверка кодировки документа.", "cp1251", "CP1251"),
    ],
)
def test_text_comes_back_and_a_guess_is_told(text: str, encoding: str, named: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert decoded.guessed == named
    assert bool(decoded.remark) == bool(named)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (bytes(range(256)) * 4, "is no text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(128, 256)) * 3, "encoding|no text"),
        (b"# Page\n\n\xff\xff\xff\xff\n", "encoding that can be told"),
        (b"\xff\xfea", "no valid UTF-16"),
    ],
)
def test_what_cannot_be_told_is_not_guessed(content: bytes, why: str) -> None:
    with pytest.raises(FileUnreadable, match=why):
        decode(content)


def test_a_few_wrong_bytes_do_not_cost_the_page() -> None:
    content = (CHINESE * 5).encode()
    decoded = decode(content[:40] + b"\xff" + content[39:])
    assert decoded.text.endswith("VPN 另行配置。")
    assert decoded.remark == "has bytes that are no UTF-8; they were left out"


def test_what_a_page_declares_is_taken_at_its_larger_brother() -> None:
    assert decode("䶮".encode("gb18030"), declared="GB2312").text == "䶮"
    assert decode("“x”".encode("cp1252"), declared="iso-8859-1").text == "“x”"
    assert decode(b"plain", declared="no-such-encoding").text == "plain"
