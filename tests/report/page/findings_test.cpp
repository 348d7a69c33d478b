#include "report/page/findings.h"

#include <doctest/doctest.h>

#include "../../support/samples.h"
#include "io/file.h"

using namespace locus;
using test::BySeed;
using test::Sample;

namespace {

const BySeed right = {1, 1, 1}, nearly = {0.998, 1, 0.999};

std::vector<Result> rows(const std::string& task, const std::string& scheme, const BySeed& trained,
                         const BySeed& beyond, Sample sample = {}) {
  sample.task = task;
  sample.scheme = scheme;
  return test::seeds_of(sample, {trained, beyond});
}

Sample solved_after(int steps, int parameters = 26122) {
  return {.steps_to_solve = steps, .parameters = parameters};
}

// The text under this heading; "" when nothing was found.
std::string found(const std::vector<std::vector<Result>>& parts, const std::string& lead,
                  const std::string& control = "") {
  for (const Finding& one : findings(Study({test::together(parts)}, control)))
    if (one.lead == lead) return one.text;
  return "";
}

const std::string ceiling = "Without order, the ceiling holds", leak = "Order leaks in",
                  learns = "In training", longest = "On the longest inputs",
                  by_heart = "Right is not the same as understood", noise = "How much is noise",
                  blew_up = "Diverged";

}  // namespace

TEST_CASE("findings: the encoder without positions on its ceiling, and where it is not") {
  const auto on = rows("reverse", "none", {0.25, 0.26, 0.25}, {0.25, 0.25, 0.24});
  const auto under = rows("sort", "none", {0.15, 0.15, 0.15}, {0.25, 0.25, 0.25});
  CHECK(found({on}, ceiling) ==
        "Without positions (`none`) the encoder lands on the order-blind ceiling of reverse at every length, "
        "within 0.003 (shown to be less than 0.02 by an equivalence test).");
  CHECK(
      found({on, under}, ceiling) ==
      "Without positions (`none`) the encoder lands on the order-blind ceiling of 1 of 2 tasks at every "
      "length, within 0.003 (shown to be less than 0.02 by an equivalence test). That is not shown on sort.");
  // Near in the mean is not enough: these seeds could belong to a model above the ceiling.
  CHECK(found({rows("reverse", "none", {0.2, 0.25, 0.3}, {0.25, 0.25, 0.25})}, ceiling) == "");
  CHECK(found({under}, ceiling) == "");
  CHECK(found({rows("reverse", "rope", {0.25, 0.25, 0.25}, {0.25, 0.25, 0.25})}, ceiling) == "");
}

TEST_CASE("findings: the encoder without positions above its ceiling is a leak, unless it may be chance") {
  const auto above = rows("reverse", "none", {0.4, 0.41, 0.42}, {0.25, 0.25, 0.25});
  const std::string words = found({above}, leak);
  CHECK(words.starts_with(
      "On reverse at 12 tokens the encoder without positions reaches 0.41, above the ceiling "
      "of 0.25"));
  CHECK(found({above}, ceiling) == "");
  CHECK(found({rows("reverse", "none", {0.2, 0.3, 0.4}, {0.25, 0.25, 0.25})}, leak) == "");
  Sample decoder{.model = "decoder"};
  CHECK(found({rows("reverse", "none", {0.4, 0.41, 0.42}, {0.25, 0.25, 0.25}, decoder)}, leak) == "");
}

