#include "examine/construct.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/named.h"
#include "base/size.h"
#include "positional/support/sinusoid.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {

constexpr int digits = 10;         // tokens of all three tasks
constexpr double confidence = 20;  // the logit of an answer, before the last norm

// Of previous: the stream holds the token, the answer and the code of the position.
constexpr int clocks = 10;                                     // the fastest of the sinusoid
constexpr int sinusoid_width = 2 * (2 * digits + 2 * clocks);  // D
int onehot_width(int capacity) { return 2 * (2 * digits + capacity); }

// Of sort. The fraction is stored small, so that it hardly changes what the norm divides by. `tie` decides at the two
// ends, where fraction and share are equal: it must be below 1 / T.
constexpr double small_fraction = 1.0 / 1024, tie = 1.0 / 1024, steepness = 8192;
constexpr int fraction_at = digits, shares_at = digits + 1, shares = digits - 1,
              sort_answer_at = shares_at + shares;
constexpr int sort_width = 2 * (sort_answer_at + digits);

// The parameters of a model, to be set by name. They begin as 0, all gains as 1.
class Weights {
 public:
  explicit Weights(const Model& model) : model_(model), values_(model.parameters().count()) {
    for (const auto& [name, where, initial] : model.parameters().entries())
      if (name.ends_with(".gain"))
        std::ranges::fill(std::span(values_).subspan(where.offset, where.shape.count()), Real{1});
  }

  void add(std::string_view name, int row, int column, double value) {
    const auto& entries = model_.parameters().entries();
    const auto entry = std::ranges::find(entries, name, &ParameterTable::Entry::name);
    if (entry == entries.end()) fail("construct", str("the model has no parameter '", name, "'"));
    const int columns = entry->where.shape.last();
    values_[entry->where.offset + as_size(row * columns + column)] += static_cast<Real>(value);
  }

  // Number q of the stream is in channel 2q, and its negative in channel 2q + 1.
  void write(std::string_view name, int row, int q, double value) {
    add(name, row, 2 * q, value);
    add(name, row, 2 * q + 1, -value);
  }
  void read(std::string_view name, int q, int column, double value) {
    add(name, 2 * q, column, value / 2);
    add(name, 2 * q + 1, column, -value / 2);
  }

  // The norm leaves the stream as it is where the squares of its numbers add up to this.
  void keep_scale(const std::string& norm, double squares) {
    const int D = model_.settings().d_model;
    const double gain = std::sqrt(2 * squares / D + normalise_epsilon);
    for (int channel = 0; channel < D; ++channel) add(norm + ".gain", 0, channel, gain - 1);
  }

  // Tokens enter as numbers 0 to 9 of the stream, 1 for the token and 0 for others: written by the rows of the
  // embedding, or of the linear layer that joins them with a code.
  void embed_tokens(bool joined) {
    for (int token = 0; token < digits; ++token) {
      if (joined) add("embedding", token, token, 1);
      write(joined ? "position.join.weight" : "embedding", token, token, 1);
    }
  }

  // The head's values are the tokens, and what it mixes of them is added at `to`.
  void copy_tokens(int to) {
    for (int token = 0; token < digits; ++token) {
      read("layer0.attention.value.weight", token, token, 1);
      write("layer0.attention.output.weight", token, to + token, 1);
    }
  }

  void answer_with(int from) {
    for (int token = 0; token < digits; ++token) read("head.weight", from + token, token, confidence);
  }

  Reals take() { return std::move(values_); }

 private:
  const Model& model_;
  Reals values_;
};

// How the scores are multiplied: by the sharpness, and by sqrt(d), since attention divides by it.
double query_factor(const Construction& c, int head_width) {
  return c.sharpness * std::sqrt(head_width) / (c.score_scale == "log" ? std::log(equally_sharp_at) : 1);
}

