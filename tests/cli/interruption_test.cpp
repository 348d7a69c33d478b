// Signals, kills and any number of threads end in the same bytes.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "../support/temporary_folder.h"
#include "base/random.h"
#include "io/safetensors.h"
#include "playground.h"

using namespace locus;

TEST_CASE("program: a run that goes on from another is interrupted and taken up like any other") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, train("before", "none", "first")).status == 0);
  const auto words = [](const std::string& out) {
    return Words{"train", "--from", "first", "--steps", "8000", "--full", "--threads", "1", "--out", out};
  };
  REQUIRE(run(folder.path, words("whole")).status == 0);
  const Process process(folder.path, words("part"));
  const std::string model = folder / "part/model.safetensors";
  for (int i = 0; i < 20'000 && !std::filesystem::exists(model); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.signal(SIGKILL);
  CHECK(process.wait().status == -SIGKILL);
  CHECK(read_safetensors(model).metadata_value("step") != "8000");
  CHECK(run(folder.path, words("part")).status == 0);
  CHECK(read_file(model) == read_file(folder / "whole/model.safetensors"));
}

TEST_CASE("program: the same bytes for any number of threads and jobs") {
  const TemporaryFolder folder;
  for (const Words& more : {Words{}, Words{"--model", "decoder"}}) {
    for (const char* threads : {"1", "2", "3"})
      REQUIRE(run(folder.path, train("sort", "learned+alibi", str("run", threads, more.size())) + more +
                                   Words{"--threads", threads})
                  .status == 0);
    for (const char* file : {"model.safetensors", "results.jsonl"})
      for (const char* threads : {"2", "3"})
        CHECK(read_file(folder / str("run", threads, more.size(), "/", file)) ==
              read_file(folder / str("run1", more.size(), "/", file)));
  }
  for (const char* jobs : {"1", "2"})
    REQUIRE(run(folder.path, ablate(str("cells", jobs)) + Words{"--jobs", jobs}).status == 0);
  CHECK(read_file(folder / "cells1/results.jsonl") == read_file(folder / "cells2/results.jsonl"));
}

TEST_CASE("program: a run that is interrupted is saved, and the same command goes on to the same bytes") {
  const TemporaryFolder folder;
  const auto words = [](const std::string& out) {
    return split(
        "train --task sort --scheme learned --layers 1 --d-model 8 --batch 8 --steps 8000 --full "
        "--train-lengths 6 --test-lengths 6 --test-examples 16 --threads 1 --out " +
            out,
        ' ');
  };
  REQUIRE(run(folder.path, words("whole")).status == 0);
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    CAPTURE(signal);
    const std::string name = str("run", signal), model = folder / (name + "/model.safetensors");
    const Process process(folder.path, words(name));
    for (int i = 0; i < 20'000 && !std::filesystem::exists(model); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    process.signal(signal);
    const Finished finished = process.wait();
    CAPTURE(finished.err);
    CHECK(finished.out.empty());
    if (signal == SIGKILL) {
      CHECK(finished.status == -SIGKILL);
    } else {
      CHECK(finished.status == -signal);  // 130 or 143 in a shell
      CHECK(finished.err.find("locus: [train] interrupted after step ") != std::string::npos);
      CHECK(
          finished.err.ends_with(str("; saved in ", name, ". Hint: the same command goes on from there\n")));
      const std::string step =
          read_safetensors(model).metadata_value("step");  // not that of the last regular save
      CHECK(finished.err.find(str("interrupted after step ", step, ";")) != std::string::npos);
    }
    CHECK_FALSE(std::filesystem::exists(folder / (name + "/results.jsonl")));
    CHECK(run(folder.path, words(name)).status == 0);
    CHECK(read_file(model) == read_file(folder / "whole/model.safetensors"));
    CHECK(read_file(folder / (name + "/results.jsonl")) == read_file(folder / "whole/results.jsonl"));
  }
}