TEST_CASE("findings: positions taken away after training, at once and after more training without them") {
  const std::string lead = "Positions taken away";
  const BySeed blind = {0.25, 0.25, 0.25};
  const auto read_bare = [&](const std::string& trained_as, int recalibrate, const BySeed& accuracy) {
    auto cells = rows("reverse", "none", accuracy, blind);
    for (Result& cell : cells) {
      cell.settings.trained_as = trained_as;
      cell.settings.recalibrate = recalibrate;
    }
    return cells;
  };
  const auto at_once = read_bare("sinusoidal", 0, {0.13, 0.14, 0.12}),
             later = read_bare("sinusoidal", 300, blind);
  const std::string
      lost =
          "Trained with positions and read without them, a model gets less than the order-blind ceiling, "
          "which a model can reach that never had positions: `sinusoidal` on reverse (0.13 of 0.25).",
      back =
          "Trained on without positions, it reaches the order-blind ceiling: `sinusoidal` on reverse "
          "(0.25, after 300 steps).";
  CHECK(found({at_once, later}, lead) == lost + " " + back);
  CHECK(found({at_once}, lead) == lost);
  CHECK(found({later}, lead) == back);
  // Not where it may be chance, nor of a model that never had positions.
  CHECK(found({read_bare("sinusoidal", 0, {0.05, 0.25, 0.2})}, lead) == "");
  CHECK(found({read_bare("sinusoidal", 300, {0.15, 0.15, 0.15})}, lead) == "");
  CHECK(found({rows("reverse", "none", {0.13, 0.14, 0.12}, blind)}, lead) == "");
}

TEST_CASE("findings: schemes that cannot tell left from right, on their ceiling, and above it") {
  const std::string lead = "Left and right look alike";
  const BySeed blind = {0.25, 0.25, 0.25};
  const auto previous = rows("previous", "alibi", {0.55, 0.54, 0.55}, blind),
             sort = rows("sort", "alibi", blind, blind), pairs = rows("pairs", "alibi", right, right),
             kerple = rows("first", "kerple", {0.55, 0.55, 0.55}, blind);
  CHECK(found({previous, sort, pairs, kerple}, lead) ==
        "`alibi` and `kerple` give an input and its mirror image mirrored answers. At the length trained on, "
        "the most "
        "that any such model can reach is reached by `alibi` on previous (0.55) and `kerple` on first "
        "(0.55).");
  CHECK(found({rows("previous", "alibi", {0.5, 0.55, 0.6}, blind)}, lead) == "");  // may be anywhere near it
  CHECK(found({sort, pairs, rows("previous", "rope", {0.55, 0.54, 0.55}, blind)}, lead) == "");
  CHECK(found({previous, sort, pairs, kerple}, leak) == "");
  CHECK(found({rows("previous", "alibi", {0.61, 0.6, 0.61}, blind)}, leak) ==
        "On previous at 12 tokens the encoder with `alibi`, which cannot tell left from right, reaches 0.61, "
        "above the "
        "ceiling of 0.55: it must see direction some other way. Find out how before trusting the rest.");
}

TEST_CASE("findings: who solves every task at the length trained on, in every seed") {
  const auto all = [&](const std::string& scheme, const BySeed& sort) {
    return test::together({rows("reverse", scheme, right, right), rows("sort", scheme, sort, right)});
  };
  CHECK(
      found({all("rope", right), all("t5", {1, 1, 0.98}), all("shaw", nearly)}, learns) ==
      "`rope` and `shaw` get at least 99\u00a0% right on both tasks at the length trained on, in every seed.");
  CHECK(found({all("rope", right), all("t5", {1, 1, 0.98})}, learns) ==
        "Only `rope` gets at least 99\u00a0% right on both tasks at the length trained on, in every seed.");
  CHECK(found({all("rope", {1, 1, 0.5}), all("t5", {1, 1, 0.98})}, learns) == "");
  CHECK(found({all("rope", right)}, learns) ==
        "`rope` gets at least 99\u00a0% right on both tasks at the length trained on, in every seed.");
  // A scheme that was not run on all tasks is not counted.
  CHECK(
      found({all("rope", right), all("shaw", right), rows("sort", "t5", right, right)}, learns) ==
      "`rope` and `shaw` get at least 99\u00a0% right on both tasks at the length trained on, in every seed.");
  CHECK(found({all("rope", right), all("shaw", right)}, learns).starts_with("All schemes get at least 99"));
}

