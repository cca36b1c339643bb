# gputab: build, install, test. `make help` lists the targets.
#
# Knobs: CC CFLAGS CPPFLAGS LDFLAGS PKG_CONFIG PREFIX DESTDIR; DEVELOPER=1 (warnings are errors), SANITIZE=address,undefined,
# V=1 (show commands). Objects of different settings live apart in build/<settings>/; build/gputab is the last one linked.

VERSION := $(shell cat VERSION)
CC ?= cc
PKG_CONFIG ?= pkg-config
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)

CFLAGS ?= -O2 -g
warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla -Wundef \
	-Wformat=2 -Wcast-qual -Wno-missing-field-initializers
ifdef DEVELOPER
warnings += -Werror
endif
ifdef SANITIZE
sanitize := -fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

packages := jansson yaml-0.1 zlib libzstd libcrypto
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -Iinclude -I$(gen) $(warnings) $(CFLAGS) $(sanitize) $(shell $(PKG_CONFIG) --cflags $(packages)) $(CPPFLAGS)
ALL_LIBS = $(shell $(PKG_CONFIG) --libs $(packages)) -lpthread $(LDLIBS)

settings := $(shell printf '%s' '$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(DEVELOPER) $(SANITIZE)' | cksum | cut -d' ' -f1)
out := build/$(settings)
gen := $(out)/generated
q := $(if $(V),,@)

sources := $(sort $(wildcard src/*/*.c))
objects := $(sources:src/%.c=$(out)/%.o)
library := $(out)/libgputab.a
tests := $(patsubst tests/unit/%.c,$(out)/unit/%,$(sort $(wildcard tests/unit/*_test.c)))

.PHONY: all
all: build/gputab

build/gputab: $(out)/gputab
	$(q)ln -sf $(settings)/gputab $@

$(out)/gputab: $(out)/cli/main.o $(library)
	$(q)$(CC) $(CFLAGS) $(sanitize) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(library): $(filter-out $(out)/cli/main.o,$(objects))
	$(q)rm -f $@ && $(AR) rcs $@ $^

$(out)/%.o: src/%.c $(gen)/gputab_version.h $(gen)/catalogue_data.h
	@mkdir -p $(@D)
	$(if $(V),,@echo "  cc $<")
	$(q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(gen)/gputab_version.h: VERSION
	@mkdir -p $(@D)
	$(q)printf '#define GPUTAB_VERSION "%s"\n' '$(VERSION)' > $@

# The catalogue's CSV tables as C arrays, a string a line.
catalogue := $(wildcard src/source/catalogue/*.csv)
$(gen)/catalogue_data.h: $(catalogue) src/source/catalogue/embed.awk
	@mkdir -p $(@D)
	$(q)awk -f src/source/catalogue/embed.awk $(catalogue) > $@.tmp && mv $@.tmp $@

-include $(objects:.o=.d)

# Unit tests: one program per file, linked with the library.
test_packages := check
$(out)/unit/%: tests/unit/%.c $(library)
	@mkdir -p $(@D)
	$(if $(V),,@echo "  cc $<")
	$(q)$(CC) $(ALL_CFLAGS) -Itests/unit $(shell $(PKG_CONFIG) --cflags $(test_packages)) -MMD -MP $(LDFLAGS) -o $@ $< $(library) $(shell $(PKG_CONFIG) --libs $(test_packages)) -lgmp $(ALL_LIBS)

-include $(tests:=.d)
