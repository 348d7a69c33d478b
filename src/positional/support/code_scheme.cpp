#include "positional/support/code_scheme.h"

#include "autograd/ops.h"
#include "base/error.h"

namespace locus {

CodeScheme::CodeScheme(Join join, int code_width, const SchemeContext& context, ParameterTable& table)
    : code_width_(code_width) {
  const int D = context.d_model;
  const std::size_t before = table.count();
  if (join == Join::concat) back_to_width_.emplace(table, "position.join", D + code_width_, D);
  join_parameters_ = table.count() - before;
}

Tensor CodeScheme::embedding(Tensor x, const Inputs& inputs) const {
  const Tensor code = codes(x.tape(), inputs.positions);
  return back_to_width_ ? (*back_to_width_)(concat(x, code)) : x + code;
}

Tensor CodeScheme::codes(Tape& tape, const Positions& p) const {
  const int E = code_width_;
  const auto table = table_(p, [&] {
    Reals codes;
    for (int row = 0; row < p.rows; ++row)
      for (int t = 0; t < p.length; ++t) {
        const std::vector<double> one =
            code(p(row, t), p.length, nullptr);  // no parameters: learned codes override codes()
        if (std::ssize(one) != E)
          fail("code",
               str("the code of position ", p(row, t), " has ", one.size(), " numbers, but should have ", E));
        for (const double c : one) codes.push_back(static_cast<Real>(c));
      }
    return codes;
  });
  return tape.constant(p.shape().with_axis(E), table->data());
}

}  // namespace locus
