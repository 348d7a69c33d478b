// The look of a scheme, the same in every figure.
#pragma once

#include <string>

#include "draw/plot.h"
#include "positional/support/spec.h"
#include "report/study.h"

namespace locus {

// One colour and mark for all schemes that enter at the same stage of the model, ink for `none`.
SeriesStyle scheme_style(const Spec& spec);

// Where the scheme enters, which its mark stands for: "positions", "nowhere", "several places".
std::string stage_of(const Spec& spec);

// How the line of a text's row is drawn among all others: colour, mark and dashes; those of one stage differ in each.
SeriesStyle row_style(const ModelRows& view, const ResultRow& row);

}  // namespace locus
