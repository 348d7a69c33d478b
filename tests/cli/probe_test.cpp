// locus probe and locus construct, as they are typed.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>

#include "../support/temporary_folder.h"
#include "playground.h"

using namespace locus;

TEST_CASE("program: what is constructed is a run for every other command") {
  const TemporaryFolder folder;
  const Words construct = {"construct",      "previous", "--out",           "by-hand",
                           "--test-lengths", "12,24",    "--test-examples", "50"};
  const Finished made = run(folder.path, construct);
  CAPTURE(made.err);
  REQUIRE(made.status == 0);
  for (const char* words :
       {"head 0.0: the query at p is M_-1 PE[p] = PE[p - 1], the key at j is the code of j",
        "    12           1.000        1.000", "saved in by-hand"})
    CHECK(made.out.find(words) != std::string::npos);
  const auto once = contents(folder.path);
  REQUIRE(run(folder.path, construct).status == 0);  // the same command, the same bytes
  CHECK(contents(folder.path) == once);

  CHECK(run(folder.path, {"ask", "by-hand", "3 1 4 1"}).out.find("3    3    1    4") != std::string::npos);
  CHECK(run(folder.path, {"attend", "by-hand", "--input", "3 1 4 1 5"}).out.find("1 before 100 %") !=
        std::string::npos);
  CHECK(run(folder.path, {"eval", "by-hand", "--positions", "shift:100"}).out.find("1.000  1.000") !=
        std::string::npos);
  CHECK(run(folder.path, {"train", "--from", "by-hand", "--steps", "2", "--out", "longer"}).status == 0);

  const Words other = {"construct", "previous",       "--out", "by-hand",         "--sharpness",
                       "2",         "--test-lengths", "12,24", "--test-examples", "50"};
  const Finished refused = run(folder.path, other);
  CHECK(refused.status == 1);
  CHECK(refused.err ==
        "locus: [by-hand] it holds another run. Hint: choose another --out, or --fresh, which keeps the old "
        "run beside it\n");
  CHECK(run(folder.path, other + Words{"--fresh"}).status == 0);
}

TEST_CASE("program: probe shows the model beside its controls, as tables and a figure") {
  const Playground& folder = playground();
  const Finished tables = run(folder.path, {"probe", "good", "--lengths", "4,6", "--svg", "probe.svg"});
  CAPTURE(tables.err);
  REQUIRE(tables.status == 0);
  for (const char* words : {"Positions in none on before", "distance from the centre", "before training",
                            "weights permuted", "layer 0 feed-forward", "the length alone: "})
    CHECK(tables.out.find(words) != std::string::npos);
  const std::string figure = read_file(folder / "probe.svg");
  for (const char* words :
       {"trained", "before training", "weights permuted", "layer 0 attention", "from centre"})
    CHECK(figure.find(words) != std::string::npos);
  std::filesystem::remove(folder / "probe.svg");

  const Finished one = run(folder.path, {"probe", "good", "--lengths", "6"});
  CHECK(one.status == 0);
  CHECK(one.err.find("inputs of one length") != std::string::npos);
}

TEST_CASE("program: what probe and construct cannot do is refused") {
  check_refused(2, {"probe", "good", "--lengths", "1"}, "[before] an input of 1 tokens");
  check_refused(2, {"probe", "good", "--svg", "a.png"}, "[svg] --svg writes .svg files");
  check_refused(2, {"probe"}, "[probe]");
  check_refused(2, {"construct", "sorted", "--out", "new"},
                "[construct] there is no construction 'sorted'. Hint: did you mean 'sort'?");
  check_refused(2, {"construct", "sort", "--sharpness", "3", "--out", "new"},
                "[construct] --sharpness has no effect on sort, whose weights are all 1/T");
  check_refused(2, {"construct", "previous", "--codes", "rope", "--out", "new"},
                "[construct] there is no code of positions for previous 'rope'");
  check_refused(1, {"construct", "previous", "--out", "good"}, "[good] it holds another run");
  check_refused(1, {"construct", "previous", "--out", "ablation"},
                "[ablation] it holds results of something else");
  check_refused(2, {"train", "--task", "sort", "--model", "gru", "--score-scale", "log", "--out", "new"},
                "[model] --score-scale is for transformers: a gru has no attention");
}
#endif
