// What is said of models of every kind.
#include "model/model.h"

#include <doctest/doctest.h>

#include <vector>

#include "base/error.h"

namespace model_test {

using namespace locus;

TEST_CASE("model: the operations of a forward pass are those that its products count") {
  constexpr int T = 7;
  const std::vector<int> tokens(3 * T, 1);
  for (const ModelKind kind : all_model_kinds)
    for (const bool pooled : {false, true})
      for (const bool generates : {false, true}) {
        CAPTURE(to_string(kind));
        CAPTURE(pooled);
        CAPTURE(generates);
        const auto model = make_model({.kind = kind, .layers = 3, .heads = 2, .d_model = 8, .d_ff = 12},
                                      {.vocabulary = 5, .pooled = pooled, .generates = generates});
        const auto parameters = model->parameters().sample(1);
        Tape tape(parameters.data());
        Profile profile;
        tape.profile(&profile);
        model->logits(tape, {tokens, T, count_up(tape, T)});
        double counted = 0;
        for (const auto& [op, line] : profile.lines()) counted += line.operations;
        CHECK(3 * 3 * forward_operations(model->settings(), model->task_shape(), T) ==
              counted);  // 3 examples; backward costs twice as much as forward
      }
}

}  // namespace model_test
