// What a text shows: the perplexity by position in the longest windows, and the perplexities by length.
#include <cmath>

#include "base/text.h"
#include "report/page/parts.h"
#include "report/text_study.h"

namespace locus {

namespace {

// The mean; in small print each seed.
Html with_seeds(const std::vector<double>& losses) {
  std::vector<std::string> each;
  for (const double loss : losses) each.push_back(std::isnan(loss) ? "–" : perplexity_text(std::exp(loss)));
  if (each.size() == 1) return each.front();
  const double middle = mean_perplexity(losses);
  Html out = std::isnan(middle) ? "–" : perplexity_text(middle);
  out += element("small", {}, {join(each, " ")});
  return out;
}

PageTable perplexity_table(const TextRows& of, const WindowReading& reading) {
  PageTable out{.caption = str(of.task, ", ", of.model, ": perplexity, ", reading.name, " (", reading.what,
                               "), mean over seeds, by length of the window; * trained on"),
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
      out.rows.back().cells.push_back(at ? with_seeds(at->*reading.loss) : Html("–"));
    }
  }
  return out;
}

}  // namespace

Section perplexity_section(const Study& study) {
  const std::vector<TextRows> texts = texts_of(study);
  if (texts.empty()) return {};
  Section section{"perplexity", "Perplexity of texts", {}};
  for (const auto& [screen, pixels] : {std::pair{"wide", 900.0}, {"narrow", 350.0}})
    for (const Figure& figure : text_study_figures(study, pixels))
      section.content.push_back(element("figure", {{"class", screen}}, {figure_element(figure)}));
  std::vector<PageTable> tables;
  for (const TextRows& one : texts)
    for (const WindowReading& reading : window_readings) {
      tables.push_back(perplexity_table(one, reading));
      if (reading.loss == &TextSummary::sliding)  // as the headline; page.css hides its seeds
        section.content.push_back(table(tables.back()));
    }
  section.content.push_back(as_tables("Every seed, and over whole windows", tables));
  section.content.push_back(paragraph(
      "Perplexity is e to the mean loss of a token: a model is as unsure as if it chose between so many. Lower is "
      "better, and 1 is certain and right. Unigram and bigram are models made by counting; the floor is the "
      "entropy of the grammar that wrote a generated text, below which no model can stay."));
  return section;
}

}  // namespace locus
