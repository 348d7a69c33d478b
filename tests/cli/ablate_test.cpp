// Ablations by command: presets, parts, plans, models that are kept, the page.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>

#include <algorithm>

#include "../support/temporary_folder.h"
#include "ablation/results.h"
#include "io/json.h"
#include "playground.h"

using namespace locus;

TEST_CASE("program: an ablation does not go on with a table that has changed") {
  const TemporaryFolder folder;
  const std::string rows = read_file("datasets/before_after.tsv"), table = folder / "table.tsv";
  const auto ablation = [&](const std::string& seeds) {
    return run(folder.path, {"ablate", "--datasets", "table.tsv", "--schemes", "none", "--seeds", seeds,
                             "--layers", "1", "--d-model", "8", "--steps", "4", "--no-aa", "--out", "cells"});
  };
  write_file_atomically(table, rows);
  REQUIRE(ablation("1").status == 0);
  const std::string results = folder / "cells/results.jsonl", one = read_file(results);
  const std::string fingerprint = read_records({folder / "cells"}).results.front().outcome.table;
  CHECK(fingerprint.starts_with("1080 rows, hash "));
  write_file_atomically(table, rows.substr(0, rows.rfind('\n', rows.size() - 2) + 1));
  const Finished changed = ablation("1");
  CHECK(changed.status == 1);
  check_is_one_line(changed.err);
  CHECK(
      changed.err.starts_with(str("locus: [cells/results.jsonl:2] table.tsv has changed since this cell was "
                                  "trained: it had ",
                                  fingerprint, ", and now has 1079 rows, hash ")));
  CHECK(read_file(results) == one);
}

TEST_CASE("program: an ablation in which every run diverged ends in status 1") {
  const TemporaryFolder folder;
  const Words words = {"ablate", "--tasks",         "sort", "--schemes", "none",    "--steps",
                       "60",     "--layers",        "1",    "--d-model", "8",       "--batch",
                       "4",      "--test-examples", "16",   "--no-aa",   "--seeds", "1"};
  CHECK(run(folder.path, words + Words{"--lr", "1000", "--out", "a"}).status == 1);
  CHECK(run(folder.path, words + Words{"--lr", "1000,0.001", "--out", "b"}).status == 0);
}

TEST_CASE(
    "program: a plan is a command for each cell; run by xargs, two at a time, it gives the bytes of one "
    "run") {
  const TemporaryFolder folder;
  const Words words = ablate("cells") + Words{"--control", "rope"};
  REQUIRE(run(folder.path, words).status == 0);
  const auto whole = contents(folder / "cells");
  std::filesystem::remove_all(folder / "cells");

  const Finished plan = run(folder.path, words + Words{"--plan"});
  CHECK(std::count(plan.out.begin(), plan.out.end(), '\n') == 8);
  CHECK(plan.out.starts_with(str(program_path(), " ablate --tasks before sort --schemes none,rope ")));
  CHECK(plan.out.find("--control rope --shard 1/8  # before with none, seed 1\n") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder / "cells"));

  REQUIRE(
      run_shell(folder.path, "$LOCUS " + join(words, " ") + " --plan | xargs -P 2 -I{} sh -c '{}'").status ==
      0);
  CHECK_FALSE(std::filesystem::exists(folder / "cells/results.jsonl"));
  const Finished merged = run(folder.path, words);
  CHECK(merged.err.find("8 of 8 cells were done before") != std::string::npos);
  CHECK(read_file(folder / "cells/results.jsonl") == whole.at(folder / "cells/results.jsonl"));
}

TEST_CASE("program: parts that ran apart give the bytes of one run, and what is missing is trained") {
  const TemporaryFolder folder;
  const auto report_of = [&](const Words& folders) {  // without times, and where the page is
    for (const std::string& one : folders) std::filesystem::remove(folder / (one + "/timings.jsonl"));
    const std::string out = run(folder.path, Words{"report"} + folders).out;
    return out.substr(0, out.find("page in "));
  };
  REQUIRE(run(folder.path, ablate("whole")).status == 0);
  const std::string whole_report = report_of({"whole"});
  for (const char* shard : {"1/3", "3/3"}) {
    const Finished part = run(folder.path, ablate("cells") + Words{"--shard", shard});
    CHECK(part.status == 0);
    CHECK(part.out.starts_with(str("part ", shard[0], " of 3 is done: ")));
    CHECK(part.err.find(str(" cells of part ", shard[0], " of 3 in ")) != std::string::npos);
  }
  CHECK(run(folder.path, ablate("cells")).err.find("5 of 8 cells were done before") != std::string::npos);
  CHECK(read_file(folder / "cells/results.jsonl") == read_file(folder / "whole/results.jsonl"));

  REQUIRE(run(folder.path, ablate("cells") + Words{"--shard", "2/3"}).status == 0);
  CHECK(report_of({"cells/parts/1-of-3", "cells/parts/2-of-3", "cells/parts/3-of-3"}) == whole_report);
  const FolderLock lock(folder / "cells/parts/1-of-3");
  CHECK(run(folder.path, ablate("cells") + Words{"--shard", "1/3"}).err.find("another process is writing") !=
        std::string::npos);
}

