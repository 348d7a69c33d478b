// The settings of the runs, and the commands that reproduce them. Both follow from the table of settings.
#include <algorithm>

#include "ablation/reproduction.h"
#include "base/text.h"
#include "report/page/parts.h"

namespace locus {

namespace {

// Every value of the setting, in the order of first appearance: "12, 18, 24; 12, 24".
std::string values_text(const Setting& setting, const std::vector<Result>& results) {
  std::vector<std::string> values;
  for (const Result& result : results) {
    std::string value = value_text(setting, result.settings);
    if (std::holds_alternative<LengthsMember>(setting.member) ||
        std::holds_alternative<RangeMember>(setting.member))
      value = join(split(value, ','), ", ");
    if (value.empty()) value = "–";
    if (!std::ranges::count(values, value)) values.push_back(value);
  }
  return join(values, "; ");
}

// What can be asked of each model that was kept.
Html kept_models(const Study& study) {
  std::vector<Html> commands;
  for (const std::string& model : study.models)
    for (const std::string& command : {text("build/locus ask ", shell_word(model), " --failures 3"),
                                       text("build/locus attend ", shell_word(model))})
      commands.push_back(element("code", {}, {command}));
  return folded("Ask the models, and see where they look", element("pre", {{"tabindex", "0"}}, commands));
}

// "Each scheme has that learning rate of 5, from 0.001 to 0.1, with which ...": the others are not on the page.
std::string choice_text(const std::vector<ChosenRate>& chosen) {
  const ChosenRate fewest = std::ranges::min(chosen, {}, &ChosenRate::tried),
                   most = std::ranges::max(chosen, {}, &ChosenRate::tried);
  return text(
      "Each scheme has that learning rate of ", fewest.tried,
      fewest.tried == most.tried ? "" : text(" to ", most.tried), " tried, from ",
      std::ranges::min(chosen, {}, &ChosenRate::smallest).smallest, " to ",
      std::ranges::max(chosen, {}, &ChosenRate::largest).largest,
      ", with which it learned its task best at the lengths trained on: by the probes of training, so that the "
      "tests had no part in the choice.");
}

}  // namespace

Section settings_section(const Study& study) {
  std::vector<Html> list;
  for (const Setting& setting : all_settings()) {
    const std::string values = values_text(setting, study.results);
    if (setting.role.in_every_row || values == "–") continue;
    std::string name = setting.name;
    std::ranges::replace(name, '_', ' ');
    list.push_back(element("div", {}, {element("dt", {}, {name}), element("dd", {}, {values})}));
  }
  std::vector<Html> commands;
  for (const std::string& command : reproduction_commands(study.results))
    commands.push_back(element("code", {}, {command}));
  const std::string before = commands.size() == 1
                                 ? "The command that reproduces these results:"
                                 : "The commands that reproduce these results, each with an --out of "
                                   "its own; locus report reads the folders together:";
  Section section{"settings",
                  "Make it again",
                  {paragraph(before), element("pre", {{"tabindex", "0"}}, commands),
                   folded("All settings", element("dl", {}, list))}};
  if (!study.chosen.empty())
    section.content.insert(section.content.begin(), paragraph(choice_text(study.chosen)));
  if (!study.models.empty()) section.content.push_back(kept_models(study));
  return section;
}

}  // namespace locus
