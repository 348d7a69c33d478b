// The common part of schemes that add fixed numbers to the scores. Such a scheme says what it adds for a
// head, a query and a key (bias); this class adds it.
#pragma once

#include "positional/scheme.h"
#include "positional/support/remember.h"

namespace locus {

class BiasScheme : public Scheme {
 public:
  explicit BiasScheme(const SchemeContext& context) : heads_(context.heads) {}
  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override;

 protected:
  int heads() const { return heads_; }

 private:
  int heads_;
  Remembered<Reals> table_;
};

}  // namespace locus