TEST_CASE("program: a part of what is on record is shown from there, and nothing is trained or changed") {
  const Playground& folder = playground();
  const auto before = contents(folder / "ablation");
  const Words rope = {"ablate",  "--tasks", "sort",  "--schemes", "none,rope",
                      "--seeds", "2",       "--out", "ablation",  "--no-aa"};
  const Finished part = run(folder.path, rope + tiny);
  CHECK(part.status == 0);
  CHECK(part.out.find("\nsort\n") != std::string::npos);
  CHECK(part.out.find("\nbefore\n") == std::string::npos);
  CHECK(part.out.ends_with("read from ablation/results.jsonl, which holds more; nothing was trained\n"));
  const Finished keep = run(folder.path, rope + tiny + Words{"--keep"});
  CHECK(keep.status == 2);
  CHECK(keep.err.find("ablation has the results of these cells among others, and not all their models") !=
        std::string::npos);
  CHECK(contents(folder / "ablation") == before);
}

TEST_CASE("program: ablations with different options have folders of their own, more seeds go to the same") {
  const TemporaryFolder folder;
  const Words words = {"ablate", "--tasks", "before", "--schemes", "none,rope", "--no-aa"};
  const auto folder_of = [&](const Words& more) {
    const std::string out = run(folder.path, words + tiny + more).out;
    const std::size_t start = out.find("results in ") + 11;
    return out.substr(start, out.find("/results.jsonl") - start);
  };
  const std::string name = "runs/ablation_tasks=before_schemes=none,rope_layers=1_d-model=8_batch=8_steps=4_";
  const std::string rest = "train-lengths=6_test-lengths=6,9_test-examples=16";
  CHECK(folder_of({"--seeds", "1"}) == name + rest);
  CHECK(folder_of({"--seeds", "2", "--jobs", "1"}) == name + rest);
  CHECK(folder_of({"--seeds", "1", "--lr", "0.01"}) == name + "lr=0.01_" + rest);
}

TEST_CASE("program: a preset gives what is not given otherwise; sizes and rates can be lists") {
  const TemporaryFolder folder;
  const auto cells = [&](const Words& words) {
    const std::string out = run(folder.path, Words{"ablate", "--plan"} + words).out;
    return std::count(out.begin(), out.end(), '\n');
  };
  const Words small = {"--tasks", "before", "--schemes", "none", "rope", "--seeds", "2", "--no-aa"};
  CHECK(cells(small) == 4);
  CHECK(cells(small + Words{"--lr", "0.01,0.02", "--d-model", "8,16,32"}) == 24);
  CHECK(cells({"--tasks", "before", "--schemes", "none", "rope", "--seeds", "11-20", "--no-aa"}) == 20);
  CHECK(cells(small + Words{"--model", "encoder,decoder"}) == 8);
  CHECK(cells({"--tasks", "before", "--model", "gru", "--seeds", "1"}) == 4);
  CHECK(cells({"--preset", "quick"}) == 3 * (4 * 3 + 3));
  CHECK(cells({"--preset", "quick", "--schemes", "rope", "none"}) == 3 * (2 * 3 + 3));
  CHECK(cells({"--preset", "quick", "--scheme-by-layer", "rope none"}) == 3 * 3);
  CHECK(cells({"--preset", "quick", "--tasks", "sort", "--no-aa"}) == 4 * 3);
  CHECK(cells({"--preset", "mixtures"}) == 3 * 6 * 3);
  CHECK(cells({"--preset", "mixtures", "--schemes", "rope", "--tasks", "sort"}) == 3);
  CHECK(cells(small + Words{"--trained-as", "rope", "--recalibrate", "0,5,20", "--recalibrate-lr",
                            "0.001,0.003"}) == 2 * 2 * (1 + 2 * 2));
  check_refused(2, {"ablate", "--preset", "quik"},
                "[ablate] there is no preset 'quik'. Hint: did you mean 'quick'?");
  check_refused(2, Words{"ablate"} + small + Words{"--lr", "0.01,0.01", "--out", "new"},
                "[ablate] 'none' on before is asked for twice");
  check_refused(2, Words{"ablate"} + small + Words{"--plan", "--shard", "1/2"},
                "[ablate] both --plan and --shard are given");
  check_refused(2, Words{"ablate"} + small + Words{"--shard", "1/5"},
                "[ablate] there are 4 cells, too few for 5 parts");
}

