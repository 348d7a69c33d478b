// Chapter 7: a table of random numbers that training may not change beside one that it may, with rows of two sizes; the
// four parts of the scores; and where the table ends.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iostream>
#include <numeric>
#include <tuple>

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

// How large the elements of a row are drawn: `learned` draws at 0.5, BERT at 0.02. (Words are drawn at 1.)
constexpr double large = 0.5, small = 0.02;

// The table of `learned`, drawn as that one is, and constant.
class Frozen : public CodeScheme {
 public:
  Frozen(const Options& options, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(Join::add, context.d_model, context, table),
        draw_(static_cast<std::uint64_t>(options.integer("draw"))),
        size_(options.number("size")),
        width_(context.d_model) {}

  std::vector<double> code(double position, int, const Real*) const override {
    Random random(draw_, Purpose::testing, static_cast<std::uint64_t>(position));
    std::vector<double> row(static_cast<std::size_t>(width_));
    for (double& value : row) value = size_ * random.normal();
    return row;
  }
  Claims claims() const override { return {.direction_aware = true, .unique = true}; }

 private:
  std::uint64_t draw_;
  double size_;
  int width_;
};

const RegisterScheme registered{{
    .name = "frozen",
    .summary = "a random vector for every position, never trained",
    .source = "chapter 7",
    .stage = Stage::embedding,
    .options = {integer_option("draw", "1", 1, 1e9, "which random numbers"),
                number_option("size", "0.5", 0, 1e9, "standard deviation of an element")},
    .make = make<Frozen>,
}};

constexpr int trained_length = 12, seeds = 3, longer = 24;

struct Study {
  // `size`: of the rows. Of a learned table they are scaled before the first step.
  Study(const std::string& task, const std::string& spec, int length, int seed, double size = large)
      : run(settings(task, spec, length, seed, size)) {
    for (const auto& entry : run.model().parameters().entries())
      for (std::size_t i = 0; i < entry.where.shape.count() && entry.name == "position.table"; ++i)
        before[entry.where.offset + i] *= static_cast<Real>(size / large);
    Trainer::State state = trainer.state();
    state.parameters = before;
    trainer.restore(std::move(state));
    train(trainer, run.settings());
  }
  static RunSettings settings(const std::string& task, const std::string& spec, int length, int seed,
                              double size) {
    RunSettings settings;
    settings.task = task;
    settings.model.scheme = spec == "frozen" ? str("frozen:draw=", seed, ",size=", size) : spec;
    settings.train.seed = static_cast<std::uint64_t>(seed);
    settings.train.lengths = {length, length};
    settings.test_lengths = {length};
    settings.test_examples = 1000;
    return complete(settings);
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

  Run run;
  Reals before = run.model().parameters().sample(run.settings().train.seed);  // as drawn
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
    if (to_string(model.scheme).starts_with("learned")) return study.row(parameters, "position.table", t);
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
  return study.trainer.steps_to_solve() > 0 ? str('@', study.trainer.steps_to_solve()) : std::string("never");
}

}  // namespace

void experiment() {
  std::deque<Study> previous[3], smaller[2], sorted[2];  // by scheme; `smaller` are drawn at 0.02
  const std::string schemes[] = {"frozen", "learned", "sinusoidal"};
  std::deque<Study> concatenated;
  for (int seed = 1; seed <= seeds; ++seed)
    concatenated.emplace_back("previous", "learned:join=concat", trained_length, seed);
  for (std::size_t s = 0; s < 3; ++s)
    for (int seed = 1; seed <= seeds; ++seed) {
      previous[s].emplace_back("previous", schemes[s], trained_length, seed);
      if (s == 2) continue;
      smaller[s].emplace_back("previous", schemes[s], trained_length, seed, small);
      sorted[s].emplace_back("sort", schemes[s], trained_length, seed);
    }

  TextTable learned(
      {{"task"}, {"drawn", Align::right}, {"table"}, {"right", Align::right}, {"steps, three seeds"}});
  struct Learned {
    double right[2];  // by scheme, the mean of the seeds
    int all[2];       // whether all seeds learned the task
  };
  const auto add_row = [&](const std::string& task, const std::string& drawn, const std::string& table,
                           std::deque<Study>& of) {
    std::vector<std::string> steps;
    double right = 0;
    int all = 1;
    for (Study& study : of) {
      steps.push_back(steps_of(study));
      all &= study.trainer.steps_to_solve() > 0;
      right += study.accuracy() / seeds;
    }
    learned.add_row({task, drawn, table, fixed(right, 2), join(steps, " ")});
    return std::pair{right, all};
  };
  const auto add_rows = [&](const std::string& task, double size, std::deque<Study>* of) {
    Learned result{};
    for (std::size_t s = 0; s < 2; ++s)
      std::tie(result.right[s], result.all[s]) =
          add_row(s == 0 ? task : "", s == 0 ? short_number(size) : "", schemes[s], of[s]);
    return result;
  };
  const Learned at_large = add_rows("previous", large, previous);
  add_row("", "", "learned, concat", concatenated);
  const Learned at_small = add_rows("", small, smaller);
  add_rows("sort", large, sorted);

  // What training did to the rows of the learned table: mean cosine of before and after, and growth of the length.
  const auto moved = [&](const std::deque<Study>& of, int first, int last) {
    Sum turn, grow;
    for (const Study& study : of)
      for (int r = first; r <= last; ++r) {
        const auto row = static_cast<std::size_t>(r);
        const Vector was = study.row(study.before, "position.table", row),
                     is = study.row(study.trainer.parameters(), "position.table", row);
        turn(cosine(was, is));
        grow(norm(is) / norm(was));
      }
    return std::pair{turn.mean(), grow.mean()};
  };
  const double read = moved(previous[1], 0, 11).first, unread = moved(previous[1], 12, 511).first;
  const auto [turned, grown] = moved(smaller[1], 0, 11);

  const int learned_tables = at_large.all[0] + at_large.all[1] + at_small.all[0] + at_small.all[1];
  reply(
      learned_tables,
      str("With ", learned_tables, " of the four tables all three seeds learned `previous`. Drawn at ", large,
          ", the frozen table is enough:\nrows need not be learned, if they differ enough. Drawn at ", small,
          ", it is not. Training the rows helps:\nit makes them ", fixed(grown, 0),
          " times as long, in new directions (cosine ", fixed(turned, 2), " with the old ones; drawn at ",
          large, ": ", fixed(read, 2), ")."));
  std::cout
      << "\nTrained and tested at 12 tokens; @150: at step 150, for the first time, 99 % of a validation's "
         "inputs were right\nnever: not within 1000 steps\n\n"
      << learned.to_text(false) << '\n';

  // The four parts, by the learner's function.
  std::vector<std::pair<std::string, std::vector<double>>> squares;
  for (std::size_t s = 0; s < 2; ++s)
    for (const bool after : {false, true}) {
      if (s == 1 && !after) continue;  // drawn alike
      PartSizes sizes;
      for (const Study& study : previous[s])
        add_parts(study, after ? study.trainer.parameters() : study.before, sizes);
      squares.push_back({!after ? "as drawn" : str(schemes[s], ", trained"),
                         {sizes.word_word.rms(), sizes.word_position.rms(), sizes.position_word.rms(),
                          sizes.position_position.rms()}});
    }
  save_figure(
      "trained_parts",
      picture_of_parts(
          "Naming the previous of 12 tokens, position-position becomes the largest part of a score (root mean square)",
          squares));
  save_figure("lookup", picture_of_lookup(false));
  save_figure("adds_back", picture_of_lookup(true));
  save_figure("add_or_concat", picture_of_joins());

  LineChart chart;
  chart.title = "Past position 11 tables only guess; sinusoids come back at 20";
  chart.x_label = "position of the answer (task previous, trained at 12 tokens, tested at 24)";
  chart.y_label = "share of right answers, 3 seeds of 300 inputs each";
  chart.y_range = Range{0, 1.1};
  chart.width = 720;
  chart.vertical_line = VerticalLine{11, "last trained position"};
  chart.series.push_back(
      {.name = "a guess: one in ten", .samples = {{0, 0.1}, {longer - 1, 0.1}}, .style = baseline_style()});
  for (const std::size_t s : {1u, 2u, 0u}) {  // from the broadest to the thinnest, so that all can be seen
    const Vector right = right_by_position(previous[s]);
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

  expect("previous with a frozen table drawn at 0.5", at_large.right[0], 1, 0.02,
         "Is the sum word + position what attention gets?");
  expect("previous with a learned table drawn at 0.02", at_small.right[1], 1, 0.02,
         "Does a gradient get to the table (steps 7.2 and 7.5)?");
  expect("the cosine of a row that training read, before and after", read, 0.98, 0.05,
         "Does a gradient get to the table (steps 7.2 and 7.5)?");
  expect("the cosine of a row that training never read", unread, 1, 0.001,
         "A row that was not read must get no gradient (step 7.2).");
}

}  // namespace locus
