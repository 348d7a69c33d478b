// What a text shows: the perplexity by position in the longest windows, and the perplexities by length.
#include <cmath>

#include "base/text.h"
#include "report/page/parts.h"
#include "report/text_study.h"

namespace locus {

namespace {

Html seeds_of(const std::vector<double>& losses) {
  std::vector<std::string> each;
  for (const double loss : losses) each.push_back(std::isnan(loss) ? "–" : perplexity_text(std::exp(loss)));
  return join(each, " ");
}

Html mean_of(const std::vector<double>& losses) {
  const double middle = mean_perplexity(losses);
  return std::isnan(middle) ? "–" : perplexity_text(middle);
}

// Of all seeds the mean, or each.
PageTable perplexity_table(const TextRows& of, const WindowReading& reading,
                           Html (*shown)(const std::vector<double>&)) {
  PageTable out{
      .caption = str(of.task, ", ", of.model, ": perplexity, ", reading.name, " (", reading.what, "), ",
                     shown == mean_of ? "mean" : "every seed", ", by length of the window; * trained on"),
      .columns = {{"scheme", false}}};
  for (const int length : of.lengths)
    out.columns.push_back({str(length, of.rows.front()->settings.trains_at(length) ? "*" : "")});
  for (const TextLevel& level : text_levels_of(of.rows, of.lengths)) {
    out.rows.push_back({"", {level.name}});
    for (const double nats : level.nats)
      out.rows.back().cells.push_back(std::isnan(nats) ? "–" : perplexity_text(std::exp(nats)));
  }
  for (const ResultRow* row : best_first(of.rows, of.lengths.back(), reading.loss)) {
    out.rows.push_back({row->name(), {row->name()}});
    for (const int length : of.lengths) {
      const TextSummary* at = text_at(*row, length);
      out.rows.back().cells.push_back(at ? shown(at->*reading.loss) : Html("–"));
    }
  }
  return out;
}

// From which position on a scheme, trained on shorter windows, is twice as unsure as at the longest one trained.
std::string where_it_breaks(const TextRows& of) {
  std::vector<std::pair<double, std::string>> breaks;
  const int longest = of.lengths.back(), trained = of.rows.front()->settings.train.lengths.high;
  for (const ResultRow* row : of.rows) {
    const TextSummary* read = text_at(*row, longest);
    double before = NAN;
    for (const auto& [at, nats] :
         samples_by_position(read ? read->by_position : std::vector<double>(), longest)) {
      if (at <= trained) before = nats;
      if (!(nats > before + std::log(2))) continue;
      breaks.push_back({at, str(code(row->name()), " from about ", std::round(at), " on")});
      break;
    }
  }
  std::ranges::sort(breaks);
  std::vector<std::string> clauses;
  for (const auto& [at, clause] : breaks) clauses.push_back(clause);
  return clauses.empty() ? "" : str("Twice as unsure as at position ", trained, ": ", list_of(clauses), '.');
}

}  // namespace

Section perplexity_section(const Study& study) {
  const std::vector<TextRows> texts = texts_of(study);
  if (texts.empty()) return {};
  Section section{"perplexity", "Perplexity of texts", {}};
  for (const auto& [screen, pixels] : {std::pair{"wide", 900.0}, {"narrow", 350.0}})
    for (const Figure& figure : text_study_figures(study, pixels))
      section.content.push_back(element("figure", {{"class", screen}}, {figure_element(figure)}));
  std::vector<PageTable> more;
  for (const TextRows& one : texts)
    for (const WindowReading& reading : window_readings) {
      const PageTable means = perplexity_table(one, reading, mean_of);
      if (reading.loss == &TextSummary::sliding) {  // as the headline
        if (const std::string where = where_it_breaks(one); !where.empty())
          section.content.push_back(paragraph(where));
        section.content.push_back(table(means));
      } else
        more.push_back(means);
      more.push_back(perplexity_table(one, reading, seeds_of));
    }
  section.content.push_back(as_tables("Every seed, and over whole windows", more));
  section.content.push_back(paragraph(
      "Perplexity is e to the mean loss of a token: a model is as unsure as if it chose between so many. Lower is "
      "better, and 1 is certain and right. Unigram and bigram are models made by counting; the floor is the "
      "entropy of the grammar that wrote a generated text, below which no model can stay."));
  return section;
}

}  // namespace locus
