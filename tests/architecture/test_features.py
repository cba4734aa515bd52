"""Features are strangers to one another: each folder sees the anatomy and itself, and what each is made of is there."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from bot.compose.features import FEATURES
from features.anatomy.verbs import every_verb, verbs_of
from tests.architecture.source import ROOT, Module, imports, made_up, product
from tests.fixtures.features import shipped

ANATOMY = "anatomy"


def folder_of(module: Module) -> str:
    """Return the folder of features that a module stands in; "" for other modules."""
    package, _, below = module.name.partition(".")
    return below.partition(".")[0] if package == "features" else ""


def acquaintances(modules: Iterable[Module]) -> Iterator[str]:
    """Yield each import of a feature by another one, and of any feature by the anatomy."""
    for module in modules:
        own = folder_of(module)
        for found in imports(module):
            path = f"{found.module}.{found.name}".split(".")
            if own and path[0] == "features" and path[1] not in ("", own, ANATOMY):
                yield f"{module.at(found.node)} imports {found.module}"


def folders() -> set[str]:
    return {path.parent.name for path in (ROOT / "features").glob("*/__init__.py")} - {ANATOMY}


def test_features_are_strangers() -> None:
    looked_at = {folder_of(module) for module in product()} - {"", ANATOMY}

    assert looked_at == folders() >= {"calculation", "knowledge", "tickets"}
    assert list(acquaintances(product())) == []


def test_an_acquaintance_is_found(tmp_path: Path) -> None:
    files = {
        "features/__init__.py": "",
        "features/anatomy/reader.py": "import features.rota.tools\n",
        "features/rota/tools.py": "from features.anatomy.reader import Reader\nfrom features.rota.rota import Rota\n",
        "features/bikes/tools.py": "from features.rota.rota import Rota\nfrom features import rota\n",
    }
    found = [each.partition(" ")[0] for each in acquaintances(made_up(tmp_path, files))]

    assert found == ["features.anatomy.reader:1", "features.bikes.tools:1", "features.bikes.tools:2"]


def test_every_folder_is_on_the_list_under_its_name() -> None:
    assert {build.__module__ for build in FEATURES} == {f"features.{name}.feature" for name in folders()}
    assert {feature.name for feature in shipped()} == folders()


def test_help_knows_every_verb() -> None:
    """`dutydesk --help` reads `commands.py` alone, so what a feature has must stand there."""
    for feature in shipped():
        assert [verb.name for verb in feature.verbs] == [verb.name for verb in verbs_of(feature.name)]
    assert {"ask", "calc", "ticket new"} <= {verb.name for verb in every_verb()}
