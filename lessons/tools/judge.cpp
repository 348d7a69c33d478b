#include "lessons/tools/judge.h"

#include <algorithm>

#include "base/error.h"

namespace locus {

namespace {

// The first of what a test misses: the whole list would say how to write the test.
constexpr std::size_t most_named = 3;

}  // namespace

void judge(const std::vector<Candidate>& candidates) {
  std::string rejected, missed;
  std::size_t right = 0, passed = 0, broken = 0, noticed = 0;
  for (const Candidate& candidate : candidates) {
    const bool passes = candidate.passes();
    (candidate.is_right ? right : broken) += 1;
    if (candidate.is_right && passes) ++passed;
    if (!candidate.is_right && !passes) ++noticed;
    if (candidate.is_right && !passes) rejected += "\n  - " + candidate.what;
    if (!candidate.is_right && passes && broken - noticed <= most_named) missed += "\n  - " + candidate.what;
  }
  if (passed == 0 && noticed == broken)
    throw Error(
        "Your test fails whatever it is given, right or wrong: it can never pass, so failing says nothing.");
  if (passed == right && noticed == 0)
    throw Error(str(
        "Your test passes whatever it is given, and notices none of ", broken,
        " broken implementations. Give it something that can turn out wrong, and let it pass only when all has "
        "been compared."));
  if (passed < right)
    throw Error(str(
        "Your test fails what is right:", rejected,
        "\nIs what you compare with wrong itself? Is something asked for that was not promised, or a rounding "
        "error taken for a difference?"));
  if (noticed < broken) {
    const std::size_t more = broken - noticed - std::min(broken - noticed, most_named);
    throw Error(str("Your test passes all that is right, and notices ", noticed, " of ", broken,
                    " broken implementations. It does not notice:", missed,
                    more > 0 ? str("\n  and ", more, " more") : ""));
  }
}

}  // namespace locus
