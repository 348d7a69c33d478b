#include "report/page/page.h"

#include <algorithm>
#include <set>

#include "ablation/judgement.h"
#include "base/text.h"
#include "draw/html.h"
#include "io/format.h"
#include "report/page/findings.h"
#include "report/page/parts.h"
#include "report/summary_table.h"
#include "report/text_study.h"
#include "train/trainer.h"

namespace locus {

namespace {

// "5 schemes"; where rows of one scheme have other settings, "45 variants of 5 schemes"
std::string counted_schemes(const Study& study) {
  std::set<std::string> schemes;
  for (const ResultRow& row : study.rows) schemes.insert(row.scheme);
  const std::string words = counted(schemes.size(), "scheme");
  return study.schemes.size() == schemes.size()
             ? words
             : str(counted(study.schemes.size(), "variant"), " of ", words);
}

// "sort, copy and unique at 24 tokens, decoders, 6 schemes": the study's name.
std::string subject(const Study& study) {
  std::vector<std::string> tasks, models;
  int longest = 0;
  for (const ResultRow& row : study.rows) {
    if (std::ranges::count(tasks, row.task) == 0) tasks.push_back(row.task);
    if (std::ranges::count(models, row.model + "s") == 0) models.push_back(row.model + "s");
    if (!row.is_table) longest = std::max(longest, row.by_length.back().length);
  }
  return str(tasks.size() > 6 ? counted(tasks.size(), "task") : list_of(tasks),
             longest > 0 ? str(" at up to ", longest, " tokens") : "", ", ", list_of(models), ", ",
             study.schemes.size() == 1 ? study.schemes.front() : counted_schemes(study));
}

// "to predict the next character of the text grammar"
std::string text_in_words(const RunSettings& settings) {
  const bool is_hidden = settings.model.kind == ModelKind::encoder;
  return str("to predict ", is_hidden ? "hidden " : "the next ", token_name(settings), is_hidden ? "s" : "",
             " of the text ", settings.task);
}

// What was asked, for a reader who does not know Locus.
std::string asked(const Study& study) {
  std::set<std::string> tasks, texts, models;  // texts in words
  std::set<int> seeds, shortest, trained, longest;
  std::size_t compared = 0, again = 0;  // models
  std::string trained_again;            // the scheme of the latter
  const bool only_control =
      std::ranges::all_of(study.rows, [&](const ResultRow& row) { return row.scheme == study.control; });
  for (const ResultRow& row : study.rows) {
    (row.again ? again : compared) += row.seed.size();
    if (row.again) trained_again = row.scheme;
    if (row.is_text)
      texts.insert(text_in_words(row.settings));
    else
      tasks.insert(row.task);
    models.insert(row.model);
    if (row.scheme != study.control || only_control) seeds.insert(row.seeds());
    if (row.is_table) continue;
    shortest.insert(row.settings.train.lengths.low);
    trained.insert(row.settings.train.lengths.high);
    longest.insert(std::ranges::max(row.by_length, {}, &RowAtLength::length).length);
  }
  const bool alone = study.schemes.size() == 1;
  std::vector<std::string> learned;
  if (!tasks.empty()) learned.push_back("on " + counted(tasks.size(), "small task"));
  learned.insert(learned.end(), texts.begin(), texts.end());
  std::string words =
      str("A transformer reads all tokens at once; a positional scheme tells it where each one stands. ",
          alone ? code(study.schemes.front()) : counted_schemes(study),
          !alone && std::ranges::count(study.schemes, "none") > 0 ? ", one of them `none`," : "",
          alone ? " was" : " were", " trained ", list_of(learned));
  if (!trained.empty())
    words += str(tasks.empty() ? " in windows of " : " at ",
                 from_to(str(*shortest.begin()), str(*trained.rbegin())), ' ',
                 tasks.empty() ? token_name(study.rows.front().settings) : "token", "s");
  if (!trained.empty() && *longest.rbegin() > *trained.rbegin())
    words += str(", then read up to ", *longest.rbegin());
  const std::string unequal = unlike_control(study, compare(study.rows, study.control));
  return words + str(". ", with_separators(static_cast<long long>(compared)),
                     compared == 1 ? " model" : " models", ": ", list_of({models.begin(), models.end()}),
                     ", ", from_to(str(*seeds.begin()), str(*seeds.rbegin())),
                     *seeds.rbegin() == 1            ? " seed: no verdict, since the next seed may differ."
                     : *seeds.begin() < enough_seeds ? " seeds each: a small difference may be luck."
                                                     : " seeds each.",
                     again == 0 ? ""
                                : str(" ", again, " more of ", code(trained_again),
                                      ", on other seeds, show what chance does."),
                     unequal.empty() ? "" : " ", unequal);
}

// What was found, in a sentence, and what was asked.
Html opening(const Study& study) {
  const std::string found = headline(study);
  const Html question = prose(asked(study));
  if (found.empty())
    return element("header", {},
                   {element("h1", {}, {subject(study)}), element("p", {{"class", "asked"}}, {question})});
  const std::size_t first = std::min(found.find(". "), found.size() - 1) + 1;  // sentence
  std::vector<Html> parts = {element("p", {{"class", "subject"}}, {subject(study)}),
                             element("h1", {{"class", "answer"}}, {prose(found.substr(0, first))})};
  if (first < found.size())
    parts.push_back(element("p", {{"class", "answer"}}, {prose(found.substr(first + 1))}));
  const Html names = element("a", {{"href", "#names"}}, {"What these schemes and tasks are"});
  parts.push_back(element("p", {{"class", "asked"}}, {question, " ", names, "."}));
  return element("header", {}, parts);
}

Section findings_section(const Study& study) {
  std::vector<Html> items;
  for (const auto& [lead, text] : findings(study))
    items.push_back(element("li", {}, {element("h3", {}, {lead}), element("p", {}, {prose(text)})}));
  if (items.empty()) return {};
  return {"more", "What else it shows", {element("ul", {{"class", "findings"}}, items)}};
}

// Of the terms, those that stand on this page.
Html terms(const std::vector<Html>& page) {
  const std::string solved = in_percent(solved_accuracy) + "\u00a0%";
  const std::pair<const char*, std::string> all[] = {
      {"token accuracy",
       "the share of the tokens of the right answers that the model gives at their place; encoders are measured by it"},
      {"exact match",
       "the share of examples whose whole answer is right; where answers are generated, the measure"},
      {"order-blind ceiling",
       "the best token accuracy of any encoder that sees the tokens but not their order: found by counting, "
       "not by training. A decoder's causal mask shows order, so it has none"},
      {"mirror-blind ceiling",
       "the best token accuracy of any encoder that cannot tell an input from its mirror image, as with "
       "symmetric biases; counted likewise"},
      {"no-input baseline", "the best token accuracy of one answer that is given to every input, unread"},
      {"length trained on", "the longest input the model saw in training"},
      {"solved", str(solved, " of fresh examples answered without a mistake; of a table, ", solved,
                     " of rows that are neither trained on nor tested")},
      {"memorised",
       str("all steps done, ", in_percent(memorised_accuracy),
           "\u00a0% or more of the rows trained on right, and at least ", in_percent(memorised_gap),
           " percentage points fewer of the rows that are neither trained on nor tested")},
  };
  const auto stands = [&](const char* name) {
    return std::ranges::any_of(page,
                               [&](auto& part) { return part.markup().find(name) != std::string::npos; });
  };
  std::vector<Html> list;
  for (const auto& [name, meaning] : all)
    if (stands(name))
      list.push_back(element("div", {}, {element("dt", {}, {name}), element("dd", {}, {meaning})}));
  return folded("What the words mean", element("dl", {{"class", "terms"}}, list));
}

// A line for each scheme and task of the study, for a reader who does not know Locus.
Html what_they_are(const Study& study) {
  std::vector<Html> list;
  std::set<std::string> named;
  const auto add = [&](const std::string& name, const std::string& meaning) {
    if (named.insert(name).second)
      list.push_back(element("div", {}, {element("dt", {}, {name}), element("dd", {}, {meaning})}));
  };
  for (const ResultRow& row : study.rows)
    for (const Spec::Part& part : row.settings.model.scheme.known_parts()) {
      const SchemeInfo& info = *part.info;
      add(info.name, str(info.summary, " (", info.source.empty() ? "" : info.source + "; ",
                         info.lesson ? str("chapter ", info.lesson, " of the lessons; ") : "",
                         "src/positional/", info.name, ".cpp)"));
    }
  for (const ResultRow& row : study.rows)
    if (const Task* task = task_if_there(row.settings)) add(row.task, task->summary);
  return folded("What the schemes and the tasks are",
                element("dl", {{"id", "names"}, {"class", "terms"}}, list));
}

}  // namespace

std::string report_page(const Study& study) {
  std::vector<Html> parts = {opening(study)};
  if (const Section texts = perplexity_section(study); !texts.content.empty())
    parts.push_back(section_element(texts));
  parts.push_back(accuracy_grids(study));
  for (const Section& one :
       {findings_section(study), training_section(study), control_section(study), settings_section(study)})
    if (!one.content.empty()) parts.push_back(section_element(one));
  parts.push_back(what_they_are(study));
  parts.push_back(terms(parts));
  return html_document({.title = "Locus: " + subject(study),
                        .style = page_style(),
                        .script = page_script(),
                        .body = element("main", {}, parts)});
}

}  // namespace locus
