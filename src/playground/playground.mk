# The playground: the engine as WebAssembly, and the page around it, in one file.

WASM_CXX   ?= $(firstword $(foreach v,19 20 21 22 18,$(shell command -v clang++-$(v) 2>/dev/null)) clang++)
WASM_NEEDS := clang-19 lld-19 wasi-libc libc++-19-dev-wasm32 libclang-rt-19-dev-wasm32
# (-fexceptions: a throw calls __cxa_throw, which is in host.cpp; the target drops what would be caught. simd128:
# vectors of 16 bytes, as on an x86 without special instructions, so the sums are the same.)
WASM_FLAGS := --target=wasm32-wasi -std=c++20 -Isrc -I$(BUILD)/texts -include src/playground/toolchain/one_thread.h \
  -msimd128 $(MATH) $(WARNINGS) -Wno-unknown-warning-option -fexceptions -fvisibility=hidden \
  -ffunction-sections -fdata-sections
WASM_LEVEL  = $(if $(filter $(HOT),$<),-O3,-Os)
WASM_FLOORS := base tensor autograd nn positional model tasks train examine
WASM_SOURCES := $(filter-out src/base/machine.cpp src/base/processor.cpp src/tensor/peak.cpp \
  src/train/checkpoint.cpp src/examine/construct.cpp src/examine/probe.cpp src/examine/ridge.cpp \
  ,$(wildcard $(WASM_FLOORS:%=src/%/*.cpp) $(WASM_FLOORS:%=src/%/*/*.cpp))) \
  src/io/json.cpp src/io/json_parser.cpp src/io/format.cpp src/io/utf8.cpp \
  src/playground/host.cpp src/playground/lane.cpp src/playground/exports.cpp
WASM_OBJECTS := $(WASM_SOURCES:%.cpp=$(BUILD)/wasm/%.o)

# As for other objects: when the flags change, everything is compiled again.
$(BUILD)/wasm/flags: flags = $(WASM_CXX) $(WASM_FLAGS) $(HOT)
$(BUILD)/wasm/flags: FORCE
	+@mkdir -p $(@D); echo '$(flags)' > $@.$$$$; if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

$(BUILD)/wasm/%.o: %.cpp $(BUILD)/wasm/flags | has-wasm
	@mkdir -p $(@D)
	$(announce)
	$(Q)$(WASM_CXX) $(WASM_FLAGS) $(WASM_LEVEL) -MMD -MP -c $< -o $@

$(BUILD)/playground.wasm: $(WASM_OBJECTS)
	@echo "link    $@"
	$(Q)$(WASM_CXX) --target=wasm32-wasi -mexec-model=reactor -O2 -Wl,--gc-sections,--strip-all,-z,stack-size=1048576 \
	  $(filter %.o,$^) -o $@

.PHONY: has-wasm
has-wasm:
	$(Q)echo 'int main() {}' | $(WASM_CXX) --target=wasm32-wasi -include vector -x c++ - -o /dev/null >/dev/null 2>&1 || \
	  { echo "The playground needs clang for WebAssembly with its C and C++ libraries. On Debian and Ubuntu:" \
	    "apt-get install $(WASM_NEEDS)" >&2; exit 1; }

-include $(shell find $(BUILD)/wasm -name '*.d' 2>/dev/null)

# The same numbers as a native program: parameters, accuracies and answers, bit for bit. The native half is compiled
# for any processor of its family (as `make ARCH=` does), whose registers are as wide as those of WebAssembly.
$(BUILD)/plain/% $(BUILD)/playground-numbers: override ARCH :=
$(BUILD)/playground-numbers: $(call objects,plain,$(filter-out src/cli/% src/report/% src/draw/% src/ablation/% \
    ,$(SOURCES)) src/playground/lane.cpp tests/playground/numbers.cpp)
	$(link)

# The page.
PAGE_OBJECTS := $(call objects,float,$(SOURCES) src/playground/page.cpp)
$(BUILD)/playground-page: $(PAGE_OBJECTS) $(BUILD)/sources
	$(link)

PAGE       := src/playground/page

# lessons/playground.html is committed, to open without a build. It is made anew when its numbers are no longer those of
# the engine, or its words those of the page. While the numbers are the same, the engine in it stays: so the words can
# be changed without clang for WebAssembly.
COMMITTED := lessons/playground.html
$(BUILD)/committed.wasm.gz: $(COMMITTED)
	@mkdir -p $(@D)
	$(Q)sed -n 's/.* id="engine">\([^<]*\)<.*/\1/p' $< | base64 -d > $@
$(BUILD)/playground.wasm.gz: $(BUILD)/playground.wasm
	$(Q)gzip -9 -n -c $< > $@
$(BUILD)/committed.html $(BUILD)/playground.html: $(BUILD)/%.html: $(BUILD)/%.wasm.gz $(BUILD)/playground-page \
    $(wildcard $(PAGE)/*)
	$(Q)$(BUILD)/playground-page $(PAGE) $< > $@.new
	$(Q)mv $@.new $@

.PHONY: playground playground-check playground-test
playground-check: $(BUILD)/playground-numbers $(BUILD)/committed.html  ## maintain: is playground.html today's?
	$(Q)BUILD="$(BUILD)" tests/playground/same.sh
	$(Q)cmp $(BUILD)/committed.html $(COMMITTED) && echo "the same words: $(COMMITTED) is today's"

playground: $(BUILD)/playground-numbers $(BUILD)/committed.html  ## maintain: playground.html anew if it is old
	$(Q)page=$(BUILD)/committed.html; BUILD="$(BUILD)" tests/playground/same.sh || \
	  { page=$(BUILD)/playground.html; $(MAKE) $$page || exit 1; }; cmp -s $$page $(COMMITTED) || cp $$page $(COMMITTED)
	@echo "open    $(COMMITTED): $$(wc -c < $(COMMITTED)) bytes, $$(gzip -9 -c $(COMMITTED) | wc -c) gzipped"

playground-test:  ## maintain: the playground in headless Chromium (ONLY=controls)
	$(Q)BUILD="$(BUILD)" ONLY="$(ONLY)" tests/playground/drive.sh
