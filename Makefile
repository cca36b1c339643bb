# gputab: build, install, test. `make help` lists the targets; lines that begin with "##" are its text.
#
# Objects of different settings live apart in build/<settings>/; build/gputab is the last one linked. The libraries are looked
# up when the first recipe needs them, not when this file is read, so that `make deps` works before they are there.

VERSION := $(shell cat VERSION)
CC ?= cc
PKG_CONFIG ?= pkg-config
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)

# Settings of whoever runs the tests or the demo change neither: set and empty it says that there are none.
export GPUTAB_CONFIG :=

CFLAGS ?= -O2 -g
warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla -Wundef \
	-Wformat=2 -Wcast-qual -Wno-missing-field-initializers
ifdef DEVELOPER
warnings += -Werror
endif
ifdef SANITIZE
sanitize := -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
# gcc optimises the program across files when it is linked: a report takes a tenth less CPU time. Objects hold plain code too, which tests
# are linked with. LTO=no builds without; so do developers' builds, sanitizers and other compilers.
lto := $(if $(or $(filter no,$(LTO)),$(DEVELOPER),$(SANITIZE)),,$(shell $(CC) --version 2>/dev/null | grep -q 'Free Software Foundation' && echo yes))
across_objects := $(if $(lto),-O3 -flto -ffat-lto-objects)
across_program := $(if $(lto),-O3 -flto=auto)
across_tests := $(if $(lto),-fno-lto)

# libisal unpacks .gz faster than zlib does; ISAL=no builds without it where it is there. Which it is decides what is compiled, so that it
# is looked up here, where nothing says no.
isal := $(if $(filter no,$(ISAL)),,$(shell $(PKG_CONFIG) --exists libisal 2>/dev/null && echo libisal))
packages := jansson yaml-0.1 zlib libzstd libcrypto libcurl xlsxwriter $(isal)
# $(call once,NAME,OPTION,PACKAGES,TARGET) asks pkg-config at the first use and remembers the answer in NAME.
once = $(if $(shell $(PKG_CONFIG) --exists $3 && echo yes),,$(error $(PKG_CONFIG) does not find $3: "make $4" installs what is missing))$\
	$(eval $1 := $(shell $(PKG_CONFIG) $2 $3))$($1)
package_cflags = $(call once,package_cflags,--cflags,$(packages),deps)
package_libs = $(call once,package_libs,--libs,$(packages),deps)
test_cflags = $(call once,test_cflags,--cflags,check,deps-check)
test_libs = $(call once,test_libs,--libs,check,deps-check)
language := -std=c11 -D_GNU_SOURCE -Iinclude $(if $(isal),-DGPUTAB_ISAL)
ALL_CFLAGS = $(language) -I$(gen) $(warnings) $(CFLAGS) $(across_tests) $(sanitize) $(package_cflags) $(CPPFLAGS)
ALL_LIBS = $(package_libs) -lpthread $(LDLIBS)

settings := $(shell printf '%s' '$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(DEVELOPER) $(SANITIZE) $(lto) $(isal)' | cksum | cut -d' ' -f1)
out := build/$(settings)
gen := $(out)/generated
q := $(if $(V),,@)

