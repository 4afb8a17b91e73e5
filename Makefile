# Two commands are all a newcomer needs: `make demo` and `make test`.
# Each makes .venv when it is missing, and installs again when pyproject.toml or constraints.txt changed.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test lint bench soak clean

demo: $(VENV)/.installed
	$(BIN)/tsuro play greedy random second third --seed 7
	$(BIN)/tsuro evaluate greedy random second third --games 400 --seed 7

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.installed
	$(BIN)/tsuro bench

soak: $(VENV)/.installed-dev
	$(BIN)/python -m tests.soak

clean:
	rm -rf $(VENV) build dist

include interop.mk

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e ".[dev,play,train,eval]"
	touch $@
