// The index: position 7 is the number 7.
//   join=append: one channel that holds the index, then a linear layer back to the width of x.
//   join=fill:   the index is added to every channel. The layer norm at the start of every block subtracts
//                the mean over channels, and with it the index, exactly: such a model is as order-blind as
//                one without positions.
#include "base/error.h"
#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::index {

class Index : public ChannelScheme {
 public:
  using ChannelScheme::ChannelScheme;

  std::vector<double> code(double position, int, const Real*) const override {
    // exercise 5.1: position -> its code, a list of one number
    fail("exercise 5.1", "still to be written");
    // end
  }
};

const RegisterScheme registered{{
    .name = "index",
    .summary = "the position itself as one more channel (append) or added to all channels (fill)",
    .source = "the first idea everybody has",
    .stage = Stage::embedding,
    .options = {Index::join_option()},
    .variants = {{"join", "fill",
                  "the position itself in all channels at once; layer "
                  "norm takes it off again, so the model is that of `none`"}},
    .lesson = 5,
    .make = make<Index>,
}};

}  // namespace locus::schemes::index
