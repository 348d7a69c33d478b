// Training by command: runs, their folders, tables, what goes on from another run.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "../support/temporary_folder.h"
#include "ablation/results.h"
#include "base/random.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "playground.h"

using namespace locus;

namespace {

Json result_in(const std::string& folder) { return to_json(read_records({folder}).results.front()); }

}  // namespace

TEST_CASE("program: a scheme takes the place of the trained one only if it has the same parameters") {
  const std::string clue =
      "[good/model.safetensors] it holds no tensor 'position.table', which the model has. Hint: the run was "
      "trained "
      "with 'none'; 'learned' can replace it only if it has the same parameters";
  check_refused(1, {"eval", "good", "--scheme", "learned"}, clue);
  check_refused(1, {"train", "--from", "good", "--scheme", "learned", "--out", "new"}, clue);
  check_refused(2, {"eval", "good", "--scheme-by-layer", "none rope"},
                "[scheme] 2 schemes are to take turns");

  const TemporaryFolder folder;
  REQUIRE(
      run(folder.path,
          split("train --task previous --scheme rope --layers 1 --d-model 16 --steps 400 --full --lr 0.01 "
                "--out run --train-lengths 6 --test-lengths 6 --test-examples 100",
                ' '))
          .status == 0);
  const std::string before = read_file(folder / "run/model.safetensors");
  const std::string rope = run(folder.path, {"eval", "run"}).out;
  const Finished slower = run(folder.path, {"eval", "run", "--scheme", "rope:base=2"}),
                 none = run(folder.path, {"eval", "run", "--scheme", "none"});
  CHECK(slower.out.starts_with("rope:base=2 on previous, after 400 steps with rope\n"));
  CHECK(none.out.starts_with("none on previous, after 400 steps with rope\n"));
  const auto table = [](const std::string& out) { return out.substr(out.find("\n\n")); };
  CHECK(table(slower.out) != table(rope));
  CHECK(table(none.out) != table(rope));
  CHECK(table(none.out) != table(slower.out));
  CHECK(table(run(folder.path, {"eval", "run", "--scheme", "rope:base=10000"}).out) == table(rope));
  CHECK(read_file(folder / "run/model.safetensors") == before);
}

TEST_CASE("program: --from goes on with the parameters of another run, and begins all else anew") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, train("before", "rope:base=100", "first") + Words{"--seed", "5", "--d-ff", "12"})
              .status == 0);
  const Words words = {"train", "--from", "first",   "--scheme", "rope:base=500", "--lr", "1e-9",
                       "--out", "second", "--steps", "1"};
  const Finished second = run(folder.path, words);
  CHECK(second.status == 0);
  CHECK(second.out.starts_with("rope:base=500 on before: encoder, from first, "));

  const SafetensorsFile start = read_safetensors(folder / "first/model.safetensors"),
                        end = read_safetensors(folder / "second/model.safetensors");
  CHECK(end.metadata_value("step") == "1");
  for (const auto& entry : start.tensors) {
    const std::string& name = entry.first;  // clang 14 captures no structured bindings
    if (name.starts_with("optimizer.")) continue;
    CAPTURE(name);
    const Reals &was = entry.second.values, &is = end.tensors.at(name).values;
    bool same = is.size() == was.size();  // but for the one step of next to no size
    for (std::size_t i = 0; i < was.size(); ++i) same = same && std::abs(is[i] - was[i]) < 1e-6F;
    CHECK(same);
  }
  const Json was = result_in(folder / "first"), is = result_in(folder / "second");
  for (const char* key : {"task", "dataset", "model", "seed", "layers", "heads", "d_model", "d_ff", "batch",
                          "train_lengths", "test_lengths", "test_examples", "parameters"})
    CHECK(*is.find(key) == *was.find(key));
  CHECK(is.string("from", "") == "first");
  CHECK(was.find("from") == nullptr);
  CHECK(is.string("scheme", "") == "rope:base=500");
  CHECK(is.integer("steps", "") == 1);

  const auto files = contents(folder.path);
  CHECK(run(folder.path, words).out == second.out);  // done before: nothing is trained again
  CHECK(contents(folder.path) == files);
  CHECK(run(folder.path, {"report", "first", "second"}).status == 0);

  CHECK(run(folder.path,
            {"train", "--from", "second", "--task", "before", "--train-lengths", "7", "--out", "third"})
            .status == 0);
  const Json third = result_in(folder / "third");
  CHECK(third.string("scheme", "") == "rope:base=500");
  CHECK(third.member("test_lengths", "") == was.member("test_lengths", ""));
  CHECK(third.array("train_lengths", "").front() == Json(7));
}

