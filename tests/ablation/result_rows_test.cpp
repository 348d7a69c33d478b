#include "ablation/result_rows.h"

#include <doctest/doctest.h>

#include <functional>

#include "../support/errors.h"
#include "../support/samples.h"

using namespace locus;

namespace {

// A result at two test lengths, with these token accuracies.
Result line(const std::string& scheme, int seed, double at_12, double at_18) {
  return test::result_of(
      {.task = "sort", .scheme = scheme, .seed = seed, .tested = {{12, at_12}, {18, at_18}}});
}

std::vector<ResultRow> rows_of(std::vector<Result> results) {
  for (std::size_t i = 0; i < results.size(); ++i) results[i].where = str("f:", i + 1);
  return summarise({std::move(results)});
}

}  // namespace

TEST_CASE("summary: cells that differ in nothing but the seed are taken together, in order of appearance") {
  Result solved = line("rope", 1, 1, 0.75), diverged = line("rope", 2, 0.125, 0.25);
  solved.outcome.steps_to_solve = 40;
  solved.outcome.steps = 45;
  diverged.outcome.status = TrainStatus::diverged;
  const auto summaries =
      rows_of({line("none", 1, 0.5, 0.25), solved, line("none", 2, 0.625, 0.375), diverged});
  REQUIRE(summaries.size() == 2);
  const ResultRow &none = summaries[0], &rope = summaries[1];
  CHECK(none.scheme == "none");
  CHECK(none.task == "sort");
  CHECK(none.model == "encoder");
  CHECK_FALSE(none.is_table);
  CHECK(none.parameters == 26122);
  CHECK(none.seeds() == 2);
  CHECK(none.diverged == 0);
  CHECK(none.steps_to_solve.empty());
  REQUIRE(none.by_length.size() == 2);
  CHECK(none.by_length[0].length == 12);
  CHECK(none.by_length[0].trained);
  CHECK_FALSE(none.by_length[1].trained);
  CHECK(none.by_length[0].token_accuracy == std::vector{0.5, 0.625});
  CHECK(none.by_length[1].token_accuracy == std::vector{0.25, 0.375});
  CHECK(none.by_length[1].exact_match == std::vector{0.125, 0.1875});
  CHECK(none.by_length[0].order_blind_ceiling == 0.25);
  CHECK(none.by_length[0].examples == 4000);
  CHECK(rope.scheme == "rope");
  CHECK(rope.steps_to_solve == std::vector{40.0});
  CHECK(rope.diverged == 1);
}

TEST_CASE("summary: cells that differ in any other setting stay apart") {
  using Change = std::function<void(RunSettings&)>;
  for (const Change& change :
       {Change([](RunSettings& s) { s.model.d_model = 64; }),
        Change([](RunSettings& s) { s.model.kind = ModelKind::decoder; }),
        Change([](RunSettings& s) { s.task = "copy"; }),
        Change([](RunSettings& s) { s.dataset = "copy.tsv"; }), Change([](RunSettings& s) {
          s.train.lengths = {3, 12};
        }),
        Change([](RunSettings& s) { s.trained_as = "rope"; })}) {
    Result other = line("none", 2, 0.5, 0.5);
    change(other.settings);
    CHECK(rows_of({line("none", 1, 0.5, 0.5), other}).size() == 2);
  }
  CHECK(rows_of({line("none", 1, 0.5, 0.5), line("none", 2, 0.5, 0.5)}).size() == 1);
  CHECK(rows_of({}).empty());
}

TEST_CASE("summary: the settings besides the scheme in which rows differ") {
  Result none = line("none", 1, 0.5, 0.5), rope = line("rope", 1, 0.5, 0.5), other = rope;
  const auto apart = [&] {
    std::string names;
    for (const Setting* one : settings_apart(rows_of({other})[0], rows_of({none})[0]))
      names += str(one->name, " ");
    return names;
  };
  CHECK(apart() == "");
  other.settings.train.steps = 4000;
  other.settings.model.d_model = 64;
  other.settings.model.d_ff = 256;  // 4 x d_model, as before
  CHECK(apart() == "d_model max_steps ");
  other.settings.model.d_ff = 192;
  CHECK(apart() == "d_model d_ff max_steps ");
  other = rope;
  other.settings.trained_as = "none";  // the model of `none`, read with rope
  CHECK(apart() == "");
  other.settings.trained_as = "t5";
  CHECK(apart() == "trained_as ");
}

