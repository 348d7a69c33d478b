// What a chapter's experiment.cpp can use, and the one function it has to define.
#pragma once

#include <string>
#include <vector>

#include "report/svg.h"
#include "train/run.h"

namespace locus {

// Defined by the chapter: prints its table to standard output and saves its figures. Under 30 seconds on two
// cores.
void experiment();

// What the learner guessed before the first run; asked for, and kept, when there is a terminal to ask on. ""
// without.
std::string predict(const std::string& question);

// For the line below a result: "you guessed 0.8", or "" when nobody did.
std::string guessed(const std::string& guess);

// Writes NAME.svg beside the others of this chapter.
void save_figure(const std::string& name, const Figure& figure);

// Trains the run's model, as `locus train` does; returns its parameters.
Reals train(const Run& run);

// Trains one model and tests it; one entry for each test length.
std::vector<LengthScore> train_and_test(const RunSettings& settings);

// Called by main: the experiment, with this folder for guess and figures.
void run_experiment(const std::string& folder);

}  // namespace locus
