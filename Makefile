# Oldsow. `make help` lists what there is to make.

VERSION := $(shell sed -n 's/^\#define OLDSOW_VERSION "\(.*\)"/\1/p' interp/oldsow.h)
SONAME  := liboldsow.so.0
PREFIX  ?= /usr/local
DESTDIR ?=

# SAN=1 builds with the address and undefined-behaviour sanitizers, apart from the usual build.
ifdef SAN
BUILD ?= build/asan
OPTIMIZE ?= -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
BUILD    ?= build
OPTIMIZE ?= -O2 -g

ifeq ($(origin CC),default)
CC := gcc
endif
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
CFLAGS   ?= $(OPTIMIZE)
# Ours come last: whoever sets CFLAGS for one build need not repeat them.
override CFLAGS += -fvisibility=hidden -pthread -std=c17 -D_POSIX_C_SOURCE=200809L -fPIC $(WARNINGS)
INCLUDES := -I. -Igrammar -Iinterp -Iinterp/language -Iinterp/vm -Iinterp/play -I$(BUILD)/gen
# V=1 shows the commands whole.
Q        := $(if $(V),,@)
SAY       = $(if $(V),@:,@echo) " $(1) $@"
# What it depends on is noted under whatever name BUILD is given: by one path today and another tomorrow.
COMPILE   = $(Q)$(CC) $(CFLAGS) $(INCLUDES) $(RELAXED) -MMD -MP -MT '$$(BUILD)$(@:$(BUILD)%=%)' -c -o $@ $<

# As many jobs as there are processors, unless told otherwise; the output of each stays together.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
MAKEFLAGS += --output-sync=target --no-builtin-rules --no-print-directory

