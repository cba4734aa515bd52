"""Our top-level names are ours alone, wherever dutydesk is installed."""

from importlib.metadata import packages_distributions

from tests.architecture.names import shadowed
from tests.architecture.source import root_packages


def test_no_installed_distribution_provides_one_of_our_names() -> None:
    assert list(shadowed([*root_packages(), "tests"], packages_distributions())) == []


def test_a_shadowed_name_is_found() -> None:
    provided = {"search": ["dutydesk", "elastic-search-tools"], "bot": ["dutydesk"]}

    assert list(shadowed(["bot", "search"], provided)) == ["search is also provided by elastic-search-tools"]