TEST_CASE("program: a run killed while its checkpoint is written, again and again, ends in the same bytes") {
  const TemporaryFolder folder;
  const auto words = [](const char* out) {
    return Words{"train", "--task",          "sort", "--scheme",       "none", "--layers",
                 "1",     "--d-model",       "512",  "--batch",        "1",    "--steps",
                 "2",     "--train-lengths", "4",    "--test-lengths", "4",    "--test-examples",
                 "4",     "--threads",       "1",    "--out",          out};
  };
  REQUIRE(run(folder.path, words("whole")).status == 0);
  const std::string unfinished = folder / "part/model.safetensors.tmp";
  for (int kill = 0; kill < 4; ++kill) {
    std::filesystem::remove(unfinished);
    const Process process(folder.path, words("part"));
    for (int i = 0; i < 10'000'000 && !std::filesystem::exists(unfinished); ++i) std::this_thread::yield();
    process.signal(SIGKILL);
    process.wait();
  }
  CHECK(run(folder.path, words("part")).status == 0);
  for (const char* file : {"model.safetensors", "results.jsonl"}) {
    const bool same = read_file(folder / str("part/", file)) == read_file(folder / str("whole/", file));
    CHECK(same);
  }
  CHECK_FALSE(std::filesystem::exists(unfinished));
}

TEST_CASE("program: a signal ends a test within a second, and what was trained is kept") {
  const TemporaryFolder folder;
  const Words words = {"train", "--task",          "sort", "--scheme",       "none", "--layers",
                       "2",     "--steps",         "1",    "--out",          "run",  "--threads",
                       "1",     "--train-lengths", "4",    "--test-lengths", "400",  "--test-examples",
                       "20000"};
  for (const int signal : {SIGINT, SIGTERM}) {
    const Process process(folder.path, words);
    for (int i = 0; i < 20'000 && !std::filesystem::exists(folder / "run/model.safetensors"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const std::string model = read_file(folder / "run/model.safetensors");
    const auto start = std::chrono::steady_clock::now();
    process.signal(signal);
    const Finished finished = process.wait();
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
    CHECK(finished.status == -signal);
    CHECK(
        finished.err.ends_with("locus: [train] interrupted while testing; the trained model is saved in run. "
                               "Hint: the same command tests it\n"));
    CHECK(read_file(folder / "run/model.safetensors") == model);
    std::filesystem::remove_all(folder / "run");
  }
}

TEST_CASE("program: a signal that was ignored when the program started stays ignored") {
  const TemporaryFolder folder;
  const Words words = {"train", "--task", "sort", "--scheme", "none", "--steps", "100", "--out", "run"};
  const Process process(folder.path, words, [] { std::signal(SIGINT, SIG_IGN); });
  for (int i = 0; i < 20'000 && !std::filesystem::exists(folder / "run/.lock"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (int i = 0; i < 20; ++i) {
    process.signal(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(process.wait().status == 0);
}

TEST_CASE("program: an instruction that this processor lacks ends in one line") {
  const TemporaryFolder folder;
  const Process process(folder.path,
                        {"train", "--task", "sort", "--scheme", "none", "--steps", "100000", "--out", "run"});
  for (int i = 0; i < 20'000 && !std::filesystem::exists(folder / "run"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.signal(SIGILL);
  const Finished finished = process.wait();
  CHECK(finished.status == 1);
  CHECK(finished.err == "locus: built for another processor: `make clean && make`\n");
}

namespace {

// 80 cells of some ten milliseconds each.
Words many_cells(const std::string& out) {
  return {"ablate",    "--tasks",
          "before",    "sort",
          "--schemes", "none,rope",
          "--seeds",   "20",
          "--out",     out,
          "--layers",  "1",
          "--d-model", "8",
          "--batch",   "8",
          "--steps",   "100",
          "--full",    "--train-lengths",
          "6",         "--test-lengths",
          "6",         "--test-examples",
          "16",        "--jobs",
          "1",         "--no-aa"};
}

}  // namespace

TEST_CASE(
    "program: an ablation that is interrupted keeps what is done, and the same command goes on to the same "
    "bytes") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, many_cells("whole")).status == 0);
  const std::string results = folder / "part/results.jsonl";
  for (const int signal : {SIGKILL, SIGINT}) {
    CAPTURE(signal);
    const auto cells = [&] {  // common lines are none
      std::vector<std::string> lines =
          split(std::filesystem::exists(results) ? read_file(results) : "", '\n');
      lines.pop_back();  // what follows the last line break
      return std::ranges::count_if(lines, [](auto& line) { return !line.starts_with("{\"format\""); });
    };
    const auto before = cells();
    const Process process(folder.path, many_cells("part"));
    for (int i = 0; i < 20'000 && cells() == before; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    process.signal(signal);
    const Finished finished = process.wait();
    CAPTURE(finished.err);
    CHECK(finished.status == -signal);
    if (signal == SIGINT)
      CHECK(
          finished.err.ends_with("locus: [ablate] interrupted; the cells that are done are kept in part. "
                                 "Hint: the same command goes on from there\n"));
    CHECK(cells() < 80);
  }
  const Finished rest = run(folder.path, many_cells("part"));
  CHECK(rest.status == 0);
  CHECK(rest.err.find(" of 80 cells were done before") != std::string::npos);
  CHECK(read_file(results) == read_file(folder / "whole/results.jsonl"));
}

TEST_CASE(
    "program: an ablation killed at random moments, again and again, ends in the bytes of one left alone") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, many_cells("whole")).status == 0);
  Random random(12, Purpose::testing);
  for (int kill = 0; kill < 6; ++kill) {
    const Process process(folder.path, many_cells("part"));
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(200)));
    process.signal(SIGKILL);
    process.wait();
  }
  REQUIRE(run(folder.path, many_cells("part")).status == 0);
  CHECK(read_file(folder / "part/results.jsonl") == read_file(folder / "whole/results.jsonl"));
}

