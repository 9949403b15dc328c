# Two commands on a fresh machine: make audit, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PROJECTS := $(wildcard packages/*/pyproject.toml)
# All extras but those that need a compiler or a model hub.
EXTRAS := amazon,frame,google,huggingface,models,morphology,quality,ray,report,review,services,speech,translate,vectors,whisper
CONSTRAINTS := .ci/constraints.txt
# Programs that tests drive, by the names of their Debian packages, which are the programs' own.
SYSTEM_PACKAGES := chromium npm flite espeak-ng
TOOLS := .tools
AXE_VERSION := 4.14.0
AXE := $(TOOLS)/axe-core-$(AXE_VERSION)

.PHONY: audit test test-isa check package format bench verdicts figures docs system clean

$(BIN)/epicene: $(PROJECTS)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e packages/epicene-models -e 'packages/epicene[report,translate]'
	@touch $@

$(VENV)/.dev: $(BIN)/epicene pyproject.toml $(CONSTRAINTS)
	$(BIN)/python -m pip install --quiet -c $(CONSTRAINTS) --group dev -e packages/epicene-models \
	  -e 'packages/epicene[$(EXTRAS)]' -e 'packages/epicene-lab[train]'
	@touch $@

audit: $(BIN)/epicene
	$(BIN)/epicene audit -o runs/first

# Root installs what is missing, even where another program has the lists or a mirror is slow; anyone else is told. What
# is missing then skips the tests that need it, and fails them in CI.
APT := DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=5 -o DPkg::Lock::Timeout=600
system:
	@missing=; for name in $(SYSTEM_PACKAGES); do \
	  command -v $$name >/dev/null || missing="$$missing $$name"; \
	done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  for seconds in 10 20 40 0; do $(APT) update && break; sleep $$seconds; done; \
	  $(APT) -y install --no-install-recommends $$missing >/dev/null && missing=; \
	fi; \
	if [ -n "$$missing" ]; then echo "missing programs:$$missing; tests that need them are skipped"; fi

$(AXE): | system
	@if command -v npm >/dev/null; then \
	  npm install --prefix $(TOOLS) --no-save --no-audit --no-fund --loglevel=error axe-core@$(AXE_VERSION) \
	    && touch $@ || echo "missing: axe-core; tests that need it are skipped"; \
	fi

test: $(VENV)/.dev system $(AXE)
	$(BIN)/python -m pytest -n auto

# The tests of models on the processor as it is, then as one of 2008 and one of 2013 would run them.
ISA_TESTS := tests/systems/test_models.py tests/systems/test_bundled.py tests/lab/test_export.py
test-isa: $(VENV)/.dev
	$(BIN)/python -m pytest -q $(ISA_TESTS)
	CT2_FORCE_CPU_ISA=GENERIC ONEDNN_MAX_CPU_ISA=SSE41 $(BIN)/python -m pytest -q $(ISA_TESTS)
	CT2_FORCE_CPU_ISA=AVX2 ONEDNN_MAX_CPU_ISA=AVX2 $(BIN)/python -m pytest -q $(ISA_TESTS)

check: $(VENV)/.dev
	$(BIN)/ruff format --check packages tests benchmarks
	$(BIN)/ruff check packages tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

# What would be published: built, checked, and tried in an environment that has nothing else.
package: $(VENV)/.dev
	rm -rf dist
	for project in packages/*; do $(BIN)/python -m build --outdir dist $$project >/dev/null || exit 1; done
	$(BIN)/twine check --strict dist/*
	$(PYTHON) -m venv --clear $(VENV)/wheel
	$(VENV)/wheel/bin/pip install --quiet dist/epicene-[0-9]*.whl
	cd dist && ../$(VENV)/wheel/bin/python ../.ci/smoke.py core
	$(VENV)/wheel/bin/pip install --quiet --find-links dist 'epicene[translate]' epicene-lab
	cd dist && ../$(VENV)/wheel/bin/python ../.ci/smoke.py translate

format: $(VENV)/.dev
	$(BIN)/ruff format packages tests benchmarks
	$(BIN)/ruff check --fix packages tests benchmarks

docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

# MT_GENDER=DIR times a checkout of mt_gender as well.
bench: $(VENV)/.dev
	MT_GENDER=$(MT_GENDER) $(BIN)/python -m benchmarks

# What is stored of the reader's verdicts, made anew: SOURCES is the folder of published outputs that docs/record.md
# describes. Then the figures of docs/ that are stale, and the tests that hold all of it.
RECORD := packages/epicene/src/epicene/record/data/record.json
VERDICTS := packages/epicene-lab/src/epicene_lab/tables/lab
verdicts: $(VENV)/.dev
	$(BIN)/python -m benchmarks.reading fit
	$(BIN)/epicene record build $(SOURCES) -o $(TOOLS)/record && cp $(TOOLS)/record/record.json $(RECORD)
	$(BIN)/python -m epicene_lab.recipes.simplegen keep $(VERDICTS)/results
	$(BIN)/python -m epicene_lab.recipes.simplegen keep $(VERDICTS)/earlier
	$(BIN)/python -m benchmarks.page samples docs/samples
	$(BIN)/python -m benchmarks.page pictures docs
	$(MAKE) figures
	$(BIN)/python -m pytest -n auto tests/docs tests/golden tests/lab tests/languages tests/reader tests/record tests/snapshot

# Runs the commands of the console blocks in docs/ whose figures are stale, and writes what they print.
figures: $(VENV)/.dev
	$(BIN)/python -m benchmarks.figures

clean:
	rm -rf $(VENV) $(TOOLS) site runs build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
