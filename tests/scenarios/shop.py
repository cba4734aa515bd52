"""A small shop to ask for numbers: its database, its catalogue, and what ada, ben and bao may read of it."""

import sqlite3
from pathlib import Path

SOURCES = """\
datasources:
  shop:
    kind: sqlite
    path: shop.sqlite
    title: {en: Shop, zh: 商店}
    most_cost: 1000
"""
CATALOG = """\
tables:
  orders:
    called: {en: [orders], zh: [订单]}
    rows:
      - {to: ["role:admin", "group:it"], where: "TRUE"}
      - {to: ["unit:sales"], where: "region = 'north'"}
    columns:
      id: {type: number}
      region:
        type: text
        called: {en: [region], zh: [地区]}
        values: {north: {en: [north], zh: [北区]}, south: {en: [south], zh: [南区]}}
      crates: {type: number, called: {en: [crates], zh: [箱数]}}
      day: {type: date, called: {en: [day], zh: [日期]}}
      card: {type: text, called: {en: [card number], zh: [卡号]}, masked: true, shown_to: ["role:admin"]}
  huts:
    called: {en: [huts], zh: [小屋]}
    public: true
    label: name
    columns:
      name: {type: text, called: {en: [name], zh: [名称]}}
      beds: {type: number, called: {en: [beds], zh: [床位]}}
  clients:
    called: {en: [clients], zh: [客户]}
    label: name
    rows:
      - {to: ["role:admin", "group:it"], where: "TRUE"}
      - {to: ["unit:sales"], where: "region = 'north'"}
    columns:
      name: {type: text, called: {en: [client name], zh: [客户名称]}}
      region: {type: text}
      credit: {type: number, called: {en: [credit limit], zh: [信用额度]}, unit: EUR}
  payroll:
    rows: [{to: ["unit:board"], where: "TRUE"}]
    columns: {person: {type: text}}
metrics:
  crates_sold:
    called: {en: [crates sold, sold crates], zh: [售出箱数]}
    table: orders
    expression: SUM(crates)
    unit: crates
    time: day
    dimensions: [region]
    questions: ["Crates sold by region?", "各地区的售出箱数是多少？"]
"""
#: Crates that were sold, by region; half of them on the first day.
NORTH, SOUTH = 40, 300
#: Clients with their regions and credit limits.
CLIENTS = (("Aldermoor", "north", 1_250), ("Brindlecote", "south", 8_450))


def write_shop(home: Path) -> None:
    """Put the shop into a home."""
    (home / "catalog").mkdir(parents=True, exist_ok=True)
    (home / "datasources.yaml").write_text(SOURCES, encoding="utf-8")
    (home / "catalog" / "shop.yaml").write_text(CATALOG, encoding="utf-8")
    with sqlite3.connect(home / "shop.sqlite") as shop:
        shop.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, crates INTEGER, day TEXT, card TEXT)")
        shop.execute("CREATE TABLE huts (name TEXT, beds INTEGER)")
        shop.execute("CREATE TABLE clients (name TEXT, region TEXT, credit INTEGER)")
        shop.execute("CREATE TABLE payroll (person TEXT)")
        shop.executemany(
            "INSERT INTO orders (region, crates, day, card) VALUES (?, ?, ?, '4111')",
            [(region, crates // 2, day) for region, crates in (("north", NORTH), ("south", SOUTH)) for day in _DAYS],
        )
        shop.executemany("INSERT INTO huts VALUES (?, ?)", [("Kite", 4), ("Gull", 6), ("Tern", 2)])
        shop.executemany("INSERT INTO clients VALUES (?, ?, ?)", CLIENTS)
    shop.close()


_DAYS = ("2026-01-05", "2026-01-06")