// Training that had not ended is no property of the positions: the sentence says after how many steps.
TEST_CASE("findings: where nothing was learned, after how many steps") {
  const BySeed blind = {0.25, 0.25, 0.26};
  auto few_steps = test::together({rows("sort", "alibi", blind, blind), rows("sort", "rope", blind, blind)});
  for (Result& result : few_steps) result.outcome.steps = 60;
  CHECK(found({few_steps}, longest) ==
        "On sort no scheme clearly gets more than is possible without order or reading, after 60 steps.");
  auto ended_early = rows("sort", "alibi", blind, blind);
  ended_early[0].outcome.steps = 250;
  ended_early[1].outcome.steps = ended_early[2].outcome.steps = 400;
  CHECK(found({ended_early}, longest).ends_with(", after 250 to 400 steps."));
  ended_early[0].outcome.steps_to_solve = 100;  // as the table has it: "1/3 @100"
  CHECK(found({ended_early}, longest).ends_with(", after 100 to 400 steps."));
}

TEST_CASE("findings: the best on the longest inputs, if its lead is more than chance") {
  const auto sinusoidal = rows("sort", "sinusoidal", right, {0.4, 0.41, 0.4});
  CHECK(found({rows("sort", "rope", right, {0.9, 0.91, 0.92}), sinusoidal}, longest) ==
        "Ahead of all others: `rope` on sort (0.91; next `sinusoidal`, 0.40).");
  const auto wide = rows("sort", "rope", right, {0.3, 0.95, 0.6});
  CHECK(found({wide, sinusoidal}, longest) == "");
  CHECK(found({rows("sort", "rope", right, {0.9, 0.91, 0.92})}, longest) == "");  // alone
  CHECK(found({rows("sort", "rope", {1}, {0.9}), rows("sort", "t5", {1}, {0.1})}, longest) ==
        "");  // one seed
  // A lead at p = 0.03 is chance among the leads on ten tasks.
  std::vector<std::vector<Result>> ten;
  const auto lead = [](const std::string& task) {
    return test::together(
        {rows(task, "rope", right, {0.6, 0.7, 0.8}), rows(task, "t5", right, {0.4, 0.39, 0.41})});
  };
  ten.push_back(lead("sort"));
  CHECK(found(ten, longest) == "Ahead of all others: `rope` on sort (0.70; next `t5`, 0.40).");
  for (int i = 0; i < 9; ++i) ten.push_back(lead(str("task", i)));
  CHECK(found(ten, longest).find("Ahead") == std::string::npos);
}

// A scheme whose best rate is the largest that was tried may do better at a larger one, and then be ahead itself.
TEST_CASE("findings: at the edge of the learning rates that were tried, no scheme is ahead of all others") {
  const BySeed rope_beyond = {0.9, 0.91, 0.92}, t5_beyond = {0.4, 0.41, 0.4};
  const Records records{
      test::together({rows("sort", "rope", right, rope_beyond), rows("sort", "t5", right, t5_beyond)})};
  const auto words = [&](double rope, double t5, const std::string& model = "encoder",
                         const char* other = "t5") {
    std::vector<ChosenRate> chosen;
    for (const auto& [scheme, rate] : {std::pair{"rope", rope}, {other, t5}}) {
      RunSettings settings = test::result_of({.task = "sort", .scheme = scheme, .model = model}).settings;
      settings.train.optimizer.learning_rate = rate;
      chosen.push_back({settings, 3, 0.001, 0.01});
    }
    const Study study(records, "", chosen);
    for (const Finding& one : findings(study))
      if (one.lead == longest) return one.text;
    return std::string();
  };
  const std::string ahead = "Ahead of all others: `rope` on sort (0.91; next `t5`, 0.40).";
  CHECK(words(0.003, 0.003) == ahead);
  CHECK(words(0.01, 0.003) == "");
  CHECK(words(0.003, 0.001) == "");
  CHECK(words(0.01, 0.003, "decoder") == ahead);  // the search was one of other models
  CHECK(words(0.003, 0.001, "encoder", "none")
            .starts_with("Ahead of all others: "));  // below its ceiling at any rate
}

