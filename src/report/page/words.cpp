#include "report/page/words.h"

#include <algorithm>

#include "base/text.h"

namespace locus {

std::string list_of(const std::vector<std::string>& items) {
  if (items.size() < 2) return join(items, "");
  return join({items.begin(), items.end() - 1}, ", ") + " and " + items.back();
}

std::string some_of(const std::vector<std::string>& items, std::size_t most) {
  if (items.size() <= most + 1) return list_of(items);
  std::vector<std::string> shown(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(most));
  shown.push_back(text(items.size() - most, " more"));
  return list_of(shown);
}

std::string counted(std::size_t count, const std::string& thing) {
  return text(count, ' ', thing, count == 1 ? "" : "s");
}

std::string tokens(const LengthSummary& at) {
  return at.length == 0 ? "held-out sentences" : counted(static_cast<std::size_t>(at.length), "token");
}

std::string code(const std::string& name) {
  std::string plain = name;
  std::ranges::replace(plain, '`', '\'');
  return '`' + plain + '`';
}

}  // namespace locus
