// Chapter 8: T5 finds the first token, though it sees distances only; who can sort, T5 or the two halves of Shaw; and
// three figures: the staircases, the heads that find the first token, and the four terms of a score, found from outside.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <memory>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/08_relative/contract.h"
#include "lessons/tools/array.h"
#include "positional/support/registry.h"
#include "positional/support/spec.h"
#include "report/attention/attention.h"

namespace locus {

namespace {

constexpr int seeds = 3, length = 12, examples_of_a_map = 256;

Vector random_vector(std::size_t count, std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  Vector x(count);
  for (double& value : x) value = random.normal();
  return x;
}
Reals random_reals(std::size_t count, std::uint64_t seed) {
  const Vector x = random_vector(count, seed);
  return {x.begin(), x.end()};
}

// --- one half of Shaw ---

// Shaw, with the vectors of distances for keys only, or for values only.
class HalfShaw : public Scheme {
 public:
  HalfShaw(const Options& options, const SchemeContext& context, ParameterTable& table)
      : of_keys_(options.text("half") == "keys"), whole_(make_scheme("shaw", context, table)) {}

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    return of_keys_ ? whole_->scores(scores, inputs) : scores;
  }
  Tensor mixed(Tensor mixed, Tensor weights, const AttentionInputs& inputs) const override {
    return of_keys_ ? mixed : whole_->mixed(mixed, weights, inputs);
  }
  Claims claims() const override { return whole_->claims(); }

