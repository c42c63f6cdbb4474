# Every target does its own set-up in .venv, from nothing but Python 3.11 or newer.

PYTHON ?= python3
VENV ?= .venv
DOC ?= examples/news.txt
BUDGET ?= 1/4
DATA ?= ../shared/data

.PHONY: help run test lint docs dist bench clean

help:  ## show this help
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  options: DOC=path BUDGET=1/4 PYTHON=python3.12 VENV=.venv DATA=folder"

run: $(VENV)/run.stamp  ## summarize an example, or DOC=path at BUDGET=1/4
	@$(VENV)/bin/mls summarize "$(DOC)" --budget "$(BUDGET)"

# Tests start many processes, and each would compile all of the program anew where no bytecode may be kept.
test: $(VENV)/dev.stamp  ## run all tests, on up to four cores
	PYTHONDONTWRITEBYTECODE= $(VENV)/bin/python -m pytest --numprocesses auto --dist worksteal

lint: $(VENV)/dev.stamp  ## check style and types
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

docs: $(VENV)/docs.stamp  ## build the documentation as a site in site/
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --quiet
	@echo "open site/index.html"

dist: $(VENV)/dev.stamp  ## build the sdist and the wheel in dist/
	rm -rf dist
	$(VENV)/bin/python -m hatchling build

bench: $(VENV)/bench.stamp  ## measure against peers, in one run
	$(VENV)/bin/python benchmarks/core.py

clean:  ## remove what the other targets made
	rm -rf $(VENV) dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "MLS needs Python 3.11 or newer; found $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: pyproject.toml | $(VENV)/bin/python
	@echo "setting up $(VENV), once" >&2
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable . >&2
	@touch $@

$(VENV)/dev.stamp: pyproject.toml | $(VENV)/bin/python
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,train,eval,serve,files]'
	@touch $@

$(VENV)/docs.stamp: pyproject.toml | $(VENV)/bin/python
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

$(VENV)/bench.stamp: pyproject.toml | $(VENV)/bin/python
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,train,eval,serve,files,bench]'
	@touch $@
