"""Each vendor's library has one home."""

from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.source import made_up, product, project, root_packages
from tests.architecture.vendors import SQL_HOMES, VENDORS, Vendor, strays, unlisted, unneeded


def runtime_dependencies() -> set[str]:
    """Return every distribution that the base or an extra for operators asks for."""
    extras = project()["project"]["optional-dependencies"]
    lines = [*project()["project"]["dependencies"]]
    lines += [line for name, extra in extras.items() if name != "dev" for line in extra]
    named = {canonicalize_name(Requirement(line).name) for line in lines}
    vendors_of_extras = {extra for line in lines for extra in Requirement(line).extras if extra in extras}
    return named | vendors_of_extras


def test_vendors_are_imported_at_home_only() -> None:
    assert list(strays(product(), VENDORS, ours=(*root_packages(), "sample"))) == []


def test_every_runtime_dependency_has_a_home_and_every_home_a_dependency() -> None:
    assert unlisted(runtime_dependencies(), VENDORS) == set()
    assert unneeded(runtime_dependencies(), VENDORS) == set()


def test_a_vendor_away_from_home_is_found(tmp_path: Path) -> None:
    modules = made_up(
        tmp_path,
        {
            "tickets/service.py": "from sqlalchemy import select\nfrom sqlalchemy.ext.asyncio import AsyncSession\n",
            "tickets/store.py": "import sqlalchemy\n",
            "tickets/ticket.py": "import leftpad\n",
        },
    )

    assert list(strays(modules, VENDORS, ours=("tickets",))) == [
        f"tickets.service:1 imports sqlalchemy, whose home is {SQL_HOMES}",
        "tickets.ticket:1 imports leftpad, which has no home in the table",
    ]


def test_a_dependency_without_a_home_is_found() -> None:
    table = (Vendor("click", ("click",), ("bot.cli",)),)

    assert unlisted({"click", "leftpad"}, table) == {"leftpad"}
    assert unneeded({"leftpad"}, table) == {"click"}
