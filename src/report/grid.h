// The grid of small multiples: a row for each scheme, a column for each task. It is the picture of an ablation
// on its page, and the figure of `locus report --svg`. How a number becomes a mark:
//
//   results.jsonl     a line for each trained model
//   ResultRow           the models that differ in the seed only (ablation/result_rows.h); study.h groups them by kind
//   judgement.h       which of the differences are more than chance
//   ChartGrid         what each cell shows: this file
//   draw_cell         draws one cell with Drawing (svg.h), in the colours of colour.h
//   grid_figure       all cells as one SVG file; page/accuracy.cpp puts them into a table of the page instead
//
// In a cell, x is the length of the input (or the step of training), y the accuracy from 0 to 1:
//
//   line        the mean over seeds
//   dots        the seeds
//   grey area   what can be had without order, or without reading the input (blind_level)
//   blue, red   what the line has above the grey, or lacks below it
//   dashes      the mirror-blind ceiling, of a scheme that cannot tell left from right
//   number      the mean at the end of the line; blue, red or grey by its Standing
//
// Grey never means "little": it means that the seeds cannot tell the accuracy from what is possible without order.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ablation/judgement.h"
#include "draw/plot.h"
#include "report/study.h"

namespace locus {

// How a standing is shown: in words before a level, in a figure, and as a class of the page's style.
struct StandingLook {
  const char *beside, *ink, *css;
};
const StandingLook& look_of(Standing standing);

struct ChartCell {
  struct AtLength {
    double x;  // in pixels
    std::string accuracy;
    std::optional<double> gain;
    Standing standing;
  };

  Range x;
  // x ascending; the last two have the x of the line, or are empty
  std::vector<Point> line = {}, dots = {}, floor = {}, ceiling = {};
  std::string label = "";  // the number; "" in a cell without results
  Standing standing = Standing::at;
  std::string says = "";                   // the cell in words
  std::string trained = "";                // how its models were
  std::vector<std::string> commands = {};  // that go on from its model, if it was kept
  std::vector<AtLength> by_length = {};    // for the page's slider, at each of the grid's lengths
};

struct ChartGrid {
  struct Name {
    std::string name, note;
    SeriesStyle style = {};  // of a scheme
  };
  std::string measure;  // "token accuracy"
  std::vector<int> lengths = {};
  int trained = 0;        // the longest length trained on; 0: there is no one length
  bool by_width = false;  // a column for each task and width, and rows without a width in their name
  std::vector<Name> rows = {}, columns = {};
  std::vector<ChartCell> cells = {};  // row by row
};

inline constexpr double cell_width = 88, cell_height = 36;

// The first row is the control, the others follow by their mean gain at the longest length.
ChartGrid accuracy_grid(const ModelRows& view, const std::string& control, bool by_width = false);

// With empty cells, for other quantities in the same rows and columns.
ChartGrid empty_grid(const ModelRows& view, const std::string& control, bool by_width = false);
ChartCell& cell_of(ChartGrid& grid, const ResultRow& row);

// "Line: token accuracy ... Number: ", "at 24 tokens"
std::array<std::string, 2> how_to_read(const ChartGrid& grid);

// A cell that explains itself: its areas, with a word beside each.
Figure cell_key(const ChartGrid& grid, bool generates);

void draw_cell(Drawing& drawing, const ChartCell& cell);

// One grid for each kind of model, under this title.
Figure grid_figure(const std::string& title, const Study& study);

}  // namespace locus
