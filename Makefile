# make demo      install into .venv and run the examples
# make test      run everything that CI runs: lint, type checks, tests, examples in the documentation
#                (as root, it installs missing programs with apt; make test SYSTEM=no installs none)
# make check     run slow tests in a browser, check the layout and accessibility of pages, run the notebooks, then
#                install the core and each extra into empty environments and run their commands (takes minutes)
# make notebooks run the notebooks of the documentation and compare their output with the stored one
# make check-environment
#                run the tests in the background, in random order, with other locales and time zones, and as an
#                ordinary user (slow)
# make versions  run the tests with the lowest and with the newest versions of all dependencies (slow)
# make wheel     build a wheel for all Linux systems of this processor into build/wheel, use it and the source
#                distribution in empty environments (takes minutes)
# make image     build the image of container/ with Buildah and start it with a read-only root file system (as root)
# make lint      run ruff and mypy only
# make fuzz      change inputs at random for MINUTES=10 and check that every reader and page reads or refuses them
#                (TARGET=conllu for one target; python -m tests.fuzz --help for the others)
# make torture   kill the web app 200 times on each type of database, harm the database in other ways,
#                and check that no decision is lost (takes an hour)
# make load      let people work with the web app and check that its memory does not grow (MINUTES=20); open 2,000
#                connections of slow clients and check that other people do not wait
# make bench     compare speed and memory with other packages and update docs/speed.md and docs/scale.md (takes long);
#                QUICK=yes takes about 90 s of CPU time and fails if anything became slower by more than a quarter
# make docs      build the documentation into site/
# make examples  run the console examples of the documentation and update their output in the pages
# make coverage  measure the coverage of confidence intervals and update their table (takes an hour)
# make papers    download the public data of the papers and update the reproduced tables in docs/papers/
#                (files in ARBITREE_DATA are not downloaded; OFFLINE=yes downloads nothing)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SYSTEM ?= yes
export SYSTEM
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start hundreds of processes. Without compiled modules on disk, each would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check notebooks check-environment versions wheel image lint fuzz torture load bench docs examples papers coverage clean
.DELETE_ON_ERROR:

SOURCES := $(shell find src -name '*.cpp' -o -name '*.h') pyproject.toml CMakeLists.txt

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# Stamps record the packages in the environment; a change of the kernel or the metadata reinstalls them.
$(VENV)/demo.stamp: $(BIN)/python $(SOURCES)
	$(BIN)/pip install --quiet --editable '.[all]'
	@touch $@

$(VENV)/test.stamp: $(BIN)/python $(SOURCES)
	$(BIN)/pip install --quiet --editable '.[test]'
	@touch $@ $(VENV)/demo.stamp

$(VENV)/bench.stamp: $(BIN)/python $(SOURCES)
	$(BIN)/pip install --quiet --editable '.[test,peers]'
	@touch $@ $(VENV)/test.stamp $(VENV)/demo.stamp

$(VENV)/docs.stamp: $(BIN)/python $(SOURCES)
	$(BIN)/pip install --quiet --editable '.[docs]'
	@touch $@

$(VENV)/notebooks.stamp: $(BIN)/python $(SOURCES)
	$(BIN)/pip install --quiet --editable '.[report,notebooks]'
	@touch $@

# Tests of accessibility need axe-core, which npm has. Without npm, they are skipped, and the end of a run counts them.
AXE := axe-core@4.14.0
$(VENV)/axe.stamp: $(BIN)/python Makefile
	@npm install --prefix $(VENV)/axe --no-save --no-audit --no-fund --silent $(AXE) && touch $@ || \
	  echo "npm could not fetch $(AXE): tests of accessibility are skipped"

# Without atheris, which has no wheel for some systems, inputs are changed without guidance by coverage.
$(VENV)/fuzz.stamp: $(VENV)/test.stamp
	-$(BIN)/pip install --quiet --editable '.[fuzz]'
	@touch $@