TEST_CASE("program: training lengths are an axis, whose values are lengths, ranges and lists") {
  const TemporaryFolder folder;
  const Words words = {"ablate", "--tasks",         "first",     "--schemes",      "rope", "--seeds",
                       "2",      "--train-lengths", "8;4-8;4,8", "--test-lengths", "8,12", "--layers",
                       "1",      "--d-model",       "8",         "--batch",        "8",    "--steps",
                       "4",      "--test-examples", "16"};
  const Finished finished = run(folder.path, words + Words{"--out", "diets"});
  CHECK(finished.status == 0);
  for (const char* row : {"rope (train_lengths=8)", "rope (train_lengths=4-8)", "rope (train_lengths=4,8)"})
    CHECK(finished.out.find(row) != std::string::npos);
  const std::string results = read_file(folder / "diets/results.jsonl");
  CHECK(std::count(results.begin(), results.end(), '\n') == 1 + 6);
  CHECK(results.find(R"("train_lengths":{"only":[4,8]})") != std::string::npos);
  const std::string page = read_file(folder / "diets/report.html");
  CHECK(page.find("--train-lengths 4-8") != page.npos);
  CHECK(page.find("--train-lengths 4,8") != page.npos);

  // Two processes, half of the cells each, give the same bytes.
  for (const char* part : {"1/2", "2/2"})
    CHECK(run(folder.path, words + Words{"--out", "apart", "--shard", part}).status == 0);
  CHECK(run(folder.path, words + Words{"--out", "apart"}).status == 0);
  CHECK(read_file(folder / "apart/results.jsonl") == results);

  check_refused(2, {"ablate", "--train-lengths", "8;;4"}, "--train-lengths '' is not a range of lengths");
  check_refused(2, {"ablate", "--train-lengths", "8;4,x"}, "'x'");
  check_refused(2, {"ablate", "--train-lengths", "8;4,4;4"}, "is asked for twice");
  check_refused(2, {"train", "--task", "first", "--scheme", "rope", "--train-lengths", "4;8"},
                "--train-lengths '4;8' is not a range of lengths");
}

TEST_CASE("program: of several learning rates the best for each scheme is chosen; a program reads CSV") {
  const TemporaryFolder folder;
  const Words rates = {"ablate",    "--tasks",        "before", "--schemes",
                       "none,rope", "--seeds",        "2",      "--layers",
                       "1",         "--d-model",      "8",      "--batch",
                       "8",         "--steps",        "50",     "--train-lengths",
                       "6",         "--test-lengths", "6,9",    "--test-examples",
                       "16",        "--no-aa",        "--lr",   "0.001,0.01",
                       "--out",     "cells"};
  const Finished all = run(folder.path, rates);
  REQUIRE(all.status == 0);
  CHECK(all.err.find("warning: for 2 of 2 choices the best learning rate is the smallest or the largest") !=
        std::string::npos);  // of two rates, each is at the edge
  const auto rows = split(run(folder.path, {"report", "cells", "--csv"}).out, '\n');
  REQUIRE(rows.size() == 2 + 2 * 2 * 2 * 2);  // a header, schemes, rates, seeds, lengths, and the end
  CHECK(
      rows[0] ==
      "task,scheme,model,seed,learning_rate,parameters,steps,steps_to_solve,status,length,trained,"
      "token_accuracy,exact_match,loss,order_blind_ceiling,mirror_blind_ceiling,window_ceiling,no_input_baseline,"
      "unigram_loss,bigram_loss,examples");
  CHECK(rows[1].starts_with("before,none,encoder,1,0.001,"));
  CHECK(split(rows[1], ',').size() == split(rows[0], ',').size());
  CHECK(run(folder.path, {"report", "cells", "--csv", "--control", "none"}).status == 2);
  const Finished best = run(folder.path, {"report", "cells", "--best-lr"});
  CHECK(best.out.find("learning rate chosen for each scheme and task among 2, of equal steps and seeds") !=
        std::string::npos);
  CHECK(best.out.find("\n  before with rope, encoder: 0.0") != std::string::npos);
  CHECK(best.out.find(" tried)\n") != std::string::npos);
  CHECK(best.err.find("warning: for 2 of 2 choices") != std::string::npos);
  const Words wider = rates + Words{"--fresh"};
  Words two_widths = wider;
  *std::ranges::find(two_widths, "8") = "8,16";
  REQUIRE(run(folder.path, two_widths).status == 0);
  const std::string named = run(folder.path, {"report", "cells", "--best-lr"}).out;
  for (const char* width : {"8", "16"})
    CHECK(named.find(str("\n  before with rope, encoder, --d-model ", width, ": 0.0")) != std::string::npos);
  REQUIRE(run(folder.path, wider).status == 0);
  // Of each scheme and seed the one rate that was chosen, at two lengths.
  CHECK(split(run(folder.path, {"report", "cells", "--best-lr", "--csv"}).out, '\n').size() == 2 + 2 * 2 * 2);
  check_refused(1, {"report", "ablation", "--best-lr"}, "[report] no runs differ in the learning rate alone");
}

