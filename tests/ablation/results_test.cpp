#include "ablation/results.h"

#include <doctest/doctest.h>

#include "../support/errors.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"
#include "ablation/ablation.h"
#include "ablation/result_rows.h"

using namespace locus;

namespace {

std::vector<RunSettings> plan(int seeds = 3, int batch = 13) {
  Grid grid{.tasks = {"before"},
            .schemes = {"none"},
            .seeds = seeds,
            .settings = {tiny_settings("before", "none")}};
  grid.settings[0].train.batch = batch;
  return cells(grid);
}

// A result of this cell, as if it had been trained.
Result result_of(const RunSettings& cell) {
  return {cell,
          {.parameters = 100,
           .steps = 12,
           .steps_to_solve = {},
           .loss = 0.5,
           .by_length = {{6, {0.25, 0.25, 16}, 0.5, 0.125}, {9, {0.25, 0.25, 16}, 0.5, 0.125}},
           .curve = {{50, 100}, {1.5, 0.25}, {0.5, 0.75}},
           .training_seconds = 1.5}};
}

// A file in which nothing is in common.
const std::string header = "{\"format\":2}\n";
std::string line_of(const Result& result) { return to_string(to_json(result)) + "\n"; }
std::string line_of(const RunSettings& cell) { return line_of(result_of(cell)); }

// The file of these results when all are done.
std::string file_of(const std::vector<Result>& results) {
  const TemporaryFolder folder;
  save_results(folder.path, results);
  return read_file(folder / "results.jsonl");
}
std::string file_of(const std::vector<RunSettings>& cells) {
  std::vector<Result> results;
  for (const RunSettings& cell : cells) results.push_back(result_of(cell));
  return file_of(results);
}

// What opening these results, below the header, says, with the folder's name written DIR; and that no byte was changed
// unless it went well.
std::string error_opening(const std::string& results, const std::vector<RunSettings>& cells = plan()) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "results.jsonl", header + results);
  const auto before = contents(folder.path);
  std::string error = error_of([&] { Results(folder.path, cells); });
  if (error != "no error") CHECK(contents(folder.path) == before);
  for (auto at = error.find(folder.path); at != error.npos; at = error.find(folder.path))
    error.replace(at, folder.path.size(), "DIR");
  return error;
}

}  // namespace

TEST_CASE("results: cells are kept as they end and are known when the folder is opened again") {
  const TemporaryFolder folder;
  const auto cells = plan();
  {
    Results results(folder.path, cells);
    for (std::size_t i = 0; i < 3; ++i) CHECK_FALSE(results.done(i));
    results.add(2, result_of(cells[2]));
    results.add(0, result_of(cells[0]));
  }
  const std::vector<Result> kept = read_records({folder.path}).results;
  REQUIRE(kept.size() == 2);
  CHECK(to_json(kept[0]) == to_json(result_of(cells[2])));
  CHECK(to_json(kept[1]) == to_json(result_of(cells[0])));
  CHECK(kept[1].where == folder / "results.jsonl:3");
  CHECK(kept[0].outcome.training_seconds == 1.5);
  Results again(folder.path, cells);
  CHECK(again.done(0));
  CHECK_FALSE(again.done(1));
  CHECK(again.done(2));
  again.add(1, result_of(cells[1]));
  CHECK(read_records({folder.path}).results.size() == 3);
  again.put_in_order();
  CHECK(read_file(folder / "results.jsonl") == file_of(cells));
  CHECK(read_records({folder.path}).results[2].outcome.training_seconds == 1.5);
}

TEST_CASE("results: what is in memory is what a reader of the file has") {
  const TemporaryFolder folder;
  const auto cells = plan();
  Results results(folder.path, cells);
  Result result = result_of(cells[0]);
  for (LengthScore& at : result.outcome.by_length) {  // as of a text
    at.score.text = {1.0000001, 2, {0.1234567}};
    at.text = {.unigram = 3};
  }
  results.add(0, result);
  results.put_in_order();
  const Result kept = results.records().results.front(), read = read_records({folder.path}).results.front();
  CHECK(kept.outcome.by_length[0].score.text->loss == 1);
  CHECK(read.outcome.by_length[0].score.text->loss == 1);
  CHECK(to_json(kept) == to_json(read));
}

