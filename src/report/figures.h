// The figures of an ablation and of a trained model, made of charts.
#pragma once

#include <string>
#include <vector>

#include "ablation/summary.h"
#include "report/charts.h"
#include "report/svg.h"
#include "train/attention_maps.h"

namespace locus {

// Accuracy against length, a panel per task: the picture of an ablation.

// Tasks with two or more test lengths only; throws Error when there is none. Lines are means over seeds, dots
// the seeds.
Figure accuracy_figure(const std::vector<Summary>& summaries);

// Its panels alone, for a page that has a key of its own: each scheme has the colour of its place in
// `schemes`. None when there is no such task.
std::vector<Figure> accuracy_panels(const std::vector<const Summary*>& rows,
                                    const std::vector<std::string>& schemes);

// Attention maps drawn: a heat map per head, and below them how far each head looks.

// A map for each head, all on one scale from 0 to the highest weight. `tokens` names the queries and keys;
// when it is empty they are counted from 0.
std::vector<HeatMap> attention_heat_maps(const std::vector<AttentionMap>& maps,
                                         const std::vector<std::string>& tokens);

// The maps, then a chart per layer of the share of the attention that goes to each distance.
Figure attention_figure(std::string_view title, const std::vector<AttentionMap>& maps,
                        const std::vector<std::string>& tokens);

}  // namespace locus