TEST_CASE("program: --from and what contradicts the run it names is refused") {
  const auto from = [](const std::string& run, const Words& more) {
    return Words{"train", "--from", run, "--out", "new"} + more;
  };
  check_refused(2, from("good", {"--d-model", "16"}),
                "[train] --d-model 16 is asked for, but the run in good has --d-model 8. Hint: leave it out");
  check_refused(2, from("good", {"--layers", "2"}),
                "[train] --layers 2 is asked for, but the run in good has --layers 1");
  check_refused(2, from("good", {"--heads", "4"}),
                "[train] --heads 4 is asked for, but the run in good has --heads 2");
  check_refused(2, from("good", {"--d-ff", "8"}),
                "[train] --d-ff 8 is asked for, but the run in good has --d-ff 32");
  check_refused(2, from("good", {"--model", "decoder"}),
                "[train] --model decoder is asked for, but the run in good has --model encoder");
  check_refused(2, from("good", {"--task", "sort", "--dataset", dataset()}), "[train] give either --task");
  check_refused(2, {"train", "--from", "good"}, "[train] --out DIR is missing");
  check_refused(
      2, from("good", {"--task", "sort"}),
      "[train] the tokens of 'sort' are not those of 'before', on which the run in good was trained");
  check_refused(2, from("good", {"--dataset", dataset()}),
                "[train] the tokens of 'before_after' are not those");
  check_refused(1, from("nowhere", {}), "[nowhere] there is no such folder");
  check_refused(1, from("truncated", {}), "[truncated/model.safetensors: ");
  check_refused(1, {"train", "--from", "good", "--out", "good"},
                "[good] it holds a run with no --from, but --from good is asked for");
}

TEST_CASE("program: a run notices when its table is changed or moved") {
  const TemporaryFolder folder;
  const std::string rows = read_file("datasets/before_after.tsv"), moved = folder / "moved.tsv",
                    table = folder / "table.tsv";
  const auto train_on = [&](const std::string& file, const Words& more) {
    return run(folder.path, Words{"train", "--dataset", file, "--scheme", "none", "--layers", "1",
                                  "--d-model", "8", "--steps", "4", "--out", "run"} +
                                more);
  };
  const auto scores = [](const Finished& finished) { return finished.out.substr(finished.out.find("\n\n")); };
  write_file_atomically(table, rows);
  REQUIRE(train_on("table.tsv", {}).status == 0);
  const Finished eval = run(folder.path, {"eval", "run"});
  CHECK(eval.status == 0);
  CHECK(eval.err.starts_with("3/3 lengths tested in "));
  CHECK(eval.err.find("warning") == eval.err.npos);

  // A renamed word: refused, and both words are named. A deleted row: tested, and said.
  const auto files = contents(folder / "run");
  write_file_atomically(table, std::regex_replace(rows, std::regex("\\bfilm\\b"), "movie"));
  for (const Words& words : {Words{"eval", "run"}, Words{"attend", "run"}}) {
    const Finished renamed = run(folder.path, words);
    CHECK(renamed.status == 1);
    CHECK(renamed.out == "");
    CHECK(renamed.err ==
          "locus: [table.tsv] the model was trained without the word 'movie'. Hint: it knows 'film', which "
          "the table "
          "lacks: was a word renamed?\n");
  }
  write_file_atomically(table, rows.substr(0, rows.rfind('\n', rows.size() - 2) + 1));
  const Finished shorter = run(folder.path, {"eval", "run"});
  CHECK(shorter.status == 0);
  CHECK(shorter.err.starts_with(
      "locus: warning: the table 'table' has changed since training: it had 1080 rows, hash "));
  CHECK(shorter.err.find("and now has 1079 rows, hash ") != std::string::npos);
  const Finished trained = train_on("table.tsv", {});
  CHECK(trained.status == 1);
  CHECK(trained.err.starts_with("locus: [run] the table 'table' has changed since training"));
  CHECK(contents(folder / "run") == files);

  // A table that was moved.
  write_file_atomically(table, rows);
  std::filesystem::rename(table, moved);
  for (const Words& words : {Words{"eval", "run"}, Words{"attend", "run"},
                             Words{"train", "--from", "run", "--steps", "1", "--out", "next"}}) {
    CAPTURE(typed(words));
    const Finished lost = run(folder.path, words);
    CHECK(lost.status == 1);
    CHECK(
        lost.err.find("its table table.tsv is not there. Hint: say where it is now: --dataset FILE.tsv\n") !=
        std::string::npos);
    const Finished found = run(folder.path, words + Words{"--dataset", "moved.tsv"});
    CHECK(found.status == 0);
    CHECK(found.err.find("warning") == std::string::npos);
    if (words[0] == "eval") CHECK(scores(found) == scores(eval));
  }
  CHECK(train_on("moved.tsv", {}).status == 0);
  CHECK(scores(run(folder.path, {"eval", "run"})) == scores(eval));  // now in its settings
}

