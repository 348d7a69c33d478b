# Locus: how do transformers know order? `make help` lists what can be made; V=1 shows the commands.

ifeq ($(origin CXX),default)
CXX := g++
endif
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN)
endif
Q := $(if $(V),,@)

# For the processor at hand: AVX or NEON as it has them.
ARCH := $(shell $(CXX) -march=native -E -x c /dev/null >/dev/null 2>&1 && echo -march=native || echo -mcpu=native)
# Multiplications and additions may fuse. Nothing else of floating point is loosened, so results repeat bit for bit.
MATH     := -ffp-contract=fast -fno-math-errno -fno-trapping-math
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
CXXFLAGS := -std=c++20 -Isrc -I. $(ARCH) $(MATH) $(WARNINGS) -pthread $(addprefix -isystem,$(wildcard /opt/homebrew/include))
# The floors where training spends its time get all the compiler can do; the rest should compile quickly, in a fifth
# less time than at -O2, and the top floors, where only words and drawings are made, in a fifth less again. (g++ fuses
# multiplications and additions only with its "expensive" optimisations, and clears memory at full speed only when it
# may see patterns. It looks for memory to use again all the time, unless it may take half a gigabyte.)
HOT   := src/tensor/% src/autograd/% src/train/optimizer.cpp
QUICK := -O1 $(if $(findstring clang,$(CXX)),,-fexpensive-optimizations -ftree-loop-distribute-patterns \
                                              --param=ggc-min-heapsize=1048576)
TOP   := src/ablation/% src/report/% src/cli/%

# Objects lie in a folder per variant: float to use, double to check gradients, two with sanitizers.
BUILD         := build
VARIANTS      := float double address thread
FLAGS_double  := -DLOCUS_DOUBLE
FLAGS_address := -O1 -g -DLOCUS_SANITIZED -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_thread  := -O1 -g -DLOCUS_SANITIZED -fsanitize=thread

# Standard headers are compiled once per variant, for the files that are optimised as they were: not the hot ones,
# which need not wait for them.
PRECOMPILED := yes
standard = $(if $(PRECOMPILED),$(BUILD)/$(1)/standard.h)
hot      = $(filter $(HOT) $(HOT:%=units/%),$(1))
top      = $(filter $(TOP) $(TOP:%=units/%),$(1))
# How to compile file $(2) of variant $(1).
effort = $(if $(call hot,$(2)),-O3,$(QUICK) $(if $(call top,$(2)),-Og) $(addprefix -include ,$(call standard,$(1))))

