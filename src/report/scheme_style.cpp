#include "report/scheme_style.h"

#include <tuple>

#include "positional/support/spec.h"

namespace locus {

SeriesStyle scheme_style(const std::string& spec, std::size_t nth) {
  constexpr std::tuple<Stage, const char*, std::size_t> looks[] = {{Stage::nowhere, dark_ink, 0},
                                                                   {Stage::embedding, green_ink, 2},
                                                                   {Stage::positions, pink_ink, 1},
                                                                   {Stage::query_and_key, purple_ink, 3},
                                                                   {Stage::scores, ochre_ink, 4}};
  SeriesStyle style{.colour = petrol_ink,
                    .form = 5};  // of several stages, of a spec for each layer, of another version
  const std::vector<Stage> stages = is_known(spec) ? stages_of(spec) : std::vector<Stage>();
  for (const auto& [stage, colour, form] : looks)
    if (stages == std::vector{stage}) style = {.colour = colour, .form = form};
  return nth_alike(style, nth);
}

std::string stage_of(const std::string& spec) {
  const std::vector<Stage> stages = is_known(spec) ? stages_of(spec) : std::vector<Stage>();
  return stages.size() == 1 ? to_string(stages.front()) : "several places";
}

}  // namespace locus
