"""Live, read-only questions to other people's systems: databases (`sql`), and what runs (`observe`).

Member: "does it ask a system that the desk does not own, and change nothing there?" It knows who asks (`identity`) and
what is stored (`storage`); it knows no tool, no chat and no run. `files` reads what operators write for either. Start
at `sql/service.py` and `observe/service.py`.
"""
