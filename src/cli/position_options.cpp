#include "cli/position_options.h"

namespace locus {

std::optional<PositionChange> read_position_change(const Arguments& arguments) {
  if (!arguments.given("--positions")) {
    arguments.refuse({"--only-layers"}, "without --positions");
    return {};
  }
  PositionChange change = parse_position_change(arguments.text("--positions"));
  change.layers = arguments.integers("--only-layers", 0, limits::layers - 1);
  return change;
}

TrainedRun with_positions(const TrainedRun& trained, const PositionChange& change) {
  TrainedRun told = with_scheme(trained, trained.run.settings().model.scheme);
  told.run.tell(change);
  return told;
}

}  // namespace locus
