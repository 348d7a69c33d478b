#include "ablation/results.h"

#include <doctest/doctest.h>

#include "../support/errors.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"
#include "ablation/ablation.h"
#include "ablation/summary.h"

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
           .by_length = {{6, {0.25, 0.25, 16}, 0.5, {}}, {9, {0.25, 0.25, 16}, 0.5, {}}}}};
}

const Curve curve = {{50, 100}, {1.5, 0.25}, {0.5, 0.75}};

std::string curve_line_of(const RunSettings& cell) {
  Json json = to_json(cell);
  json.set("step", Json::Array{50, 100});
  json.set("loss", Json::Array{1.5, 0.25});
  json.set("accuracy", Json::Array{0.5, 0.75});
  return to_string(json) + "\n";
}

std::string line_of(const Result& result) { return to_string(to_json(result)) + "\n"; }
std::string line_of(const RunSettings& cell) { return line_of(result_of(cell)); }

// What opening these results says, with the folder's name written DIR; and that no byte was changed unless it
// went well.
std::string error_opening(const std::string& results, const std::vector<RunSettings>& cells = plan()) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "results.jsonl", results);
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
    results.add(2, result_of(cells[2]), curve, {12, 1.5, 2});
    results.add(0, result_of(cells[0]), curve, {12, 2.5, 3});
  }
  CHECK(read_file(folder / "results.jsonl") == line_of(cells[2]) + line_of(cells[0]));
  CHECK(read_file(folder / "curves.jsonl") == curve_line_of(cells[2]) + curve_line_of(cells[0]));
  const auto durations = read_records({folder.path}).durations;
  REQUIRE(durations.size() == 2);
  CHECK(settings_key(durations[0].settings) == settings_key(cells[2]));
  CHECK(durations[0].duration.steps == 12);
  CHECK(durations[0].duration.training == 1.5);
  CHECK(durations[0].duration.all == 2);
  Results again(folder.path, cells);
  CHECK(again.done(0));
  CHECK_FALSE(again.done(1));
  CHECK(again.done(2));
  again.add(1, result_of(cells[1]), curve, {12, 1, 1});
  again.put_in_order();
  CHECK(read_file(folder / "results.jsonl") == line_of(cells[0]) + line_of(cells[1]) + line_of(cells[2]));
  CHECK(read_file(folder / "curves.jsonl") ==
        curve_line_of(cells[0]) + curve_line_of(cells[1]) + curve_line_of(cells[2]));
}

TEST_CASE("results: a curve belongs to the summary of its settings, whatever the seed") {
  const TemporaryFolder folder;
  const auto cells = plan();
  Results results(folder.path, cells);
  for (const std::size_t cell : {0u, 1u}) results.add(cell, result_of(cells[cell]), curve, {});
  const Records records = read_records({folder.path});
  REQUIRE(records.curves.size() == 2);
  CHECK(settings_key(records.curves[1].settings) == settings_key(cells[1]));
  CHECK(records.curves[0].curve.step == curve.step);
  CHECK(records.curves[0].curve.loss == curve.loss);
  CHECK(records.curves[0].curve.accuracy == curve.accuracy);
  const std::vector<Summary> rows = summarise(records);
  REQUIRE(rows.size() == 1);
  REQUIRE(rows.front().curves.size() == 2);
  CHECK(rows.front().curves[1].loss == curve.loss);

  Json uneven = to_json(cells[2]);
  uneven.set("step", Json::Array{50});
  uneven.set("loss", Json::Array{});
  uneven.set("accuracy", Json::Array{0.5});
  write_file_atomically(folder / "curves.jsonl", to_string(uneven) + "\n");
  CHECK(error_of([&] { read_records({folder.path}); }) ==
        text("[", folder / "curves.jsonl",
             ":1] 'step', 'loss' and 'accuracy' hold 1, 0 and 1 numbers, and should hold equally many"));

  const auto refused = [&](const char* key, const Json& values, const std::string& problem) {
    Json json = parse_json(curve_line_of(cells[2]), "");
    json.set(key, values);
    write_file_atomically(folder / "curves.jsonl", to_string(json) + "\n");
    return error_of([&] { read_records({folder.path}); }) ==
           text("[", folder / "curves.jsonl", ":1] ", problem);
  };
  CHECK(refused("step", Json::Array{100, 50}, "the numbers of 'step' should increase"));
  CHECK(refused("accuracy", Json::Array{0.5, 1.5}, "'accuracy' holds 1.5, should be from 0 to 1"));
}

