# Two commands on a fresh machine: make audit, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS := dev
# Programs that tests drive, by the names of their Debian packages, which are the programs' own.
SYSTEM_PACKAGES := chromium npm flite espeak-ng
TOOLS := .tools
AXE_VERSION := 4.14.0
AXE := $(TOOLS)/axe-core-$(AXE_VERSION)

.PHONY: audit test check format bench docs system clean

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

# Root installs what is missing; anyone else is told, and the tests that need it are skipped outside of CI.
system:
	@missing=; for name in $(SYSTEM_PACKAGES); do \
	  command -v $$name >/dev/null || missing="$$missing $$name"; \
	done; \
	if [ -z "$$missing" ]; then exit 0; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get -qq update && DEBIAN_FRONTEND=noninteractive \
	  apt-get -qq -y -o DPkg::Lock::Timeout=600 install --no-install-recommends $$missing >/dev/null; \
	else echo "missing programs:$$missing; tests that need them are skipped"; fi

$(AXE): | system
	@if command -v npm >/dev/null; then \
	  npm install --prefix $(TOOLS) --no-save --no-audit --no-fund --loglevel=error axe-core@$(AXE_VERSION) && touch $@; \
	fi

test: $(VENV)/.dev system $(AXE)
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.dev
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff format src tests benchmarks
	$(BIN)/ruff check --fix src tests benchmarks

docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

# MT_GENDER=DIR times a checkout of mt_gender as well.
bench: $(VENV)/.dev
	MT_GENDER=$(MT_GENDER) $(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(TOOLS) site runs build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
