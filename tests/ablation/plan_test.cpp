#include <doctest/doctest.h>

#include <set>

#include "../support/errors.h"
#include "../support/temporary_folder.h"
#include "ablation/trained_alike.h"
#include "tasks/support/registry.h"

using namespace locus;

namespace {

Grid grid(std::vector<std::string> tasks, std::vector<std::string> schemes, int seeds = 1) {
  return {.tasks = std::move(tasks), .schemes = std::move(schemes), .seeds = seeds};
}

// What is wrong with the request; anything else than bad usage counts as nothing.
std::string refusal(const Grid& grid) {
  try {
    cells(grid);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no usage error";
}

}  // namespace

TEST_CASE("plan: every task with every scheme and every seed, in that order, each cell once") {
  const auto plan = cells(grid({"before", "sort"}, {"none", "rope:base=100"}, 3));
  REQUIRE(plan.size() == 2 * 2 * 3);
  std::set<SettingsKey> keys;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    CHECK(plan[i].task == (i < 6 ? "before" : "sort"));
    CHECK(plan[i].model.scheme == (i / 3 % 2 == 0 ? "none" : "rope:base=100"));
    CHECK(plan[i].train.seed == 1 + i % 3);
    CHECK(plan[i].train.steps > 0);  // completed
    keys.insert(settings_key(plan[i]));
  }
  CHECK(keys.size() == plan.size());
}

TEST_CASE("plan: what is common to all cells is in each of them") {
  Grid wide = grid({"sort"}, {"none", "learned"});
  wide.settings[0].model.d_model = 16;
  wide.settings[0].train.batch = 7;
  for (const RunSettings& cell : cells(wide)) {
    CHECK(cell.model.d_model == 16);
    CHECK(cell.train.batch == 7);
  }
}

TEST_CASE("plan: a scheme or a task named twice is refused") {
  CHECK(refusal(grid({"before"}, {"none", "rope", "none"})) ==
        "[ablate] 'none' on before is asked for twice. Hint: name each scheme and each setting once");
  CHECK(refusal(grid({"before", "sort", "before"}, {"none"})) ==
        "[ablate] two tasks are called 'before'. Hint: name each once; rename the table's file");

  const TemporaryFolder folder;  // a table that would be taken for the toy task in the results
  std::string rows;
  for (int i = 0; i < 40; ++i) rows += str("w", i, "\tyes\n");
  write_file_atomically(folder / "before.tsv", rows);
  Grid with_table = grid({"before"}, {"none"});
  with_table.datasets = {folder / "before.tsv"};
  CHECK(refusal(with_table) ==
        "[ablate] two tasks are called 'before'. Hint: name each once; rename the table's file");
}

TEST_CASE("plan: settings are run one after the other, each with all schemes") {
  Grid two = grid({"sort", "before"}, {"none", "learned"});
  two.settings.resize(2);
  two.settings[1].model.d_model = 16;
  const auto plan = cells(two);
  REQUIRE(plan.size() == 8);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(plan[i].task == (i < 4 ? "sort" : "before"));
    CHECK(plan[i].model.d_model == (i % 4 < 2 ? 32 : 16));
    CHECK(plan[i].model.scheme == (i % 2 == 0 ? "none" : "learned"));
  }
  two.settings[1].model.d_model = 32;
  CHECK(refusal(two) ==
        "[ablate] 'none' on sort is asked for twice. Hint: name each scheme and each setting once");
}

TEST_CASE("plan: without schemes, each model runs those that are usual for it") {
  Grid usual = grid({"before"}, {});
  usual.settings.resize(2);
  usual.settings[1].model.kind = ModelKind::gru;
  std::string schemes;
  for (const RunSettings& cell : cells(usual)) schemes += to_string(cell.model.scheme) + " ";
  CHECK(schemes == "none index sinusoidal learned rope alibi t5 none index sinusoidal learned ");
}

TEST_CASE("plan: the control runs again on as many seeds more, if there is anything to compare") {
  const auto seeds = [](Grid asked) {
    std::string all;
    for (const RunSettings& cell : cells(asked)) all += str(cell.model.scheme, cell.train.seed, " ");
    return all;
  };
  Grid asked = grid({"before"}, {"rope", "none"}, 2);
  asked.aa = true;
  CHECK(seeds(asked) == "rope1 rope2 none1 none2 none3 none4 ");
  asked.control = "rope";
  CHECK(seeds(asked) == "rope1 rope2 rope3 rope4 none1 none2 ");
  asked.aa = false;
  CHECK(seeds(asked) == "rope1 rope2 none1 none2 ");
  asked.control = "";
  asked.aa = true;
  asked.schemes = {"rope", "t5"};
  CHECK(seeds(asked) == "rope1 rope2 rope3 rope4 t51 t52 ");
  asked.seeds = 1;
  CHECK(seeds(asked) == "rope1 t51 ");
  asked = grid({"before"}, {"rope"}, 2);
  asked.aa = true;
  CHECK(seeds(asked) == "rope1 rope2 ");
  asked.control = "rop";
  CHECK(refusal(asked) == "[ablate] the control 'rop' is not among the schemes. Hint: did you mean 'rope'?");
}

