// The functions that the page calls: numbers in, numbers out. A text (a task, a scheme, tokens) is written by the page
// to text_buffer(), as UTF-8 that ends in a zero; a text that comes back is there, too. Lists of numbers are in
// number_buffer(), and the function returns how many there are.
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/size.h"
#include "playground/lane.h"
#include "positional/support/added_scores.h"

namespace {

using namespace locus;

constexpr int lanes = 2, text_bytes = 1 << 16, shown_inputs = 128;
std::optional<Lane> lane_of[lanes];
char text_of_page[text_bytes];
std::vector<double> numbers;

Lane& lane(int index) { return lane_of[index].value(); }
int give(const std::string& words) {
  const std::size_t bytes = std::min<std::size_t>(words.size(), text_bytes - 1);
  std::memcpy(text_of_page, words.data(), bytes);
  text_of_page[bytes] = 0;
  return static_cast<int>(bytes);
}
int counted_numbers() { return static_cast<int>(numbers.size()); }
bool has_length(const Task& task, int length) { return task.length_from(length) == length; }
double or_nan(const std::optional<Estimate>& value) { return value ? value->value : NAN; }

Tokens input_of(const Task& task) { return read_tokens(task, text_of_page); }

}  // namespace

#define LOCUS_EXPORT(name) extern "C" [[clang::export_name(#name)]]

LOCUS_EXPORT(text_buffer) char* text_buffer() { return text_of_page; }
LOCUS_EXPORT(number_buffer) double* number_buffer() { return numbers.data(); }

// The buffer holds the task and, on a second line, the scheme.
LOCUS_EXPORT(new_model) void new_model(int index, int decoder, int seed) {
  const std::vector<std::string> lines = split(text_of_page, '\n');
  lane_of[index].reset();
  lane_of[index].emplace(lines.at(0), lines.at(1), decoder ? ModelKind::decoder : ModelKind::encoder,
                         static_cast<std::uint64_t>(seed));
}

// The buffer holds the scheme. Whether the lane's parameters fit it.
LOCUS_EXPORT(takes_scheme) int takes_scheme(int index) { return lane(index).takes(text_of_page); }

// The buffer holds the scheme, which the lane takes.
LOCUS_EXPORT(change_scheme) void change_scheme(int index) { lane(index).change_scheme(text_of_page); }

// Steps done, the step of the first validation that was right in 99 % (0: none), status (TrainStatus), running loss,
// accuracy of the last validation, parameters, whether answers are generated, the longest length trained on, the
// step at which this training began, and the shortest length trained on.
LOCUS_EXPORT(train) int train(int index, int steps) {
  Lane& it = lane(index);
  const TrainStatus status = it.train(steps);
  const Trainer& trainer = it.trainer();
  const bool generates = it.run().batcher().generates();
  const int before = it.steps() - trainer.step();
  numbers = {static_cast<double>(it.steps()),
             static_cast<double>(trainer.steps_to_solve() > 0 ? before + trainer.steps_to_solve() : 0),
             static_cast<double>(status),
             trainer.loss(),
             trainer.validated().accuracy(generates),
             static_cast<double>(trainer.parameters().size()),
             static_cast<double>(generates),
             static_cast<double>(it.run().settings().train.lengths.high),
             static_cast<double>(before),
             static_cast<double>(it.run().settings().train.lengths.low)};
  return counted_numbers();
}

// The accuracy that counts on so many test inputs of this length: token accuracy, or of generated answers exact match.
// NaN when the task has no inputs of this length. The number buffer holds both.
LOCUS_EXPORT(accuracy) double accuracy(int index, int length, int examples) {
  numbers = {NAN, NAN};
  if (!has_length(lane(index).run().task(), length)) return NAN;
  const Score score = lane(index).test(length, examples).score;
  numbers = {score.token_accuracy, score.exact_match};
  return score.accuracy(lane(index).run().batcher().generates());
}

// The same at the length trained on, with a head silenced: its output is multiplied by 0. `head` counts through all
// layers.
LOCUS_EXPORT(accuracy_without_head)
double accuracy_without_head(int index, int head, int examples) {
  const Run& run = lane(index).run();
  return lane(index)
      .test(run.settings().train.lengths.high, examples, head)
      .score.accuracy(run.batcher().generates());
}

// The most that any encoder reaches at this length that sees no order; that cannot tell left from right; what is right
// without reading; and the blindness of the lane's scheme: 0 none, 1 mirror, 2 order. NaN where none applies: the
// ceilings are of encoders, and of generated answers whole ones are counted.
LOCUS_EXPORT(ceilings) int ceilings(int index, int length) {
  const Run& run = lane(index).run();
  const Task& task = run.task();
  const auto blindness = static_cast<double>(run.model().blindness());
  const bool one_token = task.form == Form::classification;  // so that a whole answer is a single token
  if (!has_length(task, length))
    numbers = {NAN, NAN, NAN, blindness};
  else if (run.batcher().generates())
    numbers = {NAN, NAN, one_token ? task.no_input_baseline(length) : NAN, blindness};
  else
    numbers = {or_nan(task.order_blind_ceiling(length)), or_nan(task.mirror_blind_ceiling(length)),
               task.no_input_baseline(length), blindness};
  return counted_numbers();
}

