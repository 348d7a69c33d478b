#include "ablation/summary.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/error.h"

namespace locus {

namespace {

long long read_count(const Json& json, std::string_view key, std::string_view where, long long most) {
  const long long value = json.integer(key, where);
  if (value < 1 || value > most) fail(where, text("'", key, "' should be from 1 to ", most, ", is ", value));
  return value;
}

double read_share(const Json& json, std::string_view key, std::string_view where) {
  const double value = json.as_number(where, key);
  if (!(value >= 0 && value <= 1)) fail(where, text("'", key, "' should be from 0 to 1, is ", value));
  return value;
}

std::optional<double> read_optional_share(const Json* json, std::string_view key, std::string_view where) {
  return !json || json->is_null() ? std::nullopt : std::optional(read_share(*json, key, where));
}

Summary begin(const Json& result, std::string_view where) {
  Summary summary{.task = result.string("task", where),
                  .scheme = result.string("scheme", where),
                  .model = result.string("model", where),
                  .dataset = !result.member("dataset", where).is_null(),
                  .parameters = static_cast<int>(
                      read_count(result, "parameters", where, std::numeric_limits<int>::max())),
                  .settings = settings_text(result, where, false)};
  if (result.array("by_length", where).empty()) fail(where, "'by_length' holds no length");
  const Json::Array& trained = result.array("train_lengths", where);
  if (trained.size() != 2) fail(where, "'train_lengths' should hold two numbers");
  for (const Json& entry : result.array("by_length", where)) {
    const auto length = static_cast<int>(read_count(entry, "length", where, most::length));
    constexpr const char *ceiling = "order_blind_ceiling", *baseline = "no_input_baseline";
    summary.by_length.push_back(
        {.length = length,
         .trained = length >= trained[0].as_integer(where, "train_lengths") &&
                    length <= trained[1].as_integer(where, "train_lengths"),
         .token_accuracy = {},
         .exact_match = {},
         .order_blind_ceiling = read_optional_share(&entry.member(ceiling, where), ceiling, where),
         .examples = static_cast<double>(read_count(entry, "examples", where, most::test_examples)),
         .no_input_baseline = read_optional_share(entry.find(baseline), baseline, where)});
  }
  return summary;
}

void add(const Json& result, std::string_view where, Summary& summary) {
  summary.seed.push_back(result.integer("seed", where));
  const Json& solved = result.member("steps_to_solve", where);
  if (!solved.is_null()) summary.steps_to_solve.push_back(solved.as_number(where, "steps_to_solve"));
  summary.diverged += result.string("status", where) == "diverged";
  const Json::Array& by_length = result.array("by_length", where);
  if (by_length.size() != summary.by_length.size())
    fail(where, "'by_length' has another size than for the other seeds");
  for (std::size_t l = 0; l < by_length.size(); ++l) {
    LengthSummary& at = summary.by_length[l];
    at.token_accuracy.push_back(
        read_share(by_length[l].member("token_accuracy", where), "token_accuracy", where));
    at.exact_match.push_back(read_share(by_length[l].member("exact_match", where), "exact_match", where));
  }
}

// "64", "runs/a", "2,12"
std::string value_text(const Json& value) {
  if (value.type() == Json::Type::string) return value.as_string("", "");
  std::string text = to_string(value);
  std::erase_if(text, [](char c) { return c == '[' || c == ']'; });
  return text;
}

// Whether the inner width is the usual one, which follows from d_model and goes without saying.
bool usual_inner_width(const Json& settings) {
  const Json *inner = settings.find("d_ff"), *width = settings.find("d_model");
  return !inner || !width || inner->type() != Json::Type::number || width->type() != Json::Type::number ||
         inner->as_number("", "") == 4 * width->as_number("", "");
}

// Says of rows with the same task, scheme and model in which settings they differ.
void name_variants(const std::vector<Summary*>& rows) {
  std::vector<Json> settings;
  for (const Summary* row : rows) settings.push_back(parse_json(row->settings, "settings"));
  const bool usual = std::ranges::all_of(settings, usual_inner_width);
  std::vector<std::string> keys;
  for (const Json& one : settings)
    for (const auto& [key, value] : one.as_object("settings", "settings"))
      if (!std::ranges::count(keys, key) && !(key == "d_ff" && usual)) keys.push_back(key);
  for (const std::string& key : keys) {
    std::vector<std::string> values;
    for (const Json& one : settings) values.push_back(one.find(key) ? value_text(*one.find(key)) : "none");
    if (std::ranges::count(values, values.front()) == std::ssize(values)) continue;
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i]->variant += text(rows[i]->variant.empty() ? "" : " ", key, "=", values[i]);
  }
}

// A row to be, and its results by seed.
struct RowOfResults {
  Summary row;
  std::map<long long, const Result*> results;
};

// Cuts rows in two that have as many seeds again as other schemes on the same task; two at least, as A/A has.
std::vector<RowOfResults> with_extra_seeds_apart(const std::vector<RowOfResults>& rows) {
  std::vector<RowOfResults> apart;
  for (const auto& [row, results] : rows) {
    std::set<long long> of_others;
    for (const auto& [other, other_results] : rows)
      if (other.task == row.task && other.model == row.model && other.scheme != row.scheme)
        for (const auto& [seed, result] : other_results) of_others.insert(seed);
    RowOfResults first{row, {}}, again{row, {}};
    again.row.again = true;
    for (const auto& [seed, result] : results)
      (of_others.contains(seed) ? first : again).results.emplace(seed, result);
    if (again.results.size() > 1 && first.results.size() == again.results.size())
      apart.insert(apart.end(), {first, again});
    else
      apart.push_back({row, results});
  }
  return apart;
}

}  // namespace

