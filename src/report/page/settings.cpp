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
    if (setting.type == ValueType::lengths || setting.type == ValueType::range)
      value = join(split(value, ','), ", ");
    if (value.empty()) value = "–";
    if (!std::ranges::count(values, value)) values.push_back(value);
  }
  return join(values, "; ");
}

// "Each scheme has that learning rate of 5 tried, from 0.001 to 0.1, with which ...": the others are not on the page.
std::string choice_text(const std::vector<ChosenRate>& chosen) {
  std::vector<ChosenRate> again = chosen;
  std::erase_if(again, [](const ChosenRate& one) { return one.settings.recalibrate == 0; });
  const auto range = [](const std::vector<ChosenRate>& of, double ChosenRate::*low,
                        double ChosenRate::*high) {
    const double smallest = std::ranges::min(of, {}, low).*low,
                 largest = std::ranges::max(of, {}, high).*high;
    return smallest == largest ? str(smallest) : str("from ", smallest, " to ", largest);
  };
  const std::string in_training = range(chosen, &ChosenRate::smallest, &ChosenRate::largest);
  return str(
      "Each scheme has ",
      again.empty()
          ? str("that learning rate of ", tried_text(chosen), " tried, ", in_training)
          : str("those learning rates of ", tried_text(chosen), " pairs tried, ", in_training,
                " in training and ", range(again, &ChosenRate::smallest_again, &ChosenRate::largest_again),
                " in recalibration"),
      ", with which it learned its task best at the lengths trained on: by the validations of training, so that the "
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
  if (!std::ranges::all_of(study.views, &ModelRows::is_text))
    section.content.push_back(
        paragraph(str(study.models.empty() ? "With --keep a" : "A",
                      " cell of the grid that is pressed shows the command that asks its "
                      "model, build/locus ask.")));
  return section;
}

}  // namespace locus
