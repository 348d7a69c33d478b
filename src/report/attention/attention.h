// What is shown of the attention of a trained model: in words, as a figure, and as a page to explore.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "draw/charts.h"
#include "examine/answer.h"
#include "examine/attention_maps.h"

namespace locus {

// The keys that get most of a head's attention: a fixed distance from the query, the position that mirrors it, or one
// position. `share`: of the attention of those queries that give the answer (all of an encoder) and have such a key.
struct Habit {
  std::string words;  // "1 before", "the mirrored position", "position 3"
  double share;
};
Habit habit_of(const AttentionMap& map);

// "Head 1.0 of rope on reverse looks at the mirrored position (93 % ...)", of the head with the clearest habit.
std::string attention_finding(const std::string& subject, const std::vector<AttentionMap>& maps);

// A heat map for each head of attention, all on one scale from 0 to the highest weight. `tokens` names the
// queries and keys; when it is empty they are counted from 0.
std::vector<HeatMap> attention_heat_maps(const std::vector<AttentionMap>& maps,
                                         const std::vector<std::string>& tokens);

// The maps of each layer, and below each map a bar for each distance that the head looks at. `notes`: lines below the
// title, such as the input and the answer.
Figure attention_figure(const std::string& title, const std::vector<std::string>& notes,
                        const std::vector<AttentionMap>& maps, const std::vector<std::string>& tokens);

// The model of a run as a transformer. Throws UsageError when it has no attention.
const Transformer& transformer_of(const Run& run);

// The maps of what was read for this answer.
std::vector<AttentionMap> maps_of(const Run& run, const Reals& parameters, const Answer& answer);

// What a model makes of one input.
struct InputReading {
  std::string change;                // "as it is", "0 and 3 swapped", "without head 1.0"
  std::string note;                  // what the change did
  std::optional<double> right = {};  // of a silenced head: the share of test inputs that are right without it
  Answer answer;
  std::vector<AttentionMap> maps = {};
};

// The input as it is; then with each of these heads silenced; then with two of its tokens swapped, neighbours first: as
// many of these as fit on a page.
std::vector<InputReading> readings_of(const Run& run, const Reals& parameters, const Tokens& input,
                                      const std::vector<Head>& heads, Pool& pool);

// One HTML file without network: the figure, and with scripts the maps as rows, to be explored token by token. The
// first reading is of the unchanged input and model. `command` makes the page.
std::string attention_page(const std::string& title, const std::vector<InputReading>& readings,
                           const Run& run, const Figure& figure, const std::string& command);

}  // namespace locus
