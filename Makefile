# Locus: how do transformers know order? `make help` lists what can be made.

CXX      ?= g++
ifeq ($(origin CXX),default)
CXX      := g++
endif
ARCH     := $(shell $(CXX) -march=native -E -x c /dev/null >/dev/null 2>&1 && echo -march=native || echo -mcpu=native)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
# Multiplications and additions may fuse; nothing else of floating point is loosened, so results repeat bit for bit.
MATH     := -ffp-contract=fast -fno-math-errno -fno-trapping-math
OPTIMIZE := -O3
CXXFLAGS := -std=c++20 -Isrc $(OPTIMIZE) $(ARCH) $(MATH) $(WARNINGS) $(EXTRA)
BUILD    := build

SOURCES  := $(filter-out src/cli/main.cpp,$(wildcard src/*/*.cpp src/*/*/*.cpp))
TESTS    := $(wildcard tests/*.cpp tests/*/*.cpp)
OBJECTS  := $(SOURCES:%.cpp=$(BUILD)/float/%.o)
DOUBLES  := $(SOURCES:%.cpp=$(BUILD)/double/%.o)

.PHONY: all help
all: $(BUILD)/locus  ## build the program, build/locus (the default)

$(BUILD)/locus: $(BUILD)/float/src/cli/main.o $(OBJECTS)
	$(CXX) $(CXXFLAGS) $^ -o $@ -pthread

$(BUILD)/float/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/double/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -DLOCUS_DOUBLE -MMD -MP -c $< -o $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
