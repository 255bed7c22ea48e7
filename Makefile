# Everything a person or CI does here. Each target makes .venv first, if pyproject.toml changed since.

PYTHON ?= $(shell for one in python3.13 python3.12 python3.11 python3 python; do \
	if $$one -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo $$one; break; fi; done)
JOBS ?= 2
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif
RUN := $(BIN)/python
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help install check test live demo golden docs tokens bench acceptance changelog clean

help: ## say what there is
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

install: $(STAMP) ## make .venv with the command in it and all that the tests need

$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install one, or name it: make PYTHON=/path/to/python $(MAKECMDGOALS)"; exit 1; }
	@$(RUN) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| $(PYTHON) -m venv --clear .venv \
		|| { echo "$(PYTHON) could not make .venv (on Debian: apt-get install python3-venv)"; exit 1; }
	@echo "installing into .venv: once, a minute or two"
	@$(RUN) -m pip install --quiet --no-input --disable-pip-version-check -e '.[dev]'
	@$(RUN) -m compileall -q src/dapwright
	@touch $@

check: install ## format, lint, types, layers: seconds
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(RUN) -m pytest -q tests/test_layers.py

test: check ## everything
	$(RUN) -m pytest -q -n $(JOBS) --dist worksteal --durations 15 --reruns 2 -r fER

live: install ## the stories with real debuggers alone
	$(RUN) -m pytest -q -n $(JOBS) --dist worksteal -m live

demo: install ## an agent's session, played against the real server
	@$(RUN) -m dapwright demo

golden: install ## write tests/golden anew, then show what changed
	DAPWRIGHT_GOLDEN=write $(RUN) -m pytest -q -k golden
	git --no-pager diff --stat -- tests/golden docs

docs: install ## write docs/tools.md anew from the server's own tool list
	$(RUN) -m dapwright.tools.reference docs/tools.md

tokens: install ## what the tool lists and the golden answers cost a model
	$(RUN) scripts/tokens.py

bench: install ## figures beside the peer and raw debugpy, as ratios
	$(RUN) bench/versus_peer.py

acceptance: install ## run scenarios from elsewhere: make acceptance SCENARIOS=/path/to/run.py
	@test -f "$(SCENARIOS)" || { echo "name the runner: make acceptance SCENARIOS=/path/to/run.py [ONLY=word]"; exit 2; }
	$(RUN) "$(SCENARIOS)" --server "$(CURDIR)/$(BIN)/dapwright serve" $(if $(ONLY),--only "$(ONLY)")

changelog: install ## show what the next release would say
	$(BIN)/towncrier build --draft

clean: ## remove .venv and what was built
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache
