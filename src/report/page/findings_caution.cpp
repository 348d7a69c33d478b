#include <algorithm>

#include "base/text.h"
#include "report/format.h"
#include "report/page/findings.h"
#include "report/page/words.h"

namespace locus {

namespace {

// The task whose largest model is the most times its smallest; tasks differ in size for reasons of their own.
struct Sizes {
  const Summary *small = nullptr, *large = nullptr;
  double ratio = 0;
};

Sizes widest_sizes(const ModelRows& view) {
  Sizes widest;
  for (const std::string& task : view.tasks) {
    const auto rows = view.of_task(task);
    const auto [small, large] = std::ranges::minmax(rows, {}, &Summary::parameters);
    const double ratio = static_cast<double>(large->parameters) / small->parameters;
    if (ratio > widest.ratio) widest = {small, large, ratio};
  }
  return widest;
}

}  // namespace

std::optional<Finding> sizes_differ(const ModelRows& view) {
  const auto [small, large, ratio] = widest_sizes(view);
  if (ratio < 1.25) return {};
  return Finding{"Mind the sizes",
                 text("On ", large->task, ' ', code(large->name()), " has ", fixed(ratio, 1),
                      " times the parameters of ", code(small->name()), '.')};
}

std::optional<Finding> diverged(const ModelRows& view) {
  std::size_t count = 0;
  std::vector<std::string> names;
  for (const Summary* row : view.rows)
    if (row->diverged > 0) {
      count += static_cast<std::size_t>(row->diverged);
      names.push_back(text(code(row->name()), " on ", row->task));
    }
  if (count == 0) return {};
  return Finding{"Diverged",
                 text("Training blew up in ", counted(count, "model"), ": ", some_of(names), '.')};
}

std::optional<Finding> few_seeds(const ModelRows& view) {
  const int seeds = std::ranges::min(view.rows, {}, &Summary::seeds)->seeds();
  if (seeds >= 5) return {};
  return Finding{"Few seeds",
                 text("With ", counted(static_cast<std::size_t>(seeds), "seed"),
                      ", a small difference may be luck: take five or more before claiming one.")};
}

}  // namespace locus