TEST_CASE(
    "program: runs that are trained differently have folders of their own, named after the difference") {
  const TemporaryFolder folder;
  const auto saved_in = [&](const Words& more) {
    const Finished finished = run(folder.path, Words{"train", "--task", "before", "--scheme", "none"} + more);
    CHECK(finished.status == 0);
    const std::size_t at = finished.out.find("saved in runs/before/none-encoder-seed");
    return at == std::string::npos ? finished.err : finished.out.substr(at + 34);
  };
  const Words steps = {"--steps", "3", "--test-examples", "16"};
  CHECK(saved_in(steps) == "seed1_steps=3\n");
  CHECK(saved_in(steps + Words{"--seed", "2", "--d-model", "32"}) == "seed2_steps=3\n");  // the default
  CHECK(saved_in(steps + Words{"--d-model", "16"}) == "seed1_d-model=16_steps=3\n");      // d_ff follows
  CHECK(saved_in(steps + Words{"--d-model", "8"}) == "seed1_d-model=8_steps=3\n");
  CHECK(saved_in({"--full", "--train-lengths", "4-6", "--lr", "0.01", "--steps", "4"}) ==
        "seed1_steps=4_lr=0.01_full_train-lengths=4-6\n");
}

TEST_CASE("program: a run asked for with other tests is tested again, and not trained") {
  const TemporaryFolder folder;
  const Words words = {"train", "--task", "before", "--scheme", "none", "--steps", "3", "--out", "run"};
  const auto weights = [&] {
    const std::string bytes = read_file(folder / "run/model.safetensors");
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), 8);
    return bytes.substr(8 + header);
  };
  REQUIRE(run(folder.path, words + Words{"--test-lengths", "6", "--test-examples", "16"}).status == 0);
  const std::string first = weights();
  const Finished again = run(folder.path, words + Words{"--test-lengths", "6,9", "--test-examples", "32"});
  CHECK(again.status == 0);
  CHECK(weights() == first);
  const Json result = result_in(folder / "run");
  CHECK(result.array("exact_match", "").size() == 2);
  CHECK(result.array("examples", "").front() == Json(32));
  CHECK(run(folder.path, {"eval", "run"}).out.find("\n     9  ") != std::string::npos);
}

TEST_CASE("program: a length that is named twice is tested once") {
  const TemporaryFolder folder;
  const Words words = train("before", "none", "run");
  REQUIRE(run(folder.path, words).status == 0);
  const Finished twice = run(folder.path, {"eval", "run", "--test-lengths", "6,9,6,6"});
  CHECK(twice.status == 0);
  CHECK(twice.out == run(folder.path, {"eval", "run", "--test-lengths", "6,9"}).out);
}

TEST_CASE("program: where an answer is one token there is one accuracy") {
  const auto titles = [](const std::string& task, const std::string& model = "encoder") {
    const std::string out =
        run(playground().path, train(task, "none", task + model) + Words{"--model", model}).out;
    const std::size_t start = out.find("\n\n") + 2;
    return out.substr(start, out.find('\n', start) - start);
  };
  CHECK(titles("before") == "length  accuracy  order-blind ceiling  no-input baseline  examples");
  CHECK(titles("before", "gru").starts_with("length  accuracy  "));
  CHECK(titles("before", "decoder")
            .starts_with("length  token accuracy  exact match  "));  // it writes an end, too
  CHECK(titles("sort").starts_with("length  token accuracy  exact match  "));
}