TEST_CASE("summary: rows of one task, scheme and model say in which settings they differ") {
  Result wide = line("rope", 1, 0.5, 0.5), from = wide, decoder = wide;
  wide.settings.model.d_model = 64;
  wide.settings.model.d_ff = 256;
  from.settings.from = "runs/a";
  decoder.settings.model.kind = ModelKind::decoder;
  const auto summaries = rows_of({line("none", 1, 0.5, 0.5), line("rope", 1, 0.5, 0.5), wide, from, decoder});
  REQUIRE(summaries.size() == 5);
  CHECK(summaries[0].variant == "");
  CHECK(summaries[1].variant == "d_model=32 from=none");
  CHECK(summaries[2].variant == "d_model=64 from=none");
  CHECK(summaries[3].variant == "d_model=32 from=runs/a");
  CHECK(summaries[4].variant == "");
  CHECK(summaries[0].name() == "none");
  CHECK(summaries[2].name() == "rope (width 64 from=none)");

  Result longer = line("rope", 1, 0.5, 0.5);
  longer.settings.train.lengths = {2, 16};
  CHECK(rows_of({line("rope", 1, 0.5, 0.5), longer})[1].variant == "train_lengths=2-16");
}

TEST_CASE("summary: seeds of a control that no other scheme has stand in a row of their own") {
  std::vector<Result> lines;
  for (int seed = 1; seed <= 4; ++seed) lines.push_back(line("none", seed, 0.1 * seed, 0));
  for (int seed = 1; seed <= 2; ++seed) lines.push_back(line("rope", seed, 1, 1));
  const auto apart = rows_of(lines);
  REQUIRE(apart.size() == 3);
  CHECK(apart[0].name() == "none");
  CHECK(apart[0].seed == std::vector{1LL, 2LL});
  CHECK(apart[1].name() == "none (again)");
  CHECK(apart[1].seed == std::vector{3LL, 4LL});
  CHECK(apart[1].by_length[0].token_accuracy == std::vector{0.1 * 3, 0.1 * 4});
  CHECK(apart[2].name() == "rope");

  lines.push_back(line("rope", 3, 1, 1));  // an ablation on its way: none only came first
  CHECK(rows_of(lines).size() == 2);
}

TEST_CASE("summary: an inner width that follows from the width goes without saying") {
  const auto variant = [](int d_ff) {
    Result narrow = line("rope", 1, 0.5, 0.5), wide = narrow;
    wide.settings.model.d_model = 64;
    wide.settings.model.d_ff = d_ff;
    return rows_of({narrow, wide})[1].variant;
  };
  CHECK(variant(256) == "d_model=64");
  CHECK(variant(200) == "d_model=64 d_ff=200");
}

TEST_CASE(
    "summary: heads that go with the width, and a rate that each row has for itself, go without saying") {
  Result narrow = line("rope", 1, 0.5, 0.5), wide = narrow;
  wide.settings.model.d_model = 64;
  wide.settings.model.d_ff = 256;
  wide.settings.model.heads = 4;
  wide.settings.train.optimizer.learning_rate = 0.01;
  CHECK(rows_of({narrow, wide})[0].variant == "d_model=32");
  CHECK(rows_of({narrow, wide})[1].variant == "d_model=64");
  Result other_rate = wide, other_heads = wide;
  other_rate.settings.train.optimizer.learning_rate = 0.001;
  CHECK(rows_of({narrow, wide, other_rate})[2].variant == "d_model=64 learning_rate=0.001");
  other_heads.settings.model.heads = 8;
  CHECK(rows_of({narrow, wide, other_heads})[2].variant == "heads=8 d_model=64");
}

TEST_CASE("summary: a model tested without its positions is named as such, and no setting at its default") {
  Result none = line("none", 1, 0.5, 0.5), taken = none, windows = none;
  taken.settings.trained_as = "rope";
  windows.settings.model.window_by_layer = "4 none";
  const auto rows = rows_of({none, taken, windows});
  CHECK(rows[0].name() == "none");
  CHECK(rows[1].name() == "rope, taken away");
  CHECK(rows[2].name() == "none (window_by_layer=4 none)");
}

TEST_CASE("summary: seeds are sorted, whatever the order of the results") {
  const auto summaries =
      rows_of({line("none", 3, 0.75, 0.5), line("none", 1, 0.25, 0), line("none", 2, 0.5, 0.25)});
  CHECK(summaries[0].seed == std::vector{1LL, 2LL, 3LL});
  CHECK(summaries[0].by_length[0].token_accuracy == std::vector{0.25, 0.5, 0.75});
}

TEST_CASE("summary: a row has the curves and the time of its own seeds") {
  Records records{{line("none", 1, 0.5, 0.5), line("none", 2, 0.5, 0.5), line("rope", 1, 1, 1)}};
  for (const std::size_t i : {1u, 0u}) {
    records.results[i].outcome.curve = {{50}, {1}, {0.25}};
    records.results[i].outcome.training_seconds = 2;
  }
  const auto rows = summarise(records);
  CHECK(rows[0].curves.size() == 2);
  CHECK(rows[0].timed_steps == rows[0].steps[0] + rows[0].steps[1]);
  CHECK(rows[0].training_seconds == 4);
  CHECK(rows[1].curves.empty());
  CHECK(rows[1].timed_steps == 0);
}

