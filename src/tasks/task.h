// A task is where examples come from: a toy task (support/toy.h: drawn at random, solved by a function; one
// file each in this folder) or a table (support/table.h: rows of a TSV file). Training, evaluation and the
// ablation know only this interface.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace locus {

using Tokens = std::vector<int>;  // ids into Task::alphabet

struct Example {
  Tokens input;
  Tokens target;
};

// What a target looks like beside its input.
enum class Form {
  classification,  // one target token for the whole input
  labelling,       // one target token for each input token
  generation,      // any number of target tokens: decoders only
};
std::string to_string(Form);  // "classification", ...

// One input in five is for testing, by a hash of the input alone (support/split.h): no input is in both
// splits, whatever the seed.
enum class Split { train, test };

struct LengthRange {
  int low = 0, high = 0;  // both included, in input tokens
};

// A number known by sampling, with its standard error (0 when it was counted exactly).
struct Estimate {
  double value = 0, error = 0;
};

class Task {
 public:
  virtual ~Task() = default;

  std::string name;     // "reverse", or the table's file name without its ending
  std::string summary;  // one line
  Form form = Form::classification;
  std::vector<std::string> alphabet;  // how each token id prints; inputs and targets share it
  Example sample;                     // a worked example, for help texts
  std::string layout;                 // what an input consists of, if not of any tokens in any order
  // For an encoder to train at, when nobody says otherwise; a decoder adds all that are shorter.
  LengthRange usual_lengths{12, 12};

  // The length of the next training batch: all examples of a batch have one length, so nothing is padded.
  virtual int draw_length(Random&, LengthRange) const = 0;

  // One example whose input has `length` tokens and lies in `split`. Throws Error if there is none.
  virtual Example draw(Random&, int length, Split) const = 0;

  // The examples to test at this length: the same ones for every scheme, model and seed of the run. All
  // different; fewer than `count` (but at least one, or Error) when no more exist. The task keeps them.
  virtual std::span<const Example> test_set(int length, int count) const = 0;

  // The input lengths that exist, or nothing when any length will do.
  virtual std::vector<int> fixed_lengths() const { return {}; }

  // The shortest input length of at least `least` tokens that exists, if there is one.
  virtual std::optional<int> length_from(int least) const { return least; }

  // The lengths that exist, in words: "the shortest has 4, the next 6".
  virtual std::string lengths() const { return "any"; }

  // The most tokens of any target whose input has this length.
  virtual int longest_target(int length) const { return form == Form::classification ? 1 : length; }

  // The best token accuracy of any encoder that sees each token and the bag of all tokens, but no order.
  // Computed by counting, never by training. Empty for the form generation. (A decoder's causal mask shows
  // order, so no ceiling applies to it.)
  virtual std::optional<Estimate> order_blind_ceiling(int length) const = 0;

  // The token accuracy of always giving the most frequent answer at each place, without reading the input.
  virtual double no_input_baseline(int length) const = 0;
};

// "3 1 2" -> ids and back. An unknown token or a space too many is a UsageError.
Tokens read_tokens(const Task&, std::string_view text);
std::string spell(const Task&, const Tokens&);

}  // namespace locus
