// A task gives examples: a toy task (support/toy.h: drawn at random, solved by a function;
// one file each in this folder), a table (support/table.h: rows of a TSV file) or a text
// (support/text_task.h: windows of a plain text). Training, evaluation and the ablation use only
// this interface.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace locus {

class Random;  // base/random.h

using Tokens = std::vector<int>;  // ids into Task::alphabet

struct Example {
  Tokens input;
  Tokens target;
};

// How many tokens a target has.
enum class Form {
  classification,  // one target token for the whole input
  labelling,       // one target token for each input token
  generation,      // any number of target tokens: decoders only
  text,  // of a text: for each token the one after it; an encoder finds hidden ones instead (train/batch.h)
};
inline constexpr Form all_forms[] = {Form::classification, Form::labelling, Form::generation, Form::text};
std::string to_string(Form);  // "classification", ...

// One input in five is for testing, by a hash of the input alone (support/examples.h): no input is in both
// splits, whatever the seed.
enum class Split { train, test };

// In input tokens.
struct LengthRange {
  int low = 0, high = 0;    // both included
  std::vector<int> only{};  // unless empty: of the range these alone, ascending

  bool contains(int length) const {
    return length >= low && length <= high && (only.empty() || std::ranges::count(only, length) > 0);
  }
};
std::string to_string(const LengthRange&);  // as it is typed: "12", "4-16" or "4,8,16"

// A sampled value with its standard error (0 when it was counted exactly).
struct Estimate {
  double value = 0, error = 0;
};

// The bags of words of a table's test rows of one length. Where one row alone has a bag, a single order of
// these words was written down; the ceiling counts that row as right, though a model that sees no order can
// only guess what the words in another order would ask for. So at most in_one_order / rows of the ceiling is
// an artefact of the table.
struct BagCounts {
  int rows = 0, bags = 0, in_one_order = 0;
};

// What the loss on the test windows of a text is compared with, in nats per token.
struct TextLevels {
  double unigram = 0;              // of each token alone, by counting
  std::optional<double> bigram{};  // of each token after the one before it; for models that predict the next
  std::optional<double> floor{};   // the entropy of a generated text: of the grammar that wrote it
  std::vector<double> floor_by_position{};  // means of pieces of the window (text_pieces)
};

// A window is shown and recorded by position in at most this many pieces of nearly equal length.
inline constexpr int text_pieces = 64;
inline int piece_of(int position, int length) {
  return length <= text_pieces ? position
                               : static_cast<int>(static_cast<long long>(position) * text_pieces / length);
}

class Task {
 public:
  virtual ~Task() = default;

  std::string name;     // "reverse", or the table's file name without its ending
  std::string summary;  // one line
  Form form = Form::classification;
  std::vector<std::string> alphabet;  // how each token id prints; inputs and targets share it
  Example example;                    // a worked example, for help texts
  std::string fingerprint;            // of a table: "180 rows, hash 3f2a...", which changes with its rows
  std::string between = " ";          // what separates tokens in print; nothing in a text of characters
  std::string layout;                 // what an input consists of; empty: any tokens in any order
  // The default lengths to train an encoder at; a decoder also trains at all shorter ones.
  LengthRange usual_lengths{12, 12};

  // The length of the next training batch: all examples of a batch have one length, so nothing is padded.
  virtual int sample_length(Random&, const LengthRange&) const = 0;

  // One example of this split whose input has `length` tokens. Throws Error if there is none.
  virtual Example sample(Random&, int length, Split) const = 0;

  // The test examples of this length: the same for every scheme, model and seed of the run, all different.
  // Fewer than `count` when no more exist; throws Error if there is none. The task owns them.
  virtual std::span<const Example> test_set(int length, int count) const = 0;

  // The input lengths of a table; empty for a toy task, whose lengths length_from() finds.
  virtual std::vector<int> fixed_lengths() const { return {}; }

  // The shortest input length of at least `least` tokens that exists, if there is one.
  virtual std::optional<int> length_from(int least) const { return least; }

  // The rows of a table that are kept for validation (trainer.h), a span for each length in this range:
  // nothing trains on them, and no test contains them. None of a toy task, which draws fresh inputs.
  virtual std::vector<std::span<const Example>> validation_rows(const LengthRange&) const { return {}; }

  // The lengths that exist, in words: "the shortest has 4, the next 6".
  virtual std::string lengths() const { return "any"; }

  // What is right for this input, of any length. Empty when the task does not say: the input is not one that
  // a toy task can draw, or no row of a table.
  virtual std::optional<Tokens> target_of(const Tokens&) const { return std::nullopt; }

  // The most tokens of any target whose input has this length.
  virtual int longest_target(int length) const { return form == Form::classification ? 1 : length; }

  // The best token accuracy of any encoder that sees each token and the bag of all tokens, but no order.
  // Computed by counting, never by training. Empty for the form generation, which is for decoders: their
  // causal mask shows order, so no ceiling applies to them.
  virtual std::optional<Estimate> order_blind_ceiling(int length) const = 0;

  // The best token accuracy of any encoder that cannot tell an input from its mirror image: what it answers to
  // the reversed input is the reversed answer. Otherwise as above. It is not below the order-blind ceiling.
  virtual std::optional<Estimate> mirror_blind_ceiling(int length) const = 0;

  // The best exact match of a decoder whose logits at a token depend on the `field` tokens before it and on no others
  // (Model::receptive_field); `field` is at least 1. Empty for a task that does not count it.
  virtual std::optional<double> window_ceiling(int /*length*/, int /*field*/) const { return std::nullopt; }

  // For a text, over its test windows of this length; nothing for other tasks.
  virtual std::optional<TextLevels> text_levels(int /*length*/, int /*count*/) const { return std::nullopt; }

  // The tokens of what a user typed; by default words between spaces. Throws UsageError for an unknown token.
  virtual Tokens tokens_of(std::string_view text) const;

  // How far the ceiling of a table can be trusted; nothing for a toy task, which counts all orders of a bag.
  virtual std::optional<BagCounts> bag_counts(int) const { return std::nullopt; }

  // The best token accuracy without reading the input: that of giving the most frequent token at each position of the
  // targets of this length. No model that gives one answer to all inputs is above it by more than chance.
  virtual double no_input_baseline(int length) const = 0;
};

// "3 1 2" -> ids and back. Throws UsageError for an unknown token or an empty input.
Tokens read_tokens(const Task&, std::string_view text);
std::string spell(const Task&, const Tokens&);

}  // namespace locus