TEST_CASE("program: the usual folder of a run is one folder, whatever its scheme holds") {
  const TemporaryFolder folder;
  const Words words = {"train", "--task", "before", "--scheme",
                       "rope:extend=longrope,factor=2,original=6,rescale=1/2"};
  CHECK(run(folder.path, words + tiny).status == 0);
  CHECK(
      std::filesystem::exists(folder /
                              "runs/before/rope_extend=longrope,factor=2,original=6,rescale=1_2-encoder-seed1"
                              "_layers=1_d-model=8_batch=8_steps=4_train-lengths=6/results.jsonl"));
  const auto folders = [&] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "runs/before"))
      names.insert(entry.path().filename());
    return names;
  };
  for (const char* last : {"1.5", "2.5"}) {  // names that no file system allows
    std::string spec = "rope:extend=longrope,factor=2,original=6,rescale=";
    for (int pair = 1; pair < 100; ++pair) spec += "1.5/";
    Words wide = tiny;
    wide[3] = "200";
    CHECK(run(folder.path, Words{"train", "--task", "before", "--scheme", spec + last, "--heads", "1"} + wide)
              .status == 0);
  }
  CHECK(folders().size() == 3);
  for (const std::string& name : folders()) {
    CHECK(name.size() <= 200);
    CHECK(name.find_first_of("\\:*?\"<>|") == name.npos);  // Windows and exFAT
  }
}

TEST_CASE("program: schemes take the layers in turn, in training, in results and when tested again") {
  const TemporaryFolder folder;
  const Words words =
      Words{"train", "--task", "before", "--scheme-by-layer", "rope:base=50,layout=half none"} +
      split("--d-model 8 --heads 1 --steps 4 --batch 8 --test-examples 16", ' ');
  const Finished first = run(folder.path, words);
  CHECK(first.status == 0);
  const std::string out =
      "runs/before/rope_base=50,layout=half_none-encoder-seed1_heads=1_d-model=8_batch=8_steps=4";
  CHECK(first.out.starts_with("rope:base=50,layout=half none on before: encoder, "));
  CHECK(first.out.ends_with(str("saved in ", out, "\n")));
  const Json result = result_in(folder / out);
  CHECK(result.string("scheme", "") == "rope:base=50,layout=half none");
  const auto files = contents(folder.path);
  CHECK(run(folder.path, words).out == first.out);
  CHECK(contents(folder.path) == files);

  const std::string again = run(folder.path, {"eval", out}).out;
  CHECK(first.out.find(again.substr(again.find("\n\n"))) != std::string::npos);
  CHECK(run(folder.path, {"eval", out, "--scheme-by-layer", "none rope"})
            .out.starts_with("none rope on before, after 4 steps with rope:base=50,layout=half none\n"));
  CHECK(run(folder.path, {"report", out}).out.find("rope:base=50,layout=half none") != std::string::npos);
  CHECK(
      run(folder.path, {"train", "--from", out, "--scheme-by-layer", "rope alibi", "--out", "next"}).status ==
      0);

  Words two_layers = tiny;
  two_layers[1] = "2";
  CHECK(
      run(folder.path, Words{"ablate", "--tasks", "before", "--schemes", "rope", "--scheme-by-layer",
                             "rope none", "none rope:base=50,layout=half", "--seeds", "1", "--out", "cells"} +
                           two_layers)
          .status == 0);
  const std::string cells = read_file(folder / "cells/results.jsonl");
  for (const char* scheme : {"rope", "rope none", "none rope:base=50,layout=half"})
    CHECK(cells.find(str("\"scheme\":\"", scheme, "\"")) != std::string::npos);
  CHECK(std::ranges::count(cells, '\n') == 1 + 3);

  const auto refused = [](const Words& more, const std::string& clue) {
    check_refused(2, Words{"train", "--task", "before", "--out", "new"} + more, clue);
  };
  refused({"--scheme", "none", "--scheme-by-layer", "rope none"},
          "[scheme] both --scheme and --scheme-by-layer are given");
  refused({"--scheme", "rope none"}, "[scheme] --scheme 'rope none' holds a space");
  refused({"--scheme-by-layer", "rope"}, "[scheme] --scheme-by-layer 'rope' names one scheme");
  refused({"--scheme-by-layer", "rope sinusoidal"}, "[scheme] 'sinusoidal' enters at the embedding stage");
  refused({"--scheme-by-layer", "rope none t5"}, "[scheme] 3 schemes are to take turns in 2 layers");
  refused({"--scheme-by-layer", "rope nope"}, "[scheme] there is no scheme 'nope'");
  refused({"--scheme-by-layer", " "}, "[scheme] ' ' holds a space too many");
}