 private:
  bool of_keys_;
  std::unique_ptr<Scheme> whole_;
};

const RegisterScheme registered{{
    .name = "half-shaw",
    .summary = "Shaw, with vectors for keys or for values only",
    .source = "chapter 8",
    .stage = Stage::scores,
    .options = {choice_option("half", "keys", {"keys", "values"}, "which vectors are used")},
    .make = make<HalfShaw>,
}};

// --- the staircases ---

int bucket(const Scheme& scheme, int places) { return scheme.bucket(places).value_or(0); }

std::unique_ptr<Scheme> scheme_of(const std::string& spec, ParameterTable& table, int heads = 1, int d = 8) {
  return make_scheme(spec, {.d_model = heads * d, .heads = heads, .causal = false}, table);
}

Figure staircase() {
  LineChart chart;
  chart.title = "T5 and DeBERTa: ever wider buckets; Shaw: one vector for all from its clip on";
  chart.x_label = "distance of a key before the query";
  chart.y_label = "steps up from distance 0";
  chart.width = 520;
  for (const auto& [name, spec] :
       {std::pair{"DeBERTa", "deberta:buckets=16,max_distance=128"}, {"T5", "t5"}, {"Shaw", "shaw"}}) {
    ParameterTable table;
    const auto scheme = scheme_of(spec, table);
    Series series{.name = name, .samples = {}, .style = {}, .marked = false};
    for (int n = 0; n <= 63; ++n) {
      const double step = std::abs(bucket(*scheme, -n) - bucket(*scheme, 0));
      if (n > 0) series.samples.push_back({static_cast<double>(n), series.samples.back().y});
      series.samples.push_back({static_cast<double>(n), step});
    }
    chart.series.push_back(series);
  }
  return line_chart(chart);
}

// --- the first token ---

RunSettings settings(const std::string& task, const std::string& spec, int seed, int layers = 2) {
  RunSettings settings;
  settings.task = task;
  settings.model.scheme = spec;
  settings.model.layers = layers;
  settings.train.seed = static_cast<std::uint64_t>(seed);
  settings.test_lengths = {length, 2 * length};
  settings.test_examples = 1000;
  return complete(settings);
}

// What the two layers do at one length: by how much the first token's weight on itself, in the head of layer 0 in which
// that is most, is above any other token's on itself; and the weight of key 0 in the head of layer 1 that gives it most,
// for the queries 0 to 11 and for those after them.
struct Look {
  double mark = -1, near = 0, far = 0;
};
Look look_at(const std::vector<AttentionMap>& maps) {
  Look look;
  for (const AttentionMap& map : maps) {
    const int T = map.length;
    const auto weight = [&](int query, int key) { return map.weights[as_size(query * T + key)]; };
    if (map.head.layer == 0) {
      double others = 0;
      for (int query = 1; query < T; ++query) others = std::max(others, weight(query, query));
      look.mark = std::max(look.mark, weight(0, 0) - others);
      continue;
    }
    double near = 0, far = 0;
    for (int query = 0; query < T; ++query) (query < length ? near : far) += weight(query, 0) / length;
    look.near = std::max(look.near, near);
    look.far = std::max(look.far, far);
  }
  return look;
}

// The share of right answers of models of `first` with T5, one for each seed; and where the heads look.
struct Finders {
  Vector right = {}, moved = {}, longer = {};  // at 12; there, told the positions 1000 to 1011; at 24
  Vector unmarked = {};                        // at 12, with both heads of layer 0 silenced
  std::vector<Look> looks = {}, longer_looks = {};
  std::vector<AttentionMap> maps = {};  // of the first seed
};
Finders find_first(int layers) {
  Finders finders;
  Pool pool(hardware_threads());
  for (int seed = 1; seed <= seeds; ++seed) {
    Run run(settings("first", "t5", seed, layers));
    const Reals parameters = train(run);
    const auto scores = run.test(parameters.data(), pool);
    finders.right.push_back(scores[0].score.token_accuracy);
    finders.longer.push_back(scores[1].score.token_accuracy);
    const auto maps = [&](int tokens) {
      return mean_attention_maps(transformer_of(run), parameters.data(), run.batcher(),
                                 run.task().test_set(tokens, examples_of_a_map));
    };
    if (seed == 1) finders.maps = maps(length);
    finders.looks.push_back(look_at(maps(length)));
    finders.longer_looks.push_back(look_at(maps(2 * length)));
    Reals unmarked = parameters;
    for (const int head : {0, 1}) transformer_of(run).silence(unmarked, 0, head);
    finders.unmarked.push_back(run.test(length, unmarked.data(), pool).score.token_accuracy);
    run.tell({PositionChange::Kind::shift, 0, 0, 1000});
    finders.moved.push_back(run.test(length, parameters.data(), pool).score.token_accuracy);
  }
  return finders;
}

Vector sorters(const std::string& spec) {
  Vector right;
  for (int seed = 1; seed <= seeds; ++seed)
    right.push_back(train_and_test(settings("sort", spec, seed))[0].score.token_accuracy);
  return right;
}

double mean_of(const Vector& three) { return (three[0] + three[1] + three[2]) / seeds; }

// --- the four terms of a score, found from outside ---

constexpr std::size_t width = 8;

// The score of a query and a key, one head of 8 channels, whose content is these two vectors, by the scheme's hooks.
double score_of(const Scheme& scheme, const Reals& parameters, const Vector& query, const Vector& key,
                double p, double q) {
  const int d = static_cast<int>(width);
  const double places[] = {p, q};
  const Positions positions{1, 2, places};
  Reals content(query.begin(), query.end());
  content.insert(content.end(), key.begin(), key.end());
  Tape tape(parameters.data());
  const std::array<int, 2> tokens{};
  const Tensor x = scheme.embedding(tape.constant({1, 2, d}, content.data()),
                                    {.tokens = tokens, .length = 2, .positions = positions});
  Tensor queries = split_heads(x, 1), keys = split_heads(x, 1);
  const AttentionInputs inputs{x, queries, keys, positions, 0};
  scheme.query_and_key(queries, keys, inputs);
  return copy(scheme.scores(matmul(queries, transpose(keys), 1 / std::sqrt(d)), inputs)).values[1];
}

using Score = std::function<double(const Vector& query, const Vector& key, double p, double q)>;

// A term is what is there only while both of its sources are: content is taken away by setting it to zero.
Terms terms_of(const Score& score, double p, double q) {
  const Vector query = random_vector(width, 1), key = random_vector(width, 2), nothing(width);
  const double none = score(nothing, nothing, p, q), of_query = score(query, nothing, p, q),
               of_key = score(nothing, key, p, q), both = score(query, key, p, q);
  return {both - of_query - of_key + none, of_query - none, of_key - none, none};
}

enum class Kind { none, everywhere, distance, position };
constexpr const char* kind_words[] = {"-", "the same", "by distance", "by position"};

// How a number depends on two positions.
Kind kind_of(const std::function<double(double p, double q)>& number) {
  const auto same = [](double a, double b) { return std::abs(a - b) < 1e-4; };
  const double here = number(5, 3), moved = number(9, 7), far = number(9, 3), other = number(3, 5);
  if (same(here, 0) && same(moved, 0) && same(far, 0) && same(other, 0)) return Kind::none;
  if (!same(here, moved)) return Kind::position;
  return same(here, far) && same(here, other) ? Kind::everywhere : Kind::distance;
}

struct Kept {
  std::string name;
  std::array<Kind, 5> kinds;  // of the four terms, and of what is read
};

// What the value of a key brings to a query that reads it alone, beside its content.
double read_at(const Scheme& scheme, const Reals& parameters, double p, double q) {
  const int d = static_cast<int>(width);
  const double places[] = {p, q};
  const Positions positions{1, 2, places};
  const Reals zeros(2 * width), weights = {0, 1, 0, 1};
  Tape tape(parameters.data());
  const std::array<int, 2> tokens{};
  const Tensor x = scheme.embedding(tape.constant({1, 2, d}, zeros.data()),
                                    {.tokens = tokens, .length = 2, .positions = positions});
  const Tensor v = split_heads(x, 1), w = tape.constant({1, 1, 2, 2}, weights.data());
  return copy(scheme.mixed(matmul(w, v), w, {x, v, v, positions, 0})).values[1];
}

Kept kept_by(const std::string& name, const std::string& spec) {
  ParameterTable table;
  const auto scheme = scheme_of(spec, table);
  const Reals parameters = random_reals(table.count(), 3);
  Score score = [&](const Vector& query, const Vector& key, double p, double q) {
    return score_of(*scheme, parameters, query, key, p, q);
  };
  if (spec == "transformer-xl") {  // by your function
    const Vector u = random_vector(width, 4), v = random_vector(width, 5);
    Rows W;
    for (std::uint64_t row = 0; row < width; ++row) W.push_back(random_vector(width, 10 + row));
    score = [=](const Vector& query, const Vector& key, double p, double q) {
      const Terms t = four_terms(query, key, p, q, u, v, W);
      return t.content_content + t.content_position + t.position_content + t.position_position;
    };
  }
  const auto kind = [&](double Terms::*term) {
    return kind_of([&](double p, double q) { return terms_of(score, p, q).*term; });
  };
  return {name,
          {kind(&Terms::content_content), kind(&Terms::content_position), kind(&Terms::position_content),
           kind(&Terms::position_position),
           kind_of([&](double p, double q) { return read_at(*scheme, parameters, p, q); })}};
}

const std::vector<std::string> columns = {"content-content", "content-position", "position-content",
                                          "position-position", "what is read"};

Figure terms_figure(const std::vector<Kept>& all) {
  constexpr double left = 140, top = 80, wide = 92, high = 34;
  const std::string title = "Only T5 keeps distance and content in separate terms of the score";
  Drawing drawing;
  drawing.heading(title, title_size, padding, padding, left + 5 * wide);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double x = left + (static_cast<double>(c) + 0.5) * wide;
    const std::size_t split = columns[c].find_first_of("- ") + 1;
    const TextLook look{Anchor::middle, c < 4 ? dark_ink : pale_ink, label_size, true};
    drawing.text({x, top}, columns[c].substr(0, split), look);
    drawing.text({x, top + 15}, columns[c].substr(split), look);
  }
  double y = top + 24;
  for (const Kept& kept : all) {
    drawing.text({left - 12, y + high / 2 + 4}, kept.name, {Anchor::end, dark_ink, 13});
    for (std::size_t c = 0; c < kept.kinds.size(); ++c) {
      const Kind kind = kept.kinds[c];
      const double x = left + static_cast<double>(c) * wide;
      const Colour colour = sequential_colour(kind == Kind::everywhere ? 0.08
                                              : kind == Kind::distance ? 0.4
                                                                       : 0.8);
      if (kind != Kind::none) drawing.rectangle({x + 2, y + 2}, wide - 4, high - 4, to_string(colour));
      drawing.text(
          {x + wide / 2, y + high / 2 + 4}, kind == Kind::none ? "–" : kind_words[static_cast<int>(kind)],
          {Anchor::middle, kind == Kind::none ? pale_ink : to_string(text_colour_on(colour)), label_size});
    }
    y += high;
  }
  return {title, left + 5 * wide + padding, y + padding, drawing.take()};
}

}  // namespace

