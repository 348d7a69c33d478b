// The page from top to bottom. A section for which there are no numbers is empty.
#pragma once

#include "report/html.h"
#include "report/page/study.h"

namespace locus {

Html opening(const Study& study);           // what was compared, and what was found
Html map_section(const Study& study);       // scheme by task
Html accuracy_section(const Study& study);  // by length of the input
Html learning_section(const Study& study);  // by step of training
Html steps_section(const Study& study);     // to solve a task
Html control_section(const Study& study);   // every difference from the control, with its interval
Html cost_section(const Study& study);
Html settings_section(const Study& study);  // and how to make it again
Html terms_section();                       // what the words mean

}  // namespace locus