std::vector<Summary> summarise(const std::vector<Result>& results, ExtraSeeds extra) {
  std::vector<RowOfResults> rows;
  std::map<std::string, std::size_t> place;
  for (const Result& result : results) {
    const auto& [json, where] = result;
    const auto [found, is_new] = place.try_emplace(settings_text(json, where, false), rows.size());
    if (is_new) rows.push_back({begin(json, where), {}});
    if (!rows[found->second].results.try_emplace(json.integer("seed", where), &result).second)
      fail(where, "this cell was there before", "give each folder once");
  }
  if (extra == ExtraSeeds::in_a_row_of_their_own) rows = with_extra_seeds_apart(rows);

  std::vector<Summary> summaries;
  for (auto& [row, of_row] : rows) {
    for (const auto& [seed, result] : of_row) add(result->json, result->where, row);
    summaries.push_back(std::move(row));
  }
  std::map<std::vector<std::string>, std::vector<Summary*>> alike;
  for (Summary& row : summaries) alike[{row.task, row.scheme, row.model}].push_back(&row);
  for (const auto& [names, same] : alike) name_variants(same);
  return summaries;
}

LengthSummary all_lengths(const Summary& row) {
  LengthSummary all{0, true, std::vector<double>(static_cast<std::size_t>(row.seeds())), {}, 0.0, 0, 0.0};
  all.exact_match = all.token_accuracy;
  for (const LengthSummary& at : row.by_length) all.examples += at.examples;
  const auto add_share = [](std::optional<double>& sum, std::optional<double> value, double share) {
    sum = sum && value ? std::optional(*sum + share * *value) : std::nullopt;
  };
  for (const LengthSummary& at : row.by_length) {
    const double share = at.examples / all.examples;
    for (std::size_t seed = 0; seed < at.token_accuracy.size(); ++seed) {
      all.token_accuracy[seed] += share * at.token_accuracy[seed];
      all.exact_match[seed] += share * at.exact_match[seed];
    }
    add_share(all.order_blind_ceiling, at.order_blind_ceiling, share);
    add_share(all.no_input_baseline, at.no_input_baseline, share);
  }
  for (auto* accuracies : {&all.token_accuracy, &all.exact_match})
    for (double& accuracy : *accuracies) accuracy = std::min(accuracy, 1.0);  // the shares are rounded
  return all;
}

std::vector<LengthSummary> headline_lengths(const Summary& row) {
  if (row.dataset) return {all_lengths(row)};
  const LengthSummary *trained = nullptr, *longest = &row.by_length.front();
  for (const LengthSummary& at : row.by_length) {
    if (at.trained && (!trained || at.length > trained->length)) trained = &at;
    if (at.length > longest->length) longest = &at;
  }
  if (!trained || trained == longest) return {*longest};
  return {*trained, *longest};
}

}  // namespace locus
