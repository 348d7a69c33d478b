// The figures of an ablation and of a trained model, put together from charts.
#pragma once

#include <string>
#include <vector>

#include "ablation/summary.h"
#include "report/charts.h"
#include "train/attention_maps.h"

namespace locus {

// Accuracy by length: a panel for each task that was tested at two or more lengths. Lines are means over
// seeds, dots the seeds. Throws Error when there is no such task.
Figure accuracy_figure(const std::vector<Summary>& summaries);

// Its panels alone, for a page that has a key of its own. The index of a scheme in `schemes` is that of its
// colour. Empty when there is no such task.
std::vector<Figure> accuracy_panels(const std::vector<const Summary*>& rows,
                                    const std::vector<std::string>& schemes);

// A chart from 0 to 1 in the size of a panel, without series. `row`: any row of the chart; it gives the name
// of the measure.
LineChart accuracy_chart(const std::string& title, const std::string& x_label, const Summary& row);

// A heat map for each head of attention, all on one scale from 0 to the highest weight. `tokens` names the
// queries and keys; when it is empty they are counted from 0.
std::vector<HeatMap> attention_heat_maps(const std::vector<AttentionMap>& maps,
                                         const std::vector<std::string>& tokens);

// The maps, then a chart per layer of the attention that goes to each distance.
Figure attention_figure(std::string_view title, const std::vector<AttentionMap>& maps,
                        const std::vector<std::string>& tokens);

}  // namespace locus