TEST_CASE("program: recurrent models train, are tested and compared as the others are") {
  const TemporaryFolder folder;
  const Words sizes = {"--layers", "1", "--d-model",       "8", "--batch", "8",
                       "--steps",  "4", "--test-examples", "16"};
  for (const std::string model : {"rnn", "gru"})
    for (const std::string task : {"before", "reverse", "unique"}) {
      CAPTURE(model);
      CAPTURE(task);
      const std::string out = task + model;
      const Finished trained =
          run(folder.path,
              Words{"train", "--task", task, "--model", model, "--scheme", "none", "--out", out} + sizes);
      CHECK(trained.status == 0);
      CHECK(trained.out.starts_with(str("none on ", task, ": ", model, ", ")));
      const std::string again = run(folder.path, {"eval", out}).out;
      CHECK(trained.out.find(again.substr(again.find("\n\n"))) != std::string::npos);
      const Json result = result_in(folder / out);
      CHECK(result.string("model", "") == model);
      CHECK(result.member("heads", "").is_null());
      CHECK(result.member("d_ff", "").is_null());
      CHECK(run(folder.path, {"train", "--from", out, "--steps", "2", "--out", out + "more"}).status == 0);
    }
  CHECK(run(folder.path, Words{"ablate", "--tasks", "before", "reverse", "--schemes", "none,sinusoidal",
                               "--model", "gru", "--seeds", "2", "--out", "cells"} +
                             sizes)
            .status == 0);
  CHECK(run(folder.path, {"report", "cells"}).status == 0);

  const Finished unnamed =
      run(folder.path, Words{"train", "--task", "before", "--model", "gru", "--out", "unnamed"} + sizes);
  CHECK(unnamed.status == 0);
  CHECK(unnamed.out.starts_with("none on before: gru, "));
  CHECK(read_file(folder / "unnamed/results.jsonl") == read_file(folder / "beforegru/results.jsonl"));

  const auto refused = [](const Words& more, const std::string& clue) {
    check_refused(2, Words{"train", "--task", "sort", "--model", "rnn", "--out", "new"} + more, clue);
  };
  refused({"--scheme", "rope"}, "[scheme] 'rope' works inside attention, and the rnn has none");
  refused({"--scheme", "none", "--heads", "2"},
          "[model] --heads is for transformers: a rnn has no attention");
  refused({"--scheme", "none", "--d-ff", "2"}, "[model] --d-ff is for transformers: a rnn has no attention");
  refused({"--scheme", "none", "--d-model", "9"}, "[model] --d-model 9 cannot be halved");
  refused({"--scheme-by-layer", "none none"}, "[scheme] ");
  check_refused(2, {"inspect", "rope", "--model", "gru"}, "[inspect] schemes are shown in transformers");
}

TEST_CASE("program: the curve of a run is that of the same cell in an ablation, and train draws it") {
  const TemporaryFolder folder;
  Words words = train("before", "none", "run") + Words{"--svg", "loss.svg"};
  check_refused(2, words,
                "[train] --svg draws the loss every 50 steps, and there are 4 steps. Hint: give --steps 50");
  *std::ranges::find(words, "4") = "120";  // steps
  const Finished drawn = run(folder.path, words);
  REQUIRE(drawn.status == 0);
  CHECK(drawn.out.ends_with("\nsaved in run; the loss by step is drawn in loss.svg\n"));
  Words cell =
      Words{"ablate", "--tasks", "before", "--schemes", "none", "--seeds", "1", "--out", "cell"} + tiny;
  *std::ranges::find(cell, "4") = "120";
  REQUIRE(run(folder.path, cell).status == 0);
  const Curve curve = read_records({folder / "run"}).results.front().outcome.curve;
  CHECK(curve.step == std::vector{50, 100});
  CHECK(to_json(curve) == result_in(folder / "cell").member("curve", ""));
  const std::string figure = read_file(folder / "loss.svg");
  CHECK(figure.find(">none on before: ") != std::string::npos);
  CHECK(figure.find(">step</text>") != std::string::npos);
}