TEST_CASE("findings: the rates that were tried are found in the results, if these hold them all") {
  std::vector<Result> results;
  for (const double rate : {0.001, 0.003})
    for (const auto& [scheme, beyond] :
         {std::pair{"rope", BySeed{0.9, 0.91, 0.92}}, {"t5", BySeed{0.4, 0.41, 0.4}}})
      for (Result& result : rows("sort", scheme, right, beyond)) {
        result.settings.train.optimizer.learning_rate = rate;
        result.outcome.curve = {.step = {50}, .loss = {1 - rate}, .accuracy = {0.5}};
        results.push_back(result);
      }
  CHECK(Study({results}).views[0].at_edge == std::set<std::string>{"sort"});
  results.back().outcome.curve = {};
  CHECK(Study({results}).views[0].at_edge.empty());  // without all curves nothing was chosen
}

TEST_CASE("findings: more than five tasks are counted, not named") {
  const BySeed blind = {0.25, 0.25, 0.26};
  std::vector<std::vector<Result>> six;
  for (int i = 0; i < 6; ++i) six.push_back(rows(str("task", i), "alibi", blind, blind));
  CHECK(found(six, longest) ==
        "On 6 of 6 tasks no scheme clearly gets more than is possible without order or reading, "
        "after 1,000 steps.");
}

// rope and shaw have 0.53 and 0.51 on sort at 24, where reading nothing gives 0.48.
TEST_CASE("findings: tasks on which no scheme carries over; what is not there is not named") {
  const BySeed blind = {0.25, 0.25, 0.26};
  CHECK(found({rows("reverse", "rope", right, blind), rows("reverse", "t5", right, {0.2, 0.2, 0.2})},
              longest) ==
        "On reverse no scheme clearly gets more than is possible without order or reading, "
        "after 1,000 steps.");
  Sample unread{.tested = {{12, 1}, {24, 1, 0.25, 0.5}}};
  CHECK(found({rows("reverse", "rope", right, {0.5, 0.5, 0.5}, unread)}, longest) != "");
  Sample high{.tested = {{12, 1, 0.25, 0.3}, {24, 1, 0.21, 0.48}}};
  CHECK(
      found({rows("sort", "rope", right, {0.55, 0.5, 0.54}, high), rows("sort", "none", blind, blind, high)},
            longest) ==
      "On sort no scheme clearly gets more than is possible without order or reading, "
      "after 1,000 steps.");
  Sample decoder{.model = "decoder", .tested = {{12, 1, {}}, {24, 1, {}}}};
  CHECK(found({rows("copy", "rope", right, {0, 0.01, 0}, decoder)}, longest) ==
        "On copy no scheme clearly gets anything right, after 1,000 steps.");
}

// sinusoidal on majority, 0.74 against 1.00, led this sentence beside its own verdict "cannot tell".
TEST_CASE("findings: right as trained, and worse than blind beyond") {
  const BySeed below = {0.1, 0.11, 0.12};
  CHECK(found({rows("reverse", "rope", right, below)}, by_heart) ==
        "`rope` solves reverse at 12 tokens, and at 24 tokens gets 0.11, less than the 0.25 that is possible "
        "without order.");
  CHECK(found({rows("reverse", "rope", right, below), rows("sort", "rope", right, {0.15, 0.15, 0.15})},
              by_heart)
            .ends_with(" Also less than is possible without order or reading: `rope` on sort."));
  CHECK(found({rows("reverse", "rope", {0.9, 1, 1}, below)}, by_heart) == "");
  CHECK(found({rows("reverse", "rope", right, {0.1, 0.3, 0.2})}, by_heart) == "");
  const BySeed chance = {0.05, 0.13, 0.09};  // p = 0.02
  std::vector<std::vector<Result>> ten = {rows("reverse", "rope", right, chance)};
  CHECK(found(ten, by_heart) != "");
  for (int i = 0; i < 9; ++i) ten.push_back(rows(str("task", i), "rope", right, {0.25, 0.25, 0.25}));
  CHECK(found(ten, by_heart) == "");
}

