// The report as one HTML file that needs nothing else: no network, and no script to be read.
//
//   study.h     the results, sorted
//   findings.h  what they say, in words
//   sections.h  the parts of the page, a file each; parts.h is what they are put together from
//   style.cpp, script.cpp
#pragma once

#include <string>

#include "report/page/study.h"

namespace locus {

std::string report_page(const Study& study);

std::string page_style();  // CSS
std::string_view
page_script();  // what a browser adds when it may: values on hover, one scheme brought forward

}  // namespace locus