TEST_CASE("program: a model that holds numbers which are not finite is shown with a warning") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, train("before", "none", "run")).status == 0);
  const std::string path = folder / "run/model.safetensors";
  std::string bytes = read_file(path);
  std::uint64_t header;
  std::memcpy(&header, bytes.data(), 8);
  bytes.replace(8 + header, 4, std::string("\0\0\xC0\x7F", 4));
  write_file_atomically(path, bytes);
  for (const Words& words : {Words{"eval", "run"}, Words{"ask", "run", "1 2 A"}, Words{"report", "run"}}) {
    CAPTURE(typed(words));
    const Finished finished = run(folder.path, words);
    CHECK(finished.status == 0);
    CHECK(finished.err.starts_with("locus: warning: run/model.safetensors: 1 of the "));
  }
}

TEST_CASE("program: a finished run asked for again is not trained again, and says the same") {
  const TemporaryFolder folder;
  const Finished first = run(folder.path, train("before", "none", "run"));
  const auto files = contents(folder.path);
  const Finished second = run(folder.path, train("before", "none", "run"));
  CHECK(second.status == 0);
  CHECK(second.out == first.out);
  const std::string again = "locus: already trained, read from run: --fresh trains again\n";
  CHECK(second.err.find(again) != std::string::npos);
  CHECK(first.err.find(again) == std::string::npos);
  CHECK(contents(folder.path) == files);
  const std::string evaluated = run(folder.path, {"eval", "run"}).out;
  CHECK(first.out.find(evaluated.substr(evaluated.find("\n\n"))) != std::string::npos);  // the same table
}

TEST_CASE(
    "program: a kept run of before the program was built is told as such, and is left alone when it scores otherwise") {
  const TemporaryFolder folder;
  CHECK(run(folder.path, train("before", "none", "run")).status == 0);
  namespace fs = std::filesystem;
  fs::last_write_time(folder.path + "/run/model.safetensors",
                      fs::file_time_type::min() + std::chrono::hours(1));
  const Finished older = run(folder.path, train("before", "none", "run"));
  CHECK(older.status == 0);
  CHECK(older.err.find("already trained, before this program was built, read from run") != std::string::npos);

  // Instead of other code, another record.
  const std::string path = folder.path + "/run/results.jsonl";
  std::string record = read_file(path);
  const std::string key = "\"token_accuracy\":[";
  const std::size_t number = record.find(key) + key.size();
  record.replace(number, record.find_first_of(",]", number) - number, "0.123");
  write_file_atomically(path, record);
  const Finished changed = run(folder.path, train("before", "none", "run"));
  CHECK(changed.status == 1);
  CHECK(changed.out.empty());
  CHECK(changed.err.find("had 0.123 when it was trained: the code has changed since") != std::string::npos);
  CHECK(changed.err.find("--fresh trains it again") != std::string::npos);
  CHECK(read_file(path) == record);
  Words fresh = train("before", "none", "run");
  fresh.push_back("--fresh");
  CHECK(run(folder.path, fresh).status == 0);
}

TEST_CASE("program: after a training come its curve, advice where it learned nothing, and the next command") {
  const TemporaryFolder folder;
  const auto trained = [&](const Words& words) {
    return plainly_called(run(folder.path, Words{"train", "--test-examples", "20"} + words).err);
  };
  const Words small = {"--layers", "1", "--d-model", "8", "--batch", "8", "--train-lengths", "4"};
  const std::string guess = "no better than a uniform guess (2.303): try a smaller --lr";
  const std::string good =
      trained(small + Words{"--task", "copy", "--scheme", "none", "--steps", "300", "--lr", "0.03"});
  CHECK(std::regex_search(good, std::regex("accuracy [▁▂▃▄▅▆▇█]+ up to step \\d+\n")));
  CHECK(good.find(guess) == std::string::npos);
  CHECK(good.ends_with("locus: next: `locus train --task copy --scheme sinusoidal`\n"));
  const std::string bad = trained(
      small + Words{"--task", "reverse", "--scheme", "rope", "--steps", "100", "--lr", "0.000000001"});
  CHECK(bad.find(guess) != std::string::npos);
  CHECK(std::regex_search(bad, std::regex("locus: next: `locus ask last '\\d \\d \\d \\d'`\n$")));
  const std::string there =
      trained(small + Words{"--task", "reverse", "--scheme", "rope", "--steps", "2", "--out", "here"});
  CHECK(std::regex_search(there, std::regex("locus: next: `locus ask here '\\d \\d \\d \\d'`\n$")));
}