// The buffer receives a test input of this length, or of the next that there is.
LOCUS_EXPORT(example) int example(int index, int length, int number) {
  const Task& task = lane(index).run().task();
  const auto examples = task.test_set(task.length_from(length).value_or(length), shown_inputs);
  return give(spell(task, examples[as_size(number) % examples.size()].input));
}

// The buffer holds an input, and receives three lines: the answer, what is right (empty: not known) and, token by
// token, which are wrong (1). The numbers are the probabilities of the tokens of the answer.
LOCUS_EXPORT(answer) int answer(int index) {
  const Run& run = lane(index).run();
  const Answer answer = lane(index).answer(input_of(run.task()));
  std::string right, wrong;
  const std::vector<std::string>& names = run.batcher().names();
  if (answer.target)
    for (const int token : *answer.target)
      if (token != run.batcher().end() || !run.batcher().generates())
        right += (right.empty() ? "" : " ") + names[as_size(token)];
  for (const bool one : answer.wrong()) wrong += one ? '1' : '0';
  numbers.clear();
  for (const AnswerToken& token : answer.tokens) numbers.push_back(token.probability);
  give(spell(answer, run) + "\n" + right + "\n" + wrong);
  return counted_numbers();
}

// What the scheme of the lane gives to each position, or to each pair of them in a head of a layer (`head` counts the
// heads of all layers): the kind of it, rows, columns, then the values row by row.
//   0 nothing that can be drawn from positions alone
//   1 codes: position by channel
//   2 angles of rotation in radians: position by pair of channels
//   3 biases, fixed: query by key; a pair that is never seen is NaN
//   4 the same, learned
LOCUS_EXPORT(codes) int codes(int index, int positions, int head) {
  Lane& it = lane(index);
  const auto* model = dynamic_cast<const Transformer*>(&it.run().model());
  numbers = {0, 0, 0};
  if (!model) return counted_numbers();
  const ModelSettings& settings = model->settings();
  const int layer = head / settings.heads, of_layer = head % settings.heads;
  const Scheme& scheme = model->scheme(as_size(layer));
  const bool causal = settings.kind == ModelKind::decoder;
  const SchemeContext context{settings.d_model, settings.heads, causal, settings.layers};
  const Real* parameters = it.parameters().data();
  const int rows = std::min(positions, scheme.capacity());
  const auto put = [&](int kind, auto&& row) {
    for (int p = 0; p < rows; ++p) {
      const std::vector<double> values = row(p);
      numbers.insert(numbers.end(), values.begin(), values.end());
      numbers[2] = static_cast<double>(values.size());
    }
    numbers[0] = kind;
    numbers[1] = rows;
  };
  const auto pairs = [&](int kind, auto&& bias) {
    put(kind, [&](int query) {
      std::vector<double> values;
      for (int key = 0; key < rows; ++key) values.push_back(causal && key > query ? NAN : bias(query, key));
      return values;
    });
  };
  if (!scheme.code(0, positions, parameters).empty())
    put(1, [&](int p) { return scheme.code(p, positions, parameters); });
  else if (const Frequencies turning = scheme.frequencies(positions); !turning.inverse_frequency.empty())
    put(2, [&](int p) {
      std::vector<double> angles;
      for (const double theta : turning.inverse_frequency) angles.push_back(p * theta);
      return angles;
    });
  else if (scheme.bias(of_layer, 0, 0))
    pairs(3, [&](int query, int key) { return scheme.bias(of_layer, query, key).value_or(NAN); });
  else if (const auto added = added_scores(scheme, context, parameters, rows, layer); !added.empty())
    pairs(4, [&](int query, int key) { return added[as_size((of_layer * rows + query) * rows + key)]; });
  return counted_numbers();
}

// The buffer holds an input. The number of maps and the tokens that are read, T; then for each head of each layer T
// rows of T weights. The buffer receives the tokens that are read.
LOCUS_EXPORT(attention) int attention(int index) {
  const Run& run = lane(index).run();
  const Answer answer = lane(index).answer(input_of(run.task()));
  const auto* model = dynamic_cast<const Transformer*>(&run.model());
  numbers = {0, 0};
  if (!model) return counted_numbers();
  const auto maps = attention_maps(*model, lane(index).parameters().data(), answer.read,
                                   run.batcher().first_answer(static_cast<int>(answer.input.size())));
  numbers = {static_cast<double>(maps.size()), static_cast<double>(answer.read.size())};
  for (const AttentionMap& map : maps) numbers.insert(numbers.end(), map.weights.begin(), map.weights.end());
  std::string read;
  for (const int token : answer.read)
    read += (read.empty() ? "" : " ") + run.batcher().names()[as_size(token)];
  give(read);
  return counted_numbers();
}

// All parameters, to compare with those of a native program.
LOCUS_EXPORT(parameters) const float* parameters(int index) { return lane(index).parameters().data(); }