TEST_CASE("results: what is in common stands once, for each task and kind of model") {
  auto cells = plan();
  for (const RunSettings& cell : plan(2)) {
    cells.push_back(cell);
    cells.back().task = "sort";
    cells.back().train.batch = 100 + static_cast<int>(cell.train.seed);
  }
  const std::vector<std::string> lines = split(file_of(cells), '\n');
  REQUIRE(lines.size() == 2 + 5 + 1);  // nothing behind the last
  const Json common = parse_json(lines[0], ""), of_sort = parse_json(lines[4], "");
  CHECK(common.integer("format", "") == 2);
  CHECK(common.integer("batch", "") == 13);
  CHECK(common.array("examples", "") == Json::Array{16, 16});
  CHECK(of_sort.string("task", "") == "sort");
  CHECK_FALSE(of_sort.find("batch"));
  CHECK(
      lines[2] ==
      R"({"scheme":"none","seed":2,"steps":12,"loss":0.5,"token_accuracy":[0.25,0.25],"exact_match":[0.25,0.25],)"
      R"("curve":[[50,1.5,0.5],[100,0.25,0.75]]})");
  CHECK(lines[5].starts_with(R"({"scheme":"none","seed":1,"batch":101,"steps":12,)"));
}

TEST_CASE("results: files one after the other in one are read as all of them") {
  const TemporaryFolder folder;
  const auto cells = plan(), others = plan(2, 14);
  write_file_atomically(folder / "results.jsonl", file_of(cells) + file_of(others));
  const std::vector<Result> read = read_records({folder.path}).results;
  REQUIRE(read.size() == 5);
  CHECK(settings_key(read[2].settings) == settings_key(cells[2]));
  CHECK(settings_key(read[3].settings) == settings_key(others[0]));
  CHECK(read[3].where == folder / "results.jsonl:6");
}

TEST_CASE("results: a file that an editor gave a byte order mark and other line ends is read as before") {
  const TemporaryFolder folder;
  std::string line = line_of(plan()[0]);
  line.insert(line.size() - 1, "\r");
  write_file_atomically(folder / "results.jsonl", "\xEF\xBB\xBF" + header + line);
  CHECK(read_records({folder.path}).results.size() == 1);
}

TEST_CASE("results: a file of another version is refused, and says what to do") {
  const TemporaryFolder folder;
  const auto error_of_file = [&](const std::string& bytes) {
    write_file_atomically(folder / "results.jsonl", bytes);
    return error_of([&] { read_records({folder.path}); });
  };
  CHECK(
      error_of_file(line_of(plan()[0])) ==
      str("[", folder / "results.jsonl",
          ":1] an older version of locus wrote this file: its first line has no 'format'. Hint: train again; --fresh "
          "keeps the old results beside the new ones"));
  CHECK(
      error_of_file("{\"format\":3}\n") ==
      str("[", folder / "results.jsonl",
          ":1] 'format' should be 2, is 3. Hint: another version of locus wrote this file: train again, into another "
          "folder"));
}

TEST_CASE("results: cells that ran in another folder are taken over, and only those that are missing") {
  const TemporaryFolder folder, part;
  const auto cells = plan();
  Result other = result_of(cells[1]);
  other.outcome.loss = 0.75;
  write_file_atomically(part / "results.jsonl",
                        header + line_of(cells[2]) + line_of(cells[1]) + line_of(cells[0]).substr(0, 30));
  {
    Results results(folder.path, cells);
    results.add(1, other);
    results.add_from(part.path);
    CHECK_FALSE(results.done(0));
    CHECK(results.done(2));
    results.put_in_order();
  }
  CHECK(read_file(folder / "results.jsonl") == file_of({other, result_of(cells[2])}));

  write_file_atomically(part / "results.jsonl", header + line_of(plan(1, 14)[0]));
  const TemporaryFolder fresh;
  CHECK(error_of([&] { Results(fresh.path, cells).add_from(part.path); })
            .starts_with(str("[", part / "results.jsonl",
                             ":2] it holds a run with --batch 14; of those asked for, the most ")));
}

TEST_CASE("results: an unfinished last line is recognised, cut, and its cell done again") {
  const auto cells = plan();
  const std::string whole = header + line_of(cells[0]), second = line_of(cells[1]);
  for (const std::size_t size : {std::size_t{1}, std::size_t{20}, second.size() - 1}) {
    const TemporaryFolder folder;
    write_file_atomically(folder / "results.jsonl", whole + second.substr(0, size));
    write_file_atomically(folder / "timings.jsonl", "{\"form");
    Results results(folder.path, cells);
    CHECK(results.done(0));
    CHECK_FALSE(results.done(1));
    results.add(1, result_of(cells[1]));
    CHECK(read_file(folder / "results.jsonl").starts_with(whole));
    const std::vector<Result> read = read_records({folder.path}).results;
    REQUIRE(read.size() == 2);
    CHECK(to_json(read[1]) == to_json(result_of(cells[1])));
    CHECK(read[1].outcome.training_seconds == 1.5);
    results.put_in_order();
    CHECK(read_file(folder / "results.jsonl") == file_of({cells[0], cells[1]}));
  }
}

