# One entry point for people and for CI. `make demo` and `make test` do everything on a machine with Python 3.11+.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
    command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
SOURCES := src tests benchmarks docs/generate.py hatch_build.py
DEMO := GLOSSATOR_LIBRARY=demo-library $(BIN)/glossator

.PHONY: help setup demo web test check fix docs bench clean

help:
	@echo "make setup  create .venv and install the program with its built-in models"
	@echo "make demo   setup, add the two examples, ask a question in each language"
	@echo "make web    build the web reader into the package (needs Node 20.19 or newer)"
	@echo "make test   the test suite"
	@echo "make check  lint, formatting, types, import contract, layout, documentation"
	@echo "make fix    repair what a tool can repair"
	@echo "make docs   write docs/cli.md"
	@echo "make bench  print the figures of the benchmarks"
	@echo "make clean  remove .venv, caches and the demo's library"

setup: .venv/.installed

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or newer was found"; \
	  echo "hint: install one, or name it: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "error: $(PYTHON) cannot make virtual environments"; \
	  echo "hint: install its venv package (Debian, Ubuntu: apt-get install python3-venv)"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.installed: pyproject.toml | .venv/bin/python
	GLOSSATOR_NO_WEB=1 $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[models]'
	@$(BIN)/python -m compileall -q src/glossator  # also where Python is told to keep no bytecode
	@touch $@

.venv/.developing: pyproject.toml | .venv/bin/python
	GLOSSATOR_NO_WEB=1 $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[models,dev]'
	@touch $@ .venv/.installed

demo: setup
	$(DEMO) add examples/the-time-machine.epub examples/journey-to-the-west.txt
	@echo
	$(DEMO) ask "Why did the Morlocks keep the Eloi?"
	@echo
	$(DEMO) ask "如意金箍棒有多重？"

web: .venv/.developing
	$(BIN)/python hatch_build.py

test: web
	cd web && npm run --silent check && npm run --silent test
	$(BIN)/python -m pytest -n 2 tests/web  # apart: the browser's event loop would meet those of other tests
	$(BIN)/python -m pytest -n 2 --ignore=tests/web

check: .venv/.developing
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest -q tests/test_layout.py tests/test_docs.py

fix: .venv/.developing
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

docs: .venv/.developing
	$(BIN)/python docs/generate.py

bench: .venv/.developing
	@failed=; for script in $$(grep -l __main__ benchmarks/*.py); do \
	  echo "== $$script"; $(BIN)/python $$script || failed="$$failed $$script"; done; \
	  test -z "$$failed" || { echo "these did not end well:$$failed"; exit 1; }

clean:
	rm -rf .venv demo-library .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