TEST_CASE(
    "program: a recalibrating ablation, killed, in parts or by its plan, ends in the bytes of one left "
    "alone") {
  const TemporaryFolder folder;
  const auto words = [](const std::string& out) {
    return Words{"ablate",    "--tasks",   "sort",          "--trained-as", "rope",
                 "--schemes", "rope,none", "--recalibrate", "0,7,60",       "--seeds",
                 "2",         "--no-aa",   "--keep",        "--out",        out} +
           tiny;
  };
  REQUIRE(run(folder.path, words("whole")).status == 0);
  const auto files_of = [&](const std::string& out) {  // of results and models, without their folder
    std::map<std::string, std::string> files;
    for (const auto& [path, bytes] : contents(folder / out))
      if (path.ends_with(".safetensors") || path.ends_with("/results.jsonl"))
        if (path.find("/parts/") == path.npos) files[path.substr((folder / out).size())] = bytes;
    return files;
  };
  const auto whole = files_of("whole");
  CHECK(whole.size() == 12 + 1);
  Random random(13, Purpose::testing);
  for (int kill = 0; kill < 6; ++kill) {
    const Process process(folder.path, words("killed"));
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(150)));
    process.signal(SIGKILL);
    process.wait();
  }
  REQUIRE(run(folder.path, words("killed")).status == 0);
  CHECK(files_of("killed") == whole);
  for (const char* part : {"2/3", "1/3", "3/3"})
    REQUIRE(run(folder.path, words("shards") + Words{"--shard", part}).status == 0);
  REQUIRE(run(folder.path, words("shards") + Words{"--jobs", "2"}).status == 0);
  CHECK(files_of("shards") == whole);
  REQUIRE(
      run_shell(folder.path, "$LOCUS " + join(words("plan"), " ") + " --plan | xargs -P 2 -I{} sh -c '{}'")
          .status == 0);
  REQUIRE(run(folder.path, words("plan")).status == 0);
  CHECK(files_of("plan") == whole);

  const std::string model =
      "whole/models/sort/"
      "none-encoder-seed1_layers=1_d-model=8_batch=8_steps=4_train-lengths=6_trained-as=rope_"
      "recalibrate=60";
  REQUIRE(run(folder.path, {"eval", model}).out.starts_with("none on sort, after 64 steps"));
  CHECK(run(folder.path, {"train", "--from", model, "--out", "further"}).status == 0);
}
#endif
