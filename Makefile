# The commands of the project; `make help` lists them. CMake presets do the work, these lines only name it.
JOBS ?= $(shell nproc)
# How long `make fuzz` tries; RUNS=4000 instead takes the same way every time.
SECONDS ?= 600
RUNS ?=
# Files to look at in `make tidy`: those changed of late, or all with ALL=1.
ALL ?=

# Where 'make install' puts the program; DESTDIR stands before it, as package makers expect.
PREFIX ?= /usr/local

.PHONY: help run test build install python bench precision shared sanitize threads aarch64 fuzz format format-check tidy layers install-packages clean
.DEFAULT_GOAL := help

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-24s%s\n", $$1, $$2 }'

run: build  ## install what is missing, build, compute a first motion
	@build/vinculum run examples/skate.toml

test: configured  ## install what is missing, build, run all tests, those of the Python package among them
	@tools/install_packages python
	@tools/python_environment
	@grep -qs '^VINCULUM_PYTHON:FILEPATH=.' build/CMakeCache.txt || cmake build -DVINCULUM_PYTHON=$(CURDIR)/build-python/environment/bin/python
	@cmake --build build --parallel $(JOBS)
	@ctest --preset release --parallel $(JOBS)

# Without the packages of the tests: who wants to use the program needs neither a browser nor a test library.
build:  ## install what is missing, build the program build/vinculum
	@tools/install_packages build
	@test -f build/build.ninja || cmake --preset program
	@cmake --build build --parallel $(JOBS) --target vinculum_cli

install: build  ## install program, libraries, manual page and completions below PREFIX=/usr/local
	@cmake --install build --prefix $(PREFIX)

# The road of those who install it: its own build, from nothing but the sources, and the libraries it takes along.
python:  ## a wheel of the Python package, build-python/wheel/*.whl, and its tests
	@tools/install_packages build python
	@tools/build_python $(JOBS)
	@tools/test_python tests

bench: configured  ## build and run the benchmarks; ARGS="--benchmark_filter=chain" chooses some
	@cmake --build build --parallel $(JOBS) --target vinculum_bench
	@build/vinculum_bench $(ARGS)

# Configured again: Boost, and SUNDIALS where somebody installed it, may be newer than the build folder.
precision: packages  ## work against precision, beside Boost.odeint, SUNDIALS and heyoka; ARGS="pendulum loop" chooses some
	@tools/install_packages precision
	@cmake --preset release
	@cmake --build build --parallel $(JOBS) --target vinculum_precision
	@build/vinculum_precision $(ARGS)
	@! python3 -c 'import heyoka' 2>/dev/null || python3 bench/peers/beside_heyoka.py $(ARGS)

shared: packages  ## shared libraries, without HDF5 and the report's page, and a project that uses the package
	@test -f build-shared/build.ninja || cmake --preset shared
	@cmake --build build-shared --parallel $(JOBS)
	@ctest --preset shared

# By the other compiler, so that its warnings are heard too, and with what libFuzzer wants: one build for both.
sanitize: build-sanitize/build.ninja  ## the unit tests under the address and undefined-behaviour sanitizers
	@cmake --build build-sanitize --parallel $(JOBS)
	@ctest --preset sanitize --parallel $(JOBS)

# The thread sanitizer of g++ 12 wants addresses where they are without randomisation.
threads: packages  ## what threads share, under the thread sanitizer
	@test -f build-threads/build.ninja || cmake --preset threads
	@cmake --build build-threads --parallel $(JOBS) --target test_threads
	@TSAN_OPTIONS=halt_on_error=1 setarch --addr-no-randomize build-threads/test_threads --gtest_brief=1

aarch64:  ## the tests of kernels and their machine code for aarch64, run by QEMU
	@tools/install_packages aarch64
	@tools/test_aarch64 $(JOBS)

fuzz: build-sanitize/build.ninja  ## random models and robots for the readers, SECONDS=600 of each
	@cmake --build build-sanitize --parallel $(JOBS) --target fuzz_model fuzz_robot
	@tools/fuzz $(if $(RUNS),--runs $(RUNS),$(SECONDS))

format:  ## lay out all sources
	@tools/install_packages format
	@tools/check_format --fix

format-check:  ## fail where a source is not laid out by .clang-format
	@tools/install_packages format
	@tools/check_format

tidy: configured  ## clang-tidy over the sources changed of late; ALL=1 for all of them
	@tools/install_packages tidy
	@tools/check_tidy $(if $(ALL),--all)

layers:  ## check the order of the layers
	@tools/check_layers

install-packages:  ## install every Debian package the commands above need
	@tools/install_packages

clean:  ## remove the build folders
	@rm -rf build build-debug build-shared build-sanitize build-threads build-python build-wheel build-aarch64

# The packages come first, so that a missing one ends with its name; where all are there this costs a few milliseconds.
.PHONY: packages
packages:
	@tools/install_packages build test

# Configured once, with the tests; afterwards the build itself sees when CMake has to run again.
.PHONY: configured
configured: packages
	@grep -qs VINCULUM_DEVELOPER:BOOL=ON build/CMakeCache.txt || cmake --preset release
build-sanitize/build.ninja: CMakePresets.json | packages
	@tools/install_packages fuzz
	@cmake --preset sanitize
	@touch $@
