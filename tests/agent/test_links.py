"""No address leaves in an answer but to a host that an operator named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.grounding.links import Allowed, allowed_only

HOSTS = Allowed.of(("intranet.example", "docs.example.org"))


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("See [the guide](https://intranet.example/vpn).", "See [the guide](https://intranet.example/vpn)."),
        ("See [the guide](https://wiki.intranet.example/a).", "See [the guide](https://wiki.intranet.example/a)."),
        ("Open https://intranet.example/reset.", "Open https://intranet.example/reset."),
        ("`curl http://localhost:8080/health`", "`curl http://localhost:8080/health`"),
        ("See [the guide](https://evil.test/vpn).", "See the guide."),
        ("See [the guide](https://intranet.example.evil.test/).", "See the guide."),
        ("See [the guide](https://intranet.example@evil.test/).", "See the guide."),
        ("See [the guide](https://notintranet.example/).", "See the guide."),
        ("See [the guide](//evil.test/x).", "See the guide."),
        ("See [the guide](javascript:alert(1)).", "See the guide."),
        ("See [the guide](data:text/html,hi).", "See the guide."),
        ("See [the guide](../it/vpn.md).", "See the guide."),
        ("![pixel](https://evil.test/p?q=secret)", "pixel"),
        ("<https://evil.test/x>", "…"),
        ("Go to https://evil.test/login, then wait.", "Go to …, then wait."),
        ("Go to HTTPS://EVIL.TEST/login.", "Go to …."),
        ("Go to www.evil.test now", "Go to … now"),
        ("打开 https://evil.test/登录。然后等待", "打开 …。然后等待"),
        ("[x]: https://evil.test/\nText [x][x]", "\nText x"),
        ('<a href="https://evil.test">click</a>', "click"),
        ("ftp://evil.test/file", "…"),
        ("Run `kubectl get pods -n web`: 3/3 are ready.", "Run `kubectl get pods -n web`: 3/3 are ready."),
    ],
)
def test_foreign_links_lose_their_address(text: str, clean: str) -> None:
    assert allowed_only(text, HOSTS) == clean


@given(
    st.text(max_size=40),
    st.sampled_from(["http://", "https://", "HTTP://", "ftp://", "打开http://", "1http://"]),
    st.from_regex(r"[a-z]{1,10}\.(com|test)", fullmatch=True),
    st.sampled_from(["[a]({})", "{}", "<{}>", "![i]({})", "[a]( {} 'title')", "[r]: {}"]),
)
def test_whatever_stands_around_it_a_foreign_host_never_survives_as_a_link(
    before: str, scheme: str, host: str, form: str
) -> None:
    clean = allowed_only(f"{before}\n{form.format(f'{scheme}zz{host}/path')}\nafter", HOSTS)
    assert f"://zz{host}" not in clean


PAGE = "Reset it at https://reset.other.test/now. See [the form](https://forms.other.test/a) or www.other.test/help."


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (PAGE, PAGE),
        ("`curl https://reset.other.test/now`", "`curl https://reset.other.test/now`"),
        ("Go to https://reset.other.test/later", "Go to …"),
        ("See [your prize](https://forms.other.test/a).", "See your prize."),
        ("javascript:alert and http://user@reset.other.test/now", "… and …"),
    ],
)
def test_what_stands_on_a_page_of_the_company_is_kept_as_it_stands_there(text: str, clean: str) -> None:
    assert allowed_only(text, Allowed.of((), PAGE)) == clean