TEST_CASE("program: a diverged run is recorded and ends in status 1") {
  const TemporaryFolder folder;
  const Finished finished = run(folder.path, train("before", "none", "run") + Words{"--lr", "1000"});
  const Json result = result_in(folder / "run");
  CHECK((finished.status == 1) == (result.find("status") && result.string("status", "") == "diverged"));
  CHECK(run(folder.path, {"report", "run"}).status == 0);
}

TEST_CASE(
    "program: a table whose words stand in one order only is warned of, in the same words, by its card, a "
    "training, an ablation and its page") {
  const TemporaryFolder folder;
  std::string rows;
  for (const char* a : {"p", "q", "r", "s", "t", "u"})
    for (const char* b : {"v", "w", "x", "y", "z"}) rows += str(a, " ", b, "\t", a, "\n");
  write_file_atomically(folder / "small.tsv", rows);
  const std::string card = run(folder.path, {"tasks", "small.tsv"}).out;
  CHECK(card.find("  in one order only\n") != card.npos);
  CHECK(card.find("\nwarning: ") != card.npos);
  const Words ablate = {"ablate",  "--schemes", "none",  "--seeds", "1",
                        "--steps", "1",         "--out", "study",   "--datasets"};
  const auto one_line = [](std::string words) {
    std::ranges::replace(words, '\n', ' ');
    return words;
  };
  const std::string warning = card.substr(card.find("\nwarning: ") + 10),
                    words = one_line(warning.substr(0, warning.find(" Write each bag")));
  REQUIRE(words.find("it is too high") != words.npos);
  CHECK(one_line(run(folder.path, ablate + Words{"small.tsv"}).out).find(words) != std::string::npos);
  CHECK(read_file(folder / "study/report.html").find(words) != std::string::npos);
  const Finished trained =
      run(folder.path, {"train", "--dataset", "small.tsv", "--scheme", "none", "--steps", "1"});
  CHECK(one_line(trained.out).find(words) != std::string::npos);
  const Finished fine = run(folder.path, {"tasks", dataset()});
  CHECK(fine.out.find("warning") == fine.out.npos);
}

TEST_CASE(
    "program: a table that is learned by heart is said to be so, with both numbers, by train, ablate and "
    "page") {
  const TemporaryFolder folder;
  std::string rows;
  Random random(29, Purpose::testing);
  for (int i = 0; i < 120; ++i)
    rows += str("w", i, " w", random.below(9), " w", random.below(9), random.below(2) ? "\ta\n" : "\tb\n");
  write_file_atomically(folder / "random.tsv", rows);
  const Finished trained =
      run(folder.path, {"train", "--dataset", "random.tsv", "--scheme", "none", "--steps", "300"});
  std::string said = trained.out;
  std::ranges::replace(said, '\n', ' ');
  CAPTURE(said);
  CHECK(said.find("memorised after 300 steps") != said.npos);
  CHECK(said.find("; at the end 100 % of the rows trained on are right, and ") != said.npos);
  const Finished ablated = run(folder.path, {"ablate", "--datasets", "random.tsv", "--schemes", "none",
                                             "--seeds", "2", "--steps", "300", "--out", "study"});
  CAPTURE(ablated.out);
  CHECK(ablated.out.find("0/2 (2 memorised)") != std::string::npos);
  CHECK(ablated.out.find("Learned by heart: Most rows trained on are answered") != std::string::npos);
  const std::string page = read_file(folder / "study/report.html");
  CHECK(page.find("Learned by heart") != page.npos);
  CHECK(page.find("(100 % of the rows trained on are right, and ") != page.npos);
}
#endif
