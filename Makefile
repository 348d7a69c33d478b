# Locus: how do transformers know order? `make help` lists what can be made.

ifeq ($(origin CXX),default)
CXX := g++
endif
# For the processor at hand: AVX or NEON as it has them.
ARCH := $(shell $(CXX) -march=native -E -x c /dev/null >/dev/null 2>&1 && echo -march=native || echo -mcpu=native)
# Multiplications and additions may fuse. Nothing else of floating point is loosened, so results repeat bit for bit.
MATH     := -ffp-contract=fast -fno-math-errno -fno-trapping-math
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
CXXFLAGS := -std=c++20 -Isrc $(ARCH) $(MATH) $(WARNINGS) -pthread
# The floors where training spends its time get all the compiler can do; the rest should compile quickly.
optimize  = $(if $(filter src/tensor/% src/autograd/%,$(1)),-O3,-O2)

# Objects lie in a folder per variant: float to use, double to check gradients, two with sanitizers.
BUILD         := build
FLAGS_double  := -DLOCUS_DOUBLE
FLAGS_address := -fsanitize=address,undefined -fno-sanitize-recover=all -g
FLAGS_thread  := -fsanitize=thread -g

SOURCES := $(filter-out src/cli/main.cpp,$(wildcard src/*/*.cpp src/*/*/*.cpp))
TESTS   := $(wildcard tests/*.cpp tests/*/*.cpp)
objects  = $(patsubst %.cpp,$(BUILD)/$(1)/%.o,$(2))

.PHONY: all help ablation setup test bench sanitize format clean

all: $(BUILD)/locus  ## build the program, build/locus (this is the default)

help:  ## list what can be made
	@awk -F '## ' '/^[a-z]+:.*## / {split($$1, name, ":"); printf "  make %-10s %s\n", name[1], $$2}' Makefile

ablation: $(BUILD)/locus  ## train tiny transformers with and without positions, and compare: about a minute
	$(BUILD)/locus ablate --out runs/ablation
	$(BUILD)/locus report runs/ablation --svg runs/ablation/accuracy.svg >/dev/null

setup:  ## install doctest, which only the tests need
	@tests/setup.sh

test: $(BUILD)/test-float $(BUILD)/test-double $(BUILD)/locus  ## run all tests, in float and in double
	tests/run.sh $(BUILD)

bench: $(BUILD)/locus  ## time a training step against this machine's peak
	$(BUILD)/locus bench

sanitize: $(BUILD)/test-address $(BUILD)/test-thread  ## run the tests under the address, undefined and thread sanitizers
	$(BUILD)/test-address
	$(BUILD)/test-thread --test-case='*thread*,*pool*,*concurrent*'

format:  ## bring all code into the one format
	clang-format -i $(shell find src tests lessons -name '*.h' -o -name '*.cpp')

clean:  ## remove what was built (results in runs/ stay)
	rm -rf $(BUILD)

$(BUILD)/locus: $(call objects,float,src/cli/main.cpp $(SOURCES))
	$(CXX) $(CXXFLAGS) $^ -o $@

define variant
$(BUILD)/test-$(1): $(call objects,$(1),$(SOURCES) $(TESTS))
	$$(CXX) $$(CXXFLAGS) $$(FLAGS_$(1)) $$^ -o $$@
$(BUILD)/$(1)/%.o: %.cpp Makefile
	@mkdir -p $$(@D)
	$$(CXX) $$(CXXFLAGS) $$(call optimize,$$<) $$(FLAGS_$(1)) -MMD -MP -c $$< -o $$@
endef
$(foreach v,float double address thread,$(eval $(call variant,$(v))))

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