TEST_CASE("program: --fresh begins anew, and keeps what was there beside it") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, train("before", "none", "a")).status == 0);
  const auto old = contents(folder / "a");
  const Words other = train("before", "none", "a") + Words{"--seed", "2"};
  CHECK(run(folder.path, other).err.find("or --fresh, which keeps the old run beside it") !=
        std::string::npos);
  CHECK(run(folder.path, other + Words{"--fresh"}).status == 0);
  CHECK(run(folder.path, train("before", "rope", "a") + Words{"--fresh"}).status == 0);
  CHECK(std::filesystem::exists(folder / "a.2/results.jsonl"));
  for (const char* file : {"model.safetensors", "results.jsonl"})
    CHECK(read_file(folder / str("a.1/", file)) == old.at(folder / str("a/", file)));

  REQUIRE(run(folder.path, ablate("cells")).status == 0);
  const std::string cells = read_file(folder / "cells/results.jsonl");
  CHECK(run(folder.path, ablate("cells") + Words{"--lr", "0.5", "--fresh"}).status == 0);
  CHECK(read_file(folder / "cells.1/results.jsonl") == cells);
  const FolderLock lock(folder / "a");
  const Finished locked = run(folder.path, other + Words{"--fresh"});
  CHECK(locked.status == 1);
  CHECK(locked.err.find("another process is writing to this folder") != std::string::npos);
  check_refused(2, ablate("new") + Words{"--fresh", "--plan"}, "[ablate] --fresh has no effect with --plan");
}

TEST_CASE("program: --fresh renames a folder of runs alone, and leaves no lock elsewhere") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "project/sub");
  write_file_atomically(folder / "project/notes.txt", "mine");
  for (const char* place : {"..", ".", "../../project", "../sub/.."}) {
    const Finished refused = run(folder / "project/sub", Words{"train", "--task", "before", "--scheme",
                                                               "none", "--fresh", "--out", place});
    CHECK(refused.status == 1);
    CHECK(refused.err.find("in which you are, or one above it, and is not renamed. Hint: --fresh keeps") !=
          std::string::npos);
  }
  const Finished refused = run(folder.path, ablate("project") + Words{"--fresh"});
  CHECK(refused.status == 1);
  CHECK(refused.err.find("[project] it holds no run and no ablation, and is not renamed") !=
        std::string::npos);
  for (const char* lock : {"project/.lock", "project/sub/.lock", ".lock"})
    CHECK_FALSE(std::filesystem::exists(folder / lock));
  CHECK_FALSE(std::filesystem::exists(folder / "project.1"));
}

TEST_CASE("program: ablate takes a table whose path holds a space") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "my tables");
  std::filesystem::copy_file("datasets/who_chased_whom.tsv", folder / "my tables/who.tsv");
  const Finished done =
      run(folder.path, {"ablate", "--datasets", "my tables/who.tsv", "--schemes", "none,rope", "--seeds", "1",
                        "--no-aa", "--steps", "2", "--d-model", "8", "--batch", "4", "--out", "cells"});
  CHECK(done.err.find("Hint") == std::string::npos);
  CHECK(done.status == 0);
}

