#include "cli/told.h"

namespace locus {

std::optional<PositionChange> read_position_change(const Arguments& arguments) {
  if (!arguments.given("--positions")) {
    arguments.refuse({"--layers"}, "without --positions");
    return {};
  }
  PositionChange change = parse_position_change(arguments.text("--positions"));
  change.layers = arguments.integers("--layers", 0, most::layers - 1);
  return change;
}

Trained with_positions(const Trained& trained, const PositionChange& change) {
  Trained told = with_scheme(trained, trained.run.settings().model.scheme);
  told.run.tell(change);
  return told;
}

}  // namespace locus
