#include "cli/presets.h"

#include "base/error.h"
#include "positional/support/registry.h"
#include "tasks/support/registry.h"

namespace locus {

namespace {

using Words = std::vector<std::string>;

// Whatever an encoder can be asked, and every scheme it can have.
Words everything() {
  Words words = {"--tasks"};
  for (const Task* task : all_tasks())
    if (task->form != Form::generation) words.push_back(task->name);
  words.push_back("--schemes");
  for (const SchemeInfo& info : all_schemes())
    if (!info.causal_only) words.push_back(info.name);
  return words;
}

}  // namespace

std::vector<std::string> preset_words(const std::string& name) {
  if (name == "quick")
    return {"--tasks", "before,reverse,majority", "--schemes", "none,sinusoidal,rope,alibi"};
  if (name == "classic")
    return {
        "--tasks",   "before,reverse,sort,previous,majority", "--datasets", "datasets/who_chased_whom.tsv",
        "--schemes", "none,sinusoidal,learned,shaw,rope",     "--seeds",    "5"};
  if (name == "length")
    return {"--tasks",
            "before,previous,first,sort",
            "--train-lengths",
            "4-12",
            "--test-lengths",
            "12,18,24,36,48",
            "--seeds",
            "5",
            "--schemes",
            "none,sinusoidal,learned,randomized+learned,rope,t5,shaw",
            "alibi:direction=asymmetric"};
  if (name == "extension")  // after lessons/results/extension.sh, without the training at the new length
    return {"--tasks",
            "previous,sort,before",
            "--train-lengths",
            "16",
            "--test-lengths",
            "16,32,64",
            "--trained-as",
            "rope:base=100",
            "--control",
            "rope:base=100",
            "--schemes",
            "rope:base=100",
            "rope:base=100,extend=pi,factor=4",
            "rope:base=100,extend=ntk,factor=4",
            "rope:base=100,extend=dynamic,original=16",
            "rope:base=100,extend=yarn,factor=4,original=16,beta_fast=4",
            "rope:base=100,temperature=on,factor=4"};
  if (name == "all") return everything();
  fail_usage("ablate", text("there is no preset '", name, "'"),
             nearest_names(name, {"quick", "classic", "length", "extension", "all"}));
}

}  // namespace locus
