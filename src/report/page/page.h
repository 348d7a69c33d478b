// The report as one HTML file that needs nothing else: no network, and no script to be read.
//
//   study.h     the results, sorted
//   findings.h  what they say, in words
//   parts.h     the sections of the page, and what they are put together from
#pragma once

#include <string>

#include "report/page/study.h"

namespace locus {

std::string report_page(const Study& study);

}  // namespace locus
