#include "lessons/tools/claims.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "ablation/results.h"
#include "ablation/statistics.h"
#include "base/error.h"
#include "io/format.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

// The seeds of one scheme on one task in a recorded study of lessons/results.
struct Cell {
  std::vector<double> trained, longer;  // token accuracy at the shortest and at the longest test length
  std::vector<double> steps;            // until 99 % of a validation are right; never: all steps
  int parameters = 0;
};
double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
Cell cell(const std::string& study, const std::string& task, const std::string& scheme, int d_ff = 0) {
  static std::map<std::string, Records> read;
  const std::string folder = "lessons/results/" + study;
  if (!read.contains(folder)) read[folder] = read_records({folder});
  Cell cell;
  for (const Result& result : read[folder].results) {
    const RunSettings& settings = result.settings;
    if (settings.task != task || settings.model.scheme != scheme || (d_ff > 0 && settings.model.d_ff != d_ff))
      continue;
    const Outcome& outcome = result.outcome;
    cell.trained.push_back(outcome.by_length.front().score.token_accuracy);
    cell.longer.push_back(outcome.by_length.back().score.token_accuracy);
    cell.steps.push_back(outcome.steps_to_solve.value_or(outcome.steps));
    cell.parameters = outcome.parameters;
  }
  if (cell.trained.empty()) fail("ledger", str(folder, " has no run of ", task, " with ", scheme));
  return cell;
}

const Settles row_11(
    11,
    "fails for the one task tested, the token before: at twice the length a fifth of the answers or "
    "more is lost, by models trained up to 128 as by those trained at 256 or 512 alone",
    [] {
      bool supports = true;
      std::vector<std::string> words;
      for (const auto& [study, what, longest] : {std::tuple{"far", "trained up to 128, two widths,", 128},
                                                 {"far-256", "at 256,", 256},
                                                 {"far-512", "at 512,", 512}}) {
        const Cell previous = cell(study, "previous", "sinusoidal");
        const auto [least, most] = std::ranges::minmax(previous.longer);
        const std::size_t models = previous.trained.size();
        supports &= std::ranges::min(previous.trained) > 0.99 && most < 0.8;
        words.push_back(str(what, ' ', models, models == 1 ? " model: " : " models: ",
                            fixed(mean(previous.trained), 2), " right there, ", fixed(least, 2),
                            models == 1 ? "" : " to " + fixed(most, 2), " at ", 2 * longest));
      }
      return Evidence{supports, str("previous token: ", locus::join(words, "; "))};
    });

// How many steps later concat is learned than addition: the mean over three tasks, seed by seed.
struct Join {
  const char* study;
  int width, d_ff, equal;  // d_ff of concat, and of addition with as many parameters
};
Difference concat_against_add(const Join& join, const std::string& code, int d_ff_of_add) {
  std::vector<double> concat(5), add(5);
  for (const char* task : {"previous", "reverse", "before"})
    for (std::size_t seed = 0; seed < 5; ++seed) {
      concat[seed] += cell(join.study, task, code + ":join=concat", join.d_ff).steps.at(seed) / 3;
      add[seed] += cell(join.study, task, code, d_ff_of_add).steps.at(seed) / 3;
    }
  return paired_difference(concat, add, 0);
}

// "-73 (-117 to -30): fewer", "-3 (-28 to 21): equal within 50", "-207 (-523 to 109): cannot tell, about 9 seeds would".
constexpr double one_probe = 50;  // steps; nothing is seen between two validations
bool is_equal(const Difference& steps) { return steps.p_of_equality(one_probe) < 0.05; }
bool is_fewer(const Difference& steps) { return steps.p < 0.05 && steps.mean < 0; }
std::string judged_text(const Difference& steps) {
  const auto needed = steps.seeds_needed(one_probe, 0.05);
  return str(fixed(steps.mean, 0), " (", fixed(steps.interval->low, 0), " to ",
             fixed(steps.interval->high, 0), "): ",
             is_equal(steps)   ? "equal within 50"
             : is_fewer(steps) ? "fewer"
                               : str("cannot tell", needed ? str(", about ", *needed, " seeds would") : ""));
}