// The page of the encoders said of `sort` three times that schemes which solve it get less than its 0.48 beyond.
TEST_CASE("findings: parameters that were never trained are no failure to understand") {
  const BySeed below = {0.1, 0.11, 0.12};
  const std::string untrained =
      " less than is possible without order or reading, since no training input was long enough to train the "
      "parameters of the last positions.";
  for (const char* scheme : {"learned", "onehot", "learned:join=concat"})
    CHECK(found({rows("reverse", scheme, right, below)}, by_heart) ==
          str("`", scheme, "` on reverse gets", untrained));
  for (const char* scheme :
       {"rope", "randomized+learned"})  // the second draws positions: all rows are trained
    CHECK(
        found({rows("reverse", scheme, right, below)}, by_heart).starts_with(str("`", scheme, "` solves ")));
  CHECK(found({rows("reverse", "rope", right, below), rows("reverse", "learned", right, below),
               rows("reverse", "onehot", right, below)},
              by_heart)
            .ends_with(" order. `learned` on reverse and `onehot` on reverse get" + untrained));
}

TEST_CASE("findings: one seed supports no comparison, and no sentence on every seed") {
  const auto rope = rows("reverse", "rope", {1}, {0.1});
  CHECK(found({rope, rows("reverse", "none", {0.4}, {0.4})}, leak) == "");
  CHECK(found({rope}, by_heart) == "");
  CHECK(found({rope}, learns) == "`rope` gets at least 99\u00a0% right on reverse at the length trained on.");
}

TEST_CASE("findings: a table that was learned by heart, with both numbers") {
  auto table = rows("orders", "none", {0.4, 0.4, 0.4}, {0.4, 0.4, 0.4}, {.status = TrainStatus::memorised});
  for (Result& result : table) result.outcome.rows = TableValidation{1, 0.381};
  CHECK(found({table}, "Learned by heart") ==
        "Most rows trained on are answered, and far fewer of the others: `none` on orders (100 % of the rows "
        "trained on are "
        "right, and 38 % of rows never trained on).");
  CHECK(found({rows("sort", "rope", right, right)}, "Learned by heart") == "");
}

// learned with 202 steps was called quicker than two schemes with 207 and 213, at validations every 50 steps.
TEST_CASE("findings: no scheme is called quick") {
  for (const Finding& one :
       findings(Study({test::together({rows("sort", "rope", right, right, solved_after(202)),
                                       rows("sort", "t5", right, right, solved_after(207)),
                                       rows("sort", "shaw", right, right, solved_after(900))})})))
    CHECK(one.text.find("steps") == std::string::npos);
}

TEST_CASE("findings: the control against itself") {
  const auto rope = rows("sort", "rope", right, right);
  CHECK(found({rows("sort", "none", {.25, .26, .25, .25, .25, .26}, {.25, .25, .25, .26, .25, .25}), rope},
              noise) ==
        "`none` against itself, on other seeds, differs by up to 0.003, which cannot be told from 0.");
  CHECK(found({rows("sort", "none", right, right), rope}, noise) == "");  // no seeds of its own
  CHECK(found({rows("sort", "none", {.25, .25, .25, .75, .75, .75}, {.25, .25, .25, .25, .25, .25}), rope},
              "The control differs from itself")
            .starts_with("`none` on sort, trained twice on different seeds, differs by 0.500"));
  // ablate --control rope runs rope twice.
  const auto none = rows("sort", "none", {.25, .26, .25}, {.25, .25, .25});
  const auto twice = rows("sort", "rope", {.99, 1, 1, 1, 1, 1}, {.5, .5, .5, .5, .5, .5});
  CHECK(found({none, twice}, noise, "rope") ==
        "`rope` against itself, on other seeds, differs by up to 0.003, which cannot be told from 0.");
  CHECK(found({none, twice}, noise, "none").starts_with("`rope` against itself"));
}