TEST_CASE("results: cells that ran in another folder are taken over, and only those that are missing") {
  const TemporaryFolder folder, part;
  const auto cells = plan();
  Result other = result_of(cells[1]);
  other.outcome.loss = 0.75;
  write_file_atomically(part / "results.jsonl",
                        line_of(cells[2]) + line_of(cells[1]) + line_of(cells[0]).substr(0, 30));
  write_file_atomically(part / "curves.jsonl", curve_line_of(cells[2]));
  {
    Results results(folder.path, cells);
    results.add(1, other, curve, {});
    results.add_from(part.path);
    CHECK_FALSE(results.done(0));
    CHECK(results.done(2));
    results.put_in_order();
  }
  CHECK(read_file(folder / "results.jsonl") == line_of(other) + line_of(cells[2]));
  CHECK(read_file(folder / "curves.jsonl") == curve_line_of(cells[1]) + curve_line_of(cells[2]));

  write_file_atomically(part / "results.jsonl", line_of(plan(1, 14)[0]));
  const TemporaryFolder fresh;
  CHECK(error_of([&] { Results(fresh.path, cells).add_from(part.path); })
            .starts_with(text("[", part / "results.jsonl",
                              ":1] it holds a run with --batch 14; of those asked for, the most ")));
}

TEST_CASE("results: a cell whose curve was cut off is done again, and its result is there once") {
  const TemporaryFolder folder;
  const auto cells = plan(2);
  write_file_atomically(folder / "results.jsonl", line_of(cells[0]) + line_of(cells[1]));
  write_file_atomically(folder / "curves.jsonl",
                        curve_line_of(cells[0]) + curve_line_of(cells[1]).substr(0, 90));
  {
    Results results(folder.path, cells);
    CHECK(results.done(0));
    CHECK_FALSE(results.done(1));
    results.add(1, result_of(cells[1]), curve, {});
  }
  CHECK(Results(folder.path, cells).done(1));
  CHECK(read_file(folder / "results.jsonl") == line_of(cells[0]) + line_of(cells[1]));
  CHECK(read_file(folder / "curves.jsonl") == curve_line_of(cells[0]) + curve_line_of(cells[1]));
}

TEST_CASE("results: a lost file of curves is made again") {
  const TemporaryFolder folder;
  const auto cells = plan(2);
  write_file_atomically(folder / "results.jsonl", line_of(cells[0]) + line_of(cells[1]));
  CHECK(Results(folder.path, cells).done(1));  // recorded without curves
  write_file_atomically(folder / "timings.jsonl", "{}\n");
  Results results(folder.path, cells);
  for (const std::size_t cell : {0u, 1u}) {
    CHECK_FALSE(results.done(cell));
    results.add(cell, result_of(cells[cell]), curve, {});
  }
  CHECK(read_file(folder / "results.jsonl") == line_of(cells[0]) + line_of(cells[1]));
  CHECK(read_file(folder / "curves.jsonl") == curve_line_of(cells[0]) + curve_line_of(cells[1]));
}

TEST_CASE("results: a cell that was killed between its curve and its result is done again") {
  const TemporaryFolder folder;
  const auto cells = plan(2);
  write_file_atomically(folder / "results.jsonl", line_of(cells[1]));
  write_file_atomically(folder / "curves.jsonl", curve_line_of(cells[1]) + curve_line_of(cells[0]));
  Results results(folder.path, cells);
  CHECK_FALSE(results.done(0));
  results.add(0, result_of(cells[0]), curve, {});
  results.put_in_order();
  CHECK(read_file(folder / "results.jsonl") == line_of(cells[0]) + line_of(cells[1]));
  CHECK(read_file(folder / "curves.jsonl") == curve_line_of(cells[0]) + curve_line_of(cells[1]));
}

TEST_CASE("results: an unfinished last line is recognised, cut, and its cell done again") {
  const auto cells = plan();
  const std::string whole = line_of(cells[0]), second = line_of(cells[1]);
  for (const std::size_t size : {std::size_t{1}, std::size_t{20}, second.size() - 1}) {
    const TemporaryFolder folder;
    write_file_atomically(folder / "results.jsonl", whole + second.substr(0, size));
    write_file_atomically(folder / "curves.jsonl", curve_line_of(cells[0]));
    write_file_atomically(folder / "timings.jsonl", "{\"task\":\"bef");
    Results results(folder.path, cells);
    CHECK(results.done(0));
    CHECK_FALSE(results.done(1));
    CHECK(read_file(folder / "results.jsonl") == whole);
    results.add(1, result_of(cells[1]), curve, {12, 1, 1});
    CHECK(read_file(folder / "results.jsonl") == whole + second);
    CHECK(read_file(folder / "timings.jsonl").starts_with("{\"task\":\"before\","));
  }
}

