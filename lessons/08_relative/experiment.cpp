// Chapter 8: two staircases and a clip; T5 finds the first token, though it sees distances only; who can sort, T5 or
// the two halves of Shaw; and the four terms of a score, found from outside.
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
#include "lessons/tools/compare.h"
#include "positional/support/registry.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

constexpr int seeds = 3, length = 12;

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

void print_buckets() {
  ParameterTable table;
  const auto t5 = scheme_of("t5", table);
  TextTable rows({{"T5's bucket", Align::right}, {"keys before the query, positions apart"}});
  std::vector<std::string> alone;
  for (int n = 0; n <= 128;) {
    int last = n;
    while (last < 128 && bucket(*t5, -(last + 1)) == bucket(*t5, -n)) ++last;
    const std::string words = last == 128 ? str(n, " and more") : last == n ? str(n) : str(n, " to ", last);
    if (last == n && last < 128)
      alone.push_back(words);
    else
      rows.add_row({str(bucket(*t5, -n)), words});
    n = last + 1;
  }
  std::cout << "T5 (32 buckets, max_distance 128): these distances have a bucket of their own: "
            << join(alone, " ") << "\n\n"
            << rows.to_text(false) << '\n';
}

Figure staircase() {
  LineChart chart;
  chart.title = "T5 and DeBERTa: ever wider buckets; Shaw: one vector for all from its clip on";
  chart.x_label = "distance of a key before the query";
  chart.y_label = "steps up from distance 0";
  chart.width = 520;
  for (const auto& [name, spec] : {std::pair{"DeBERTa", "deberta:buckets=16,max_distance=128"},
                                   {"T5", "t5"},
                                   {"Shaw", "shaw:clip=12"}}) {
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

// --- the ends of the input ---

// The weights of T5 for tokens that are all alike, with numbers written into the table by hand: 3 for a key before the
// query, 0 for the query's own position, -5 for a key after it.
Array weights_by_hand(int tokens, double first_position) {
  ParameterTable table;
  const auto t5 = scheme_of("t5", table);
  Reals numbers(table.count(), Real{3});
  numbers[0] = 0;
  std::fill(numbers.begin() + 16, numbers.end(), Real{-5});
  Vector positions;
  for (int t = 0; t < tokens; ++t) positions.push_back(first_position + t);
  Tape tape(numbers.data());
  const Reals zeros(static_cast<std::size_t>(tokens * std::max(tokens, 8)));
  const Tensor content = tape.constant({1, 1, tokens, 8}, zeros.data());
  const Positions seen{1, tokens, positions.data()};
  const AttentionInputs inputs{tape.constant({1, tokens, 8}, zeros.data()), content, content, seen, 0};
  return copy(softmax(t5->scores(tape.constant({1, 1, tokens, tokens}, zeros.data()), inputs)));
}

Figure ends() {
  constexpr std::size_t tokens = 8;
  HeatMap map;
  map.title = "All tokens are alike, yet the first one reads itself: no key is before it";
  map.rows = map.columns = tokens;
  map.values = weights_by_hand(tokens, 0).values;
  map.row_axis = {"query", {}, 0};
  map.column_axis = {"key", {}, 0};
  map.value_label = "weight";
  map.range = Range{0, 1};
  map.square_cells = true;
  map.width = 420;
  return heat_map(map);
}

RunSettings settings(const std::string& task, const std::string& spec, int seed, int width = 32,
                     int layers = 2) {
  RunSettings settings;
  settings.task = task;
  settings.model.scheme = spec;
  settings.model.d_model = width;
  settings.model.heads = width / 16;
  settings.model.layers = layers;
  settings.train.seed = static_cast<std::uint64_t>(seed);
  settings.test_lengths = {length, 2 * length};
  settings.test_examples = 1000;
  return complete(settings);
}

// What models of `first` do at one width: the share of right answers, and where.
struct Finders {
  Vector right = {}, moved = {}, longer = {};  // one for each seed; moved: told the positions 1000 to 1011
  Vector at = Vector(length);                  // the mean of the seeds at each position
  double mean() const { return (right[0] + right[1] + right[2]) / seeds; }
};
Finders find_first(int width, int layers = 2) {
  Finders finders;
  Pool pool(hardware_threads());
  for (int seed = 1; seed <= seeds; ++seed) {
    Run run(settings("first", "t5", seed, width, layers));
    const Reals parameters = train(run);
    const auto scores = run.test(parameters.data(), pool);
    finders.right.push_back(scores[0].score.token_accuracy);
    finders.longer.push_back(scores[1].score.token_accuracy);
    constexpr int examples = 300;
    for (const Example& example : run.task().test_set(length, examples)) {
      const Tokens answer = answer_of(run.model(), parameters.data(), example.input);
      for (std::size_t t = 0; t < length; ++t)
        finders.at[t] += (answer[t] == example.target[t]) / (1.0 * examples * seeds);
    }
    run.tell({PositionChange::Kind::shift, 0, 0, 1000});
    finders.moved.push_back(run.test(length, parameters.data(), pool).score.token_accuracy);
  }
  return finders;
}

std::string each_seed(const Vector& values) {
  std::vector<std::string> words;
  for (const double value : values) words.push_back(fixed(value, 3));
  return join(words, " ");
}

Finders print_first() {
  TextTable table({{"first, T5, trained at 12 tokens"},
                   {"right at 12, three seeds"},
                   {"told positions 1000 to 1011"},
                   {"right at 24"}});
  const Finders narrow = find_first(32), wide = find_first(64);
  for (const auto& [finders, width] : {std::pair{&narrow, 32}, {&wide, 64}})
    table.add_row({str("width ", width), each_seed(finders->right), each_seed(finders->moved),
                   each_seed(finders->longer)});
  std::cout << table.to_text(false) << '\n';

  const Finders flat = find_first(32, 1);
  TextTable where({{"right by position of the answer, mean of three seeds"},
                   {"0", Align::right},
                   {"4", Align::right},
                   {"7", Align::right},
                   {"8", Align::right},
                   {"9", Align::right},
                   {"10", Align::right},
                   {"11", Align::right}});
  for (const auto& [finders, name] : {std::pair{&narrow, "width 32, two layers"},
                                      {&wide, "width 64, two layers"},
                                      {&flat, "width 32, one layer"}}) {
    std::vector<TableCell> row = {name};
    for (const std::size_t t : {0u, 4u, 7u, 8u, 9u, 10u, 11u}) row.push_back(fixed(finders->at[t], 2));
    where.add_row(row);
  }
  std::cout << where.to_text(false) << '\n';

  TextTable itself({{"weight on itself, table written by hand"},
                    {"first token", Align::right},
                    {"second", Align::right},
                    {"third", Align::right},
                    {"eighth", Align::right}});
  for (const double from : {0.0, 1000.0}) {
    const Array weights = weights_by_hand(8, from);
    std::vector<TableCell> row = {str("positions ", from, " to ", from + 7)};
    for (const std::size_t t : {0u, 1u, 2u, 7u}) row.push_back(fixed(weights.values[t * 8 + t], 3));
    itself.add_row(row);
  }
  std::cout << itself.to_text(false) << '\n';
  return narrow;
}

// --- how much is read, and what ---

struct Sorters {
  Vector right = {};
  double mean() const { return (right[0] + right[1] + right[2]) / seeds; }
};
Sorters sorters(const std::string& spec) {
  Sorters result;
  for (int seed = 1; seed <= seeds; ++seed)
    result.right.push_back(train_and_test(settings("sort", spec, seed))[0].score.token_accuracy);
  return result;
}

// How many different results twelve tokens with the same content have after one layer of attention, which takes the
// content itself for queries, keys and values.
int different_results(const std::string& spec) {
  constexpr int d = 8, T = length;
  ParameterTable table;
  const auto scheme = scheme_of(spec, table);
  const Reals parameters = random_reals(table.count(), 3), one = random_reals(d, 7);
  Reals content;
  Vector places;
  for (int t = 0; t < T; ++t) {
    content.insert(content.end(), one.begin(), one.end());
    places.push_back(t);
  }
  const std::vector<int> tokens(T);
  const Positions positions{1, T, places.data()};
  Tape tape(parameters.data());
  const Tensor x = scheme->embedding(tape.constant({1, T, d}, content.data()),
                                     {.tokens = tokens, .length = T, .positions = positions});
  Tensor q = split_heads(x, 1), k = split_heads(x, 1);
  const Tensor v = split_heads(x, 1);
  const AttentionInputs inputs{x, q, k, positions, 0};
  scheme->query_and_key(q, k, inputs);
  const Tensor weights = softmax(scheme->scores(matmul(q, transpose(k), 1 / std::sqrt(d)), inputs));
  const Vector mix = copy(scheme->mixed(matmul(weights, v), weights, inputs)).values;
  std::vector<Vector> results;
  for (auto row = mix.begin(); row != mix.end(); row += d) {
    const Vector result(row, row + d);
    const auto same = [&](const Vector& other) { return largest_difference(result, other) < 1e-4; };
    if (std::ranges::none_of(results, same)) results.push_back(result);
  }
  return static_cast<int>(results.size());
}

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
  print_buckets();
  save_figure("staircase", staircase());
  const Finders first = print_first();
  save_figure("ends", ends());

  struct Row {
    std::string name, spec, what;
    Sorters sorters;
  };
  std::vector<Row> rows = {{"T5", "t5", "a number, the same for all contents", {}},
                           {"Shaw, keys only", "half-shaw:half=keys", "a vector, times the query", {}},
                           {"Shaw, values only", "half-shaw:half=values", "nothing", {}},
                           {"Shaw", "shaw", "a vector, times the query", {}}};
  TextTable sorted(
      {{"sort, 12 tokens"}, {"distance in the score"}, {"what is read"}, {"right, three seeds"}});
  for (Row& row : rows) {
    row.sorters = sorters(row.spec);
    sorted.add_row({row.name, row.what,
                    row.spec == "t5" || row.spec == "half-shaw:half=keys" ? "nothing" : "a vector",
                    each_seed(row.sorters.right)});
  }
  const Run run(settings("sort", "none", 1));
  const Test test = test_at(run.task(), run.settings(), length);
  std::cout << sorted.to_text(false)
            << "\nWithout seeing order: " << fixed(test.order_blind_ceiling.value_or(0), 3)
            << " at best; without reading the input: " << fixed(test.no_input_baseline, 3) << "\n\n";

  TextTable alike({{"12 tokens with the same content, one layer"}, {"different results", Align::right}});
  for (const auto& [name, spec] : {std::pair{"T5", "t5"},
                                   {"Shaw, keys only", "half-shaw:half=keys"},
                                   {"DeBERTa", "deberta"},
                                   {"RoPE", "rope"},
                                   {"Shaw, values only", "half-shaw:half=values"},
                                   {"sinusoids, added", "sinusoidal"}})
    alike.add_row({name, str(different_results(spec))});
  std::cout << alike.to_text(false) << '\n';

  std::vector<Kept> all;
  for (const auto& [name, spec] : {std::pair{"learned, added", "learned"},
                                   {"sinusoids, added", "sinusoidal"},
                                   {"T5", "t5"},
                                   {"Shaw", "shaw:clip=8"},
                                   {"DeBERTa", "deberta"},
                                   {"Transformer-XL", "transformer-xl"},
                                   {"RoPE", "rope"}})
    all.push_back(kept_by(name, spec));
  std::vector<TableColumn> heads = {{"which terms a score has"}};
  for (const std::string& column : columns) heads.push_back({column});
  TextTable terms(heads);
  for (const Kept& kept : all) {
    std::vector<TableCell> row = {kept.name};
    for (const Kind kind : kept.kinds) row.push_back(kind_words[static_cast<int>(kind)]);
    terms.add_row(row);
  }
  std::cout << terms.to_text(false);
  save_figure("four_terms", terms_figure(all));

  reply(first.mean(),
        "(T5, first, width 32, mean of three seeds.) No score depends on a position, only on distances. But "
        "the\n"
        "input has ends: the first token is the only one with no key before it, and the softmax shows that.");
  expect("first with T5", first.mean(), 1, 0.02,
         "Are keys before and after the query in different buckets (8.1)?");
  expect("sort with Shaw", rows[3].sorters.mean(), 1, 0.02,
         "Do weights meet the vectors of the values (8.6)?");
  expect("sort with T5", rows[0].sorters.mean(), 0.26, 0.08,
         "Is the same number added for every content (8.3)?");
}

}  // namespace locus