TEST_CASE("summary: the lengths of a dataset count together, in proportion to their examples") {
  Result result = line("none", 1, 1, 0.5);
  result.settings.dataset = "nowhere.tsv";
  auto& by_length = result.outcome.by_length;
  by_length[0].score.examples = 100;
  by_length[0].no_input_baseline = 0.125;
  by_length[1].score.examples = 300;
  by_length[1].no_input_baseline = 0.25;
  const RowAtLength all = all_lengths(rows_of({result}).front());
  CHECK(all.token_accuracy == std::vector{0.625});
  CHECK(all.exact_match == std::vector{0.3125});
  CHECK(all.order_blind_ceiling == 0.25);
  CHECK(all.no_input_baseline == 0.21875);
  CHECK(all.examples == 400);
}

TEST_CASE("summary: a length without a ceiling has none, and answers are not generated for that") {
  Result result = line("none", 1, 0.5, 0.5);
  for (LengthScore& at : result.outcome.by_length) at.order_blind_ceiling.reset();
  const ResultRow row = rows_of({result}).front();
  CHECK_FALSE(row.by_length[0].order_blind_ceiling);
  CHECK_FALSE(row.generates);
}

TEST_CASE("summary: what one answer to all inputs gets, as whole answers; only where these are generated") {
  const auto constant_on = [](const char* task, const char* model) {
    test::Sample sample{.task = task, .model = model, .tested = {{12, 1}}};
    return summarise({{test::result_of(sample)}}).front().by_length.front().constant_answer;
  };
  CHECK_FALSE(constant_on("first", "encoder"));
  CHECK_FALSE(constant_on("of no such name", "decoder"));
  CHECK(*constant_on("sort", "decoder") < 0.001);
  CHECK(*constant_on("first", "decoder") ==
        doctest::Approx(0.1).epsilon(0.1));  // one of ten tokens, twelve times
}

TEST_CASE("summary: the steps of a seed end where it had solved the task, if that ended its training") {
  Result solved = test::result_of({.seed = 1, .steps_to_solve = 300}),
         not_solved = test::result_of({.seed = 2});
  const auto steps = [&] { return summarise({{solved, not_solved}}).front().steps; };
  CHECK(steps() == std::vector{300, 1000});
  solved.settings.train.stop_when_solved = not_solved.settings.train.stop_when_solved = false;
  CHECK(steps() == std::vector{1000, 1000});
}

TEST_CASE("summary: a cell that is there twice is refused, and a table that has changed between cells") {
  const auto error_with = [](const Result& second) {
    return error_of([&] { rows_of({line("none", 1, 0.5, 0.5), second}); });
  };
  Result second = line("none", 2, 0.5, 0.5);
  CHECK(error_with(second) == "no error");
  CHECK(error_with(line("none", 1, 0.5, 0.5)) ==
        "[f:2] this cell was there before, in f:1. Hint: remove one of the two lines");
  Result first = line("none", 1, 0.5, 0.5);
  first.outcome.table = "10 rows, hash a";
  second.outcome.table = "10 rows, hash b";
  CHECK(error_of([&] {
          rows_of({first, second});
        }) ==
        str("[f:2] the table '", first.settings.task,
            "' had 10 rows, hash b, and 10 rows, hash a in cells before. Hint: results on different tables "
            "cannot be put together"));
  second.outcome.table = first.outcome.table;
  CHECK(error_of([&] { rows_of({first, second}); }) == "no error");
}

TEST_CASE(
    "summary: rows whose scheme cannot tell left from right know the mirror-blind ceiling of their task") {
  const auto rows = rows_of({line("alibi", 1, 0.5, 0.5), line("rope", 1, 1, 1), line("none", 1, 0.25, 0.25),
                             line("unheard", 1, 0.25, 0.25)});
  CHECK(rows[0].by_length[1].mirror_blind_ceiling ==
        task_of(rows[0].settings).mirror_blind_ceiling(18)->value);
  for (std::size_t i = 1; i < rows.size(); ++i) CHECK_FALSE(rows[i].by_length[0].mirror_blind_ceiling);

  Result gone = line("alibi", 1, 0.5, 0.5);
  gone.settings.task = gone.settings.dataset = "no/such/table.tsv";
  CHECK_FALSE(rows_of({gone})[0].by_length[0].mirror_blind_ceiling);
  CHECK_FALSE(all_lengths(rows_of({gone})[0]).mirror_blind_ceiling);
}