TEST_CASE("results: the zeros that a power cut leaves at the end are an unfinished line") {
  const auto cells = plan();
  for (const std::string& torn : {std::string(100, '\0'), std::string("{\"tas\0\0\0", 8)}) {
    const TemporaryFolder folder;
    write_file_atomically(folder / "results.jsonl", header + line_of(cells[0]) + torn);
    Results results(folder.path, cells);
    CHECK(results.done(0));
    results.add(1, result_of(cells[1]));
    CHECK(read_records({folder.path}).results.size() == 2);
  }
}

TEST_CASE("results: more steps to solve than steps, and seeds that were tested otherwise, are refused") {
  const auto cells = plan();
  Result late = result_of(cells[0]);
  late.outcome.steps_to_solve = late.outcome.steps + 1;
  CHECK(error_opening(to_string(to_json(late)) + "\n")
            .starts_with("[DIR/results.jsonl:2] 'steps_to_solve' is "));

  Result other = result_of(cells[1]);
  other.outcome.by_length[0].score.examples += 1;
  const TemporaryFolder folder;
  write_file_atomically(folder / "results.jsonl", header + line_of(cells[0]) + line_of(other));
  CHECK(error_of([&] {
          summarise(read_records({folder.path}));
        }).find("another seed of this row has others") != std::string::npos);
}

TEST_CASE("results: another experiment's folder is refused and left untouched") {
  const auto why = [](int line, const std::string& first, const std::string& second) {
    return str("[DIR/results.jsonl:", line, "] it holds a run with ", first,
               "; of those asked for, the most similar has ", second,
               ". Hint: choose another --out, or --fresh, which keeps the old results beside it");
  };
  const std::string batch = "--batch 14";
  CHECK(error_opening(line_of(plan()[0]) + line_of(plan(1, 14)[0])) == why(3, batch, "--batch 13"));
  CHECK(error_opening(line_of(plan()[2]), plan(2)) == why(2, "--seed 3", "--seed 1"));
  CHECK(error_opening(line_of(plan(1, 14)[0]) + "{\"task\":\"half a li") == why(2, batch, "--batch 13"));
  CHECK(error_opening(line_of(plan()[0]) + line_of(plan()[1])) == "no error");
}

TEST_CASE("results: a plan whose cells are all on record may be a part of what is there") {
  const TemporaryFolder folder;
  const auto cells = plan();
  const std::string whole = header + line_of(cells[2]) + line_of(cells[0]) + line_of(cells[1]);
  write_file_atomically(folder / "results.jsonl", whole + line_of(plan(1, 14)[0]));
  {
    const Results results(folder.path, {cells[1], cells[0]});
    CHECK(results.holds_more());
    const std::vector<Result> two = results.records().results;
    REQUIRE(two.size() == 2);
    CHECK(two[0].settings.train.seed == 2);
    CHECK(two[1].settings.train.seed == 1);
  }
  CHECK(error_of([&] {
          Results(folder.path, {cells[0], plan(2, 14)[1]});
        }).starts_with(str("[", folder / "results.jsonl", ":2] it holds a run with --seed 3")));
  CHECK(read_file(folder / "results.jsonl") == whole + line_of(plan(1, 14)[0]));
  write_file_atomically(folder / "results.jsonl", whole);
  CHECK_FALSE(Results(folder.path, cells).holds_more());
}

TEST_CASE("results: a damaged line is named, and nothing is repaired by guessing") {
  const auto cells = plan();
  const std::string first = line_of(cells[0]), second = line_of(cells[1]);
  CHECK(error_opening(first + "{\"task\":\"bef\n" + second).starts_with("[DIR/results.jsonl:3] byte 13: "));
  CHECK(error_opening(first + "\n" + second).starts_with("[DIR/results.jsonl:3] byte 1: "));
  CHECK(error_opening(first + "3\n").starts_with("[DIR/results.jsonl:3] 'cell' should be an object"));
  CHECK(error_opening(first + first) ==
        "[DIR/results.jsonl:3] this cell was there before. Hint: remove one of the two lines");
  Json no_status = to_json(result_of(cells[1]));
  no_status.set("status", 3);
  CHECK(error_opening(first + to_string(no_status) + "\n") ==
        "[DIR/results.jsonl:3] 'status' should be a string, is a number");
  CHECK(error_opening(first + "{}\n") == "[DIR/results.jsonl:3] the key 'task' is missing");
}

TEST_CASE("results: a file that is not ours is never cut, even when it has no line break") {
  const std::string foreign =
      "this line does not belong in a results file. Hint: remove the file, or choose another folder";
  CHECK(
      error_opening(line_of(plan()[0]) + "my precious notes") ==
      "[DIR/results.jsonl:3] this line does not belong in a results file. Hint: remove this line: those before it "
      "are whole");
  const TemporaryFolder folder;
  for (const std::string notes : {"my precious notes", "{\"notes\":\"mine\"}"})
    for (const char* file : {"results.jsonl", "timings.jsonl"}) {
      write_file_atomically(folder / "results.jsonl", "");
      write_file_atomically(folder / file, notes);
      CHECK(error_of([&] { Results(folder.path, plan()); }) == str("[", folder / file, ":1] ", foreign));
      CHECK(read_file(folder / file) == notes);
    }
}

