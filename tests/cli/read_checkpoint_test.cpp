// tests/peers/read_checkpoint.py, which computes logits with numpy alone, agrees with Locus; and the page that it
// follows, src/model/README.md, names every tensor.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>

#include <regex>

#include "../support/temporary_folder.h"
#include "base/text.h"
#include "io/safetensors.h"
#include "process.h"

using namespace locus;

namespace {

// A python3 that has numpy; "" when there is none.
std::string python_with_numpy() {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (std::system(str(python, " -c 'import numpy' > /dev/null 2>&1").c_str()) == 0) return python;
  return "";
}

struct Trained {
  std::string model, task, scheme, input;
  std::vector<std::string> options{};
};

const std::vector<Trained> all_trained{
    {"encoder", "reverse", "none", "3 1 4 1 5 9"},
    {"encoder", "reverse", "sinusoidal", "3 1 4 1 5 9 2"},
    {"encoder", "before", "rope:base=100", "3 A 1 B 4"},
    {"encoder", "sort", "alibi", "3"},
    {"decoder", "unique", "none", "3 1 3 1 5 9"},
    {"decoder", "before", "sinusoidal:base=50", "3 A 1 B 4"},
    {"decoder", "reverse", "rope", "3 1 4 1 5 9"},
    {"encoder", "reverse", "alibi", "3 1 4 1 5", {"--score-scale", "log"}},
    {"decoder", "reverse", "rope", "3 1 4 1 5", {"--score-scale", "log"}},
    {"encoder", "reverse", "rope", "3 1 4 1 5 9 2 6", {"--window-by-layer", "2", "--score-scale", "log"}},
    {"decoder",
     "reverse",
     "alibi",
     "3 1 4 1 5 9",
     {"--qk-norm", "--layers", "3", "--window-by-layer", "1 none"}},
    {"decoder", "reverse", "sinusoidal", "3 1 4 1 5 9", {"--mixer-by-layer", "delta"}},
    {"decoder", "copy", "rope", "3 1 4 1", {"--layers", "3", "--mixer-by-layer", "delta attention"}},
    {"decoder", "copy", "alibi", "3 1 4"},
    {"encoder", "reverse", "pope:delta=uniform,clamp=off", "3 1 4 1 5 9"},
    {"encoder", "reverse", "grape-m:planes=1", "3 1 4 1 5 9"},
    {"encoder", "reverse", "data-alibi", "3 1 4 1 5 9"},
    {"encoder", "before", "dpb", "3 A 1 B 4"},
    {"encoder", "sort", "tupe", "3 1 4"},
    {"decoder", "copy", "pope", "3 1 4"},
    {"decoder", "copy", "grape-a:gate=both", "3 1 4"},
};

// Three heads, so that ALiBi's slopes are no geometric sequence.
void train(const TemporaryFolder& folder, const Trained& what, const std::string& out) {
  const std::string words = str(
      "train --task ", what.task, " --model ", what.model, " --scheme ", what.scheme, " --out ",
      out,
      " --heads 3 --d-model 12 --d-ff 20 --steps 30 --lr 0.02 --batch 8 --train-lengths 6 --test-lengths 6 "
      "--test-examples 8");
  std::vector<std::string> all = split(words, ' ');
  all.insert(all.end(), what.options.begin(), what.options.end());
  REQUIRE(run(folder.path, all).status == 0);
}

}  // namespace

TEST_CASE("read_checkpoint.py: its logits are those of Locus") {
  const std::string python = python_with_numpy();
  if (python.empty()) {
    MESSAGE("skipped: there is no python3 with numpy");
    return;
  }
  const TemporaryFolder folder;
  const auto compare = [&](const std::string& run_folder) {
    return std::system(str(python, " tests/peers/read_checkpoint.py ", folder / run_folder, " < ",
                           folder / "answers", " > ", folder / "said", " 2>&1")
                           .c_str());
  };
  for (std::size_t i = 0; i < all_trained.size(); ++i) {
    const Trained& what = all_trained[i];
    CAPTURE(what.model);
    CAPTURE(what.scheme);
    train(folder, what, str(i));
    const Finished asked = run(folder.path, {"ask", str(i), what.input, "--json", "--logits"});
    REQUIRE(asked.status == 0);
    write_file_atomically(folder / "answers", asked.out);
    const int status = compare(str(i));
    CAPTURE(read_file(folder / "said"));
    CHECK(status == 0);
  }
  // It notices what differs: another run, and a logit that is off by 0.001.
  Trained other = all_trained.back();
  other.task = "reverse";
  train(folder, other, "other");
  CHECK(compare("other") != 0);
  const std::string answers = read_file(folder / "answers");
  std::smatch logit;
  REQUIRE(std::regex_search(answers, logit, std::regex(R"("logits":\[\[([^,]+),)")));
  const double off = std::stod(logit[1]) + 0.001;
  write_file_atomically(folder / "answers",
                        str(answers.substr(0, static_cast<std::size_t>(logit.position(1))), off,
                            answers.substr(static_cast<std::size_t>(logit.position(1) + logit.length(1)))));
  CHECK(compare(str(all_trained.size() - 1)) != 0);
}

TEST_CASE("model: its README names every tensor and every key of a checkpoint") {
  const TemporaryFolder folder;
  train(folder, all_trained.front(), "run");
  const SafetensorsFile file = read_safetensors(folder / "run/model.safetensors");
  const std::string page = read_file("src/model/README.md");
  const auto check_named = [&](const std::string& name) {
    CAPTURE(name);
    CHECK(page.find(str("`", name, "`")) != std::string::npos);
  };
  for (const auto& [name, tensor] : file.tensors)
    check_named(std::regex_replace(name, std::regex("layer\\d+"), "layerL"));
  for (const auto& [key, value] : file.metadata) check_named(key);
}
#endif
