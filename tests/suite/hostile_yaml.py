"""Front matter that means harm, and what is said of each: shared by the tests of the loader and of the served desk."""

#: By name: the block between the dashes, and words of the line that is told.
HOSTILE: dict[str, tuple[str, str]] = {
    "flow list": ("a: " + "[" * 32_000 + "\n", "nested"),
    "flow list that is closed": ("a: " + "[" * 16_000 + "]" * 16_000 + "\n", "nested"),
    "flow mapping": ("a: " + "{a: " * 8_000 + "\n", "nested"),
    "block list": ("- " * 16_000 + "a\n", "nested"),
    "indented mapping": ("".join(" " * depth + "a:\n" for depth in range(300)), "nested"),
    "keys of keys": ("? " * 16_000 + "a\n", "nested"),
    "alias": ("a: &a [x, x]\nb: [*a, *a]\n", "alias"),
    "laughs": (
        "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        "alias",
    ),
    "itself": ("a: &a [*a]\n", "alias"),
    "merge": ("a: {b: 1}\n<<: {c: 2}\n", "merge key"),
    "merge of many": ("<<: [" + "{a: 1}, " * 8_000 + "]\n", "merge key"),
    "merge of an alias": ("a: &a {b: 1}\nc:\n  <<: *a\n", "merge key"),
    "code": ("a: !!python/object/apply:os.system [ls]\n", "tag"),
    "tag of a number": ("a: !!float ''\n", "tag"),
    "tag of a date": ("a: !!timestamp never\n", "tag"),
    "tag of a set": ("a: !!set {b, c}\n", "tag"),
    "long number": ("title: " + "9" * 5_000 + "\n", "wrong value"),
    "no date": ("date: 2024-13-45\n", "wrong value"),
    "list as a name": ("? [a]\n: b\n", "no valid YAML"),
    "long": ("a: " + "x" * 70_000 + "\n", "longer than 64 kB"),
    "control character": ("a: \x01\n", "no valid YAML"),
}