LIB_C    := $(wildcard grammar/*.c interp/*.c interp/language/*.c interp/vm/*.c interp/play/*.c \
            $(filter-out interp/native/machine.c interp/native/hosting.c interp/native/interface.c,$(wildcard interp/native/*.c)))
CLI_C    := $(wildcard interp/cli/*.c)
UNIT_C   := $(wildcard tests/unit/test_*.c)
MUTANT_C := $(wildcard tests/mutants/*.c)
ENGINE_C := $(filter-out tests/bench/bench.c,$(wildcard tests/bench/*.c))
SCRIPTS  := $(wildcard tests/*.sh)
STDLIB   := $(wildcard stdlib/*.sow)
TEMPLATE := $(wildcard stdlib/templates/*.sow)
EXPLAIN  := $(sort $(wildcard docs/errors/*.md))
LIB_O    := $(LIB_C:%.c=$(BUILD)/obj/%.o) $(addprefix $(BUILD)/obj/gen/,lexer.o parser.o stdlib_data.o native_data.o)
CLI_O    := $(CLI_C:%.c=$(BUILD)/obj/%.o) $(if $(CLI_C),$(addprefix $(BUILD)/obj/gen/,template_data.o explanation_data.o))
UNIT     := $(UNIT_C:tests/unit/%.c=$(BUILD)/tests/%)
ENGINE_O := $(ENGINE_C:%.c=$(BUILD)/obj/%.o)
MUTANT_O := $(MUTANT_C:%.c=$(BUILD)/obj/%.o)
LIBS     := $(BUILD)/liboldsow.a $(BUILD)/liboldsow.so
BINARY   := $(if $(CLI_C),$(BUILD)/oldsow)

.PHONY: all docs bench check test mutants check-asan check-clang bless demo install uninstall clean format format-check help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(LIBS) $(BINARY) ## build the library and the command (the default)

# ---- Building ----

$(BUILD)/gen/lexer.c: grammar/lexer.l
	@mkdir -p $(@D)
	$(call SAY,FLEX)
	$(Q)flex -o $@ $<

$(BUILD)/gen/parser.c $(BUILD)/gen/parser.h &: grammar/parser.y
	@mkdir -p $(@D)
	$(call SAY,BISON)
	$(Q)bison -Wall -Wdangling-alias -Werror -o $(BUILD)/gen/parser.c --header=$(BUILD)/gen/parser.h $<

$(BUILD)/gen/by_letter.inc: interp/language/by_letter.sh interp/language/ludemes.def
	@mkdir -p $(@D)
	$(call SAY,SORT)
	$(Q)sh interp/language/by_letter.sh interp/language/ludemes.def > $@

$(BUILD)/obj/interp/language/ludemes.o: $(BUILD)/gen/by_letter.inc

$(BUILD)/gen/stdlib_data.c: stdlib/embed.sh $(STDLIB)
	@mkdir -p $(@D)
	$(call SAY,EMBED)
	$(Q)sh stdlib/embed.sh stdlib $(STDLIB) > $@

# What stands in every compiled game.
NATIVE := interp/native/step.h interp/native/machine.c interp/native/hosting.c interp/native/interface.c interp/oldsow.h \
          interp/rng.c
$(BUILD)/gen/native_data.c: stdlib/embed.sh $(NATIVE)
	@mkdir -p $(@D)
	$(call SAY,EMBED)
	$(Q)sh stdlib/embed.sh native $(NATIVE) > $@

$(BUILD)/gen/template_data.c: stdlib/embed.sh $(TEMPLATE)
	@mkdir -p $(@D)
	$(call SAY,EMBED)
	$(Q)sh stdlib/embed.sh template $(TEMPLATE) > $@

$(BUILD)/gen/explanation_data.c: stdlib/embed.sh $(EXPLAIN)
	@mkdir -p $(@D)
	$(call SAY,EMBED)
	$(Q)sh stdlib/embed.sh explanation $(EXPLAIN) > $@

# What flex writes is not ours to clean up.
$(BUILD)/obj/gen/lexer.o: RELAXED := -Wno-conversion -Wno-sign-conversion -Wno-sign-compare \
	-Wno-unused-function -Wno-unused-parameter
$(BUILD)/obj/gen/parser.o: RELAXED := -Wno-unused-but-set-variable

$(BUILD)/obj/gen/%.o: $(BUILD)/gen/%.c Makefile
	@mkdir -p $(@D)
	$(call SAY,CC)
	$(COMPILE)

$(BUILD)/obj/interp/cli/%.o: INCLUDES += $(shell pkg-config --cflags jansson)
$(BUILD)/obj/tests/unit/%.o: INCLUDES += $(shell pkg-config --cflags cmocka)

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call SAY,CC)
	$(COMPILE)

# For the command and the tests, which know the rooms within.
$(BUILD)/librooms.a: $(LIB_O)
	@rm -f $@
	$(call SAY,AR)
	$(Q)ar rcs $@ $^

# For everybody else: one object in which only the names of oldsow.h can be seen, so that ours
# (expand, check, ...) never meet those of a program that links it.
$(BUILD)/liboldsow.a: $(LIB_O)
	@rm -f $@
	$(call SAY,AR)
	$(Q)ld -r -o $(BUILD)/obj/oldsow.o $^
	$(Q)objcopy --localize-hidden $(BUILD)/obj/oldsow.o
	$(Q)ar rcs $@ $(BUILD)/obj/oldsow.o

$(BUILD)/$(SONAME): $(LIB_O)
	$(call SAY,LINK)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,$(SONAME) -o $@ $^ $(LDFLAGS)

$(BUILD)/liboldsow.so: $(BUILD)/$(SONAME)
	$(Q)ln -sf $(SONAME) $@

$(BUILD)/oldsow: $(CLI_O) $(BUILD)/librooms.a
	$(call SAY,LINK)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $$(pkg-config --libs jansson) -lm

$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/librooms.a
	@mkdir -p $(@D)
	$(call SAY,LINK)
	$(Q)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDFLAGS) $$(pkg-config --libs cmocka)

$(BUILD)/tests/test_engines: $(ENGINE_O)
# It counts how often memory is taken.
$(BUILD)/tests/test_simulate: private LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
$(BUILD)/tests/test_mutants: $(MUTANT_O)

$(BUILD)/obj/tests/bench/bench.o: INCLUDES += $(shell pkg-config --cflags jansson)
$(BUILD)/bench: $(BUILD)/obj/tests/bench/bench.o $(ENGINE_O) $(BUILD)/librooms.a
	$(call SAY,LINK)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $$(pkg-config --libs jansson)

bench: $(BUILD)/bench ## scripts beside hand-written engines; BENCH="--save FILE" and other arguments
	$(BUILD)/bench $(BENCH)

-include $(LIB_O:.o=.d) $(CLI_O:.o=.d) $(ENGINE_O:.o=.d) $(BUILD)/obj/tests/bench/bench.d \
         $(MUTANT_O:.o=.d) $(UNIT_C:%.c=$(BUILD)/obj/%.d)

docs: $(BUILD)/docs/reference.md ## write the reference of all ludemes, build/docs/reference.md

$(BUILD)/docs/reference.md: $(BINARY)
	@mkdir -p $(@D)
	$(call SAY,DOC)
	$(Q)$(BUILD)/oldsow reference > $@

# ---- Testing ----

RUN_UNIT    := $(UNIT:$(BUILD)/tests/%=run-%)
RUN_SCRIPTS := $(if $(BINARY),$(SCRIPTS:tests/%=run-%))
.PHONY: $(RUN_UNIT) $(RUN_SCRIPTS)

# $(call RUN,program,log): a test that passes says so in one line, one that fails says everything.
RUN = mkdir -p $(dir $(2)); if $(1) > $(2) 2>&1; then echo " ok $(1)"; \
	else cat $(2); echo " FAILED $(1) ($(BUILD))"; exit 1; fi

$(RUN_UNIT): run-%: $(BUILD)/tests/%
	@$(call RUN,$<,$<.log)

$(RUN_SCRIPTS): run-%: all
	@export OLDSOW=$(abspath $(BUILD))/oldsow; $(call RUN,tests/$*,$(BUILD)/tests/$*.log)

check: all $(RUN_UNIT) $(RUN_SCRIPTS) ## build, and run every test once
	@echo "== all tests of $(BUILD) passed"

check-asan: ## run every test under the sanitizers
	@$(MAKE) --keep-going SAN=1 BUILD=build/asan check

check-clang: ## compile everything with clang as well
	@$(MAKE) --keep-going CC=clang BUILD=build/clang compile

.PHONY: compile
compile: all $(UNIT) $(BUILD)/bench

test: ## all of check, check-asan and check-clang
	@$(MAKE) --keep-going check
	@$(MAKE) check-asan
	@$(MAKE) check-clang
	@echo "== everything passed"

mutants: $(BUILD)/tests/test_mutants ## try every mistake of a kind in every script, and print the rates
	@OLDSOW_MUTANTS=all $<

bless: all ## take what oldsow says to the scripts in tests/golden for right; see git diff
	@OLDSOW=$(abspath $(BUILD))/oldsow tests/golden.sh --bless

# ---- Using ----

demo: ## install what is missing, build, and replay a recorded game
	.ci/install
	@$(MAKE) all
	$(BUILD)/oldsow run games/laomuzhu.sow examples/laomuzhu-match.record

install: all ## install under PREFIX (/usr/local), within DESTDIR
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	$(if $(BINARY),install -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/oldsow)
	install -m 644 $(BUILD)/liboldsow.a $(BUILD)/$(SONAME) $(DESTDIR)$(PREFIX)/lib/
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/liboldsow.so
	install -m 644 interp/oldsow.h $(DESTDIR)$(PREFIX)/include/oldsow.h
	printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$${prefix}/include' 'libdir=$${prefix}/lib' '' \
	    'Name: oldsow' 'Description: rules of board games as programs' 'Version: $(VERSION)' \
	    'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -loldsow' 'Libs.private: -pthread' \
	    > $(DESTDIR)$(PREFIX)/lib/pkgconfig/oldsow.pc

uninstall: ## take away what install put there
	cd $(DESTDIR)$(PREFIX) && rm -f bin/oldsow lib/liboldsow.a lib/$(SONAME) lib/liboldsow.so \
	    include/oldsow.h lib/pkgconfig/oldsow.pc

SOURCES = $(wildcard grammar/*.[ch] interp/*.[ch] interp/*/*.[ch] tests/*/*.[ch] examples/*.c)

format: ## lay out the C sources with clang-format
	clang-format -i $(SOURCES)

format-check: ## fail where `make format` would change something
	clang-format --dry-run -Werror $(SOURCES)

clean: ## remove build/
	rm -rf build

help: ## show this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | expand -t 16