TEST_CASE("results: the folder of a single run is refused: the two would overwrite each other's results") {
  const TemporaryFolder folder;
  const Training training(plan()[0]);
  save_checkpoint(folder.path, training.run, training.trainer.state());
  CHECK(error_of([&] { Results(folder.path, plan()); }) ==
        str("[", folder.path,
            "] it holds a run of `locus train`, which writes its results there. Hint: choose another --out"));
}

TEST_CASE("results: a second writer is refused") {
  const TemporaryFolder folder;
  const Results first(folder.path, plan());
  CHECK(error_of([&] { Results(folder.path, plan()); }) ==
        str("[", folder.path,
            "] another process is writing to this folder. Hint: wait until it has ended, or choose another "
            "folder"));
}

TEST_CASE("results: reading them names the folder without any, and leaves out a line that is being written") {
  const TemporaryFolder folder;
  CHECK(error_of([&] { read_records({folder.path}); }) ==
        str("[", folder.path,
            "] there is no results.jsonl in it. Hint: give the folder of a `locus ablate` or `locus train` "
            "run"));
  const std::string first = header + line_of(plan()[0]), bytes = first + first.substr(0, 50);
  write_file_atomically(folder / "results.jsonl", bytes);
  const std::vector<Result> results = read_records({folder.path}).results;
  REQUIRE(results.size() == 1);
  CHECK(to_json(results[0]) == to_json(result_of(plan()[0])));
  CHECK(results[0].where == folder / "results.jsonl:2");
  CHECK(read_file(folder / "results.jsonl") == bytes);

  write_file_atomically(folder / "results.jsonl", first + "{]\n");
  CHECK(error_of([&] {
          read_records({folder.path});
        }).starts_with(str("[", folder / "results.jsonl", ":3] byte 2: ")));
}

TEST_CASE("results: the answers that are kept fit into 20 KB, as many of each cell, and can be read again") {
  // Each answer takes `bytes` in the file, with its quotes and comma.
  const auto kept = [](std::size_t cells, std::size_t bytes) {
    Grid grid{.tasks = {"before"}, .schemes = {"none"}, .seeds = 1, .settings = {}};
    for (std::size_t i = 0; i < cells; ++i) {
      grid.settings.push_back(tiny_settings("before", "none"));
      grid.settings.back().train.batch = 13 + static_cast<int>(i);
    }
    const TemporaryFolder folder;
    const auto planned = locus::cells(grid);
    Results results(folder.path, planned);
    for (std::size_t i = 0; i < cells; ++i) {
      Result result = result_of(planned[i]);
      result.outcome.by_length[0].answers = {std::string(bytes - 3, 'a'), std::string(bytes - 3, 'b'),
                                             std::string(bytes - 3, 'c')};
      results.add(i, result);
    }
    results.put_in_order();
    std::vector<std::size_t> counts;
    for (const Result& result : read_records({folder.path}).results)
      counts.push_back(result.outcome.by_length[0].answers.size());
    CHECK(summarise(read_records({folder.path})).front().by_length[0].answers.size() == counts.front());
    return counts;
  };
  CHECK(kept(2, 3333) == std::vector<std::size_t>{3, 3});
  CHECK(kept(2, 3334) == std::vector<std::size_t>{2, 2});
  CHECK(kept(3, 6666) == std::vector<std::size_t>{1, 1, 1});
  CHECK(kept(3, 6667) == std::vector<std::size_t>{0, 0, 0});
}

TEST_CASE("results: a text, which has no answers, takes none from the tasks beside it") {
  const TemporaryFolder folder;
  std::vector<RunSettings> planned{tiny_settings("before", "none"), tiny_settings("before", "none")};
  std::string notes;
  for (int line = 0; line < 300; ++line) notes += str("the ", line * line % 97, " sheep saw a fox\n");
  write_file_atomically(folder / "notes.txt", notes);
  planned[1].dataset = folder / "notes.txt";
  planned[1].task = "notes";
  planned[1].model.kind = ModelKind::decoder;
  for (RunSettings& cell : planned) cell = complete(cell);
  Results results(folder.path, planned);
  for (std::size_t i = 0; i < planned.size(); ++i) {
    Result result = result_of(planned[i]);
    if (i == 0) result.outcome.by_length[0].answers = {"A", "B", "A"};
    results.add(i, result);
  }
  results.put_in_order();
  CHECK(read_records({folder.path}).results[0].outcome.by_length[0].answers.size() == 3);
}