TEST_CASE(
    "program: ablate --keep keeps the model of each cell, which is that of train, also when taken up or in "
    "parts") {
  const TemporaryFolder folder;
  const auto models = [&](const std::string& out) {
    std::map<std::string, std::string> files;
    for (const auto& [path, bytes] : contents(folder / out))
      if (path.ends_with(".safetensors")) files[path.substr((folder / out).size())] = bytes;
    return files;
  };
  const Finished kept = run(folder.path, ablate("kept") + Words{"--keep"});
  REQUIRE(kept.status == 0);
  CHECK(kept.out.find("models in kept/models, such as: `locus attend kept/models/before/none-") !=
        kept.out.npos);
  const auto expected = models("kept");
  CHECK(expected.size() == 8);
  const std::string page = read_file(folder / "kept/report.html");
  for (const auto& [path, bytes] : expected) {
    const std::string model = "kept" + path.substr(0, path.rfind('/'));
    for (const char* command : {"ask", "attend", "eval"})
      CHECK(run(folder.path, command == std::string("ask") ? Words{command, model, "--failures", "1"}
                                                           : Words{command, model})
                .status == 0);
    CHECK(page.find("locus attend") != page.npos);
  }
  REQUIRE(run(folder.path, train("sort", "rope", "alone")).status == 0);
  CHECK(std::ranges::count(expected, read_file(folder / "alone/model.safetensors"),
                           &std::pair<const std::string, std::string>::second) == 1);

  // Taken up where models are missing, begun without --keep, and in parts: the same models, and results as they were.
  const std::string results = read_file(folder / "kept/results.jsonl");
  REQUIRE(run(folder.path, ablate("later")).status == 0);
  CHECK(models("later").empty());
  CHECK(read_file(folder / "later/report.html").find("locus attend") == std::string::npos);
  REQUIRE(run(folder.path, ablate("later") + Words{"--keep"}).status == 0);
  for (const char* part : {"1/2", "2/2"})
    REQUIRE(run(folder.path, ablate("parts") + Words{"--keep", "--shard", part}).status == 0);
  REQUIRE(run(folder.path, ablate("parts") + Words{"--keep"}).status == 0);
  std::filesystem::remove_all(folder / "kept/models/sort");
  REQUIRE(run(folder.path, ablate("kept") + Words{"--keep"}).status == 0);
  for (const char* out : {"kept", "later", "parts"}) {
    CHECK(models(out) == expected);
    CHECK(read_file(folder / (std::string(out) + "/results.jsonl")) == results);
  }
}

TEST_CASE(
    "program: report --out writes its page where it is wanted, also of a folder that cannot be written") {
  const TemporaryFolder folder;
  const std::string results = playground().path + "/ablation";
  const auto before = contents(results);
  const Finished finished = run(folder.path, {"report", results, "--out", "mine.html"});
  CHECK(finished.status == 0);
  CHECK(finished.err == "");
  CHECK(read_file(folder / "mine.html") == read_file(results + "/report.html"));
  CHECK(contents(results) == before);
}

TEST_CASE("program: figures are written where they are asked for") {
  const TemporaryFolder folder;
  for (const char* spec : {"sinusoidal", "rope", "alibi", "t5", "learned:capacity=16"}) {
    CHECK(run(folder.path, {"inspect", spec, "--svg", "a.svg"}).out.ends_with("figure in a.svg\n"));
    CHECK(read_file(folder / "a.svg").starts_with("<svg "));
  }
  CHECK(run(playground().path, {"report", "ablation", "--svg", folder / "b.svg"}).status == 0);
  CHECK(read_file(folder / "b.svg").find(">sort</text>") != std::string::npos);
}

TEST_CASE("program: the page stands beside the results, and its command makes them again") {
  const TemporaryFolder folder;
  const Words grid = Words{"ablate",  "--tasks", "before", "--schemes", "none", "rope:base=50,layout=half",
                           "--seeds", "2",       "--out",  "first"} +
                     tiny;
  REQUIRE(run(folder.path, grid).status == 0);
  const std::string page = read_file(folder / "first/report.html");
  CHECK(page.find("2 schemes, one of them <b data-series=\"none\">none</b>, were trained on 1 small task") !=
        std::string::npos);
  std::filesystem::remove(folder / "first/report.html");
  const Finished report = run(folder.path, {"report", "first"});
  CHECK(report.status == 0);
  CHECK(report.out.find("first/report.html") != std::string::npos);
  CHECK(read_file(folder / "first/report.html") == page);

  const std::size_t start = page.find("<code>build/locus ") + 18, end = page.find("</code>", start);
  std::string command = page.substr(start, end - start);
  Words words;
  for (const std::string& word : split(command, ' '))
    if (!word.empty()) words.push_back(word);
  REQUIRE(run(folder.path, words + Words{"--out", "second"}).status == 0);
  CHECK(read_file(folder / "second/results.jsonl") == read_file(folder / "first/results.jsonl"));

  CHECK(run(folder.path, {"report", "first", "--control", "rope:base=50,layout=half"}).status == 0);
  CHECK(read_file(folder / "first/report.html").find("Difference from rope:base=50,layout=half") !=
        std::string::npos);
}
#endif
