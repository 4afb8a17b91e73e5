# TorchRL, Tianshou and RLlib, each in an environment of its own: their pins conflict.
# `make test-interop` runs all three, `make test-interop-torchrl` one of them.

INTEROP_VENVS := .venv-interop
INTEROP_TESTS := $(patsubst tests/interop/%.txt,test-interop-%,$(wildcard tests/interop/*.txt))

.PHONY: test-interop
.SECONDARY:  # the environments are kept

test-interop: $(INTEROP_TESTS)

# Warnings of other people's libraries are not ours to forbid.
test-interop-%: $(INTEROP_VENVS)/%/.installed
	$(INTEROP_VENVS)/$*/bin/python -m pytest -o filterwarnings=default tests/interop/check_$*.py

$(INTEROP_VENVS)/%/.installed: tests/interop/%.txt pyproject.toml constraints.txt
	$(PYTHON) -m venv $(INTEROP_VENVS)/$*
	$(INTEROP_VENVS)/$*/bin/python -m pip install --quiet --disable-pip-version-check \
		-c constraints.txt -r tests/interop/$*.txt -e .
	touch $@
