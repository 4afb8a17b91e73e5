# Two commands are all a newcomer needs: `make demo` and `make test`.
# Each makes .venv when it is missing, and installs again when pyproject.toml or constraints.txt changed.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test lint bench soak clean

# The main job from end to end: train, export, hold a tournament, report. About five minutes;
# `make demo STEPS=100000` learns less and takes one.
STEPS ?= 1500000
ENTRANTS := demo/model.onnx greedy random tsuro-course-4p

demo: $(VENV)/.installed-train
	rm -rf demo
	$(BIN)/tsuro train --preset quick --steps $(STEPS) --seed 7 -o demo/run
	$(BIN)/tsuro export demo/run -o demo/model.onnx
	$(BIN)/tsuro tournament $(ENTRANTS) --rounds 250 --seed 7 --out demo/results.sqlite
	$(BIN)/tsuro report demo/results.sqlite -o demo/report
	$(BIN)/tsuro play $(ENTRANTS) --seed 7 --record demo/game.json
	$(BIN)/tsuro replay demo/game.json --html demo/game.html
	@echo "trained demo/model.onnx; now open demo/report/index.html and demo/game.html"

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
	rm -rf $(VENV) build dist demo

include interop.mk

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	touch $@

$(VENV)/.installed-train: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e ".[play,train,eval]"
	touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e ".[dev,play,train,eval]"
	touch $@