sources := $(sort $(wildcard src/*/*.c))
objects := $(sources:src/%.c=$(out)/%.o)
library := $(out)/libgputab.a
tests := $(patsubst tests/unit/%.c,$(out)/unit/%,$(sort $(wildcard tests/unit/*_test.c)))

.PHONY: all
## all              build build/gputab (the default)
all: build/gputab

# Which settings are the last ones no timestamp knows: the link is set each time.
.PHONY: build/gputab
build/gputab: $(out)/gputab
	$(q)ln -sfn $(settings)/gputab $@

$(out)/gputab: $(out)/cli/main.o $(library)
	$(q)$(CC) $(CFLAGS) $(across_program) $(sanitize) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(library): $(filter-out $(out)/cli/main.o,$(objects))
	$(q)rm -f $@ && $(AR) rcs $@ $^

$(out)/%.o: src/%.c $(gen)/gputab_version.h $(gen)/catalogue_data.h $(gen)/html_page_data.h
	@mkdir -p $(@D)
	$(if $(V),,@echo "  cc $<")
	$(q)$(CC) $(ALL_CFLAGS) $(across_objects) -MMD -MP -c -o $@ $<

$(gen)/gputab_version.h: VERSION
	@mkdir -p $(@D)
	$(q)printf '#define GPUTAB_VERSION "%s"\n' '$(VERSION)' > $@

# The catalogue's CSV tables as C arrays, a string a line.
catalogue := $(wildcard src/source/catalogue/*.csv)
$(gen)/catalogue_data.h: $(catalogue) src/source/catalogue/embed.awk
	@mkdir -p $(@D)
	$(q)awk -f src/source/catalogue/embed.awk $(catalogue) > $@.tmp && mv $@.tmp $@

# The style sheet and the script of HTML reports likewise.
page := src/render/page/page.css src/render/page/page.js
$(gen)/html_page_data.h: $(page) src/render/page/embed.awk
	@mkdir -p $(@D)
	$(q)awk -f src/render/page/embed.awk $(page) > $@.tmp && mv $@.tmp $@

-include $(objects:.o=.d)

# Unit tests: one program per file, linked with the library.
$(out)/unit/%: tests/unit/%.c $(library)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  cc $<")
	$(q)$(CC) $(ALL_CFLAGS) -Itests/unit $(test_cflags) -MMD -MP $(LDFLAGS) -o $@ $< $(library) $(test_libs) -lgmp $(ALL_LIBS)

-include $(tests:=.d)

# One request, for the tests of requests and of remote read.
requests := $(out)/http/post $(out)/prometheus/read
$(requests): $(out)/%: tests/%.c $(library)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  cc $<")
	$(q)$(CC) $(ALL_CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(library) $(ALL_LIBS)

-include $(requests:=.d)

# Fuzz targets: over the kept corpus with any compiler; with clang's libFuzzer to look for more.
fuzz_targets := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
fuzz_cc = $(CC) $(ALL_CFLAGS) -Itests/fuzz -MMD -MP $(LDFLAGS) -o $@
$(out)/replay/%: tests/fuzz/fuzz_%.c tests/fuzz/replay.c $(library)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  cc $<")
	$(q)$(fuzz_cc) $< tests/fuzz/replay.c $(library) -lcsv -lgmp $(ALL_LIBS)

$(out)/libfuzzer/%: tests/fuzz/fuzz_%.c $(library)
	@mkdir -p $(@D)
	$(q)$(fuzz_cc) -fsanitize=fuzzer $< $(library) -lcsv -lgmp $(ALL_LIBS)

-include $(fuzz_targets:%=$(out)/replay/%.d)

# Allocations that fail on purpose, one after the other.
alloc_sources := $(wildcard tests/alloc/*.c)
wrapped := malloc calloc realloc strdup strndup free
$(out)/alloc/alloc: $(alloc_sources) $(wildcard tests/alloc/*.h) $(library)
	@mkdir -p $(@D)
	$(q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(wrapped:%=-Wl,--wrap=%) -o $@ $(alloc_sources) $(library) $(ALL_LIBS)

# Programs of the benches: each of a few files of tests/bench.
bench_programs := $(addprefix $(out)/bench/,fleet_text stub tokenizer unpack bill_text bill_read bill_libcsv xlsx_rows)
$(out)/bench/fleet_text: $(addprefix tests/bench/,fleet_text.c fleet.c)
$(out)/bench/stub: $(addprefix tests/bench/,stub.c stub_read.c xor.c fleet.c)
$(out)/bench/tokenizer: tests/bench/tokenizer.c
$(out)/bench/unpack: tests/bench/unpack.c
$(out)/bench/bill_text: tests/bench/bill_text.c
$(out)/bench/bill_read: tests/bench/bill_read.c
$(out)/bench/bill_libcsv: tests/bench/bill_libcsv.c
$(out)/bench/bill_libcsv: LDLIBS += -lcsv
$(out)/bench/xlsx_rows: tests/bench/xlsx_rows.c
$(out)/bench/xlsx_rows: CPPFLAGS += -Itests/unit
$(bench_programs): $(wildcard tests/bench/*.h) $(library)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  cc $@")
	$(q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^) $(library) $(ALL_LIBS)

.PHONY: deps deps-check demo demo-prometheus bench bench-unpack bench-bill bench-xlsx run-bench check check-look check-look-html check-http check-prometheus check-unit \
	check-man check-headers check-layers check-sql check-duckdb check-cases check-cli check-worlds check-property check-fuzz check-alloc \
	check-bad check-vectors check-complaints check-month check-valgrind fuzz run-fuzz lint install install-strip uninstall dist clean help
# As many jobs as there are processors, where nobody said another number.
jobs = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
with_tools = CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' PYTHON='$(PYTHON)' ISAL='$(ISAL)'

## deps             install what building needs (Debian packages), if it is missing
deps:
	$(q)$(with_tools) .ci/deps.sh build

## deps-check       install what testing needs on top
deps-check: deps
	$(q)$(with_tools) .ci/deps.sh check

## demo             deps, build, and showbacks of a public bill (examples/demo) and of a made month (examples/month)
demo: deps
	$(q)$(with_tools) .ci/deps.sh demo
	$(q)$(MAKE) --no-print-directory $(jobs) build/gputab
	$(q)tests/run-demo.sh $(PYTHON) build/gputab

## demo-prometheus  the demo from a Prometheus server of its own, and that the report is the same
demo-prometheus: deps-check
	$(q)$(MAKE) --no-print-directory $(jobs) build/gputab
	$(q)tests/run-demo-prometheus.sh $(PYTHON) build/gputab

## check            deps-check, build, and every test; the last line is "N passed, N failed"
# Those with a condition stand or fall with their folder.
layers := unit man headers layers sql cases cli http prometheus $(if $(fuzz_targets),fuzz) $(if $(alloc_sources),alloc) $(if $(wildcard tests/bad/*),bad) \
	$(if $(wildcard tests/vectors/*),vectors) $(if $(wildcard tests/complaints/*),complaints) worlds $(if $(wildcard tests/property/*),property) $(if $(wildcard tests/month.sh),month) valgrind
check: deps-check
	$(q)$(MAKE) --no-print-directory $(jobs) build/gputab
	$(q)MAKE='$(MAKE)' JOBS='$(jobs)' tests/run.sh $(out)/log $(layers)

## check-unit       one layer of check: unit, man, headers, layers, sql, cases, cli, http, prometheus, fuzz, alloc, bad, vectors, complaints, worlds, property, month, valgrind
check-unit: $(tests)
	$(q)tests/run-unit.sh $(tests)

check-man: $(out)/gputab
	$(q)tests/run-man.sh $(out)/gputab

check-headers: $(gen)/gputab_version.h
	$(q)tests/run-headers.sh '$(language) $(warnings) $(package_cflags)' gcc clang

check-layers:
	$(q)$(PYTHON) -B tests/check/layers.py .

check-sql:
	$(q)$(PYTHON) -B tests/check/sql.py .

check-cases: $(out)/gputab
	$(q)tests/run-cases.sh $(PYTHON) $(out)/gputab

check-cli: $(out)/gputab
	$(q)tests/cli/run.sh $(out)/gputab

check-http: $(out)/gputab $(out)/http/post
	$(q)tests/run-http.sh $(PYTHON) $^

check-prometheus: $(out)/gputab $(out)/prometheus/read
	$(q)tests/run-prometheus.sh $(PYTHON) $^

SEEDS ?= 1-500
check-worlds: $(out)/gputab
	$(q)$(PYTHON) -B tests/oracle/run_worlds.py $(out)/gputab --seeds $(SEEDS)

check-property: $(out)/gputab
	$(q)tests/run-sum.sh $(foreach t,$(sort $(wildcard tests/property/*_property.py)),'$(PYTHON) -B $t $(out)/gputab')

check-fuzz: $(fuzz_targets:%=$(out)/replay/%)
	$(q)tests/run-sum.sh $(foreach t,$(fuzz_targets),'$(out)/replay/$t tests/fuzz/corpus/$t')

check-alloc: $(out)/alloc/alloc
	$(q)tests/run-sum.sh $<

check-bad: $(out)/gputab
	$(q)tests/run-bad.sh $(PYTHON) $(out)/gputab

check-complaints: $(out)/gputab
	$(q)$(PYTHON) -B tests/complaints/complaints.py $(out)/gputab

check-vectors: $(out)/gputab
	$(q)$(PYTHON) -B tests/vectors/vectors.py $(out)/gputab

check-month: $(out)/gputab
	$(q)tests/month.sh $(PYTHON) $(out)/gputab

# Valgrind and the sanitizers exclude each other: the plain program stands in.
ifdef SANITIZE
check-valgrind:
	$(q)$(MAKE) --no-print-directory $(jobs) SANITIZE= $@
else
check-valgrind: $(out)/gputab
	$(q)tests/run-valgrind.sh $(out)/gputab
endif

## check-duckdb     not in check: examples/sql over Parquet, in the npm package of DuckDB (node, npm and their registry)
check-duckdb: $(out)/gputab
	$(q)$(PYTHON) -B tests/duckdb/check_duckdb.py $(out)/gputab build/duckdb

## check-look       not in check: workbooks in LibreOffice, calculated anew, and HTML in Chromium; pictures of them in build/look
check-look: deps
	$(q)$(with_tools) .ci/deps.sh look
	$(q)$(MAKE) --no-print-directory $(jobs) build/gputab
	$(q)$(PYTHON) -B tests/look/check_look.py build/gputab build/look
	$(q)$(MAKE) --no-print-directory check-look-html

## check-look-html  not in check: HTML reports in headless Chromium (of Debian's packages), pictures to build/look
check-look-html: deps
	$(q)$(with_tools) .ci/deps.sh look-html
	$(q)$(MAKE) --no-print-directory $(jobs) build/gputab
	$(q)$(PYTHON) -B tests/look/html.py build/gputab build/month build/look

## fuzz             TARGET=csv TIME=60: look for new findings with clang's libFuzzer
fuzz:
	$(q)$(MAKE) $(jobs) CC=clang SANITIZE=address,undefined CFLAGS='-O1 -g -fsanitize=fuzzer-no-link' run-fuzz

TARGET ?= csv
TIME ?= 60
run-fuzz: $(out)/libfuzzer/$(TARGET)
	@mkdir -p build/corpus/$(TARGET)
	$< -max_total_time=$(TIME) -artifact_prefix=build/corpus/ build/corpus/$(TARGET) tests/fuzz/corpus/$(TARGET)

## lint             static analysis: clang-tidy, else scan-build, where there
lint: $(gen)/gputab_version.h $(gen)/catalogue_data.h $(gen)/html_page_data.h
	$(q)CC='$(CC)' MAKE='$(MAKE)' tests/run-lint.sh '$(ALL_CFLAGS)' $(sources)

## bench            speed and memory, to tests/bench/RESULTS.md: BENCH="fleet tokenizer stub unpack bill xlsx" BENCH_NODES=64 BENCH_DAYS=30
# Made data stays in BENCH_DIR for the next run.
BENCH ?= fleet tokenizer stub unpack bill xlsx
BENCH_DIR ?= build/bench
BENCH_NODES ?= 64
BENCH_DAYS ?= 30
BENCH_BYTES ?= 2000000000
BENCH_ROWS ?= 100000000
BENCH_XLSX ?= 100000
bench: deps
	$(q)$(with_tools) .ci/deps.sh bench
	$(q)$(with_tools) .ci/deps.sh bench-bill
	$(q)$(with_tools) .ci/deps.sh bench-xlsx
	$(q)$(MAKE) --no-print-directory $(jobs) build/gputab run-bench

## bench-unpack     the bench of unpacking alone
bench-unpack: deps
	$(q)$(with_tools) .ci/deps.sh bench
	$(q)$(MAKE) --no-print-directory $(jobs) build/gputab run-bench BENCH=unpack

## bench-bill       the bench of bills alone: BENCH_BYTES=2000000000 of a file, BENCH_ROWS=100000000 of a stream
bench-bill: deps
	$(q)$(with_tools) .ci/deps.sh bench-bill
	$(q)$(MAKE) --no-print-directory $(jobs) build/gputab run-bench BENCH=bill

## bench-xlsx       the bench of workbooks alone: BENCH_XLSX=100000 rows
bench-xlsx: deps
	$(q)$(with_tools) .ci/deps.sh bench-xlsx
	$(q)$(MAKE) --no-print-directory $(jobs) build/gputab run-bench BENCH=xlsx

run-bench: $(out)/gputab $(bench_programs)
	$(q)$(PYTHON) -B tests/bench/run.py --gputab $(out)/gputab --programs $(out)/bench --folder '$(BENCH_DIR)' --nodes $(BENCH_NODES) \
		--days $(BENCH_DAYS) --bill-bytes $(BENCH_BYTES) --bill-rows $(BENCH_ROWS) --xlsx-rows $(BENCH_XLSX) $(BENCH)

## install          into DESTDIR and PREFIX (/usr/local); install-strip without symbols; uninstall
install: $(out)/gputab
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man5
	install -m 755 $(strip) $(out)/gputab $(DESTDIR)$(BINDIR)/gputab
	install -m 644 man/*.1 $(DESTDIR)$(MANDIR)/man1/
	install -m 644 man/*.5 $(DESTDIR)$(MANDIR)/man5/

install-strip: strip := -s
install-strip: install

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/gputab $(patsubst man/%,$(DESTDIR)$(MANDIR)/man1/%,$(wildcard man/*.1)) \
		$(patsubst man/%,$(DESTDIR)$(MANDIR)/man5/%,$(wildcard man/*.5))

## dist             gputab-VERSION.tar.gz of the last commit, the same bytes each time
dist:
	git archive --prefix=gputab-$(VERSION)/ HEAD | gzip -n9 > gputab-$(VERSION).tar.gz

## clean            remove build/
clean:
	rm -rf build

help:
	@sed -n 's/^## /  /p' Makefile
	@echo
	@echo 'Knobs: CC CFLAGS CPPFLAGS LDFLAGS LDLIBS PKG_CONFIG PYTHON PREFIX BINDIR MANDIR DESTDIR,'
	@echo 'DEVELOPER=1 (warnings are errors), SANITIZE=address,undefined, LTO=no (a slower program, a faster build), ISAL=no (build without libisal), SEEDS=1-500 (of check-worlds), BENCH_DIR (of bench), V=1 (show commands).'