TEST_CASE("plan: a model trained as one scheme is tested as others that have its parameters") {
  Grid asked = grid({"before"}, {"rope", "rope:extend=pi,factor=4"});
  asked.settings[0].trained_as = "rope";
  const auto plan = cells(asked);
  CHECK(plan[0].trained_as == "");
  CHECK(plan[1].trained_as == "rope");
  CHECK(plan[1].model.scheme == "rope:extend=pi,factor=4");
  CHECK(in_training(plan[1]).model.scheme == "rope");
  CHECK(in_training(plan[1]).trained_as == "");
  CHECK(settings_key(in_training(plan[1])) == settings_key(plan[0]));
  CHECK(settings_key(settings_from_json(to_json(plan[1]), "")) == settings_key(plan[1]));
  asked.schemes = {"rope", "learned"};
  CHECK(refusal(asked) ==
        "[ablate] a model trained as 'rope' cannot be tested as 'learned': they have different parameters. "
        "Hint: schemes that differ only in keys without parameters can");
  asked.settings[0].trained_as = "rop";
  CHECK(refusal(asked).starts_with("[scheme] there is no scheme 'rop'"));
}

TEST_CASE("plan: recalibrated cells go on with the scheme they are tested with, also with the one they had") {
  Grid asked = grid({"before"}, {"rope", "none"});
  asked.settings.clear();
  for (const int steps : {0, 20})
    for (const double rate : {0.001, 0.01}) {
      asked.settings.push_back({});
      asked.settings.back().trained_as = "rope";
      asked.settings.back().recalibrate = steps;
      asked.settings.back().recalibrate_rate = rate;
    }
  const auto plan = cells(asked);  // without recalibration there is no rate to try
  std::string words;
  for (const RunSettings& cell : plan)
    words +=
        str(cell.model.scheme, '<', cell.trained_as, ' ', cell.recalibrate, ' ', cell.recalibrate_rate, "; ");
  CHECK(words ==
        "rope< 0 0; none<rope 0 0; rope<rope 20 0.001; none<rope 20 0.001; rope<rope 20 0.01; none<rope 20 "
        "0.01; ");
  for (const RunSettings& cell : plan) {
    CHECK(settings_key(in_training(cell)) == settings_key(plan[0]));
    CHECK(settings_key(settings_from_json(to_json(cell), "")) == settings_key(cell));
  }
  CHECK(trained_alike(plan, {0, 2, 3, 5}) == std::vector<Cells>{{0, 2, 3, 5}});
  const double steps = plan[0].train.steps;
  CHECK(work_of(plan) == doctest::Approx(work_of({plan[0]}) * (1 + 4 * 20 / steps)).epsilon(0.02));

  asked.settings = {asked.settings[2]};
  asked.settings[0].recalibrate_rate = 0;
  CHECK(cells(asked)[1].recalibrate_rate == cells(asked)[1].train.optimizer.learning_rate);
  asked.schemes = {"rope", "t5"};
  CHECK(refusal(asked) ==
        "[ablate] a model trained as 'rope' cannot go on as 't5': they have different parameters. Hint: "
        "schemes "
        "that differ only in keys without parameters can");
  asked.settings[0].trained_as = "";
  CHECK(refusal(asked) ==
        "[ablate] --recalibrate 20 is given, but no --trained-as SPEC. Hint: name the scheme that models are "
        "trained with before they go on with another");
  asked.settings[0].recalibrate = 0;
  asked.settings[0].recalibrate_rate = 0.01;
  CHECK(refusal(asked) ==
        "[ablate] --recalibrate-lr 0.01 is given, but no --recalibrate N. Hint: say for how many steps: "
        "--recalibrate 100");
}

TEST_CASE("plan: its parts together are the plan, and as many parts as cells make each a cell") {
  for (const std::size_t cells : {1u, 7u, 144u})
    for (std::size_t parts = 1; parts <= cells; ++parts) {
      std::size_t next = 0;
      for (std::size_t part = 1; part <= parts; ++part) {
        const auto [first, end] = cells_of_part(cells, part, parts);
        CHECK(first == next);
        CHECK(end > first);
        next = end;
      }
      CHECK(next == cells);
      CHECK(cells_of_part(cells, parts, parts).first == (cells * (parts - 1)) / parts);
    }
}

TEST_CASE("plan: without tasks or seeds there is nothing to run") {
  const std::string nothing =
      "[ablate] there is nothing to run. Hint: give at least one task, one scheme and one seed";
  CHECK(refusal(grid({}, {"none"})) == nothing);
  CHECK(refusal(grid({"before"}, {"none"}, 0)) == nothing);
}

TEST_CASE("plan: whatever cannot run is refused before anything has run") {
  CHECK(refusal(grid({"before"}, {"none", "rop"}))
            .starts_with("[scheme] there is no scheme 'rop'. Hint: did you mean 'rope'?"));
  CHECK(refusal(grid({"before"}, {"none", "learned:capacty=3"})) ==
        "[learned] it has no option 'capacty'. Hint: did you mean 'capacity'?");
  CHECK(refusal(grid({"before", "reverze"}, {"none"}))
            .starts_with("[task] there is no task 'reverze'. Hint: did you mean 'reverse'?"));
  CHECK(refusal(grid({"sort", "unique"}, {"none"}))
            .starts_with("[model] 'unique' asks for answers of any length"));
  CHECK(refusal(grid({"sort"}, {"none", "learned:capacity=23"})) ==
        "[scheme] 'learned:capacity=23' has 23 positions, but inputs of up to 24 tokens are asked for. Hint: "
        "raise its capacity to "
        "24, or choose shorter lengths");
  Grid odd = grid({"sort"}, {"none", "rope"});
  odd.settings[0].model.d_model = 6;
  CHECK(refusal(odd).starts_with("[rope] 3 channels of each head of 3 would be turned"));
  odd.settings[0].model.heads = 4;
  CHECK(refusal(odd).starts_with("[model] --d-model 6 is not a multiple of --heads 4"));
}
