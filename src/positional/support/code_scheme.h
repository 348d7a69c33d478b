// The common part of all schemes that have a code for each position and bring it into the token embeddings.
// Such a scheme says what the code is (code) and how wide; this class adds it to x, or puts it beside x.
#pragma once

#include "nn/layers.h"
#include "positional/scheme.h"
#include "positional/support/options.h"
#include "positional/support/remember.h"

namespace locus {

enum class Join {
  add,     // x + code; a code of a single channel is added to all channels of x ("fill")
  concat,  // x and code side by side, then a linear layer back to the width of x ("append" for a single channel)
};

class CodeScheme : public Scheme {
 public:
  CodeScheme(Join join, int code_width, const SchemeContext& context, ParameterTable& table);
  Tensor embedding(Tensor x, const Inputs& inputs) const override;

 protected:
  // The code of every position, (T,E) or (B,T,E). By default a constant, made by `code`.
  virtual Tensor codes(Tape& tape, const Positions& positions) const;
  std::size_t join_parameters() const { return join_parameters_; }  // of the linear layer, if there is one

 private:
  int code_width_;
  std::size_t join_parameters_;
  std::optional<Linear> back_to_width_;
  Remembered<Reals> table_;
};

// A code of a single number, in a channel of its own or added to every channel.
class ChannelScheme : public CodeScheme {
 public:
  ChannelScheme(const Options& options, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(options.text("join") == "append" ? Join::concat : Join::add, 1, context, table),
        fill_(options.text("join") == "fill") {}

  static SchemeOption join_option() {
    return choice_option("join", "append", {"append", "fill"},
                         "one channel of its own, or added to all channels");
  }

  Claims claims() const override {
    // The layer norm in front of each block subtracts the mean over channels, and so what all channels share.
    if (fill_)
      return {.order_blind = true,
              .mirror_blind = true,
              .shift_invariant = true,
              .unique = true,
              .extrapolates = true};
    return {.direction_aware = true, .unique = true, .extrapolates = true, .parameters = join_parameters()};
  }

 private:
  bool fill_;
};

}  // namespace locus
