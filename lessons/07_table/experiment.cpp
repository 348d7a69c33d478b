// Chapter 7: a table of random numbers that training may not change beside one that it may; what training changed in
// it; the four parts of the scores; and where the table ends.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iostream>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/07_table/contract.h"
#include "lessons/07_table/pictures.h"
#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

// The table of `learned`, drawn as that one is, and constant.
class Frozen : public CodeScheme {
 public:
  Frozen(const Options& options, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(Join::add, context.d_model, context, table),
        draw_(static_cast<std::uint64_t>(options.integer("draw"))),
        width_(context.d_model) {}

  std::vector<double> code(double position, int, const Real*) const override {
    Random random(draw_, Purpose::testing, static_cast<std::uint64_t>(position));
    std::vector<double> row(static_cast<std::size_t>(width_));
    for (double& value : row) value = 0.5 * random.normal();
    return row;
  }
  Claims claims() const override { return {.direction_aware = true, .unique = true}; }

 private:
  std::uint64_t draw_;
  int width_;
};

const RegisterScheme registered{{
    .name = "frozen",
    .summary = "a random vector for every position, never trained",
    .source = "chapter 7",
    .stage = Stage::embedding,
    .options = {integer_option("draw", "1", 1, 1e9, "which random numbers")},
    .make = make<Frozen>,
}};

constexpr int lengths[] = {12, 24}, seeds = 3, longer = 24;

struct Study {
  Study(const std::string& task, const std::string& spec, int length, int seed)
      : run(settings(task, spec, length, seed)) {
    while (trainer.train_step() == TrainStatus::running) continue;
  }
  static RunSettings settings(const std::string& task, const std::string& spec, int length, int seed) {
    RunSettings settings;
    settings.task = task;
    settings.model.scheme = spec == "frozen" ? text("frozen:draw=", seed) : spec;
    settings.train.seed = static_cast<std::uint64_t>(seed);
    settings.train.lengths = {length, length};
    settings.test_lengths = {length};
    settings.test_examples = 1000;
    return complete(settings);
  }

  // Until 99 % of a probe were right, or of the whole training.
  int steps() const {
    return trainer.steps_to_solve() > 0 ? trainer.steps_to_solve() : run.settings().train.steps;
  }
  double accuracy() { return run.test(trainer.parameters().data(), pool).front().score.token_accuracy; }

  // A row of a parameter with two axes, or all of one with a single axis.
  Vector row(const Reals& of, const std::string& name, std::size_t row) const {
    for (const auto& entry : run.model().parameters().entries())
      if (entry.name == name) {
        const auto width = static_cast<std::size_t>(entry.where.shape.last());
        const auto start = of.begin() + static_cast<std::ptrdiff_t>(entry.where.offset + row * width);
        return {start, start + static_cast<std::ptrdiff_t>(width)};
      }
    fail("experiment", "there is no parameter " + name);
  }
  Reals before() const { return run.model().parameters().draw(run.settings().train.seed); }

  Run run;
  Pool pool{hardware_threads()};
  Trainer trainer{run.model(), run.batcher(), run.settings().train, pool};
};

double norm(const Vector& a) { return std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0)); }
double cosine(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / (norm(a) * norm(b));
}

// Mean and root mean square of what is put in.
struct Sum {
  double sum = 0, squares = 0, count = 0;
  void operator()(double x) { sum += x, squares += x * x, count += 1; }
  double mean() const { return sum / count; }
  double rms() const { return std::sqrt(squares / count); }
  double spread() const { return std::sqrt(std::max(0.0, squares / count - mean() * mean())); }
};

// --- the four parts of the scores in the first layer ---

// Layer norm subtracts the mean of a vector's elements, divides by their standard deviation, and multiplies by a gain.
// All but the division is linear, so it can be done to words and positions each for itself.
Vector centred(Vector x, const Vector& gain) {
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  for (std::size_t c = 0; c < x.size(); ++c) x[c] = (x[c] - mean) * gain[c];
  return x;
}
double deviation(const Vector& word, const Vector& position) {
  Sum sum;
  for (std::size_t c = 0; c < word.size(); ++c) sum(word[c] + position[c]);
  return sum.spread();
}

