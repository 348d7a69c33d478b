# The lessons: what a learner types, and what keeps the chapters true. Included by the Makefile.

CHAPTERS      := $(notdir $(wildcard lessons/[0-9]*_*))
LESSON_TOOLS  := $(filter-out lessons/tools/ledger.cpp,$(wildcard lessons/tools/*.cpp))
lesson_parts   = $(call objects,float,$(LESSON_TOOLS) $(wildcard lessons/$(1)/experiment.cpp))
# A chapter with a guide.sh is worked through by that script; its programs are made here.
GUIDED        := $(patsubst lessons/%/guide.sh,%,$(wildcard lessons/*/guide.sh))
solutions      = $(call objects,float,$(wildcard lessons/$(1)/solutions/*.cpp))
framework     := $(call objects,float,$(SOURCES))
program       := $(call objects,float,src/cli/main.cpp)
# What the steps of a chapter run on, which is compiled before the first verdict: the engine without what single schemes and
# the trainer call, the chapter's originals, and the rooms that the check uses besides. The rest follows when the steps pass.
STEP_ROOMS    := base io tensor autograd nn model positional/support
NO_STEPS      := src/positional/support/contextual.cpp $(filter src/positional/% src/autograd/loss.cpp src/autograd/rotation.cpp,$(foreach e,$(EXERCISES),$(firstword $(subst =, ,$(e)))))
rooms_03      := tasks
rooms_05      := positional autograd
rooms_06      := positional autograd
rooms_08      := positional autograd
rooms_09      := tasks
rooms_10      := positional autograd
rooms_11      := positional autograd
rooms_12      := positional autograd tasks train examine
number         = $(firstword $(subst _, ,$(1)))
exercises_of   = $(foreach e,$(EXERCISES),$(if $(filter $(patsubst 0%,%,$(call number,$(1))),$(lastword $(subst =, ,$(e)))),$(firstword $(subst =, ,$(e)))))
steps          = $(call objects,float,$(filter-out $(NO_STEPS),$(filter $(STEP_ROOMS:%=src/%/%),$(SOURCES))) \
                   $(filter $(patsubst %,src/%/%,$(rooms_$(call number,$(1)))),$(SOURCES)) \
                   $(call exercises_of,$(1)) $(wildcard lessons/$(1)/solutions/*.cpp lessons/$(1)/check.cpp) \
                   $(filter-out %/experiment.cpp,$(LESSON_TOOLS)))
# The learner's file is compiled with the standard library's own checks of indices, and with the two warnings
# that have told learners something (a variable declared twice, one that was never given a value).
LEARNER       := -D_GLIBCXX_ASSERTIONS -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_FAST
# Chapter 0 trains what it includes, whole.cpp.
$(BUILD)/float/lessons/00_tour/experiment.o: LEVEL := -O3
# Hundreds of variations of these lines (slips) are compiled as fast as can be.
$(BUILD)/lessons/near/standard.h.gch: FAST := -O0
$(BUILD)/lessons/standard.h.gch $(BUILD)/lessons/near/standard.h.gch: src/base/standard.h
	@mkdir -p $(@D)
	@cp $< $(basename $@)
	$(Q)$(CXX) $(CXXFLAGS) $(or $(FAST),$(QUICK)) $(LEARNER) -x c++-header $< -o $@

compile_yours  = $(CXX) $(filter-out $(WARNINGS),$(CXXFLAGS)) -Wshadow -Wuninitialized -Werror=return-type $(LEARNER) $(QUICK) \
                 -include $(BUILD)/lessons/standard.h
compile_slips  = $(CXX) $(filter-out $(WARNINGS),$(CXXFLAGS)) $(LEARNER) -O0 -include $(BUILD)/lessons/near/standard.h
lesson_tool    = COMPILE="$(compile_yours)" COMPILE_SLIPS="$(compile_slips)" SLIPS=$(SLIPS) \
                 LINK="$(CXX) $(CXXFLAGS)" BUILD="$(BUILD)" OBJECTS="$(framework) $(call solutions,$(1))" PROGRAM_OBJECT="$(program)" \
                 STEPS="$(call steps,$(1))" LESSON_OBJECTS="$(call lesson_parts,$(1))" MAKE="$(MAKE)" WHICH="$(WHICH)" lessons/tools/$(2)

SLIPS := $(BUILD)/lessons/slips

.PHONY: lessons portfolio lesson-NN hint-NN watch-NN near-NN keep-NN restore-NN reset-NN lessons-check lessons-mutants lessons-record lessons-slips lessons-commands wrong-turns claims results-check try-scheme

# `make lessons | head`: the reader has gone (128 + SIGPIPE), and nothing is wrong.
or_reader_gone := || [ $$? -eq 141 ]

lessons:  ## learn: the chapters: what is done, what is next
	$(Q)$(call lesson_tool,,lesson.sh path) $(or_reader_gone)

portfolio:  ## learn: all figures of your lines on one page
	$(Q)$(call lesson_tool,,lesson.sh portfolio)

lesson-NN:  ## learn: try your lines in chapter NN, as in lesson-01
hint-NN:  ## learn: the next hint for the step that fails
watch-NN:  ## learn: lesson-NN again at every save
near-NN:  ## learn: which place of your lines is wrong
keep-NN:  ## learn: keep your lines before you change them
restore-NN:  ## learn: bring back the lines kept last (WHICH=2: others)
reset-NN:  ## learn: the exercise as it was; your lines are kept
lesson-NN hint-NN watch-NN near-NN keep-NN restore-NN reset-NN:
	@echo "NN stands for the number of a chapter, as in: make lesson-01"

claims: $(BUILD)/lessons/ledger.txt  ## learn: what five articles say, and what running it says
	$(Q)cat $< $(or_reader_gone)

# The evidence depends on the framework's code alone, so it is worked out once for each version of it.
$(BUILD)/lessons/ledger.txt: $(BUILD)/lessons/ledger lessons/claims.txt
	@echo "measure the evidence of all claims: three to six minutes, once" >&2
	$(Q)$< > $@.new || { grep -B 2 OTHERWISE $@.new; exit 1; }
	$(Q)mv $@.new $@

# Chapter $(1), a folder of lessons/, with the number $(2).
define chapter
.PHONY: lesson-$(2) watch-$(2) near-$(2) rest-$(2) locus-$(2)
lesson-$(2) watch-$(2): $(call steps,$(1)) $(BUILD)/lessons/standard.h.gch
	$$(Q)REST=rest-$(2) $$(call lesson_tool,$(1),lesson.sh $$(subst lesson,run,$$(subst -, ,$$@)))
locus-$(2): rest-$(2) $(call steps,$(1)) $(BUILD)/lessons/standard.h.gch
	$$(Q)$$(call lesson_tool,$(1),lesson.sh locus $(2))
rest-$(2): $(framework) $(program) $(call solutions,$(1)) $(call lesson_parts,$(1)) $(BUILD)/locus
	@:
near-$(2): $(call steps,$(1)) $(BUILD)/lessons/standard.h.gch $(BUILD)/lessons/near/standard.h.gch $(SLIPS)
	$$(Q)$$(call lesson_tool,$(1),slips/near.sh $(2))
$(BUILD)/float/lessons/$(1)/check.o $(BUILD)/float/lessons/tools/main.o: | has-doctest
endef
$(foreach c,$(filter-out $(GUIDED),$(CHAPTERS)),$(eval $(call chapter,$(c),$(call number,$(c)))))

# A guide builds the program itself: the learner's scheme is one of the framework's files, and may not compile.
$(foreach c,$(GUIDED),$(eval .PHONY: lesson-$(firstword $(subst _, ,$(c)))))
$(foreach c,$(GUIDED),$(eval lesson-$(firstword $(subst _, ,$(c))): | has-doctest ; $$(Q)$$(call lesson_tool,,lesson.sh run $(firstword $(subst _, ,$(c))))))

# Chapter 15 judges a scheme of the learner's own, which lies in src/ and tests/, and three worked examples, which are
# linked in unless src/ has a scheme of that name.
OWN        := lessons/15_own_scheme
EXAMPLES   := $(foreach f,$(wildcard $(OWN)/examples/*/*.cpp),$(if $(wildcard src/positional/$(notdir $(f)) tests/positional/$(notdir $(f))),,$(f)))
OWN_TEST   := $(if $(OWN_SCHEME),$(wildcard tests/positional/$(OWN_SCHEME)_test.cpp))
JUDGES     := $(wildcard $(OWN)/*.cpp) lessons/tools/scheme/tried_claims.cpp tests/positional/refute.cpp
$(BUILD)/lessons/judge: $(framework) $(call objects,float,$(JUDGES) $(EXAMPLES) $(OWN_TEST)) $(wildcard $(OWN)/evidence.txt) $(BUILD)/sources
	$(link)
$(BUILD)/locus-15: $(framework) $(program) $(call objects,float,$(filter-out %_test.cpp,$(EXAMPLES))) $(BUILD)/sources
	$(link)

# One scheme: its claims, its figures, a quick ablation.
$(BUILD)/lessons/try-claims: $(framework) $(call objects,float,$(wildcard lessons/tools/scheme/*.cpp) tests/positional/refute.cpp) $(BUILD)/sources
	$(link)
try-scheme: $(BUILD)/locus $(BUILD)/lessons/try-claims  ## compare: one scheme (NAME=rope): claims, figures, test
	$(Q)BUILD="$(BUILD)" NAME="$(NAME)" lessons/tools/scheme/try.sh

# Chapters that do not exist get an answer, too.
near-%:
	$(Q)$(call lesson_tool,,lesson.sh near $*)
lesson-% watch-%:
	$(Q)$(call lesson_tool,,lesson.sh run $*)
# (locus-NN apart: of a rule with several patterns make builds what any of its targets needs, and a hint needs nothing.)
hint-% keep-% restore-% reset-%:
	$(Q)$(call lesson_tool,,lesson.sh $(subst -, ,$@))
locus-%:
	$(Q)$(call lesson_tool,,lesson.sh $(subst -, ,$@))

CLAIMS := $(wildcard lessons/*/claims.cpp)
$(BUILD)/lessons/ledger: $(framework) $(call objects,float,lessons/tools/ledger.cpp $(filter-out %/main.cpp %/experiment.cpp,$(LESSON_TOOLS)) $(CLAIMS)) $(BUILD)/sources
	$(link)