TEST_CASE("findings: models that blew up") {
  CHECK(found({rows("sort", "rope", right, right, {.status = TrainStatus::diverged})}, blew_up) ==
        "Training diverged in 3 models: `rope` on sort. (The loss was not a finite number, or at the end "
        "above 2 times that of a uniform guess.)");
  CHECK(found({rows("sort", "rope", right, right)}, blew_up) == "");
}

TEST_CASE("headline: a scheme far ahead of all others on one task, and not again among the findings") {
  Sample decoder{.model = "decoder", .tested = {{12, 1, {}}, {24, 1, {}}}};
  const auto far = rows("sort", "none", right, {0.92, 0.93, 0.92}, decoder),
             low = rows("sort", "t5", right, {0.2, 0.3, 0.25}, decoder),
             rope = rows("sort", "rope", right, {0, 0, 0}, decoder);
  const Study study({test::together({far, low, rope})});
  CHECK(
      headline(study) ==
      "Without positions, the decoder gets 92\u00a0% of sort right at 24 tokens, twice the length trained on; the "
      "best with positions, `t5`, 25\u00a0%.");
  CHECK(found({far, low, rope}, longest) == "");
  CHECK(plain_headline(study).find('`') == std::string::npos);
  // A second that is not far behind is no such news.
  CHECK(
      headline(Study({test::together({far, rows("sort", "t5", right, {0.8, 0.8, 0.81}, decoder), rope})}))
          .starts_with(
              "On sort at 24 tokens, twice the length trained on, `none` gets 92\u00a0% of all answers right "
              "and `t5` 80\u00a0%; `rope` nothing."));
  // Steps are named where a scheme that gets nothing had not learned the task, and they are those of that scheme.
  CHECK(headline(
            Study({test::together({far,
                                   rows("sort", "t5", right, {0.8, 0.8, 0.81},
                                        {.model = "decoder", .tested = decoder.tested, .steps_to_solve = 50}),
                                   rows("sort", "rope", {0.5, 0.5, 0.5}, {0, 0, 0}, decoder)})}))
            .ends_with("`rope` nothing (after 1,000 steps)."));
}