TEST_CASE("results: a file that an editor gave a byte order mark and other line ends is read as before") {
  const auto cells = plan();
  const TemporaryFolder folder;
  std::string line = line_of(cells[0]), curves = curve_line_of(cells[0]);
  line.insert(line.size() - 1, "\r");
  write_file_atomically(folder / "results.jsonl", "\xEF\xBB\xBF" + line);
  write_file_atomically(folder / "curves.jsonl", "\xEF\xBB\xBF" + curves);
  CHECK(read_records({folder.path}).results.size() == 1);
  Results results(folder.path, cells);
  CHECK(results.done(0));
}

TEST_CASE("results: the zeros that a power cut leaves at the end are an unfinished line") {
  const auto cells = plan();
  for (const std::string& torn : {std::string(100, '\0'), std::string("{\"tas\0\0\0", 8)}) {
    const TemporaryFolder folder;
    write_file_atomically(folder / "results.jsonl", line_of(cells[0]) + torn);
    write_file_atomically(folder / "curves.jsonl", curve_line_of(cells[0]) + torn);
    const Results results(folder.path, cells);
    CHECK(results.done(0));
    CHECK(read_file(folder / "results.jsonl") == line_of(cells[0]));
    CHECK(read_file(folder / "curves.jsonl") == curve_line_of(cells[0]));
  }
}

TEST_CASE("results: more steps to solve than steps, and seeds that were tested otherwise, are refused") {
  const auto cells = plan();
  Result late = result_of(cells[0]);
  late.outcome.steps_to_solve = late.outcome.steps + 1;
  CHECK(error_opening(to_string(to_json(late)) + "\n")
            .starts_with("[DIR/results.jsonl:1] 'steps_to_solve' is "));

  Result other = result_of(cells[1]);
  other.outcome.by_length[0].score.examples += 1;
  const TemporaryFolder folder;
  write_file_atomically(folder / "results.jsonl", line_of(cells[0]) + to_string(to_json(other)) + "\n");
  CHECK(error_of([&] {
          summarise(read_records({folder.path}));
        }).find("another seed of this row has others") != std::string::npos);
}

TEST_CASE("results: another experiment's folder is refused and left untouched") {
  const auto why = [](int line, const std::string& first, const std::string& second) {
    return text("[DIR/results.jsonl:", line, "] it holds a run with ", first,
                "; of those asked for, the most similar has ", second,
                ". Hint: choose another --out, or --fresh, which keeps the old results beside it");
  };
  const std::string batch = "--batch 14";
  CHECK(error_opening(line_of(plan()[0]) + line_of(plan(1, 14)[0])) == why(2, batch, "--batch 13"));
  CHECK(error_opening(line_of(plan()[2]), plan(2)) == why(1, "--seed 3", "--seed 1"));
  CHECK(error_opening(line_of(plan(1, 14)[0]) + "{\"task\":\"half a li") == why(1, batch, "--batch 13"));
  CHECK(error_opening(line_of(plan()[0]) + line_of(plan()[1])) == "no error");
}

TEST_CASE(
    "results: some of the cells on record are read; all of them, or one that is missing, are not some") {
  const TemporaryFolder folder;
  const auto cells = plan();
  CHECK_FALSE(records_of_some(folder.path, cells));
  write_file_atomically(folder / "results.jsonl",
                        line_of(cells[2]) + line_of(cells[0]) + line_of(cells[1]) + line_of(plan(1, 14)[0]));
  write_file_atomically(folder / "curves.jsonl", curve_line_of(cells[2]) + curve_line_of(cells[0]));
  write_file_atomically(folder / "timings.jsonl", "");
  const auto before = contents(folder.path);
  const auto two = records_of_some(folder.path, {cells[0], cells[1]});
  REQUIRE(two);
  REQUIRE(two->results.size() == 2);
  CHECK(two->results[0].settings.train.seed == 1);
  CHECK(two->results[1].settings.train.seed == 2);
  REQUIRE(two->curves.size() == 1);
  CHECK(two->curves[0].settings.train.seed == 1);
  CHECK_FALSE(records_of_some(folder.path, {cells[0], plan(2, 14)[1]}));
  CHECK(contents(folder.path) == before);
  write_file_atomically(folder / "results.jsonl", line_of(cells[2]) + line_of(cells[0]) + line_of(cells[1]));
  CHECK_FALSE(records_of_some(folder.path, cells));
}