demo: $(VENV)/demo.stamp
	$(BIN)/arbitree agree examples/dependency/*.conllu --by pair
	$(BIN)/arbitree agree examples/phrase/*.mrg
	$(BIN)/arbitree report examples/dependency/*.conllu --output demo
	$(BIN)/arbitree explain examples/harbour/*.mrg --output demo
	@echo "Open demo/report.html and demo/explain.html in a browser, or demo/report.xlsx in a spreadsheet."
	@echo "To adjudicate in the browser: $(BIN)/arbitree serve examples/dependency/*.conllu"

# These take long, and make check runs them, so that make test stays below 15 minutes.
SLOW := $(addprefix tests/browser/test_,accessible_reports.py desk_layout.py leading.py pictures.py texts.py)

# Tests of servers, browsers and databases often wait, so that one process more than there are processors pays.
# Keep the order of the directories: sorted by number of tests, files with a few long tests would come last.
test: lint $(VENV)/axe.stamp
	@tests/system.sh
	$(BIN)/python -m pytest --numprocesses $$($(BIN)/python -c 'import os; print(os.cpu_count() + 1)') \
	  --dist loadfile --no-loadscope-reorder $(SLOW:%=--ignore=%)

check: $(VENV)/test.stamp $(VENV)/axe.stamp notebooks
	$(BIN)/python -m pytest $(SLOW)
	$(BIN)/python -m checks.first_choice
	$(BIN)/python -m checks.accessibility
	$(BIN)/python checks/install.py
	$(BIN)/python -m checks.hosting || test $$? = 2

notebooks: $(VENV)/notebooks.stamp
	$(BIN)/python checks/notebooks.py

check-environment: $(VENV)/test.stamp
	@tests/system.sh
	$(BIN)/python checks/environment.py

versions: $(VENV)/test.stamp
	@tests/system.sh
	$(BIN)/python checks/versions.py

wheel: $(VENV)/test.stamp
	$(BIN)/python -m checks.wheel

image: $(VENV)/test.stamp
	$(BIN)/python checks/image.py

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy

fuzz: $(VENV)/fuzz.stamp
	$(BIN)/python -m tests.fuzz $(TARGET) --minutes $(or $(MINUTES),10)

torture: $(VENV)/test.stamp
	@tests/system.sh
	$(BIN)/python -m tests.support.web.torture --rounds 200
	$(BIN)/python -m tests.support.web.torture --rounds 200 --postgres
	$(BIN)/python -m tests.support.web.torture --harm backup --rounds 50
	$(BIN)/python -m tests.support.web.torture --harm postgres-backup --rounds 50
	$(BIN)/python -m tests.support.web.torture --harm killed --rounds 50
	$(BIN)/python -m tests.support.web.torture --harm ended --rounds 50
	$(BIN)/python -m tests.support.web.torture --harm cut --rounds 50
	$(BIN)/python -m tests.support.web.torture --harm abandoned --rounds 50
	$(BIN)/python -m tests.support.web.torture --harm stalled --rounds 5
	$(BIN)/python -m tests.support.web.torture --harm disk --rounds 50
	$(BIN)/python -m tests.support.web.torture --harm postgres-disk --rounds 10

load: $(VENV)/test.stamp
	@mkdir -p build
	$(BIN)/python -m tests.support.web.slow_clients --connections 2000
	$(BIN)/python -m tests.support.web.slow_clients --connections 2000 --descriptors 256
	$(BIN)/python -m tests.support.web.load --minutes $(or $(MINUTES),20) --output build/load

bench: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks $(if $(QUICK),--quick,--write)

docs: $(VENV)/docs.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir site

examples: $(VENV)/demo.stamp
	$(BIN)/python docs/console.py --write

# Parts whose data are missing stay unchanged; a message names the files.
papers: $(VENV)/demo.stamp
	$(BIN)/arbitree papers $(if $(OFFLINE),--offline) -o docs/papers > /dev/null
	$(BIN)/arbitree papers defaults $(if $(OFFLINE),--offline) -o docs > /dev/null

coverage: $(VENV)/demo.stamp
	$(BIN)/python -m benchmarks.coverage --write
	$(BIN)/python -m benchmarks.coverage_competences --write

clean:
	rm -rf $(VENV) build demo site
