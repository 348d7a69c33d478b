// The report as one HTML file that needs no other files and no network, and can be read without scripts.
//
//   study.h     the results, grouped
//   findings.h  what they show, in sentences
//   parts.h     the sections of the page, and their building blocks
#pragma once

#include <string>

#include "report/study.h"

namespace locus {

std::string report_page(const Study& study);

}  // namespace locus
