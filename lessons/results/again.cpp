// Are the studies here still what their commands give? Trains one model of each again, the one with the least work,
// and compares all bits of its results: `make results-check`, or of some studies: make results-check ONLY="needle far".
// `build/lessons/again write STUDY` trains all its models again, and writes its results.jsonl anew.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>

#include "ablation/ablation.h"
#include "base/error.h"
#include "base/pool.h"
#include "io/file.h"
#include "io/format.h"

namespace locus {

namespace {

const std::string here = "lessons/results/";

std::string file_of(const std::string& folder) { return folder + "/results.jsonl"; }

// The results.jsonl of these cells, trained again on so many threads.
std::string trained_again(const std::vector<RunSettings>& cells, int jobs) {
  const std::string folder = text(std::filesystem::temp_directory_path().string(), "/locus-again-", getpid());
  {
    Results results(folder, cells);
    run_cells(cells, results, jobs, {});
  }
  const std::string lines = read_file(file_of(folder));
  std::filesystem::remove_all(folder);
  return lines;
}

Result trained_again(const RunSettings& cell) {
  return read_result(parse_json(trained_again({cell}, 1), "again"), "again");
}

// A line of results.jsonl without the answers that are shown, which are kept of one seed of an ablation only.
std::string line_of(Result result) {
  for (LengthScore& at : result.outcome.by_length) at.answers.clear();
  return to_string(to_json(result));
}

// "1000 steps, accuracy 0.9973 0.7612"
std::string words_of(const Outcome& outcome) {
  std::string words = text(outcome.steps, " steps, accuracy");
  for (const LengthScore& at : outcome.by_length)
    words += text(' ', fixed(at.score.accuracy(outcome.generates), 6));
  return words;
}

bool is_same_again(const std::string& study) {
  const std::vector<Result> recorded = read_records({here + study}).results;
  const auto work = [](const Result& result) {
    const RunSettings& cell = result.settings;
    return work_of({cell}) * result.outcome.steps / cell.train.steps;  // many stop early
  };
  const Result before = *std::ranges::min_element(recorded, {}, work);
  const RunSettings& cell = before.settings;
  std::cout << study << ": " << cell.task << ", " << to_string(cell.model.scheme) << ", "
            << to_string(cell.model.kind) << " of width " << cell.model.d_model << ", seed "
            << cell.train.seed << ": " << std::flush;
  Result now = trained_again(cell);
  for (std::size_t i = 0; i < now.outcome.by_length.size(); ++i)  // what was not recorded cannot be compared
    if (std::isnan(before.outcome.by_length[i].score.token_accuracy))
      now.outcome.by_length[i].score.token_accuracy = before.outcome.by_length[i].score.token_accuracy;
  const bool same = line_of(now) == line_of(before);
  if (same) std::cout << "the same bits\n";
  if (!same)
    std::cout << "OTHER BITS\n    recorded: " << words_of(before.outcome)
              << "\n    now:      " << words_of(now.outcome) << '\n';
  return same;
}

void write_anew(const std::string& study) {
  std::vector<RunSettings> cells;
  for (const Result& result : read_records({here + study}).results) cells.push_back(result.settings);
  std::cout << study << ": " << cells.size() << " models" << std::endl;
  write_file_atomically(file_of(here + study), trained_again(cells, hardware_threads()));
}

// The folders here that hold results of `locus ablate`.
std::vector<std::string> all_studies() {
  std::vector<std::string> studies;
  for (const auto& entry : std::filesystem::directory_iterator(here))
    if (std::filesystem::exists(file_of(entry.path()))) studies.push_back(entry.path().filename());
  std::ranges::sort(studies);
  return studies;
}

}  // namespace

}  // namespace locus

int main(int count, char** words) {
  try {
    std::vector<std::string> studies(words + 1, words + count);
    if (studies.size() == 2 && studies[0] == "write") {
      locus::write_anew(studies[1]);
      return 0;
    }
    if (studies.empty()) studies = locus::all_studies();
    const auto changed =
        std::ranges::count_if(studies, [](const auto& study) { return !locus::is_same_again(study); });
    std::cout << "[results-check] " << studies.size() - changed << " passed | " << changed << " failed\n";
    return changed > 0;
  } catch (const std::exception& problem) {
    std::cerr << '\n' << problem.what() << '\n';
    return 1;
  }
}