void experiment() {
  const Finders first = find_first(2);
  reply(
      mean_of(first.right),
      "(T5, first, mean of three seeds.) No score depends on a position, only on distances. But the input has\n"
      "ends: the first token is the only one with no key before it. Weights sum to 1, so a head that likes keys\n"
      "before the query must look elsewhere there, and that marks the first token.");
  save_figure("trained_first",
              heat_maps("T5 trained on first: a head of layer 0 marks the first token, layer 1 fetches it",
                        attention_heat_maps(first.maps, {}), 2));
  save_figure("staircase", staircase());

  std::cout << '\n';
  TextTable table({{"width 32, 12 tokens, at most 1000 steps"}, {"right, three seeds"}});
  const auto add = [&](const std::string& what, const Vector& right) {
    std::vector<std::string> words;
    for (const double value : right) words.push_back(fixed(value, 3));
    table.add_row({what, join(words, " ")});
    return mean_of(right);
  };
  add("first, T5", first.right);
  add("  told the positions 1000 to 1011", first.moved);
  add("  with layer 0 silenced", first.unmarked);
  add("  at 24 tokens", first.longer);
  add("  with one layer", find_first(1).right);
  table.add_rule();
  const double t5 = add("sort, T5", sorters("t5"));
  add("sort, Shaw with a_K only", sorters("half-shaw:half=keys"));
  add("sort, Shaw with a_V only", sorters("half-shaw:half=values"));
  const double shaw = add("sort, Shaw", sorters("shaw"));
  TextTable heads(
      {{"first, T5"}, {"layer 0: the mark"}, {"layer 1: key 0, from 0 to 11"}, {"from 12 to 23"}});
  for (const auto& [name, looks] :
       {std::pair{"12 tokens", &first.looks}, {"24 tokens", &first.longer_looks}}) {
    Vector mark, near, far;
    for (const Look& look : *looks) {
      mark.push_back(look.mark);
      near.push_back(look.near);
      far.push_back(look.far);
    }
    heads.add_row({name, of_each(mark), of_each(near), looks == &first.looks ? "" : of_each(far)});
  }
  const auto without = [](const std::string& task, int at) {
    const Run run(settings(task, "none", 1));
    return test_at(run.task(), run.settings(), at);
  };
  const auto blind = [&](const std::string& task, int at) {
    return fixed(without(task, at).order_blind_ceiling.value_or(0), 3);
  };
  std::cout
      << table.to_text(false)
      << "\nThe mark: how much more weight the first token gives itself than any other gives itself. Key 0: the weight that\n"
         "queries at these positions give it.\n\n"
      << heads.to_text(false) << "\nWithout seeing order, at best: first " << blind("first", length)
      << ", at 24 tokens " << blind("first", 24) << "; sort " << blind("sort", length)
      << ".\nWithout reading the input, sort: " << fixed(without("sort", length).no_input_baseline, 3)
      << ".\n";

  std::vector<Kept> all;
  for (const auto& [name, spec] : {std::pair{"learned, added", "learned"},
                                   {"sinusoids, added", "sinusoidal"},
                                   {"T5", "t5"},
                                   {"Shaw", "shaw:clip=8"},
                                   {"DeBERTa", "deberta"},
                                   {"Transformer-XL", "transformer-xl"},
                                   {"RoPE", "rope"}})
    all.push_back(kept_by(name, spec));
  save_figure("four_terms", terms_figure(all));

  expect("first with T5", mean_of(first.right), 1, 0.02,
         "Are keys before and after the query in different buckets (8.1)?");
  expect("sort with Shaw", shaw, 1, 0.02, "Do weights meet the vectors of the values (8.6)?");
  expect("sort with T5", t5, 0.26, 0.08, "Is the same number added for every content (8.3)?");
}

}  // namespace locus
