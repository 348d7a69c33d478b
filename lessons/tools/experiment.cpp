#include "lessons/tools/experiment.h"

#include <unistd.h>

#include <iostream>

#include "base/error.h"
#include "base/file.h"
#include "report/terminal.h"

namespace locus {

namespace {
std::string folder;
}

void run_experiment(const std::string& given_folder) {
  folder = given_folder;
  create_folders(folder);
  experiment();
}

std::string predict(const std::string& question) {
  const std::string path = folder + "/guess";
  if (file_exists(path)) return read_file(path);
  if (!::isatty(STDIN_FILENO)) return "";
  std::cout << question << "\nYour guess: " << std::flush;
  std::string guess;
  std::getline(std::cin, guess);
  if (!guess.empty()) write_file_atomically(path, guess);
  std::cout << '\n';
  return guess;
}

std::string guessed(const std::string& guess) {
  return guess.empty() ? "" : text("You guessed ", guess, ".\n");
}

void save_figure(const std::string& name, const Figure& figure) {
  write_file_atomically(text(folder, '/', name, ".svg"), svg_document(figure));
}

Reals train(const Run& run) {
  Pool pool(hardware_threads());
  Trainer trainer(run.model(), run.task(), run.settings().train, pool);
  const bool lively = is_lively_terminal(STDERR_FILENO);
  if (lively)
    std::cerr << "training " << run.settings().model.scheme << " on " << run.task().name << " ..."
              << std::flush;
  while (trainer.train_step() == TrainStatus::running) continue;
  if (lively) std::cerr << "\r\x1b[K";
  return trainer.parameters();
}

std::vector<LengthScore> train_and_test(const RunSettings& settings) {
  const Run run(complete(settings));
  Pool pool(hardware_threads());
  return run.test(train(run).data(), pool);
}

}  // namespace locus