TEST_CASE("results: a damaged line is named, and nothing is repaired by guessing") {
  const auto cells = plan();
  const std::string first = line_of(cells[0]), second = line_of(cells[1]);
  CHECK(error_opening(first + "{\"task\":\"bef\n" + second).starts_with("[DIR/results.jsonl:2] byte 13: "));
  CHECK(error_opening(first + "\n" + second).starts_with("[DIR/results.jsonl:2] byte 1: "));
  CHECK(error_opening(first + first) ==
        "[DIR/results.jsonl:2] this cell was there before. Hint: remove one of the two lines");
  Json no_status = to_json(result_of(cells[1]));
  no_status.set("status", 3);
  CHECK(error_opening(first + to_string(no_status) + "\n") ==
        "[DIR/results.jsonl:2] 'status' should be a string, is a number");
  Json no_length = to_json(result_of(cells[1]));
  no_length.set("by_length", Json::Array{});
  CHECK(error_opening(first + to_string(no_length) + "\n") ==
        "[DIR/results.jsonl:2] 'by_length' holds no length");
  CHECK(error_opening(first + "{}\n") == "[DIR/results.jsonl:2] the key 'task' is missing");
}

TEST_CASE("results: a file that is not ours is never cut, even when it has no line break") {
  const std::string foreign =
      "this is no line of a results file. Hint: remove the file, or choose another folder";
  CHECK(error_opening("my precious notes") == "[DIR/results.jsonl:1] " + foreign);
  CHECK(error_opening(line_of(plan()[0]) + "my precious notes") ==
        "[DIR/results.jsonl:2] this is no line of a results file. Hint: remove this line: those before it "
        "are whole");

  const TemporaryFolder folder;
  write_file_atomically(folder / "timings.jsonl", "my precious notes");
  CHECK(error_of([&] { Results(folder.path, plan()); }) ==
        text("[", folder / "timings.jsonl", ":1] ", foreign));
  CHECK(read_file(folder / "timings.jsonl") == "my precious notes");
}

TEST_CASE("results: the folder of a single run is refused: the two would overwrite each other's results") {
  const TemporaryFolder folder;
  const Training training(plan()[0]);
  save_checkpoint(folder.path, training.run, training.trainer.state());
  CHECK(
      error_of([&] { Results(folder.path, plan()); }) ==
      text("[", folder.path,
           "] it holds a run of `locus train`, which writes its results there. Hint: choose another --out"));
}

TEST_CASE("results: a second writer is refused") {
  const TemporaryFolder folder;
  const Results first(folder.path, plan());
  CHECK(error_of([&] { Results(folder.path, plan()); }) ==
        text("[", folder.path,
             "] another process is writing to this folder. Hint: wait until it has ended, or choose another "
             "folder"));
}

TEST_CASE("results: reading them names the folder without any, and leaves out a line that is being written") {
  const TemporaryFolder folder;
  CHECK(error_of([&] { read_records({folder.path}); }) ==
        text("[", folder.path,
             "] there is no results.jsonl in it. Hint: give the folder of a `locus ablate` or `locus train` "
             "run"));
  const std::string first = line_of(plan()[0]), bytes = first + first.substr(0, 50);
  write_file_atomically(folder / "results.jsonl", bytes);
  const std::vector<Result> results = read_records({folder.path}).results;
  REQUIRE(results.size() == 1);
  CHECK(to_json(results[0]) == to_json(result_of(plan()[0])));
  CHECK(results[0].where == folder / "results.jsonl" + ":1");
  CHECK(read_file(folder / "results.jsonl") == bytes);

  write_file_atomically(folder / "results.jsonl", first + "{]\n");
  CHECK(error_of([&] {
          read_records({folder.path});
        }).starts_with(text("[", folder / "results.jsonl", ":2] byte 2: ")));
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
      results.add(i, result, curve, {});
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
  for (int line = 0; line < 300; ++line) notes += text("the ", line * line % 97, " sheep saw a fox\n");
  write_file_atomically(folder / "notes.txt", notes);
  planned[1].dataset = folder / "notes.txt";
  planned[1].task = "notes";
  planned[1].model.kind = ModelKind::decoder;
  for (RunSettings& cell : planned) cell = complete(cell);
  Results results(folder.path, planned);
  for (std::size_t i = 0; i < planned.size(); ++i) {
    Result result = result_of(planned[i]);
    if (i == 0) result.outcome.by_length[0].answers = {"A", "B", "A"};
    results.add(i, result, curve, {});
  }
  results.put_in_order();
  CHECK(read_records({folder.path}).results[0].outcome.by_length[0].answers.size() == 3);
}