const Settles row_14(
    14,
    "holds at width 32, counted in steps, since all are right in the end: concatenation and addition are learned "
    "equally soon, within a validation of 50 steps (two one-sided tests); at width 8 a table of its own channels is learned "
    "sooner, for sinusoids five seeds cannot tell",
    [] {
      bool supports = true;
      std::vector<std::string> words;
      for (const Join& of : {Join{"join-8", 8, 32, 36}, Join{"join-32", 32, 128, 144}})
        for (const char* code : {"learned", "sinusoidal"}) {
          for (const char* task : {"previous", "reverse", "before"}) {
            const Cell concat = cell(of.study, task, str(code, ":join=concat"), of.d_ff),
                       add = cell(of.study, task, code, of.equal);
            supports &= concat.parameters == add.parameters && mean(concat.trained) > 0.99 &&
                        mean(add.trained) > 0.99;
          }
          for (const int d_ff : {of.equal, of.d_ff}) {
            const Difference steps = concat_against_add(of, code, d_ff);
            supports &= of.width == 32                        ? is_equal(steps)
                        : code == std::string_view("learned") ? is_fewer(steps)
                                                              : !is_fewer(steps) && !is_equal(steps);
            words.push_back(str(code, " at width ", of.width,
                                d_ff == of.equal ? " and equal parameters " : " and equal d_ff ",
                                judged_text(steps)));
          }
        }
      return Evidence{supports,
                      str("steps until learned, concat minus add, mean of previous, reverse and before, five "
                          "seeds, 95 % interval: ",
                          join(words, "; "), "; right in the end: all, at equal parameters")};
    });

const Settles row_13(13, "holds", [] {
  bool supports = true;
  std::vector<std::string> words;
  for (const auto& [capacity, width] : {std::pair{12, 32}, {512, 64}}) {
    ParameterTable table;
    const auto scheme = make_scheme(str("learned:capacity=", capacity),
                                    {.d_model = width, .heads = 1, .causal = false}, table);
    const Reals parameters = table.sample(1);
    bool refused = false;
    try {
      scheme->code(capacity, 1, parameters.data());
    } catch (const Error&) {
      refused = true;
    }
    scheme->code(capacity - 1, 1, parameters.data());
    supports &= refused && table.count() == static_cast<std::size_t>(capacity * width);
    words.push_back(str(capacity, " rows of ", width, ": ", table.count(), " parameters, position ", capacity,
                        refused ? " is an error" : " gets an answer"));
  }
  return Evidence{supports, join(words, "; ")};
});

// Of the accuracy at the shortest and at the longest test length, seed by seed: learned minus sinusoidal.
Difference learned_against_clocks(const Cell& learned, const Cell& clocks, std::vector<double> Cell::*where) {
  const double examples = 1000;  // of each test, or more
  return paired_difference(learned.*where, clocks.*where,
                           std::hypot(test_set_error(mean(learned.*where), examples),
                                      test_set_error(mean(clocks.*where), examples)));
}

const Settles row_29(
    29,
    "holds at the trained length only, where both are right in the end, within 0.02 (two one-sided "
    "tests), so that this says little; not in steps: at width 32 sinusoids take a validation of 50 more on reverse and "
    "previous; nor past that length, where they keep more of before at width 8 and of previous at width 32",
    [] {
      bool supports = true;
      std::vector<std::string> words;
      for (const auto& [study, d_ff] : {std::pair{"join-8", 36}, {"join-32", 144}})
        for (const char* task : {"reverse", "before", "previous"}) {
          const Cell learned = cell(study, task, "learned", d_ff),
                     clocks = cell(study, task, "sinusoidal", d_ff);
          const Difference trained = learned_against_clocks(learned, clocks, &Cell::trained),
                           longer = learned_against_clocks(learned, clocks, &Cell::longer),
                           steps = paired_difference(learned.steps, clocks.steps, 1);
          supports &= trained.p_of_equality(0.02) < 0.05;
          const bool is_narrow = d_ff == 36, is_before = task == std::string_view("before");
          if (!is_narrow && !is_before) supports &= is_fewer(steps);
          if (is_narrow ? is_before : task == std::string_view("previous"))
            supports &= longer.p < 0.05 && longer.mean < 0;
          words.push_back(str(study, ' ', task, ' ', fixed(trained.mean, 3), " at 12, ",
                              fixed(longer.mean, 2), " at 24 (", fixed(longer.interval->low, 2), " to ",
                              fixed(longer.interval->high, 2), "), steps ", judged_text(steps)));
        }
      return Evidence{supports,
                      str("learned minus sinusoidal, trained at 12, five seeds: ", join(words, "; "))};
    });

// By citation: this row is read, not run.
const Settles row_40(40, "fails, by citation: it has a table of learned positions, which is added", [] {
  return Evidence{
      true,
      "huggingface/transformers, models/gpt_neo/modeling_gpt_neo.py, class GPTNeoModel: wpe = "
      "nn.Embedding(max_position_embeddings, ...), hidden_states = inputs_embeds + position_embeds "
      "(GPT-NeoX, of a similar name, rotates); read, not run"};
});

}  // namespace

}  // namespace locus