TEST_CASE("headline: what each scheme keeps of what order is worth, the most first, over all tasks") {
  const auto both = [](const std::string& scheme, double sort, double reverse, Sample sample = {}) {
    return test::together(
        {rows("sort", scheme, right, {sort, sort + 0.01, sort - 0.01}, sample),
         rows("reverse", scheme, right, {reverse, reverse + 0.01, reverse - 0.01}, sample)});
  };
  const auto words = [](const std::vector<std::vector<Result>>& parts) {
    return headline(Study({test::together(parts)}));
  };
  CHECK(
      words({both("none", 0.25, 0.25), both("rope", 0.85, 0.7), both("shaw", 0.7, 0.7),
             both("t5", 0.25, 0.55)}) ==
      "At 24 tokens, twice the length trained on, `rope` keeps 70\u00a0% of what order is worth, `shaw` 60\u00a0% and "
      "`t5` 20\u00a0%.");
  // Of a scheme with several settings the least and the most.
  auto wider = both("rope", 0.55, 0.1);
  for (Result& result : wider) result.settings.model.d_model = 64;
  CHECK(
      words({both("rope", 0.85, 0.7), wider, both("t5", 0.55, 0.1)}) ==
      "At 24 tokens, twice the length trained on, `rope` keeps 10\u00a0% to 70\u00a0% of what order is worth and `t5` "
      "10\u00a0%.");
  // A window, a mixer, or positions that were taken away make another model, as in the rows of the table.
  auto windows = both("rope", 0.55, 0.1);
  for (Result& result : windows) result.settings.model.window_by_layer = "4 none";
  CHECK(words({both("rope", 0.85, 0.7), windows, both("t5", 0.55, 0.1)}) ==
        "At 24 tokens, twice the length trained on, `rope` keeps 70\u00a0% of what order is worth, "
        "`rope (window_by_layer=4 none)` 10\u00a0% and `t5` 10\u00a0%.");
  // Schemes that were not all run on all tasks are compared on one.
  CHECK(words({both("rope", 0.85, 0.7), rows("sort", "t5", right, {0.7, 0.7, 0.7})})
            .starts_with("On sort at 24 tokens, "));
  // Models that were trained at another length than most are not mixed in: 24 is not twice theirs.
  auto longer = rows("sort", "rope", right, {0.3, 0.3, 0.3});
  for (Result& result : longer) result.settings.train.lengths = {18, 18};
  const auto rope = rows("sort", "rope", right, {0.85, 0.86, 0.84}),
             t5 = rows("sort", "t5", right, {0.7, 0.7, 0.7});
  CHECK(words({rope, t5, longer}) == words({rope, t5}));
  // Each kind of model has its sentence.
  Sample decoder{.model = "decoder", .tested = {{12, 1, {}}, {24, 1, {}}}};
  const auto of_decoders = test::together({rows("sort", "rope", right, {0.5, 0.5, 0.51}, decoder),
                                           rows("sort", "t5", right, {0.6, 0.6, 0.61}, decoder)});
  const std::string two = words({rope, t5, of_decoders});
  CHECK(two.find("In encoders: On sort at 24 tokens, twice the length trained on, `rope` keeps 80\u00a0%") !=
        two.npos);
  CHECK(two.find("In decoders: On sort at 24 tokens, twice the length trained on, `t5` gets 60\u00a0%") !=
        two.npos);
  // What the best keeps on some tasks, and what none does on others, before the means; a mean of 0 or less is nothing.
  const auto split = test::together(
      {both("none", 0.25, 0.25), both("rope", 0.85, 0.1), both("shaw", 0.8, 0.1), both("t5", 0.4, 0.01)});
  CHECK(
      words({split}) ==
      "At 24 tokens, twice the length trained on, `rope` keeps 80\u00a0% of what order is worth on sort; no scheme "
      "clearly keeps anything on reverse. Over all, `rope` keeps 30\u00a0% and `shaw` 27\u00a0%; `t5` nothing.");
  CHECK(found({split}, longest).find("On reverse") == std::string::npos);
  CHECK(words({both("rope", 0.25, 0.25), both("t5", 0.25, 0.25)}) == "");  // the first finding says it
  CHECK(words({both("rope", 0.85, 0.7)}) == "");                           // alone
  CHECK(words({rows("sort", "rope", {1}, {0.9}), rows("sort", "t5", {1}, {0.1})}) == "");  // one seed
}

TEST_CASE("findings: what COMPARE.md quotes is what the page says of the recorded encoders") {
  std::string readme = read_file("lessons/results/COMPARE.md");
  for (const std::string line_break : {"\n> ", "\n>\n"})
    for (std::size_t at; (at = readme.find(line_break)) != readme.npos;)
      readme.replace(at, line_break.size(), 1, ' ');
  const Study study(read_records({"lessons/results/encoder"}));
  int quoted = 0;
  for (const Finding& one : findings(study)) {
    const std::string lead = "**" + one.lead + ".** ";
    if (readme.find(lead) == readme.npos) continue;
    ++quoted;
    CAPTURE(one.text);
    CHECK(readme.find(lead + one.text) != readme.npos);
  }
  CHECK(quoted == 2);
}
