# Needs only Python, make and git. Everything else goes into .venv, at the versions and hashes in requirements/.

PYTHON ?= python3
# The Pythons for which every locked package has a wheel; tests/test_setup.py compares this with uv.lock.
PYTHONS := 3.11 3.12 3.13 3.14

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Wheels only: building a package from source would fetch build tools that nobody has pinned.
LOCKED := --require-hashes --only-binary :all:

# Each stamp is written when its step is complete, so an interrupted `make` goes on where it stopped.
MADE := $(VENV)/.made
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev

.PHONY: help serve test test-slow lint screenshots experiments lock clean FORCE
.DELETE_ON_ERROR:

help:
	@echo "make serve        set up and serve at http://127.0.0.1:8765; HOST=, PORT= and DB= change that"
	@echo "make test         set up and run the tests"
	@echo "make test-slow    run the tests that take long"
	@echo "make lint         check format, types and the import contracts"
	@echo "make screenshots  picture every page, game and theme on desktop and phone, into build/screenshots"
	@echo "make experiments  run the literature's experiments again and rewrite docs/experiments.md"
	@echo "make lock         lock what pyproject.toml asks for; UPGRADE=1 also takes newer versions of the rest"
	@echo "make clean        remove .venv and what the tools have left behind"
	@echo "PYTHON=python3.12 picks the Python that .venv is made from."

# HOST counts only when given to make itself: some shells and tools export a HOST of their own.
serve: $(RUNTIME)
	@exec $(BIN)/noughts serve \
		$(if $(filter command,$(origin HOST)),--host "$$HOST") \
		$(if $(PORT),--port "$$PORT") \
		$(if $(DB),--db "$$DB")

# A file's tests stay in one process (they share servers and browsers), and files keep their order, which
# tests/conftest.py needs. Two processes: with three on two cores, tests of who waits for a search run late.
test: $(DEV)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(ARGS)

test-slow: $(DEV)
	$(BIN)/python -m pytest -m slow -n 2 --dist loadfile --no-loadscope-reorder $(ARGS)

lint: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

screenshots: $(DEV)
	$(BIN)/python -m tests.screenshots $(ARGS)

experiments: $(DEV)
	$(BIN)/noughts experiment run all --out docs $(ARGS)

# pip cannot read uv.lock, hence the exported files. The index is named so that a local mirror stays out of them.
UV := UV_NO_CONFIG=1 $(BIN)/uv
EXPORT := $(UV) export --quiet --frozen --no-emit-project --no-header --format requirements-txt
# Whatever uv is there will do: after a change of pyproject.toml the old lock may not install.
lock: $(if $(wildcard $(BIN)/uv),,$(DEV))
	$(UV) lock $(if $(UPGRADE),--upgrade) --default-index https://pypi.org/simple
	$(EXPORT) --no-default-groups --group build --extra analysis --output-file requirements/runtime.txt
	$(EXPORT) --all-groups --all-extras --output-file requirements/dev.txt

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# .venv is made anew when the checkout has moved, when its Python is gone, or when PYTHON asks for another one.
WANTED := $(if $(filter file,$(origin PYTHON)),$(BIN)/python,$(PYTHON))
ifneq ($(shell cat $(MADE) 2>/dev/null),$(shell pwd -P) $(shell "$(WANTED)" -V 2>/dev/null))
$(MADE): FORCE
endif
FORCE:

$(MADE):
	@version=$$("$(PYTHON)" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null); \
	case " $(PYTHONS) " in \
	*" $${version:-none} "*) ;; \
	*) echo "noughts needs one of Python $(PYTHONS), but $(PYTHON) is $${version:-missing}:" \
		"install one of them and name it, as in 'make $(or $(MAKECMDGOALS),help) PYTHON=python3.12'." >&2; exit 1;; \
	esac; \
	if ! "$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null; then \
		echo "$(PYTHON) cannot make virtual environments: install its venv module" \
			"(Debian, Ubuntu: sudo apt install python$$version-venv) and run make again." >&2; exit 1; \
	fi
	@echo "Setting up .venv (this once) ..."
	@"$(PYTHON)" -m venv --clear $(VENV)
	@echo "$$(pwd -P) $$($(BIN)/python -V)" > $@

# Without build isolation pip uses the locked hatchling and fetches nothing.
PROJECT := --no-deps --no-build-isolation --editable .

$(RUNTIME): $(MADE) requirements/runtime.txt pyproject.toml
	@$(INSTALL) $(LOCKED) --requirement requirements/runtime.txt
	@$(INSTALL) $(PROJECT)
	@touch $@

$(DEV): $(MADE) requirements/dev.txt pyproject.toml
	@$(INSTALL) $(LOCKED) --requirement requirements/dev.txt
	@$(INSTALL) $(PROJECT)
	@touch $(RUNTIME) $@
