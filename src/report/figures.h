// The figures of a trained model, put together from charts.
#pragma once

#include <string>
#include <vector>

#include "report/charts.h"
#include "train/attention_maps.h"

namespace locus {

// A heat map for each head of attention, all on one scale from 0 to the highest weight. `tokens` names the
// queries and keys; when it is empty they are counted from 0.
std::vector<HeatMap> attention_heat_maps(const std::vector<AttentionMap>& maps,
                                         const std::vector<std::string>& tokens);

// The maps, then a chart per layer of the attention that goes to each distance.
Figure attention_figure(std::string_view title, const std::vector<AttentionMap>& maps,
                        const std::vector<std::string>& tokens);

}  // namespace locus