struct PartSizes {
  Sum word_word, word_position, position_word, position_position;
};
// How large each part of the scores is, in both heads, over 200 random pairs of tokens at random positions.
void add_parts(const Study& study, const Reals& parameters, PartSizes& sizes) {
  const ModelSettings& model = study.run.model().settings();
  const auto D = static_cast<std::size_t>(model.d_model), d = D / static_cast<std::size_t>(model.heads);
  const auto T = static_cast<std::size_t>(study.run.settings().train.lengths.high);
  ParameterTable unused;
  const auto scheme =
      make_scheme(model.scheme, {.d_model = model.d_model, .heads = model.heads, .causal = false}, unused);
  const Vector gain = study.row(parameters, "layer0.attention_norm.gain", 0);
  const auto position = [&](std::size_t t) {
    if (model.scheme.starts_with("learned")) return study.row(parameters, "position.table", t);
    return scheme->code(static_cast<double>(t), 1, nullptr);
  };
  Random random(1, Purpose::testing);
  for (std::size_t head = 0; head < D / d; ++head) {
    Rows matrices[2];
    for (std::size_t which = 0; which < 2; ++which)
      for (std::size_t in = 0; in < D; ++in) {
        const Vector row = study.row(
            parameters, which == 0 ? "layer0.attention.query.weight" : "layer0.attention.key.weight", in);
        matrices[which].emplace_back(row.begin() + static_cast<std::ptrdiff_t>(head * d),
                                     row.begin() + static_cast<std::ptrdiff_t>((head + 1) * d));
      }
    for (int pair = 0; pair < 200; ++pair) {
      Token tokens[2];
      double scale = std::sqrt(static_cast<double>(d));
      for (Token& token : tokens) {
        const Vector word = study.row(parameters, "embedding", static_cast<std::size_t>(random.below(10)));
        const Vector place = position(static_cast<std::size_t>(random.below(static_cast<int>(T))));
        scale *= deviation(word, place);
        token = {centred(word, gain), centred(place, gain)};
      }
      const Parts parts = four_parts(tokens[0], tokens[1], matrices[0], matrices[1]);
      sizes.word_word(parts.word_word / scale);
      sizes.word_position(parts.word_position / scale);
      sizes.position_word(parts.position_word / scale);
      sizes.position_position(parts.position_position / scale);
    }
  }
}

// --- where the table ends ---

// The share of right answers at each position of inputs of 24 tokens.
Vector right_by_position(const std::deque<Study>& studies) {
  constexpr int examples = 300;
  Vector right(longer);
  for (const Study& study : studies)
    for (const Example& example : study.run.task().test_set(longer, examples)) {
      const Tokens answer = answer_of(study.run.model(), study.trainer.parameters().data(), example.input);
      for (std::size_t t = 0; t < right.size(); ++t)
        right[t] += (answer[t] == example.target[t]) / (1.0 * examples * static_cast<double>(studies.size()));
    }
  return right;
}

std::string steps_of(const Study& study) {
  return study.trainer.steps_to_solve() > 0 ? text('@', study.trainer.steps_to_solve())
                                            : std::string("not learned");
}

}  // namespace