Reals previous(const Construction& c, const Model& model) {
  constexpr int answer_at = digits, code_at = 2 * digits;
  const int D = model.settings().d_model;
  const double factor = query_factor(c, D);
  Weights weights(model);
  weights.embed_tokens(true);
  if (c.codes == "onehot") {
    weights.keep_scale("layer0.attention_norm", 2);  // of the token and of the code
    for (int p = 0; p < D / 2 - code_at; ++p) {
      weights.write("position.rows", p, code_at + p, 1);
      weights.read("layer0.attention.query.weight", code_at + p, std::max(p - 1, 0), factor);
      weights.read("layer0.attention.key.weight", code_at + p, p, 1);
    }
  } else {
    weights.keep_scale("layer0.attention_norm", 1 + clocks);  // sine^2 + cosine^2 of each clock is 1
    const std::vector<double> M = shift_matrix(-1, D);        // PE[p - 1] = M PE[p]
    for (int channel = 0; channel < 2 * clocks; ++channel) {
      weights.write("position.join.weight", D + channel, code_at + channel, 1);
      weights.read("layer0.attention.key.weight", code_at + channel, channel, 1);
      for (int row = 0; row < 2 * clocks; ++row)
        weights.read("layer0.attention.query.weight", code_at + channel, row,
                     factor * M[as_size(row * D + channel)]);
    }
  }
  weights.copy_tokens(answer_at);
  weights.answer_with(answer_at);
  return weights.take();
}

Reals count(const Model& model) {
  constexpr int answer_at = digits;
  Weights weights(model);
  weights.embed_tokens(false);
  weights.keep_scale("layer0.attention_norm", 1);
  weights.copy_tokens(answer_at);  // queries and keys are 0: all weights are 1 / T
  weights.answer_with(answer_at);
  return weights.take();
}

Reals sort(const Model& model) {
  Weights weights(model);
  weights.embed_tokens(true);
  weights.write("position.join.weight", model.settings().d_model, fraction_at, small_fraction);
  weights.keep_scale("layer0.attention_norm", 1);
  for (int v = 0; v < shares; ++v) {  // the share of the tokens that are not larger than v: C(v) / T
    for (int token = 0; token <= v; ++token) weights.read("layer0.attention.value.weight", token, v, 1);
    weights.write("layer0.attention.output.weight", v, shares_at + v, 1);
  }
  // Position p, of fraction f = p / (T - 1), must answer with a token above v exactly if p >= C(v). That holds exactly
  // if z = f - (1 + 2 tie) C(v) / T + tie > 0, for tie < 1 / T. Two hidden units make a step of it, 0 or 1, whatever
  // positive number the norm has divided z by: gelu(x + 1/2) - gelu(x - 1/2) is 1 for x above 5 and 0 for x below -5.
  // (The number 1 is the sum of the numbers of the token.)
  for (int v = 0; v < shares; ++v) {
    for (const int unit : {2 * v, 2 * v + 1}) {
      const auto add_to_z = [&](int q, double value) {
        weights.read("layer0.feed_forward.up.weight", q, unit, steepness * value);
      };
      add_to_z(fraction_at, 1 / small_fraction);
      add_to_z(shares_at + v, -(1 + 2 * tie));
      for (int token = 0; token < digits; ++token) add_to_z(token, tie);
      const double sign = unit % 2 == 0 ? 1 : -1;
      weights.add("layer0.feed_forward.up.bias", 0, unit, sign / 2);
      weights.write("layer0.feed_forward.down.weight", unit, sort_answer_at + v, -sign);     // not v or less,
      weights.write("layer0.feed_forward.down.weight", unit, sort_answer_at + v + 1, sign);  // but more
    }
  }
  weights.write("layer0.feed_forward.down.bias", 0, sort_answer_at, 1);  // 0, unless a step says more
  weights.answer_with(sort_answer_at);
  return weights.take();
}

}  // namespace

const std::vector<std::string>& construction_names() {
  static const std::vector<std::string> names{"previous", "count", "sort"};
  return names;
}

