# Locus: how do transformers know order? `make help` lists what can be made; V=1 shows the commands.

ifeq ($(origin CXX),default)
CXX := g++
endif
# As many jobs as there are processors, unless -j says otherwise. (make 3.81 does not show -j to its makefile, ps does.)
ifeq ($(filter -j% --jobs%,$(MAKEFLAGS) $(shell echo "$$MAKEFLAGS"; ps -o args= -p $$PPID 2>/dev/null)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN)
endif
# Only make's command line gives these. An environment may hold anything: WSL sets NAME.
$(foreach v,V ONLY NAME INPUTS WHICH KEEP GUESS TASK LENGTH WIDTH EXAMPLE RUNS MISTAKE NEW REFRESH WITHOUT EVERY CHECK COLLECT \
  STEPS TIMES COUNTING,$(if $(filter environment,$(origin $(v))),$(eval override $(v) :=)$(eval unexport $(v))))
Q := $(if $(V),,@)

# For the processor at hand: AVX or NEON as it has them. `make ARCH=` builds for any processor of its family.
ARCH := $(shell $(CXX) -march=native -E -x c /dev/null >/dev/null 2>&1 && echo -march=native || echo -mcpu=native)
# A multiplication and an addition are one operation where the code says so (fma, in src/tensor/register.h), never where
# a compiler likes it; nothing else of floating point is loosened either. So results repeat bit for bit, on every
# processor with fused multiply-add.
MATH     := -ffp-contract=off -fno-math-errno -fno-trapping-math
# (psabi: g++ on arm64 remarks that its version 10.1 passed packs otherwise. No older objects are linked here.)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-psabi
# `make CXXFLAGS=-O0` adds to what every file needs, and comes last.
ADDED    := $(if $(filter command,$(origin CXXFLAGS)),$(CXXFLAGS))
override CXXFLAGS = -std=c++20 -Isrc -I$(BUILD)/texts -I. $(ARCH) $(MATH) $(WARNINGS) -pthread $(addprefix -isystem,$(wildcard /opt/homebrew/include))$(if $(ADDED), $(ADDED))

# Training and the refutation of claims spend their time in the files of HOT, which get all the compiler can do. The
# others should compile quickly.
HOT_FILES := src/positional/support/contextual.cpp src/train/optimizer.cpp src/train/trainer.cpp tests/positional/refute.cpp
HOT := src/tensor/% src/autograd/% $(HOT_FILES)
# A precompiled header: most of a compiler's time goes into the standard headers, so src/base/standard.h includes them,
# is compiled once for each variant, and is put before every file that is compiled with the same flags, which are all
# but the hot ones. Files include what they need all the same. Tests are compiled oftener than they run: without any
# optimisation, in two thirds of the time, with a precompiled header of their own.
QUICK := -O1$(if $(ADDED), $(ADDED))
QUICKEST := -O0$(if $(ADDED), $(ADDED))
LEVEL  = $(if $(filter $(HOT),$(SOURCE)),-O3$(if $(ADDED), $(ADDED)),$(if $(filter tests/%,$(SOURCE)),$(QUICKEST),$(QUICK)) \
           $(addprefix -include ,$(basename $(filter %.gch,$^))))
SOURCE = $(<:$(BUILD)/batches/%=%)

# A variant has its own folder of objects in $(BUILD): float to use, double to check gradients, two with sanitizers,
# and one for any processor, beside the playground.
BUILD    := build
VARIANTS := float double address thread plain
SOURCES  := $(sort $(filter-out src/cli/main.cpp src/playground/%,$(wildcard src/*/*.cpp src/*/*/*.cpp)))
# (Of the lessons, what judges a learner's evidence is tested like the framework.)
TESTS    := $(filter-out tests/playground/%,$(wildcard tests/*.cpp tests/*/*.cpp tests/*/*/*.cpp)) \
            $(addprefix lessons/15_own_scheme/,evidence.cpp judgements.cpp predictions.cpp)
FUZZ     := $(wildcard tests/fuzz/*.cpp)
# In double: the rooms that compute gradients (and io, which reads golden numbers). All else is tested in float alone.
COMPUTES := base tensor autograd nn positional model
DOUBLE   := $(filter $(COMPUTES:%=src/%/%) src/io/%,$(SOURCES)) $(filter tests/main.cpp $(COMPUTES:%=tests/%/%),$(TESTS))
# The style sheets and scripts of pages, as string literals: src/report/page/page.css is texts/report/page/page.css.h.
TEXTS    := $(patsubst src/%,$(BUILD)/texts/%.h,$(filter-out src/playground/%,$(wildcard src/*/*/*.css src/*/*/*.js)))
# For the thread sanitizer: the tests with these words in their names, and the files that hold no tests.
AT_ONCE    := thread pool jobs interrupted signal
CONCURRENT := $(shell grep -lE "TEST_CASE.*($$(echo $(AT_ONCE) | tr ' ' '|'))" $(TESTS); grep -L TEST_CASE $(TESTS))

# Batches. A compiler spends most of a small file on the headers, so the files of a folder are compiled eight at a time:
# $(BUILD)/batches/src/tasks/batch-1.cpp includes the first eight of src/tasks. Names in the anonymous namespaces of one
# folder must therefore differ. Compiled alone are: files of which a lesson or a mutant program takes others' place
# (exercises), hot ones, those that other programs use without the rest of their folder, or which replace operator new; and
# files that git does not know yet, which their author compiles again and again.
OWN_SCHEME := $(shell sed -n 's/^scheme: *\([a-z0-9_-]*\) *$$/\1/p' lessons/15_own_scheme/evidence.txt 2>/dev/null)
# src/positional/rope.cpp=10: exercises of chapter 10 are marked there.
EXERCISES := $(shell grep -roE '// exercise [0-9]+' src | sed 's|:// exercise |=|' | sort -u)
ALONE := $(foreach e,$(EXERCISES),$(firstword $(subst =, ,$(e)))) $(HOT_FILES) $(wildcard tests/fuzz/*.cpp) \
         src/base/processor.cpp src/cli/main.cpp tests/main.cpp tests/train/allocation_test.cpp tests/lessons/whole_test.cpp \
         $(filter lessons/%,$(TESTS)) \
         $(OWN_SCHEME:%=tests/positional/%_test.cpp) \
         $(shell git ls-files --others --exclude-standard src tests 2>/dev/null)
nothing  :=
hash     := \#
space    := $(nothing) $(nothing)
# $(call eights,FOLDER/,FILES): FOLDER/batch-1=FILE+FILE... FOLDER/batch-2=...  ($(3) counts)
eights    = $(if $(2),$(1)batch-$(words $(3) 1)=$(subst $(space),+,$(wordlist 1,8,$(2))) \
              $(call eights,$(1),$(wordlist 9,$(words $(2)),$(2)),$(3) 1))
together := $(filter-out $(ALONE),$(SOURCES) $(TESTS))
define batch
$(foreach f,$(2),$(eval batch_of_$(f) := $(1)))
members_of_$(BUILD)/batches/$(1).cpp := $(2)
BATCHES += $(BUILD)/batches/$(1).cpp
endef
$(foreach b,$(foreach d,$(sort $(dir $(together))),$(call eights,$(d),$(filter $(d)%,$(foreach f,$(together),$(if $(filter $(d),$(dir $(f))),$(f)))))),\
  $(eval $(call batch,$(word 1,$(subst =, ,$(b))),$(subst +, ,$(word 2,$(subst =, ,$(b)))))))
# A batch is written when its members change: then, and only then, it is compiled again. (One program looks at all of them:
# a rule for each would take a second of every make.)
ifneq ($(filter-out help clean,$(or $(MAKECMDGOALS),all)),)
written := $(shell mkdir -p $(sort $(dir $(BATCHES))); printf '%s\n' $(foreach b,$(BATCHES),'$(b) $(members_of_$(b))') | \
  awk -v own=$$$$ '{ new = old = ""; \
    for (i = 2; i <= NF; ++i) new = new "$(hash)include \"" $$i "\"\n"; \
    while ((getline line < $$1) > 0) old = old line "\n"; \
    close($$1); \
    if (old != new) { printf "%s", new > ($$1 "." own); close($$1 "." own); system("mv " $$1 "." own " " $$1) } }')
endif
# $(call objects,VARIANT,FILES): the objects that hold these files (and the other files of their batches).
objects   = $(sort $(foreach f,$(2),$(BUILD)/$(1)/$(or $(batch_of_$(f)),$(f:%.cpp=%)).o))

# (-g1: reports name functions and lines. g++ 12 with sanitizers takes members of the standard library's types for
# uninitialized.)
SANITIZED := -O1 -g1 -DLOCUS_SANITIZED -Wno-uninitialized
$(BUILD)/double/%  $(BUILD)/test-double:  VARIANT := -DLOCUS_DOUBLE
$(BUILD)/address/% $(BUILD)/test-address $(BUILD)/locus-address $(BUILD)/fuzz: VARIANT := $(SANITIZED) -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
$(BUILD)/thread/%  $(BUILD)/test-thread $(BUILD)/locus-thread: VARIANT := $(SANITIZED) -fsanitize=thread

PREFIX ?= /usr/local

.PHONY: all help ablation corpus tables site install setup has-doctest test mutants one-file bench sanitize fuzz portable emulated format clean

all: $(BUILD)/locus  ## begin: build the program, build/locus (this is the default)
	@echo "try now:  $(BUILD)/locus train --task reverse --scheme none    (then with --scheme sinusoidal)"

help:  ## begin: list what can be made
	@awk -F '## ' '/^[a-zN-]+:.*## / { split($$1, name, ":"); group = $$2; sub(/:.*/, "", group); sub(/^[a-z]+: /, "", $$2); \
	    lines[group] = lines[group] sprintf("  make %-17s %s\n", name[1], $$2) } \
	  END { n = split("begin learn compare maintain", order, " "); \
	    for (i = 1; i <= n; ++i) printf "%s%s:\n%s", i == 1 ? "" : "\n", order[i], lines[order[i]] }' \
	  Makefile lessons/tools/lessons.mk src/playground/playground.mk

# ALiBi has 8 heads: with the 2 of the others its slopes are too flat to see.
quick = --batch 32 --steps 700 --lr 0.004 --no-aa
ablation: $(BUILD)/locus  ## compare: train transformers with and without positions
	@echo "part 1 of 2: 2 heads" >&2
	$(Q)$(BUILD)/locus ablate $(quick) --schemes none,index,sinusoidal,learned,rope,t5 --out runs/make-ablation >/dev/null
	@echo "part 2 of 2: ALiBi, 8 heads" >&2
	$(Q)$(BUILD)/locus ablate $(quick) --schemes "alibi alibi:direction=asymmetric" --heads 8 --out runs/make-ablation-8-heads >/dev/null
	$(Q)$(BUILD)/locus report runs/make-ablation runs/make-ablation-8-heads --svg runs/make-ablation/accuracy.svg

# The text whose entropy is known, by the programs in datasets/make (datasets/README.md).
corpus: $(BUILD)/datasets/grammar.txt  ## compare: make the generated text build/datasets/grammar.txt
$(BUILD)/datasets/grammar.txt: $(BUILD)/datasets/corpus Makefile
	$(Q)$< $@ 256000 1 && echo "made    $@, and its surprisal beside it"
tables: $(BUILD)/datasets/tables  ## maintain: write six tables of datasets/ anew
	$(Q)$< datasets
$(BUILD)/datasets/minimal_pairs.tsv: $(BUILD)/datasets/pairs
	$(Q)$< $@ 24 1
$(BUILD)/datasets/corpus $(BUILD)/datasets/pairs $(BUILD)/datasets/tables: $(BUILD)/datasets/%: datasets/make/%.cpp \
    $(wildcard datasets/make/*.h)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(CXXFLAGS) $(QUICK) $< -o $@

site: $(BUILD)/locus  ## compare: write build/site: playground, studies, schemes
	$(Q)lessons/results/site.sh $(BUILD)/site

install: $(BUILD)/locus  ## begin: program, manual, completion, datasets to PREFIX
	$(Q)$(BUILD)/locus help --man > $(BUILD)/locus.1
	$(Q)for shell in bash zsh; do $(BUILD)/locus help --completion $$shell > $(BUILD)/completion.$$shell || exit 1; done
	$(Q)to="$(DESTDIR)$(PREFIX)" && share="$$to/share" && mkdir -p "$$to/bin" "$$share/man/man1" "$$share/locus/datasets" \
	  "$$share/bash-completion/completions" "$$share/zsh/site-functions" && \
	  install -m 755 $(BUILD)/locus "$$to/bin" && install -m 644 $(BUILD)/locus.1 "$$share/man/man1" && \
	  install -m 644 $(BUILD)/completion.bash "$$share/bash-completion/completions/locus" && \
	  install -m 644 $(BUILD)/completion.zsh "$$share/zsh/site-functions/_locus" && \
	  install -m 644 datasets/*.* "$$share/locus/datasets" && echo "installed $(PREFIX)/bin/locus"

setup:  ## begin: install doctest, which lessons and tests need
	$(Q)CXX="$(CXX)" tests/setup.sh

# Said before anything is built.
ifneq ($(and $(ONLY),$(filter test,$(MAKECMDGOALS))),)
ifeq ($(shell grep -rliE "TEST_CASE.*$(ONLY)" tests lessons/15_own_scheme),)
$(error no test has '$(ONLY)' in its name. Hint: a name begins with what the test is about: for a new op gradients, for a scheme claims or registry, for a task tasks or brute, for a setting settings or reproduction)
endif
endif

# Some tests are of one variant: gradients of double, the program of float.
test: $(BUILD)/test-float $(BUILD)/test-double $(BUILD)/locus  ## maintain: all tests, float and double (ONLY=word)
	$(Q)BUILD="$(BUILD)" ONLY="$(ONLY)" tests/run.sh

mutants: $(BUILD)/test-float  ## maintain: are known bugs noticed? (ONLY=word)
	$(Q)COMPILE="$(CXX) $(CXXFLAGS) $(QUICK) -include $(BUILD)/float/standard.h" LINK="$(CXX) $(CXXFLAGS)" BUILD="$(BUILD)" \
	  OBJECTS="$(call objects,float,$(SOURCES) $(TESTS))" tests/mutants/run.sh

one-file: $(BUILD)/locus $(BUILD)/test-double  ## maintain: prove that a scheme is one file
	$(Q)MAKE="$(MAKE)" BUILD="$(BUILD)" tests/one_file/run.sh

bench: $(BUILD)/locus  ## compare: time a training step against the peak
	$(Q)$(BUILD)/locus bench

sanitize: $(BUILD)/test-address $(BUILD)/locus-address $(BUILD)/test-thread $(BUILD)/locus-thread  ## maintain: the tests under the sanitizers
	$(Q)LOCUS=$(BUILD)/locus-address $(BUILD)/test-address
	$(Q)LOCUS=$(BUILD)/locus-thread $(BUILD)/test-thread --test-case="$$(echo '$(AT_ONCE:%=*%*)' | tr ' ' ,)"

FOR := 60
fuzz: $(BUILD)/fuzz  ## maintain: changed inputs for all readers (FOR, INPUTS)
	$(Q)TMPDIR=$(or $(wildcard /dev/shm),/tmp) $(if $(INPUTS),FUZZ_INPUTS=$(INPUTS),FUZZ_SECONDS=$(FOR)) $(BUILD)/fuzz

portable: $(BUILD)/locus $(BUILD)/test-float  ## maintain: other compilers, libraries, shell tools
	$(Q)MAKE="$(MAKE)" BUILD="$(BUILD)" PARTS="clang g++-11 tools bits" tests/portable/run.sh

emulated: $(BUILD)/locus  ## maintain: other processors, which qemu emulates
	$(Q)MAKE="$(MAKE)" BUILD="$(BUILD)" PARTS="nehalem arm64" tests/portable/run.sh

format:  ## maintain: bring all code into one format
	$(Q)find src tests lessons -name '*.h' -o -name '*.cpp' | xargs clang-format -i

clean:  ## maintain: remove what was built (runs/ stays)
	$(Q)rm -rf $(BUILD)

# The nearest target of `make help`: the fewest letters to replace, put in or leave out.
.DEFAULT:
	@$(MAKE) -s help | grep '^  ' | awk -v word='$@' 'word ~ /^lessons?-?[0-9]*$$/ { \
	    if (NR == 1) { number = word; gsub(/[^0-9]/, "", number); nearest = sprintf("lesson-%02d", number == "" ? 1 : number) } next } \
	  { n = length($$2); for (j = 0; j <= n; ++j) d[0, j] = j; \
	  for (i = 1; i <= length(word); ++i) { d[i, 0] = i; for (j = 1; j <= n; ++j) { \
	    d[i, j] = d[i-1, j-1] + (substr(word, i, 1) != substr($$2, j, 1)); \
	    if (d[i-1, j] + 1 < d[i, j]) d[i, j] = d[i-1, j] + 1; if (d[i, j-1] + 1 < d[i, j]) d[i, j] = d[i, j-1] + 1 } } \
	  if (least == "" || d[length(word), n] < least) { least = d[length(word), n]; nearest = $$2 } } \
	  END { print "nothing here is called \047" word "\047, and no rule makes it. Hint: " \
	    (least <= (length(word) + 2) / 3 ? "did you mean `make " nearest "`?" : "`make help` lists what can be made") }' >&2; exit 1

include lessons/tools/lessons.mk
include src/playground/playground.mk

# How many files there are to compile: the first of them, and as many as a dry run of the same make names then, which takes
# the first for new (-W), even if another make has just finished it. This make counts those that it has begun.
files_to_compile = $(eval files_to_compile := $(words x $(shell MAKEFLAGS= $(MAKE) -n -W $@ COUNTING=1 $(MAKEOVERRIDES) \
  $(MAKECMDGOALS) 2>/dev/null | grep '^: compile' | sed 's/.*/x/')))$(files_to_compile)
define announce
	@$(if $(COUNTING),: compile,$(eval begun += x)echo "[$(words $(begun))/$(files_to_compile)] compile $(patsubst %.o,%,$(@:$(BUILD)/%=%))")
endef

# One way to compile a file and one to link a program. $< is the source, $^ are all that the target is made of.
define compile
	@mkdir -p $(@D)
	$(announce)
	$(Q)$(CXX) $(CXXFLAGS) $(LEVEL) $(VARIANT) -MMD -MP -c $< -o $@
endef
define link
	@mkdir -p $(@D)
	@echo "link    $@"
	$(Q)$(CXX) $(CXXFLAGS) $(VARIANT) $(filter %.o,$^) -o $@
endef

# Without a compiler, one line says so.
ifeq ($(shell command -v $(firstword $(CXX)) 2>/dev/null),)
ifneq ($(filter-out help clean lessons,$(or $(MAKECMDGOALS),all)),)
$(error there is no compiler called '$(firstword $(CXX))'. Hint: `make` uses g++, `make CXX=clang++` another; on Debian and Ubuntu, apt-get install g++ make)
endif
endif

# The new text of a file is in FILE.$$$$ (its own name, since this may run twice at the same time).
replace_if_changed = if cmp -s $(1).$$$$ $(1); then rm $(1).$$$$; else mv $(1).$$$$ $(1); fi

# The compiler and its flags, in a file that changes when they do: then everything is compiled again. (+: in a dry run,
# too, which would otherwise take the file for changed.)
$(VARIANTS:%=$(BUILD)/%/flags): FORCE
	+@mkdir -p $(@D); echo '$(CXX) $(CXXFLAGS) $(QUICK) $(QUICKEST) $(VARIANT) $(HOT)' > $@.$$$$; $(call replace_if_changed,$@)
FORCE:

define compile_header
	@mkdir -p $(@D)
	$(announce)
	@cp $< $(basename $@)
	$(Q)$(CXX) $(CXXFLAGS) $(1) $(VARIANT) -x c++-header $< -o $@
endef
$(VARIANTS:%=$(BUILD)/%/standard.h.gch): $(BUILD)/%/standard.h.gch: src/base/standard.h $(BUILD)/%/flags
	$(call compile_header,$(QUICK))
$(VARIANTS:%=$(BUILD)/%/tests/standard.h.gch): $(BUILD)/%/tests/standard.h.gch: src/base/standard.h $(BUILD)/%/flags
	$(call compile_header,$(QUICKEST))

define a_variant
$(BUILD)/$(1)/tests/%.o: tests/%.cpp $(BUILD)/$(1)/tests/standard.h.gch | $(TEXTS)
	$$(compile)
$(BUILD)/$(1)/tests/%.o: $(BUILD)/batches/tests/%.cpp $(BUILD)/$(1)/tests/standard.h.gch | $(TEXTS)
	$$(compile)
$(BUILD)/$(1)/%.o: %.cpp $(BUILD)/$(1)/standard.h.gch | $(TEXTS)
	$$(compile)
$(BUILD)/$(1)/%.o: $(BUILD)/batches/%.cpp $(BUILD)/$(1)/standard.h.gch | $(TEXTS)
	$$(compile)
endef
$(foreach v,$(VARIANTS),$(eval $(call a_variant,$(v))))

$(TEXTS): $(BUILD)/texts/%.h: src/%
	@mkdir -p $(@D)
	@{ printf 'R"text('; cat $<; printf ')text"\n'; } > $@.new && mv $@.new $@

# This file tells that the program was built for another processor, so it must run on all of them.
$(VARIANTS:%=$(BUILD)/%/src/base/processor.o): override ARCH :=
$(VARIANTS:%=$(BUILD)/%/src/base/processor.o): src/base/processor.cpp Makefile
	$(compile)

# The names of all sources, in a file that changes when they do: a program whose source was deleted is linked again.
$(BUILD)/sources: FORCE
	+@mkdir -p $(@D); echo '$(SOURCES) $(TESTS)' > $@.$$$$; $(call replace_if_changed,$@)

$(BUILD)/locus:        $(call objects,float,$(SOURCES) src/cli/main.cpp) $(BUILD)/sources
	$(link)
$(BUILD)/test-float:   $(call objects,float,$(SOURCES) $(TESTS)) $(BUILD)/sources
	$(link)
$(BUILD)/test-double:  $(call objects,double,$(DOUBLE)) $(BUILD)/sources
	$(link)
$(BUILD)/test-address: $(call objects,address,$(SOURCES) $(TESTS)) $(BUILD)/sources
	$(link)
$(BUILD)/test-thread:  $(call objects,thread,$(SOURCES) $(CONCURRENT)) $(BUILD)/sources
	$(link)

$(BUILD)/locus-address: $(call objects,address,$(SOURCES) src/cli/main.cpp) $(BUILD)/sources
	$(link)
$(BUILD)/locus-thread: $(call objects,thread,$(SOURCES) src/cli/main.cpp) $(BUILD)/sources
	$(link)
$(BUILD)/fuzz:         $(call objects,address,$(SOURCES) $(FUZZ) tests/main.cpp) $(BUILD)/sources
	$(link)

# Nothing that includes doctest compiles before it is there; in `make setup test`, setup comes first.
$(foreach v,$(VARIANTS),$(call objects,$(v),$(TESTS))): | has-doctest
has-doctest: | $(filter setup,$(MAKECMDGOALS))
	$(Q)echo '#include <doctest/doctest.h>' | $(CXX) $(CXXFLAGS) -E -x c++ - >/dev/null 2>&1 || \
	  { echo "The tests and the checks of the lessons need doctest: \`make setup\` installs it." >&2; exit 1; }

# What each object was made of, headers too, as the compiler noted it (-MMD).
-include $(shell find $(VARIANTS:%=$(BUILD)/%) -name '*.d' 2>/dev/null)

# A dry run runs lines with $(MAKE) in them all the same, such as those of one-file. One that only counts runs nothing
# but the lines of the flags.
ifdef COUNTING
real_shell := $(SHELL)
SHELL := true
$(VARIANTS:%=$(BUILD)/%/flags): SHELL := $(real_shell)
endif