# Recorded studies, of which one model each is trained again.
$(addprefix $(BUILD)/lessons/,again spectra today): $(BUILD)/lessons/%: $(framework) $(BUILD)/float/lessons/results/%.o $(BUILD)/sources
	$(link)
results-check: $(BUILD)/lessons/again $(BUILD)/datasets/grammar.txt  ## maintain: one model of each study again: the same bits?
	$(Q)$< $(ONLY)

# Of all chapters, or of those that ONLY="02 10" names.
chosen      := $(if $(ONLY),$(filter $(ONLY:%=%_%),$(CHAPTERS)),$(CHAPTERS))
ifeq ($(or $(chosen),$(filter-out lessons-%,$(MAKECMDGOALS))),)
$(error no chapter has the number '$(ONLY)'. Hint: two digits, as in ONLY=07 or ONLY="07 10")
endif
all_steps   := $(BUILD)/lessons/standard.h.gch $(BUILD)/lessons/near/standard.h.gch $(foreach c,$(chosen),$(call steps,$(c)))
all_lessons := $(all_steps) $(framework) $(program) $(foreach c,$(chosen),$(call lesson_parts,$(c)))

# One-symbol variations of lines, the originals' or a learner's, made by a program of its own.
$(SLIPS): $(call objects,float,$(filter src/base/% src/io/%,$(SOURCES)) $(wildcard lessons/tools/slips/*.cpp)) $(BUILD)/sources
	$(link)

# Every chapter's objects are passed as LESSON_OBJECTS_01 and so on.
lessons-check: $(all_lessons) $(SLIPS) $(BUILD)/lessons/ledger  ## maintain: prove the lessons true (ONLY=10)
	$(Q)$(foreach c,$(CHAPTERS),LESSON_OBJECTS_$(call number,$(c))="$(call lesson_parts,$(c))" \
	  SOLUTIONS_$(call number,$(c))="$(call solutions,$(c))" STEPS_$(call number,$(c))="$(call steps,$(c))") \
	  $(call lesson_tool,,check.sh)

# For each chapter that has wrong answers, or those of ONLY: $(call each_mistaken,COMMAND)
each_mistaken = $(foreach c,$(filter $(chosen),$(patsubst lessons/%/mistakes.txt,%,$(wildcard lessons/*/mistakes.txt))),\
  COMPILE="$(compile_yours)" COMPILE_SLIPS="$(compile_slips)" SLIPS=$(SLIPS) LINK="$(CXX) $(CXXFLAGS)" BUILD="$(BUILD)" \
  OBJECTS="$(call steps,$(c))" ONLY="$(MISTAKE)" FOLDER=lessons/$(c) MUTANTS=lessons/$(c)/mistakes.txt $(1) &&) true

