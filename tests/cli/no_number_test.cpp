// A model that computes NaN or infinity: every command says so, once, in words; JSON has null, and nothing is drawn.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "../support/temporary_folder.h"
#include "base/error.h"
#include "io/json.h"
#include "process.h"

using namespace locus;

namespace {

constexpr const char* words = "the model computes NaN or infinity";

Finished locus_in(const TemporaryFolder& folder, std::vector<std::string> arguments) {
  return Process(folder.path, std::move(arguments)).wait();
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++found;
  return found;
}

// The run in `from` with every number of its checkpoint replaced by `value`, as folder `to`.
void with_weights(const TemporaryFolder& folder, const std::string& from, const std::string& to,
                  float value) {
  std::string bytes = read_file(folder / (from + "/model.safetensors"));
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  for (std::size_t at = 8 + header; at + 4 <= bytes.size(); at += 4)
    std::memcpy(bytes.data() + at, &value, 4);
  create_folders(folder / to);
  write_file_atomically(folder / (to + "/model.safetensors"), bytes);
}

void check_all_commands(const TemporaryFolder& folder, const std::string& run) {
  CAPTURE(run);
  for (const std::string kind : {"svg", "html"}) {
    const Finished drawn =
        locus_in(folder, {"attend", run, "--input", "3 1 4", "--" + kind, "drawn." + kind});
    CHECK(drawn.status == 1);
    CHECK(drawn.out == "");
    CHECK(count(drawn.err, words) == 1);
    CHECK(drawn.err.find("train again with a smaller --lr") != drawn.err.npos);
    CHECK(!file_exists(folder / ("drawn." + kind)));
  }
  CHECK(locus_in(folder, {"attend", run, "--csv"}).status == 1);
  const Finished silenced = locus_in(folder, {"attend", run, "--silence", "all"});
  CHECK(silenced.status == 0);
  CHECK(count(silenced.err, words) == 1);

  const Finished inspected = locus_in(folder, {"inspect", run, "--what", "scores", "--csv"});
  CHECK(inspected.status == 1);
  CHECK(inspected.out == "");
  CHECK(inspected.err.find("rows of scores hold no number (NaN or infinity)") != inspected.err.npos);

  const Finished asked = locus_in(folder, {"ask", run, "3 1 4"});
  CHECK(asked.status == 0);
  CHECK(count(asked.out, str(words, ": there is no answer\n")) == 1);
  CHECK(asked.out.find("nan") == asked.out.npos);
  const Finished json = locus_in(folder, {"ask", run, "3 1 4", "--json", "--logits"});
  REQUIRE(json.status == 0);
  const Json answer = parse_json(json.out.substr(0, json.out.find('\n')), "answer");
  CHECK(answer.member("answer", "answer").is_null());
  CHECK(answer.array("probabilities", "answer").empty());
  CHECK(!answer.boolean("right", "answer"));
  for (const Json& row : answer.array("logits", "answer"))
    for (const Json& logit : row.as_array("answer", "logits")) CHECK(logit.is_null());

  const Finished tested = locus_in(folder, {"eval", run});
  CHECK(tested.status == 0);
  CHECK(count(tested.err, words) == 1);
  CHECK(tested.out.find("  0.000        0.000  ") != tested.out.npos);  // no answer is not a right one
}

}  // namespace

TEST_CASE("no number: of a training that diverged, and of weights that are NaN, infinite or huge") {
  const TemporaryFolder folder;
  const Finished trained =
      locus_in(folder, {"train", "--task",  "copy",    "--scheme",        "rope", "--lr",
                        "1000",  "--clip",  "1000000", "--steps",         "25",   "--warmup",
                        "1",     "--batch", "8",       "--train-lengths", "3",    "--test-examples",
                        "20",    "--out",   "diverged"});
  CHECK(trained.status == 1);  // it diverged
  CHECK(count(trained.err, words) == 1);
  check_all_commands(folder, "diverged");
  for (const float value : {std::nanf(""), std::numeric_limits<float>::infinity(), 3e38f}) {
    with_weights(folder, "diverged", "changed", value);
    check_all_commands(folder, "changed");
  }
}

TEST_CASE("no number: a decoder stops at the token that it cannot choose") {
  const TemporaryFolder folder;
  REQUIRE(
      locus_in(folder, {"train", "--task", "copy", "--scheme", "none", "--model", "decoder", "--steps", "4",
                        "--batch", "8", "--train-lengths", "3", "--test-examples", "20", "--out", "decoder"})
          .status == 0);
  with_weights(folder, "decoder", "changed", 3e38f);
  check_all_commands(folder, "changed");
}
#endif