RunSettings settings_of(const Construction& c) {
  get_named("construct", "construction", construction_names(), c.name,
            [](const std::string& name) { return name; });
  if (c.test_lengths.empty()) fail_usage("construct", "--test-lengths is empty", "for example 12,24");
  RunSettings s;
  s.model.layers = s.model.heads = 1;
  s.model.d_ff = 1;  // of nothing but 0
  if (c.name == "previous") {
    const std::vector<std::string> codes{"sinusoidal", "onehot"};
    const std::string& of = c.codes.empty() ? codes.front() : c.codes;
    get_named("construct", "code of positions for previous", codes, of,
              [](const std::string& name) { return name; });
    const int longest = std::max(equally_sharp_at, std::ranges::max(c.test_lengths));
    s.task = "previous";
    s.model.scheme = of == "onehot" ? str("onehot:capacity=", longest) : "sinusoidal:join=concat";
    s.model.d_model = of == "onehot" ? onehot_width(longest) : sinusoid_width;
  } else if (!c.codes.empty()) {
    fail_usage("construct", str("--codes has no effect on ", c.name), "leave it out");
  } else if (c.name == "count") {
    s.task = "majority";
    s.model.scheme = "none";
    s.model.d_model = 2 * 2 * digits;
  } else {
    s.task = "sort";
    s.model.scheme = "fraction";
    s.model.d_model = sort_width;
    s.model.d_ff = 2 * shares;
  }
  s.model.score_scale = c.score_scale;
  s.test_lengths = c.test_lengths;
  s.test_examples = c.test_examples;
  return complete(s);
}

Reals construct(const Construction& c, const Model& model) {
  return c.name == "previous" ? previous(c, model) : c.name == "count" ? count(model) : sort(model);
}

std::string explanation_of(const Construction& c) {
  const std::string twice =
      "Each number of the stream is there twice, as q and -q, so that the layer norm has nothing to take off.\n";
  if (c.name == "count")
    return "embedding: the token, as ten numbers: 1 for the token itself, 0 for the others.\n"
           "head 0.0: all queries and keys are 0, so every token gets the weight 1/T. "
           "The mean of the tokens is how often each occurs, divided by T.\n"
           "feed-forward: nothing. The answer is the token with the largest share.\n" +
           twice;
  if (c.name == "sort")
    return str(
        "embedding: the token, as ten numbers, and the fraction f = p / (T - 1) of the position.\n"
        "head 0.0: all queries and keys are 0, so every token gets the weight 1/T. "
        "What it mixes are the shares c(v) of the tokens that are v or less, for v = 0 to 8.\n"
        "feed-forward: for each v a step, 1 where f is above c(v): v or less do not fill the positions up to p. "
        "The answer is the number of steps that are 1.\n",
        twice, "Exact up to about ", 1 / tie, " tokens: f and c(v) must differ by more than rounding.\n");
  const bool onehot = c.codes == "onehot";
  return str("embedding: the token, as ten numbers, and the code of the position: ",
             onehot ? "a number for each position, 1 for its own and 0 for the others.\n"
                    : str("the sine and cosine of the ", clocks, " fastest clocks of the sinusoid.\n"),
             "head 0.0: the query at p is ", onehot ? "the code of p - 1" : "M_-1 PE[p] = PE[p - 1]",
             ", the key at j is the code of j. The score is ", c.sharpness, " times their product",
             c.score_scale == "log" ? str(", times ln T / ln ", equally_sharp_at) : "", ": ",
             onehot ? "the same for all keys but the right one. At p = 0 the query is the code of 0.\n"
                    : "highest at j = p - 1, and lower the more clocks tell the two apart. "
                      "At p = 0 the nearest key is 0.\n",
             "It mixes the tokens by these weights, and that is the answer.\nfeed-forward: nothing.\n",
             twice);
}

}  // namespace locus
