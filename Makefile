# dutydesk: `make demo` shows it, `make test` checks it. Both set up what they need in .venv, once; `make help` lists the rest.

# Any Python from 3.11 on. Another one: make demo PYTHON=/path/to/python3
PYTHON ?= $(firstword $(foreach name,python3 python3.11 python3.12 python3.13 python3.14,\
	$(shell $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))
# Parallel test processes: three for two processor cores, because tests often wait for a server, a browser, a process.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) '*' 3 / 2)
# How long `make fuzz` goes on: 90s, 10m, 2h.
TIME ?= 1m
# Which checks `make mutants` takes out: permissions, gate, approvals, signatures, audit, readers, guard, limits.
AREA ?=
# Further words for pytest: make test PYTEST='-k outbox -x'
PYTEST ?=

VENV := .venv
BIN := $(VENV)/bin
CLIENT := tests/browser/teams/client
INPUTS := pyproject.toml constraints.txt
PIP := PYTHONWARNINGS=ignore $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet install --constraint constraints.txt

# What is compiled is kept: hundreds of processes that the tests start would compile all of the product again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev setup-client setup-browser demo test test-full test-offline fuzz mutants bench check lint format docs pictures constraints clean

help:  ## This list
	@echo "dutydesk: the targets"
	@echo
	@awk -F ':.*##  *' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo "Start with 'make demo'. It needs Python 3.11 or newer and nothing else; all that it writes is in $(VENV) and .demo."

demo: setup  ## Set up what is needed and open the demo: a page in your browser, no keys, no server
	@exec $(BIN)/dutydesk demo

test: setup-dev setup-browser setup-client lint  ## Every check and every test once, at a tenth of full scale
	@DUTYDESK_TEST_SCALE=$${DUTYDESK_TEST_SCALE:-0.1} $(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not benchmark" $(PYTEST)

test-full: setup-dev setup-browser setup-client lint  ## Every platform, language and database, at full scale
	@DUTYDESK_TEST_SCALE=1 $(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not benchmark" $(PYTEST)

test-offline: setup-dev setup-client  ## The tests with Microsoft's Teams client, where there is no network but loopback
	@unshare --map-root-user --net $(BIN)/python -m tests.browser.teams.offline tests/browser/teams $(PYTEST)

fuzz: setup-dev  ## Made-up files, payloads, cards and texts for a while, others each time: make fuzz TIME=10m
	@$(BIN)/python -m tests.fuzz.run $(TIME) -n $(WORKERS) $(PYTEST)

mutants: setup-dev  ## Take out each check that safety rests on, one by one: a test has to notice (half an hour)
	@$(BIN)/python -m tests.mutants.run $(AREA)

bench: setup-dev  ## The timings, one at a time, on a quiet machine
	@DUTYDESK_TEST_SCALE=1 $(BIN)/pytest -m benchmark -s tests/benchmarks $(PYTEST)

check: setup-dev lint  ## What needs no run of the product: style, types, import rules, shape of the code, documentation
	@$(BIN)/pytest -q -p no:cacheprovider tests/architecture tests/docs

lint: setup-dev
	@echo "lint: ruff, types (mypy, strict), import rules"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

format: setup-dev  ## Let ruff put the source in order
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format .

docs: setup-dev  ## Write the generated pages under docs/reference again
	@$(BIN)/python -m tests.docs.reference

pictures: setup-dev setup-browser setup-client  ## Take the pictures of the documentation again, with the browser tests
	@mkdir -p docs/images
	@DUTYDESK_SCREENSHOTS=1 $(BIN)/pytest -q -m browser tests/browser $(PYTEST)

constraints: setup-dev  ## Write the installed versions to constraints.txt
	@sed -n '/^#/p' constraints.txt > constraints.new
	@$(BIN)/python -m pip --disable-pip-version-check list --format=freeze --exclude-editable \
		| grep -viE '^(pip|setuptools|wheel|dutydesk)==' | sed 's/+cpu$$//' >> constraints.new
	@mv constraints.new constraints.txt

clean:  ## Remove what the demo, the tests and the tools left; .venv stays
	@rm -rf .demo .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist *.egg-info
	@find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

setup: $(VENV)/.setup  ## Only what it takes to run (about a minute, once)

setup-dev: $(VENV)/.setup-dev  ## What the tests take beside it (about a minute, once)

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "setup: no Python 3.11 or newer on PATH; name one: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "setup: making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) || { echo "setup: this Python cannot make virtual environments; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.setup: $(INPUTS) | $(BIN)/python
	@echo "setup: installing dutydesk into $(VENV) (about a minute, once)"
	@$(PIP) --editable .
	@touch $@
	@echo "setup: done"

# The extras bring the base with them, so this stamp stands for both.
$(VENV)/.setup-dev: $(INPUTS) | $(BIN)/python
	@echo "setup: installing dutydesk and its test tools into $(VENV) (about a minute, once)"
	@$(PIP) --editable '.[dev]'
	@touch $(VENV)/.setup $@
	@echo "setup: done"

setup-browser: setup-dev  ## A browser and fonts for the tests, where this machine has none and may have one
	@.ci/bring

# Microsoft's test client for Teams: not ours to pass on, so npm brings it. Without npm, or a registry, its tests say so.
setup-client: $(BIN)/python
	@cmp --silent $(CLIENT)/package-lock.json $(VENV)/teams-client/installed || { \
		echo "setup: installing Microsoft's test client for Teams into $(VENV) (for the tests, once)"; \
		mkdir -p $(VENV)/teams-client && cp $(CLIENT)/package.json $(CLIENT)/package-lock.json $(VENV)/teams-client \
			&& npm ci --prefix $(VENV)/teams-client --include=dev --ignore-scripts --no-audit --no-fund --silent \
				--fetch-retries=1 --fetch-timeout=30000 \
			&& cp $(CLIENT)/package-lock.json $(VENV)/teams-client/installed \
			|| echo "setup: no npm, or no registry to be reached; the tests with that client will say that they were skipped" >&2; }
