// The page from top to bottom. A section for which there are no numbers is left out.
#pragma once

#include "report/page/parts.h"
#include "report/page/study.h"

namespace locus {

Html opening(const Study& study);              // what was compared, and what was found
Section map_section(const Study& study);       // scheme by task
Section accuracy_section(const Study& study);  // by length of the input
Section learning_section(const Study& study);  // by step of training
Section steps_section(const Study& study);     // to solve a task
Section control_section(const Study& study);   // every difference from the control, with its interval
Section cost_section(const Study& study);
Section settings_section(const Study& study);  // and how to make it again
Section terms_section();                       // what the words mean

}  // namespace locus