lessons-mutants: $(all_steps)  ## maintain: wrong answers, and the words they get (ONLY=10)
	$(Q)$(call each_mistaken,tests/mutants/run.sh)

lessons-record: $(all_steps)  ## maintain: run every wrong answer, and keep how it is known
	$(Q)$(call each_mistaken,MISTAKE= ONLY= lessons/tools/record.sh)

lessons-slips: $(all_steps) $(SLIPS)  ## maintain: does a one-symbol change pass? (ONLY=10)
	$(Q)$(call each_mistaken,lessons/tools/slips/run.sh)

# Not written as such in a recipe: make would run that line even with -n.
own_make = env -u MAKEFLAGS -u MAKELEVEL $(MAKE) $(filter CXX=%,$(MAKEOVERRIDES))

lessons-commands: $(all_lessons) $(BUILD)/locus $(BUILD)/lessons/ledger.txt  ## maintain: run every command of the lessons (ONLY=10)
	$(Q)MAKE="$(own_make)" BUILD="$(BUILD)" tests/lessons/commands.sh

# They are taken in chapters 1, 5 and 15.
on_the_way := $(framework) $(program) $(BUILD)/lessons/standard.h.gch $(BUILD)/lessons/near/standard.h.gch $(SLIPS) \
              $(foreach c,$(filter 01_% 05_%,$(CHAPTERS)),$(call steps,$(c)) $(call lesson_parts,$(c))) \
              $(call objects,float,$(JUDGES) $(EXAMPLES))
wrong-turns: $(on_the_way)  ## maintain: every wrong turn of a learner gets an answer (ONLY=lines)
	$(Q)rm -f $(BUILD)/wrong-turns-*.log; set -- $(or $(ONLY),run own_scheme lines); \
	  for one; do { MAKE="$(own_make)" BUILD="$(BUILD)" tests/lessons/$$one.sh; echo "exit $$?"; } \
	    > $(BUILD)/wrong-turns-$$one.log 2>&1 & done; wait; \
	  cat $(BUILD)/wrong-turns-*.log | grep -v '^exit'; [ "$$(cat $(BUILD)/wrong-turns-*.log | grep -cx 'exit 0')" -eq $$# ]
