// What a chapter's experiment.cpp can use, and the one function it has to define.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "draw/svg.h"
#include "train/run.h"
#include "train/trainer.h"

namespace locus {

// Defined by the chapter: prints its table to standard output and saves its figures. Under 30 seconds on two
// cores.
void experiment();

// The reply to what the learner guessed before the first step: what was guessed, what is, by how much, and
// why. Printed after the results; if the learner gave no guess, only the reason is printed. `is` is the
// number that was asked for.
void reply(double is, const std::string& why);
struct Choice {
  std::string name;
  double result;       // of this choice, higher is better
  std::string reason;  // what makes it so good, or so bad
};
void reply(const std::vector<Choice>& choices);

// Prints a warning when a result is further from what the chapter's text says than training on another
// machine explains. `suspect`: what to look at.
void expect(const std::string& what, double is, double text_says, double tolerance,
            const std::string& suspect);

// The width of the models: 32, or what the author's or the learner's `make lesson-12 WIDTH=64` asks for, a multiple of
// 16 from 16 to 128; fails otherwise. For the tables of a text that are recorded, not made again by every check.
inline constexpr int usual_width = 32;
int width_asked();

// Writes NAME.svg beside the others of this chapter.
void save_figure(const std::string& name, const Figure& figure);

// Trains the run's model, as `locus train` does; returns its parameters.
Reals train(const Run& run);

// The rest of a training; `after_each` is called after each step. On a terminal a line of standard error says meanwhile
// which training of this program it is, of what, and how many steps are done.
void train(
    Trainer& trainer, const RunSettings& settings, const std::function<void()>& after_each = [] {});

// Trains one model and tests it; one entry for each test length.
std::vector<LengthScore> train_and_test(const RunSettings& settings);

// "0.97 0.35 0.33": the accuracies of some seeds.
std::string of_each(const std::vector<double>& accuracies);

// Called by main: the experiment, with this folder for guess and figures.
void run_experiment(const std::string& folder);

}  // namespace locus
