#include <algorithm>
#include <cmath>

#include "ablation/comparison.h"
#include "base/size.h"
#include "report/summary_table.h"

namespace locus {

namespace {

Json optional_json(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? Json(Json::Array{interval->low, interval->high}) : Json();
}

// One per seed; null where it is not a number.
Json numbers_or_null(const std::vector<double>& values) {
  Json::Array all;
  for (const double value : values) all.push_back(std::isnan(value) ? Json() : Json(value));
  return all;
}

Json named(const ResultRow& row) {
  return Json::Object{{"task", row.task},
                      {"scheme", row.scheme},
                      {"model", row.model},
                      {"variant", row.variant},
                      {"again", row.again}};
}

// "exact_match": measure_name() as a name.
std::string measure_key(const ResultRow& row) {
  std::string key = measure_name(row);
  std::ranges::replace(key, ' ', '_');
  return key;
}

Json length_json(const ResultRow& row, const RowAtLength& at) {
  Json json;
  json.set("length", at.length);
  json.set("trained", at.trained);
  json.set("token_accuracy", numbers_or_null(at.token_accuracy));
  json.set("exact_match", Json::Array(at.exact_match.begin(), at.exact_match.end()));
  // For a text: without its test set's part, which is not known.
  json.set("mean", is_measured(row, at) ? Json(mean(row.measure(at))) : Json());
  json.set("interval", !is_measured(row, at)
                           ? Json()
                           : interval_json(row.is_text ? difference(row, at, 0).interval
                                                       : accuracy_interval(row.accuracy(at), at.examples)));
  if (const auto above = row.is_text ? std::nullopt : above_a_split(row.accuracy(at)))
    json.set("split_above", static_cast<double>(*above));
  json.set("order_blind_ceiling", optional_json(at.order_blind_ceiling));
  if (at.mirror_blind_ceiling) json.set("mirror_blind_ceiling", *at.mirror_blind_ceiling);
  if (at.window_ceiling) json.set("window_ceiling", *at.window_ceiling);
  json.set("no_input_baseline", optional_json(at.no_input_baseline));
  json.set("examples", at.examples);
  if (at.text) {
    json.set("loss", numbers_or_null(at.text->loss));
    json.set("loss_sliding", numbers_or_null(at.text->sliding));
    json.set("unigram_loss", at.text->levels.unigram);
    json.set("bigram_loss", optional_json(at.text->levels.bigram));
    json.set("floor", optional_json(at.text->levels.floor));
  }
  return json;
}

Json row_json(const ResultRow& row) {
  Json json = named(row);
  json.set("measure", measure_key(row));
  json.set("parameters", row.parameters);
  json.set("seeds", Json::Array(row.seed.begin(), row.seed.end()));
  json.set("steps_to_solve", Json::Array(row.steps_to_solve.begin(), row.steps_to_solve.end()));
  const auto seeds = as_size(row.seeds());
  json.set("success_interval", interval_json(success_interval(row.steps_to_solve.size(), seeds)));
  json.set("diverged", row.diverged);
  json.set("memorised", row.memorised);
  Json::Array by_length;
  for (const RowAtLength& at : row.by_length) by_length.push_back(length_json(row, at));
  json.set("by_length", by_length);
  return json;
}

Json comparison_json(const Comparison& one, const ResultRow& row) {
  Json json = named(row);
  json.set("length", one.length == 0 ? Json() : Json(one.length));
  json.set("trained", one.trained);
  json.set("pairs", one.pairs);
  json.set("measure", measure_key(row));
  json.set("difference", one.difference.mean);
  json.set("interval", interval_json(one.difference.interval));
  json.set("p", one.difference.p);
  json.set("adjusted_p", one.adjusted_p);
  json.set("verdict", to_string(one.verdict));
  json.set("margin", equivalence_margin);
  json.set("other_rates", one.other_rates.empty() ? Json() : Json(one.other_rates));
  json.set("seeds_needed", one.seeds_needed ? Json(*one.seeds_needed) : Json());
  return json;
}

}  // namespace

Json to_json(const Study& study) {
  Json::Array row_list, comparison_list;
  for (const ResultRow& row : study.rows) row_list.push_back(row_json(row));
  for (const Comparison& one : compare(study.rows, study.control))
    comparison_list.push_back(comparison_json(one, study.rows[one.row]));
  return Json::Object{{"control", study.control}, {"rows", row_list}, {"comparisons", comparison_list}};
}

}  // namespace locus
