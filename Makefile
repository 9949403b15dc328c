# Two commands on a fresh machine: make audit, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS := dev

.PHONY: audit test check format bench clean

$(BIN)/epicene: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e '.[charts]'
	@touch $@

$(VENV)/.dev: $(BIN)/epicene pyproject.toml
	$(BIN)/python -m pip install --quiet -e '.[$(EXTRAS)]'
	@touch $@

audit: $(BIN)/epicene
	$(BIN)/epicene audit -o runs/first

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.dev
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff format src tests benchmarks
	$(BIN)/ruff check --fix src tests benchmarks

# MT_GENDER=DIR times a checkout of mt_gender as well.
bench: $(VENV)/.dev
	MT_GENDER=$(MT_GENDER) $(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) runs build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