SOURCES := $(sort $(filter-out src/cli/main.cpp,$(wildcard src/*/*.cpp src/*/*/*.cpp)))
TESTS   := $(wildcard tests/*.cpp tests/*/*.cpp tests/*/*/*.cpp)
objects  = $(2:%.cpp=$(BUILD)/$(1)/%.o)

# Most of a compiler's time goes into headers and templates, the same ones for file after file. So the files of a folder
# are compiled together: a unit, called after the first of them, is a file that includes them. Schemes and tasks, which
# are what one adds or changes most, are cut into smaller units: a change takes two or three seconds. What a chapter of
# the lessons replaces is no part of a unit, nor are the hottest loops. `make alone` proves that each file would compile
# by itself, too.
unit_size  = $(if $(filter src/positional/ src/tasks/,$(dir $(firstword $(1)))),15,30)
EXERCISES := $(shell grep -rl '// exercise [0-9]' src)
TOGETHER  := $(filter-out $(EXERCISES) src/tensor/% $(filter %.cpp,$(HOT)),$(SOURCES))
define cut  # the files $(1) of one folder into units
UNITS += units/$(firstword $(1))
files_of_$(basename $(firstword $(1))) := $(wordlist 1,$(unit_size),$(1))
$(if $(filter-out $(wordlist 1,$(unit_size),$(1)),$(1)),$(call cut,$(filter-out $(wordlist 1,$(unit_size),$(1)),$(1))))
endef
$(foreach folder,$(sort $(dir $(TOGETHER))),$(eval $(call cut,$(filter $(wildcard $(folder)*.cpp),$(TOGETHER)))))
# All that is compiled; what takes long comes first, so that no core waits for it in the end.
PARTS := $(filter-out $(TOGETHER) $(EXERCISES),$(SOURCES)) $(UNITS) $(filter $(EXERCISES),$(SOURCES))

.PHONY: all help ablation setup test mutants one-file alone bench sanitize format clean FORCE

all: $(BUILD)/locus  ## build the program, build/locus (this is the default)

help:  ## list what can be made
	@awk -F '## ' '/^[a-zN-]+:.*## / {split($$1, name, ":"); printf "  make %-13s %s\n", name[1], $$2}' \
	  Makefile lessons/tools/lessons.mk

ablation: $(BUILD)/locus  ## train tiny transformers with and without positions, and compare
	$(Q)$(BUILD)/locus ablate --batch 32 --steps 700 --lr 0.004 --no-aa --out runs/ablation
	$(Q)$(BUILD)/locus report runs/ablation --svg runs/ablation/accuracy.svg >/dev/null

setup:  ## install doctest, which only the tests need
	$(Q)CXX="$(CXX)" tests/setup.sh

test: $(BUILD)/test-float $(BUILD)/test-double $(BUILD)/locus  ## run all tests, in float and in double
	$(Q)$(BUILD)/test-double > $(BUILD)/double.log 2>&1 & double=$$!; $(BUILD)/test-float; float=$$?; \
	  wait $$double; double=$$?; cat $(BUILD)/double.log; [ $$float -eq 0 ] && [ $$double -eq 0 ]

mutants: $(BUILD)/test-float  ## prove that the tests can fail: known bugs, one at a time (ONLY=word: some of them)
	$(Q)COMPILE="$(CXX) $(CXXFLAGS) -O1" LINK="$(CXX) $(CXXFLAGS)" BUILD="$(BUILD)" \
	  OBJECTS="$(call objects,float,$(PARTS) $(TESTS))" tests/mutants/run.sh

one-file: $(BUILD)/locus $(BUILD)/test-double  ## prove that a scheme is one file: adds one to a copy, builds, finds it everywhere
	$(Q)MAKE="$(MAKE)" BUILD="$(BUILD)" tests/one_file/run.sh

alone:  ## prove that each file names the headers it needs: reads it by itself
	$(Q)printf '%s\n' $(SOURCES) | xargs -n 1 -P "$$(getconf _NPROCESSORS_ONLN)" $(CXX) $(CXXFLAGS) -Werror -fsyntax-only

bench: $(BUILD)/locus  ## time a training step against this machine's peak
	$(Q)$(BUILD)/locus bench

sanitize: $(BUILD)/test-address $(BUILD)/test-thread $(BUILD)/locus  ## run the tests under the address, undefined and thread sanitizers
	$(Q)$(BUILD)/test-address
	$(Q)$(BUILD)/test-thread --test-case='*thread*,*pool*,*concurrent*,*jobs*'

format:  ## bring all code into one format
	$(Q)find src tests lessons -name '*.h' -o -name '*.cpp' | xargs clang-format -i

clean:  ## remove what was built (results in runs/ stay)
	$(Q)rm -rf $(BUILD)

include lessons/tools/lessons.mk

$(BUILD)/locus: $(call objects,float,$(PARTS) src/cli/main.cpp)
	@echo "link    $@"
	$(Q)$(CXX) $(CXXFLAGS) $^ -o $@

# Written anew only when other files belong to it, and compiled anew then, or when one of them has changed.
$(UNITS:%=$(BUILD)/%): $(BUILD)/units/%.cpp: FORCE
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(files_of_$*) > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

define compile  # a file, or a unit, of variant $(1)
	@mkdir -p $(@D)
	@echo "compile $(<D:$(BUILD)/units/%=%)/$(notdir $(or $(files_of_$*),$<)) $(filter-out float,$(1))"
	$(Q)$(CXX) $(CXXFLAGS) $(call effort,$(1),$(<:$(BUILD)/%=%)) $(FLAGS_$(1)) -MMD -MP -c $< -o $@
endef

define variant
$(BUILD)/test-$(1): $(call objects,$(1),$(PARTS) $(TESTS))
	@echo "link    $$@"
	$(Q)$$(CXX) $$(CXXFLAGS) $$(FLAGS_$(1)) $$^ -o $$@

$(BUILD)/$(1)/standard.h: src/base/standard.h Makefile
	@mkdir -p $$(@D)
	$(Q)cp $$< $$@
	$(Q)$$(CXX) $$(CXXFLAGS) $(QUICK) $$(FLAGS_$(1)) -x c++-header $$@ -o $$@.gch

$(BUILD)/$(1)/%.o: %.cpp Makefile
	$$(call compile,$(1))
$(BUILD)/$(1)/units/%.o: $(BUILD)/units/%.cpp Makefile
	$$(call compile,$(1))
$(call objects,$(1),$(filter-out $(call hot,$(PARTS)),$(PARTS) src/cli/main.cpp $(TESTS) $(wildcard lessons/*/*.cpp))): \
  $(call standard,$(1))
endef
$(foreach variant_name,$(VARIANTS),$(eval $(call variant,$(variant_name))))

# `make setup test`: nothing that includes doctest compiles before it is there.
ifneq ($(filter setup,$(MAKECMDGOALS)),)
$(foreach variant_name,$(VARIANTS),$(call objects,$(variant_name),$(TESTS))): | setup
endif

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