void experiment() {
  std::deque<Study> studies[2][3];  // by length, by scheme
  const std::string schemes[] = {"frozen", "learned", "sinusoidal"};
  for (std::size_t l = 0; l < 2; ++l)
    for (std::size_t s = 0; s < (l == 0 ? 3 : 2); ++s)
      for (int seed = 1; seed <= seeds; ++seed)
        studies[l][s].emplace_back("previous", schemes[s], lengths[l], seed);

  std::deque<Study> sorted[2];
  for (std::size_t s = 0; s < 2; ++s)
    for (int seed = 1; seed <= seeds; ++seed) sorted[s].emplace_back("sort", schemes[s], lengths[0], seed);

  TextTable learned({{"task"}, {"table"}, {"right", Align::right}, {"steps, three seeds"}});
  double frozen_steps = 0, learned_steps = 0;
  const auto add_row = [&](const std::string& task, const std::string& scheme, std::deque<Study>& of) {
    std::vector<std::string> steps;
    double right = 0;
    for (Study& study : of) {
      steps.push_back(steps_of(study));
      (scheme == "frozen" ? frozen_steps : learned_steps) += study.steps();
      right += study.accuracy() / seeds;
    }
    learned.add_row({task, scheme, fixed(right, 2), join(steps, " ")});
    return right;
  };
  const double frozen_right = add_row("previous, 12 tokens", schemes[0], studies[0][0]);
  add_row("", schemes[1], studies[0][1]);
  add_row("previous, 24 tokens", schemes[0], studies[1][0]);
  add_row("", schemes[1], studies[1][1]);
  add_row("sort, 12 tokens", schemes[0], sorted[0]);
  add_row("", schemes[1], sorted[1]);
  std::cout << "Trained and tested at the same length; @150: from step 150 on 99 % of a probe are right\n\n"
            << learned.to_text(false) << '\n';

  // What training did to the rows of the learned table.
  TextTable moved({{"learned table"},
                   {"rows"},
                   {"cosine, before and after", Align::right},
                   {"length, after / before", Align::right}});
  double unread = 0, read = 0;
  for (std::size_t l = 0; l < 2; ++l)
    for (const bool is_read : {true, false}) {
      Sum turn, grow;
      for (const Study& study : studies[l][1]) {
        const Reals before = study.before();
        for (int r = is_read ? 0 : lengths[l]; r < (is_read ? lengths[l] : 512); ++r) {
          const Vector was = study.row(before, "position.table", static_cast<std::size_t>(r)),
                       is = study.row(study.trainer.parameters(), "position.table",
                                      static_cast<std::size_t>(r));
          turn(cosine(was, is));
          grow(norm(is) / norm(was));
        }
      }
      (is_read ? read : unread) = turn.mean();
      moved.add_row({is_read ? text("trained at ", lengths[l]) : "",
                     is_read ? text("0 to ", lengths[l] - 1) : text(lengths[l], " to 511"),
                     fixed(turn.mean(), 3), fixed(grow.mean(), 3)});
    }
  std::cout
      << "What training changed in the table, on the task previous (means of the rows of three seeds)\n\n"
      << moved.to_text(false) << '\n';

  // Words and positions.
  const auto angle = [&](bool after) {
    Sum sum;
    for (const Study& study : studies[0][1]) {
      const Reals& of = after ? study.trainer.parameters() : study.before();
      for (std::size_t word = 0; word < 10; ++word)
        for (std::size_t t = 0; t < static_cast<std::size_t>(lengths[0]); ++t)
          sum(cosine(study.row(of, "embedding", word), study.row(of, "position.table", t)));
    }
    return fixed(sum.rms(), 3);
  };
  const std::string drawn = angle(false), trained = angle(true);
  std::cout << "Cosine of a word and a position (root mean square, 12 tokens): " << drawn << " as drawn, "
            << trained << " trained.\nOf random vectors it is 1 / root of D: " << fixed(1 / std::sqrt(32), 3)
            << " for D = 32, " << fixed(1 / std::sqrt(8), 3) << " for D = 8.\n\n";

  // The four parts, by the learner's function; those at 12 tokens are drawn.
  std::vector<Figure> squares;
  TextTable parts({{"scores of the first layer"},
                   {"table"},
                   {"word-word", Align::right},
                   {"word-position", Align::right},
                   {"position-word", Align::right},
                   {"position-position", Align::right}});
  for (std::size_t l = 0; l < 2; ++l)
    for (std::size_t s = 0; s < 2; ++s)
      for (const bool after : {false, true}) {
        if (s == 1 && !after) continue;  // drawn alike
        PartSizes sizes;
        for (const Study& study : studies[l][s])
          add_parts(study, after ? study.trainer.parameters() : study.before(), sizes);
        if (l == 0)
          squares.push_back(heat_map({.title = !after ? "as drawn" : text(schemes[s], ", trained"),
                                      .rows = 2,
                                      .columns = 2,
                                      .values = {sizes.word_word.rms(), sizes.word_position.rms(),
                                                 sizes.position_word.rms(), sizes.position_position.rms()},
                                      .row_axis = {.label = "of the query", .names = {"word", "position"}},
                                      .column_axis = {.label = "of the key", .names = {"word", "position"}},
                                      .value_label = "",
                                      .range = Range{0, 1},
                                      .width = 236,
                                      .colour_bar = false}));
        parts.add_row({!after   ? text(lengths[l], " tokens, as drawn")
                       : s == 0 ? "trained"
                                : "",
                       schemes[s], fixed(sizes.word_word.rms(), 2), fixed(sizes.word_position.rms(), 2),
                       fixed(sizes.position_word.rms(), 2), fixed(sizes.position_position.rms(), 2)});
      }
  std::cout << "How large the four parts of a score are, on the task previous (root mean square, by your "
               "four_parts)\n\n"
            << parts.to_text(false);

  LineChart chart;
  save_figure("trained_parts",
              panels("At 12 tokens, position with position grows from smallest to largest", squares, 3));
  save_figure("lookup", picture_of_lookup(false));
  save_figure("adds_back", picture_of_lookup(true));
  save_figure("add_or_concat", picture_of_joins());

  chart.title = "Past position 11 tables only guess; sinusoids come back at 20";
  chart.x_label = "position of the answer (task previous, trained at 12 tokens, tested at 24)";
  chart.y_label = "share of right answers, 3 seeds of 300 inputs each";
  chart.y_range = Range{0, 1.1};
  chart.width = 720;
  chart.vertical_line = VerticalLine{11, "last trained position"};
  chart.series.push_back(
      {.name = "a guess: one in ten", .samples = {{0, 0.1}, {longer - 1, 0.1}}, .style = baseline_style()});
  for (const std::size_t s : {1u, 2u, 0u}) {  // from the broadest to the thinnest, so that all can be seen
    const Vector right = right_by_position(studies[0][s]);
    Series series;
    series.name = schemes[s];
    series.style = series_style(chart.series.size() - 1);
    series.style->width = 8 - 3 * static_cast<double>(chart.series.size() - 1);
    series.style->marked = s == 0;
    for (std::size_t t = 0; t < right.size(); ++t)
      series.samples.push_back({static_cast<double>(t), right[t]});
    chart.series.push_back(series);
  }
  save_figure("trained_border", line_chart(chart));

  const double times = frozen_steps / learned_steps;
  reply(times,
        text("(The nine trainings of the first table.) With the frozen table they took ", fixed(times, 2),
             " times as many steps as\nwith the learned one. The table only has to give each position a "
             "vector of its own. Training then shapes\nthe matrices that make queries and keys of these "
             "vectors; it hardly changes the table."));
  expect("previous with a frozen table", frozen_right, 1, 0.02,
         "Is the sum word + position what attention gets?");
  expect("the cosine of a row that training read, before and after", read, 0.98, 0.05,
         "Does a gradient get to the table (steps 7.2 and 7.5)?");
  expect("the cosine of a row that training never read", unread, 1, 0.001,
         "A row that was not read must get no gradient (step 7.2).");
}

}  // namespace locus
