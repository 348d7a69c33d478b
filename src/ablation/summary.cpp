#include "ablation/summary.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"

namespace locus {

namespace {

const char* const outcome_keys[] = {"parameters", "steps", "steps_to_solve", "loss", "status", "by_length"};

// What was run, as text, with or without the seed.
std::string settings_key(const Json& result, std::string_view where, bool with_seed) {
  Json key;
  for (const auto& [name, value] : result.as_object(where, "a result"))
    if (std::ranges::find(outcome_keys, name) == std::end(outcome_keys) && (with_seed || name != "seed"))
      key.set(name, value);
  return to_string(key);
}

Summary begin(const Json& result, std::string_view where) {
  Summary summary{.task = result.string("task", where),
                  .scheme = result.string("scheme", where),
                  .model = result.string("model", where),
                  .dataset = !result.member("dataset", where).is_null(),
                  .parameters = static_cast<int>(result.integer("parameters", where))};
  if (result.array("by_length", where).empty()) fail(where, "'by_length' holds no length");
  const Json::Array& trained = result.array("train_lengths", where);
  if (trained.size() != 2) fail(where, "'train_lengths' should hold two numbers");
  for (const Json& entry : result.array("by_length", where)) {
    const auto length = static_cast<int>(entry.integer("length", where));
    const Json& ceiling = entry.member("order_blind_ceiling", where);
    summary.by_length.push_back(
        {.length = length,
         .trained = length >= trained[0].as_integer(where, "train_lengths") &&
                    length <= trained[1].as_integer(where, "train_lengths"),
         .token_accuracy = {},
         .exact_match = {},
         .order_blind_ceiling = ceiling.is_null()
                                    ? std::nullopt
                                    : std::optional(ceiling.as_number(where, "order_blind_ceiling")),
         .examples = entry.number("examples", where)});
  }
  return summary;
}

}  // namespace

std::vector<Summary> summarise(const std::vector<Result>& results) {
  std::vector<Summary> summaries;
  std::map<std::string, std::size_t> place;
  std::set<std::string> seen;
  for (const auto& [result, where] : results) {
    if (!seen.insert(settings_key(result, where, true)).second)
      fail(where, "this cell was there before", "give each folder once");
    const auto [found, is_new] = place.try_emplace(settings_key(result, where, false), summaries.size());
    if (is_new) summaries.push_back(begin(result, where));
    Summary& summary = summaries[found->second];

    const Json& solved = result.member("steps_to_solve", where);
    if (!solved.is_null()) summary.steps_to_solve.push_back(solved.as_number(where, "steps_to_solve"));
    summary.diverged += result.string("status", where) == "diverged";
    const Json::Array& by_length = result.array("by_length", where);
    if (by_length.size() != summary.by_length.size())
      fail(where, "'by_length' has another size than for the other seeds");
    for (std::size_t l = 0; l < by_length.size(); ++l) {
      summary.by_length[l].token_accuracy.push_back(by_length[l].number("token_accuracy", where));
      summary.by_length[l].exact_match.push_back(by_length[l].number("exact_match", where));
    }
  }
  return summaries;
}

}  // namespace locus
